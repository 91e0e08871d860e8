package pluginhost

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// database gives the plugin a place of its own on PostgreSQL: a schema, and a role that owns it and may do nothing else. The
// role's password is derived from ours, so that every replica comes to the same. Our own role needs CREATEROLE, and CREATE on the
// database (9-plugin-role): attributes that only a superuser may name, such as NOSUPERUSER, are looked at and never set.
func (p *Plugin) database(ctx context.Context) (database, schema string, err error) {
	if p.o.Database == "" {
		return "", "", nil
	}
	u, err := url.Parse(p.o.Database)
	if err != nil {
		return "", "", errors.New("pluginhost: --database is not a URL") // the error would show it
	}
	config, err := pgx.ParseConfig(p.o.Database)
	if err != nil {
		return "", "", errors.New("pluginhost: --database cannot be read")
	}
	name := "wattle_plugin_" + p.Spec.Key
	mac := hmac.New(sha256.New, []byte(config.Password))
	mac.Write([]byte(name))
	password := hex.EncodeToString(mac.Sum(nil))

	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return "", "", fmt.Errorf("pluginhost: database: %w", err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }() // done with it
	// One replica at a time; none of these words comes from outside.
	statements := []string{
		"SELECT pg_advisory_xact_lock(hashtext('" + name + "'))",
		"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '" + name + "') THEN CREATE ROLE " + name + " LOGIN; END IF; END $$",
		"ALTER ROLE " + name + " LOGIN PASSWORD '" + password + "'",
		"GRANT " + name + " TO CURRENT_USER",
		"CREATE SCHEMA IF NOT EXISTS " + name + " AUTHORIZATION " + name,
		"ALTER ROLE " + name + " SET search_path = " + name,
	}
	err = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		if powerful, err := isPowerful(ctx, tx, name); err != nil || powerful {
			return cmp.Or(err, errPowerful)
		}
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
	q := u.Query()
	for _, who := range []string{"user", "password", "passfile", "service", "servicefile", "sslcert", "sslkey", "sslpassword"} {
		q.Del(who) // these win over what stands before the @, and would make the plugin us
	}
	u.RawQuery = q.Encode()
	return u.String(), name, nil
}

var errPowerful = errors.New("the role is there already and may do more than a plugin: make it NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS")

// isPowerful reports whether a role of that name is there and may do what the database lets only some do.
func isPowerful(ctx context.Context, tx pgx.Tx, role string) (powerful bool, err error) {
	err = tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND "+
		"(rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls))", role).Scan(&powerful)
	return powerful, err
}
