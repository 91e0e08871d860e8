package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// ForPlugin makes the database of a plugin's own and says how to open it: a file in its own folder for SQLite, a schema with a
// role that may enter nothing else for PostgreSQL. The role's password follows from core's own, so that all replicas agree on it.
func (s *Store) ForPlugin(ctx context.Context, key string) (Config, error) {
	if !keyForm.MatchString(key) {
		return Config{}, fmt.Errorf("store: %q cannot be the key of a module", key)
	}
	if s.engine == SQLite {
		return Config{Dir: filepath.Join(s.config.Dir, "plugins", key), Unsafe: s.config.Unsafe}, nil
	}
	u, err := url.Parse(s.config.URL)
	if err != nil {
		return Config{}, fmt.Errorf("store: a plugin needs a database given as a URL: %w", err)
	}
	name := "wattle_plugin_" + key
	if s.config.Schema != "" {
		name = s.config.Schema + "_plugin_" + key
	}
	conf, err := pgx.ParseConfig(s.config.URL)
	if err != nil {
		return Config{}, fmt.Errorf("store: %w", err)
	}
	mac := hmac.New(sha256.New, []byte(conf.Password))
	mac.Write([]byte("plugin " + conf.Database + " " + name))
	password := hex.EncodeToString(mac.Sum(nil))

	id := pgx.Identifier{name}.Sanitize()
	err = s.Locked(ctx, func(ctx context.Context) error {
		var there bool
		if err := s.write.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '"+name+"')").Scan(&there); err != nil {
			return err
		}
		verb := "CREATE"
		if there {
			verb = "ALTER"
		}
		_, err := s.write.ExecContext(ctx, verb+" ROLE "+id+" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '"+password+"';"+
			"GRANT "+id+" TO CURRENT_USER;"+
			"CREATE SCHEMA IF NOT EXISTS "+id+" AUTHORIZATION "+id+";"+
			"REVOKE CREATE ON SCHEMA public FROM PUBLIC")
		return err
	})
	if err != nil {
		return Config{}, fmt.Errorf("store: database of plugin %s: %w", key, err)
	}
	u.User = url.UserPassword(name, password)
	if q := u.Query(); q.Has("user") || q.Has("password") { // the form with a socket: postgres:///db?host=…&user=…
		q.Del("user")
		q.Del("password")
		u.RawQuery = q.Encode()
	}
	return Config{URL: u.String(), Schema: name}, nil
}
