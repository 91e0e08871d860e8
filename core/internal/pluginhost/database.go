package pluginhost

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// database gives the plugin a place of its own on PostgreSQL: a schema, and a role that owns it and may do nothing else. The
// role's password is derived from ours, so that every replica comes to the same.
func (p *Plugin) database(ctx context.Context) (database, schema string, err error) {
	if p.o.Database == "" {
		return "", "", nil
	}
	u, err := url.Parse(p.o.Database)
	if err != nil {
		return "", "", fmt.Errorf("pluginhost: --database is not a URL") // the error would show it
	}
	name := "wattle_plugin_" + p.Spec.Key
	ours, _ := u.User.Password()
	mac := hmac.New(sha256.New, []byte(ours))
	mac.Write([]byte(name))
	password := hex.EncodeToString(mac.Sum(nil))

	c, err := pgx.Connect(ctx, p.o.Database)
	if err != nil {
		return "", "", fmt.Errorf("pluginhost: database: %w", err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }() // done with it
	// One replica at a time; none of these words comes from outside.
	statements := []string{
		"SELECT pg_advisory_xact_lock(hashtext('" + name + "'))",
		"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '" + name + "') THEN CREATE ROLE " + name + " LOGIN; END IF; END $$",
		"ALTER ROLE " + name + " LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '" + password + "'",
		"GRANT " + name + " TO CURRENT_USER",
		"CREATE SCHEMA IF NOT EXISTS " + name + " AUTHORIZATION " + name,
		"ALTER ROLE " + name + " SET search_path = " + name,
	}
	err = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", "", fmt.Errorf("pluginhost: role and schema %s (our own role needs CREATEROLE, and CREATE on the database): %w", name, err)
	}
	u.User = url.UserPassword(name, password)
	return u.String(), name, nil
}
