package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// ErrRuns is returned for the data of a plugin whose process does not end.
var ErrRuns = errors.New("the plugin still runs")

// Times of RemoveData: a portal stops a removed plugin within about a second, and its running calls may take as long as drainTimeout.
const (
	noticeTime = 2 * time.Second
	endTimeout = drainTimeout + 15*time.Second
)

// RemoveData deletes what a removed plugin has stored: its database, its log and the copies from which it ran. It waits until its processes
// have ended, and returns ErrRuns if they do not. database is empty for SQLite in the data folder. What core has stored stays: entries of
// the audit log, change requests, sent mails. RemoveData reports whether there was any data.
func RemoveData(ctx context.Context, data, database, key string) (found bool, err error) {
	if !IsKey(key) {
		return false, fmt.Errorf("%q is not a plugin key", key)
	}
	own, role := filepath.Join(data, dataFolder, key), "wattle_plugin_"+key
	if database == "" {
		if err := awaitEnd(ctx, key, func() (bool, error) { return store.InUse(ctx, own) }); err != nil {
			return false, err
		}
	} else {
		c, err := pgx.Connect(ctx, database)
		if err != nil {
			return false, errors.New("pluginhost: the database cannot be reached") // the error contains the address
		}
		defer func() { _ = c.Close(context.WithoutCancel(ctx)) }() // not needed any more
		isConnected := func() (found bool, err error) {            // also while it has nothing to do
			err = c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = $1)", role).Scan(&found)
			return found, err
		}
		if err := awaitEnd(ctx, key, isConnected); err != nil {
			return false, err
		}
		if found, err = dropRole(ctx, c, role); err != nil {
			return false, fmt.Errorf("pluginhost: role and schema %s: %w", role, err)
		}
	}
	log := filepath.Join(data, logFolder, key+".log")
	for _, name := range []string{own, log, log + ".1", filepath.Join(data, installedFolder, key)} {
		_, missing := os.Lstat(name)
		found = found || missing == nil
		err = errors.Join(err, os.RemoveAll(name))
	}
	return found, err
}

// awaitEnd waits until a plugin has not run for noticeTime.
func awaitEnd(ctx context.Context, key string, runs func() (bool, error)) error {
	idle := time.Now()
	for began := idle; time.Since(idle) < noticeTime; {
		isRunning, err := runs()
		if err != nil {
			return fmt.Errorf("pluginhost: %w", err)
		}
		if isRunning {
			idle = time.Now()
		}
		if time.Since(began) > endTimeout {
			return fmt.Errorf("plugin %s: %w", key, ErrRuns)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(noticeTime / 10):
		}
	}
	return nil
}

// dropRole drops the schema and the role of a plugin, and reports whether there was a role. The names are not user input.
func dropRole(ctx context.Context, c *pgx.Conn, role string) (exists bool, err error) {
	err = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('"+role+"'))"); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", role).Scan(&exists); err != nil || !exists {
			return err
		}
		for _, statement := range []string{"DROP SCHEMA IF EXISTS " + role + " CASCADE", "DROP OWNED BY " + role, "DROP ROLE " + role} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	return exists, err
}
