package upgrade

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/wattle-portal/wattle/core/internal/operate/backup"
)

// clear drops everything that a dump of the database contains, so that the dump can be restored in the same transaction. It keeps objects
// of extensions.
const clear = `SET LOCAL client_min_messages = error;
DO $$ DECLARE statement text; BEGIN
	FOR statement IN SELECT unnest(array_agg(format('DROP SCHEMA %I CASCADE', nspname)))
			FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public') LOOP
		EXECUTE statement;
	END LOOP;
	FOR statement IN SELECT unnest(array_agg(format('DROP %s IF EXISTS %s CASCADE', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
			WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, c.oid::regclass)
			ORDER BY c.relkind IN ('r', 'p') DESC)) -- tables first, with the sequences that they own
		FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c')
			AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') LOOP
		EXECUTE statement;
	END LOOP;
	FOR statement IN SELECT unnest(array_agg(format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)))
		FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
			AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e') LOOP
		EXECUTE statement;
	END LOOP;
	FOR statement IN SELECT unnest(array_agg(format('DROP TYPE IF EXISTS %s CASCADE', t.oid::regtype)))
		FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd')
			AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e') LOOP
		EXECUTE statement;
	END LOOP;
END $$;
`

// postgresPrograms returns an error that lists the PostgreSQL programs that an upgrade needs and that are missing on this machine.
func postgresPrograms() error {
	for _, name := range []string{"pg_dump", "pg_restore", "psql"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%s is missing: install the client programs of PostgreSQL, of the version of the server or later (postgresql-client)",
				name)
		}
	}
	return nil
}

// ownParameters are connection parameters that only the portal understands.
var ownParameters = []string{"pool_max_conns", "pool_min_conns", "pool_min_idle_conns", "pool_max_conn_lifetime",
	"pool_max_conn_lifetime_jitter", "pool_max_conn_idle_time",
	"pool_health_check_period", "default_query_exec_mode", "statement_cache_capacity", "description_cache_capacity"}

// postgres runs a PostgreSQL program on a database. The password is passed in the environment, where other users cannot read it.
func postgres(ctx context.Context, database, program string, args ...string) error {
	u, err := url.Parse(database)
	if err != nil {
		return errors.New("upgrade: --database cannot be read") // the parse error contains the password
	}
	conf, err := pgx.ParseConfig(database)
	if err != nil {
		return errors.New("upgrade: --database cannot be read")
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for _, name := range append([]string{"password"}, ownParameters...) {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	cmd := exec.CommandContext(ctx, program, append([]string{"--dbname=" + u.String(), "--no-password"}, args...)...)
	cmd.Env = append(os.Environ(), "PGAPPNAME=wattle upgrade")
	if conf.Password != "" {
		cmd.Env = append(cmd.Env, "PGPASSWORD="+conf.Password)
	}
	return output(cmd)
}

// output runs a program. Its error contains what the program wrote to standard error.
func output(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, lastLines(out))
	}
	return nil
}

// lastLines returns the end of a program's output as one line.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(bytes.TrimSpace(out))), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " ")
}

// dump writes a verified dump of a database to a file. The file is replaced when the dump is complete.
func dump(ctx context.Context, database, file string) error {
	if err := postgresPrograms(); err != nil {
		return err
	}
	part := file + ".part"
	if err := postgres(ctx, database, "pg_dump", "--format=custom", "--file="+part); err != nil {
		return err
	}
	if err := os.Chmod(part, 0o600); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := backup.VerifyDump(ctx, part); err != nil {
		return err
	}
	if err := flush(part); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := os.Rename(part, file); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	return nil
}

func flush(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// restoreDump replaces the content of a database with a dump, in one transaction: it succeeds completely or changes nothing. It first dumps
// the replaced content to kept.
func restoreDump(ctx context.Context, database, file, kept string) error {
	if err := backup.VerifyDump(ctx, file); err != nil {
		return err
	}
	if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
		if err := dump(ctx, database, kept); err != nil {
			return fmt.Errorf("what the new program left cannot be kept: %w", err)
		}
	}
	script, empty := file+".sql", file+".clear.sql"
	defer func() { _, _ = os.Remove(script), os.Remove(empty) }() // the files contain data of the dump
	if err := os.WriteFile(empty, []byte(clear), 0o600); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := os.WriteFile(script, nil, 0o600); err != nil { // sets the mode before the file has any content
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := output(exec.CommandContext(ctx, "pg_restore", "--no-comments", "--file="+script, file)); err != nil {
		return err
	}
	return postgres(ctx, database, "psql", "--no-psqlrc", "--quiet", "--output="+os.DevNull, "--single-transaction", "--set=ON_ERROR_STOP=1",
		"--file="+empty, "--file="+script, "--command=ANALYZE")
}
