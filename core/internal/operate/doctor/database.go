package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

const (
	databaseCheck   = "database"
	minPostgres     = 14 // earlier versions have received no security fixes since November 2025
	dialTimeout     = 10 * time.Second
	maxClockSkew    = 2 * time.Second
	minFreeSlots    = 40 // connections for one more process of the portal, plus some for the operator
	postgresPageDo  = "see docs/operations.md, SQLite or PostgreSQL"
	sqliteFile      = "wattle.db"
	invalidPassword = "28P01"
	noRole          = "28000"
	noDatabase      = "3D000"
)

// database checks that the database can be used, and opens it for the following checks.
func (d *doctor) database(ctx context.Context) {
	if d.isHeld { // the upgrade refuses to go on while another process uses the database
		d.warn(databaseCheck, "finish the upgrade first", "it was not opened: an upgrade may be changing it")
		return
	}
	if d.Config.Database != "" && !d.postgres(ctx) {
		return
	}
	if d.Config.Database == "" {
		file := filepath.Join(d.Config.Data, sqliteFile)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			d.warn(databaseCheck, "start the portal, which creates it; if there should be one, --data names another folder or the disk is not mounted", "there is no %s yet", file)
			return
		}
	}
	s, err := store.Open(ctx, store.Config{Dir: d.Config.Data, URL: d.Config.Database, Direct: d.Config.Direct})
	if err == nil {
		if err = s.Ping(ctx); err == nil {
			err = readable(ctx, s)
		}
		if err != nil {
			_ = s.Close() // the first error is the cause
		}
	}
	if err != nil {
		do := "if the file is damaged, restore a backup (wattle restore) into an empty folder; else correct its owner and mode"
		if d.Config.Database != "" {
			do = "correct the address in --database, and start the server or its pooler"
		}
		d.problem(databaseCheck, do, "%v", err)
		return
	}
	d.store = s
	d.migrations(ctx)
}

// readable reads the schema. This fails if the file is damaged or is not a database.
func readable(ctx context.Context, s *store.Store) error {
	if s.Engine() != store.SQLite {
		return nil
	}
	n := 0
	return s.Read().QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
}

// postgres checks the server and the privileges of the role. It reports whether the portal could use the server.
func (d *doctor) postgres(ctx context.Context) bool {
	where := store.Describe(d.Config.Server())
	conf, err := pgx.ParseConfig(d.Config.Server())
	if err != nil {
		d.problem(databaseCheck, "write it as postgres://user:password@host:5432/name, with special characters of the password as %XX",
			"the address of the database cannot be read")
		return false
	}
	conf.ConnectTimeout = dialTimeout
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		d.unreachable(where, conf, err)
		return false
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // only read
	var f server
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
		pg_encoding_to_char(encoding), pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on',
		coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), has_database_privilege(current_database(), 'CREATE'),
		(SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user), (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
		(SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend'), current_setting('max_connections')::int
		FROM pg_database WHERE datname = current_database()`).
		Scan(&f.version, &f.shown, &f.encoding, &f.isStandby, &f.isReadOnly, &f.canCreate, &f.canCreateSchema, &f.canCreateRole, &f.isSuper,
			&f.used, &f.slots)
	if err != nil {
		d.problem(databaseCheck, postgresPageDo, "%s: %v", where, err)
		return false
	}
	return d.check(where, conf.User, conf.Database, f)
}

// server describes a PostgreSQL server and the portal's role on it.
type server struct {
	version                                            int
	shown, encoding                                    string
	isStandby, isReadOnly                              bool
	canCreate, canCreateSchema, canCreateRole, isSuper bool
	used, slots                                        int // connections
}

// check reports missing privileges and settings, and whether the portal can use the server.
func (d *doctor) check(where, user, name string, f server) bool {
	isUsable, before := true, len(d.found)
	report := func(do, format string, args ...any) {
		isUsable = false
		d.problem(databaseCheck, do, where+": "+format, args...)
	}
	role, database := pgx.Identifier{user}.Sanitize(), pgx.Identifier{name}.Sanitize()
	if f.version < minPostgres*10000 {
		report(fmt.Sprintf("upgrade the server to PostgreSQL %d or later", minPostgres), "PostgreSQL %s is too old", f.shown)
	}
	if f.isStandby {
		report("name the primary in --database", "the server is a standby, which takes no writes")
	} else if f.isReadOnly {
		report("ALTER ROLE "+role+" RESET default_transaction_read_only, and the same of the database and in postgresql.conf",
			"transactions are read-only by default")
	}
	if f.encoding != "UTF8" {
		report("create the database again with ENCODING 'UTF8' and put a dump into it", "the encoding of the database is %s", f.encoding)
	}
	if !f.canCreate {
		report("ALTER DATABASE "+database+" OWNER TO "+role, "the role %s may not create tables, which migrations do", user)
	}
	if d.Config.Plugins != "" && !f.isSuper && (!f.canCreateRole || !f.canCreateSchema) {
		report("ALTER ROLE "+role+" CREATEROLE, and make it owner of the database",
			"the role %s may not create a role and a schema for each plugin", user)
	}
	if f.slots-f.used < minFreeSlots && isUsable {
		d.warn(databaseCheck, "raise max_connections, or stop what keeps connections open",
			"%s: %d of %d connections are in use, and a process of the portal takes up to 35", where, f.used, f.slots)
	}
	if f.isSuper && isUsable {
		d.warn(databaseCheck, postgresPageDo+": it needs no superuser", "%s: the role %s is a superuser", where, user)
	}
	if len(d.found) == before {
		d.ok(databaseCheck, "%s: PostgreSQL %s, %d of %d connections in use", where, f.shown, f.used, f.slots)
	}
	return isUsable
}

// unreachable reports why a connection failed. It does not repeat an error of pgx that may contain the address.
func (d *doctor) unreachable(where string, conf *pgx.ConnConfig, err error) {
	why := store.ConnectReason(conf, err)
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		d.problem(databaseCheck, "start the server, and check host, port and firewall from this machine: pg_isready --host="+conf.Host,
			"%s does not answer: %s", where, why)
		return
	}
	do := postgresPageDo
	switch refused.Code {
	case invalidPassword:
		do = "correct user and password in --database, or in the file of --database-file; write special characters of the password as %XX"
	case noRole:
		do = "correct the user in --database, and pg_hba.conf of the server"
	case noDatabase:
		do = "CREATE DATABASE " + pgx.Identifier{conf.Database}.Sanitize() + " OWNER " + pgx.Identifier{conf.User}.Sanitize()
	}
	d.problem(databaseCheck, do, "%s: %s", where, why)
}

// migrations compares the migrations of the database with those of this program.
func (d *doctor) migrations(ctx context.Context) {
	type set struct {
		name, table string
		of          store.Migrations
	}
	var sets []set
	for _, m := range d.Core {
		sets = append(sets, set{"core." + m.Name, m.MigrationTable(), m})
	}
	for _, m := range d.Modules {
		of, table := store.ModuleMigrations(m.Manifest)
		sets = append(sets, set{m.Key, table, of})
	}
	var older, newer []string
	for _, s := range sets {
		want, name, err := s.of.Newest(d.store.Engine())
		if err != nil || want == 0 {
			continue
		}
		applied := int64(0)
		if err := d.store.Read().QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+s.table+
			" WHERE is_applied").Scan(&applied); err != nil {
			applied = 0 // the table is missing: no migration of this set was applied
		}
		switch {
		case applied < want:
			older = append(older, name+" of "+s.name)
		case applied > want:
			newer = append(newer, fmt.Sprintf("%d of %s", applied, s.name))
		}
	}
	switch {
	case len(newer) > 0:
		d.problem(databaseCheck, "use the program of the release that migrated it, or a newer one",
			"a newer release has migrated this database: %s", strings.Join(newer, ", "))
	case len(older) > 0:
		d.warn(databaseCheck, "make a backup; the next start migrates it, or wattle migrate", "%s to be migrated, such as %s",
			words.Count(len(older), "part is", "parts are"), older[0])
	case d.store.Engine() == store.SQLite:
		d.ok(databaseCheck, "%s, migrated", d.store.Location())
	}
}

// key checks that the identity key is the key with which the database was written (decision 0027).
func (d *doctor) key(ctx context.Context) {
	const check = "identity key"
	k, err := masterkey.Load(d.Config.Secret(masterkey.SecretName), d.Config.Data)
	if err != nil {
		d.problem(check, "put the key of the database there: from its backup, or from another machine of the installation", "%v", err)
		return
	}
	if d.store == nil {
		d.warn(check, "first do what is said of the database", "the database was not read, so the key was not compared with it")
		return
	}
	isKnown, err := k.Compare(ctx, d.store)
	switch {
	case errors.Is(err, masterkey.ErrOther), errors.Is(err, masterkey.ErrLost):
		d.problem(check, "put it back from its backup: as identity.key in the data folder, or as "+masterkey.SecretName+
			" in the secret file; if it is lost, run wattle identity reset", "%v", err)
		return
	case err != nil:
		d.warn(check, "start the portal once, which migrates the database", "the database has no record of its key: %v", err)
		return
	case !isKnown:
		d.warn(check, "start the portal, and back up the key then", "the database has no key yet; the first start gives it one")
		return
	}
	if state, detail := k.Check(ctx); state != "ok" {
		d.warn(check, "start every process with the new key, and then run wattle identity rotate --finish", "%s", detail)
		return
	}
	d.ok(check, "it is the key of the database")
}

// clock compares the local clock with the database's clock, and with times in the past.
func (d *doctor) clock(ctx context.Context) {
	const check = "clock"
	const do = "set the time, and keep it right with NTP (timedatectl set-ntp true)"
	now := d.Now()
	if now.Before(d.CommitTime) {
		d.problem(check, do, "it is %s here, before this program was made (%s)", now.UTC().Format(time.RFC3339),
			d.CommitTime.UTC().Format(time.RFC3339))
		return
	}
	if d.store == nil {
		d.ok(check, "%s; the database was not asked", now.UTC().Format(time.RFC3339))
		return
	}
	var written []time.Time
	if err := d.store.Read().NewSelect().Table("identity_keyring").Column("created_at").OrderExpr("created_at DESC").Limit(1).Scan(ctx,
		&written); err == nil &&
		len(written) > 0 && written[0].After(now.Add(maxClockSkew)) {
		d.problem(check, do, "it is %s here, before the identity key of the database was made (%s)", now.UTC().Format(time.RFC3339),
			written[0].UTC().Format(time.RFC3339))
		return
	}
	if d.store.Engine() == store.SQLite {
		d.ok(check, "%s", now.UTC().Format(time.RFC3339))
		return
	}
	began, theirs := d.Now(), time.Time{}
	if err := d.store.Read().QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&theirs); err != nil {
		d.warn(check, "correct the database first", "the database did not say its time: %v", err)
		return
	}
	skew, isTooLarge := clockSkew(began, d.Now(), theirs)
	if isTooLarge {
		d.problem(check, do+", on this machine and on that of the database", "this machine and the database differ by %s", skew)
		return
	}
	d.ok(check, "this machine and the database differ by %s", skew)
}

// clockSkew returns by how much the database's clock differs from the local one, to the millisecond, and whether that is too much
// (11-doctor-clock). The database read its clock at some time between began and ended.
func clockSkew(began, ended, theirs time.Time) (skew time.Duration, isTooLarge bool) {
	uncertainty := ended.Sub(began) / 2
	skew = began.Add(uncertainty).Sub(theirs).Round(time.Millisecond).Abs()
	return skew, skew > maxClockSkew+uncertainty
}
