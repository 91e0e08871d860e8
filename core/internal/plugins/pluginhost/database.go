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

// database creates a plugin's part of a PostgreSQL database: a schema, and a role that owns the schema and has no other rights. The
// password of the role is derived from the password of core's role, so that every replica computes the same one. Core's role needs
// CREATEROLE, and CREATE on the database (9-plugin-role). Attributes that only a superuser may set, such as NOSUPERUSER, are checked but
// never set.
func (p *Plugin) database(ctx context.Context) (database, schema string, err error) {
	if p.o.Database == "" {
		return "", "", nil
	}
	u, err := url.Parse(p.o.Database)
	if err != nil {
		return "", "", errors.New("pluginhost: --database is not a URL") // the parse error contains the password
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
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }() // not needed any more
	// The lock serializes replicas. None of the names is user input.
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
	for _, parameter := range []string{"user", "password", "passfile", "service", "servicefile", "sslcert", "sslkey", "sslpassword"} {
		q.Del(parameter) // these parameters override the user before the @, and would give the plugin core's role
	}
	u.RawQuery = q.Encode()
	return u.String(), name, nil
}

var errPowerful = errors.New("the role is there already and may do more than a plugin: make it NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS")

// isPowerful reports whether a role with that name exists and has an attribute such as SUPERUSER or CREATEDB.
func isPowerful(ctx context.Context, tx pgx.Tx, role string) (powerful bool, err error) {
	err = tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND "+
		"(rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls))", role).Scan(&powerful)
	return powerful, err
}
