package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
)

// backupReport is the output of `wattle backup --json` for a backup that was written or recorded.
type backupReport struct {
	File        string    `json:"file"`
	At          time.Time `json:"at"`
	Entries     int       `json:"entries,omitempty"`
	Plugins     []string  `json:"plugins,omitempty"`      // plugins with a database in it
	Files       int       `json:"files,omitempty"`        // files in the file store that are listed
	IdentityKey bool      `json:"identity_key,omitempty"` // whether FILE contains the identity key
}

func backupCommand() *cobra.Command {
	c, key, record := config.Default(), false, ""
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Back up the databases, the labels and the list of files",
		Long: "Write each database as it is at one moment, the labels, and the names of the files in the file store to a new FILE: a tar archive " +
			"compressed with Zstandard that only its owner can read. Then read it again and verify it. Back up the files themselves and the identity " +
			"key separately; with --with-key, FILE contains the key too, so its reader can decrypt everything in it.\n\n" +
			"With PostgreSQL nothing is written: print the commands that back it up, and exit with status 2.",
		Example: "  wattle backup /backups/wattle.tar.zst\n  wattle backup --record /backups/wattle.dump",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case record == "" && len(args) == 0:
				return cli.Missing(cmd, "FILE")
			case record != "" && len(args) > 0:
				return cli.Usagef(cmd, "FILE and --record cannot be used together")
			}
			return cli.CheckArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Check(); err != nil {
				return err
			}
			if err := hold.Check(c.Data); err != nil { // the data may be half migrated
				return err
			}
			if record != "" {
				return recordDump(cmd, c.Data, record, *asJSON)
			}
			if c.Database != "" {
				return printPostgres(cmd, c, args[0], *asJSON)
			}
			if key && c.Secret(masterkey.SecretName) != "" {
				return fmt.Errorf("--with-key: the identity key is %s; back it up where it is stored", masterkey.SecretName)
			}
			store, err := files.Open(cmd.Context(), files.Config{At: c.Files, Data: c.Data, Secrets: c.Secret})
			if err != nil {
				return fmt.Errorf("--files: %w", err)
			}
			defer func() { _ = store.Close() }() // opened for reading only
			m, err := backup.Write(cmd.Context(), args[0], backup.Source{Data: c.Data, Labels: c.Labels, Files: store, Key: key,
				Version: app.Version, Now: time.Now()})
			if err != nil {
				return err
			}
			if _, err := backup.Verify(args[0]); err != nil {
				return fmt.Errorf("%w; write another one, to another disk", err)
			}
			r := backupReport{args[0], m.At, len(m.Entries), m.Plugins, m.Files, key}
			err = cli.Print(cmd, *asJSON, r, func(out io.Writer) {
				fmt.Fprintf(out, "%s: %s, databases of %s, %s in the file store listed\n", args[0], words.Count(len(m.Entries), "entry", "entries"),
					words.Count(len(m.Plugins), "plugin", "plugins"), words.Count(m.Files, "file", "files"))
			})
			if err != nil {
				return err
			}
			if err := backup.Note(c.Data, backup.Record{At: m.At, File: args[0]}); err != nil { // the backup is valid
				fmt.Fprintln(cmd.ErrOrStderr(), "The backup could not be recorded for `wattle doctor`:", err)
			}
			if !key {
				fmt.Fprintln(cmd.ErrOrStderr(), "The identity key is not in it. Keep a copy of the key elsewhere: without it, everybody is signed out.")
			}
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&key, "with-key", false, "include identity.key of the data folder")
	cmd.Flags().StringVar(&record, "record", "", "dump of pg_dump to verify and record in the data folder, for wattle doctor; nothing else is done")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// recordDump checks a PostgreSQL dump and records it.
func recordDump(cmd *cobra.Command, data, dump string, asJSON bool) error {
	if err := backup.VerifyDump(cmd.Context(), dump); err != nil {
		return err
	}
	info, err := os.Stat(dump)
	if err != nil {
		return err
	}
	at := info.ModTime().UTC()
	if err := backup.Note(data, backup.Record{At: at, File: dump}); err != nil {
		return err
	}
	return cli.Print(cmd, asJSON, backupReport{File: dump, At: at}, func(out io.Writer) { fmt.Fprintf(out, "%s is recorded\n", dump) })
}

// postgresCommands are the commands that back up PostgreSQL and restore the backup, one a line.
type postgresCommands struct {
	Backup  []string `json:"backup"`
	Restore []string `json:"restore"`
}

// printPostgres prints how to back up PostgreSQL: one dump contains core and the plugins' schemas at the same point in time. Roles belong
// to the server and are not included. TestPrintedBackup runs the printed commands.
func printPostgres(cmd *cobra.Command, c config.Config, file string, asJSON bool) error {
	plugins, err := backup.PluginRoles(cmd.Context(), c.Server())
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(file, filepath.Ext(file))
	dump, labels := shellQuoted(base+".dump"), shellQuoted(base+".labels.tar")
	var p postgresCommands
	p.Backup = []string{
		fmt.Sprintf("pg_dump --format=custom --file=%s \"$WATTLE_DATABASE\"", dump),
		fmt.Sprintf("wattle backup --record=%s --data=%s", dump, shellQuoted(c.Data)),
		fmt.Sprintf("tar --create --dereference --file=%s --directory=%s .", labels, shellQuoted(c.Labels)),
	}
	for _, role := range plugins {
		p.Restore = append(p.Restore, fmt.Sprintf(
			"psql --set=ON_ERROR_STOP=1 --command='DO $$ BEGIN CREATE ROLE %[1]s LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$' "+
				"--command='GRANT %[1]s TO CURRENT_USER' \"$WATTLE_DATABASE\"", role))
	}
	p.Restore = append(p.Restore,
		fmt.Sprintf("pg_restore --single-transaction --dbname=\"$WATTLE_DATABASE\" %s", dump),
		fmt.Sprintf("mkdir -p %[1]s && tar --extract --file=%[2]s --directory=%[1]s", shellQuoted(c.Labels), labels),
		fmt.Sprintf("wattle restore --data=%s --labels=%s", shellQuoted(c.Data), shellQuoted(c.Labels)))
	err = cli.Print(cmd, asJSON, p, func(out io.Writer) {
		fmt.Fprintln(out, "# Nothing was written. These commands back up PostgreSQL while the portal serves. The second one verifies the dump and records it")
		fmt.Fprintln(out, "# for wattle doctor.")
		fmt.Fprintln(out, strings.Join(p.Backup, "\n"))
		fmt.Fprintf(out, "# Also back up, separately: %s or %s, and the file store.\n\n", masterkey.SecretName, filepath.Join(c.Data, masterkey.File))
		fmt.Fprintln(out, "# These commands restore the backup. First stop every process of the portal, create an empty database, and restore the identity")
		fmt.Fprintln(out, "# key and the file store. The dump is restored completely or not at all; wattle restore runs the audits.")
		fmt.Fprintln(out, strings.Join(p.Restore, "\n"))
	})
	if err != nil {
		return err
	}
	return exitStatus(2)
}

// shellQuoted returns a string as one word of a shell command.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
