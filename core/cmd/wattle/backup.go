package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/modules"
)

func backupCommand() *cobra.Command {
	c, key, record := config.Default(), false, ""
	cmd := &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Back up the databases, the labels and a list of files",
		Long: "Writes a new FILE (a tar archive compressed with Zstandard, mode 0600) with each database as it is at one moment, the labels and\n" +
			"the names of the files in the file store. The files themselves and the identity key are backed up apart; --with-key takes the\n" +
			"identity key along, and then FILE opens everything that is in it.\n" +
			"With --database nothing is written: the commands that make a backup of PostgreSQL are printed, and the exit status is 2.",
		Args: func(cmd *cobra.Command, args []string) error {
			if record != "" {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Check(); err != nil {
				return err
			}
			if err := hold.Check(c.Data); err != nil { // the data may be half migrated
				return err
			}
			if record != "" {
				return recordDump(cmd, c.Data, record)
			}
			if c.Database != "" {
				return printPostgres(cmd, c, args[0])
			}
			if key && c.Secret(masterkey.SecretName) != "" {
				return fmt.Errorf("--with-key: the identity key is %s; back it up where it stands", masterkey.SecretName)
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
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d entries, databases of %d plugins, %d files in the file store listed\n", args[0], len(m.Entries),
				len(m.Plugins), m.Files)
			if err := backup.Note(c.Data, backup.Record{At: m.At, File: args[0]}); err != nil { // the backup is valid
				fmt.Fprintln(cmd.ErrOrStderr(), "wattle doctor will not know of this backup:", err)
			}
			if !key {
				fmt.Fprintln(cmd.ErrOrStderr(), "The identity key is not in it: keep that apart, without it nobody stays signed in.")
			}
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&key, "with-key", false, "take identity.key of the data folder along")
	cmd.Flags().StringVar(&record, "record", "", "only check this dump of pg_dump and record it in the data folder, for wattle doctor")
	return cmd
}

// recordDump checks a PostgreSQL dump and records it.
func recordDump(cmd *cobra.Command, data, dump string) error {
	if err := backup.VerifyDump(cmd.Context(), dump); err != nil {
		return err
	}
	info, err := os.Stat(dump)
	if err != nil {
		return err
	}
	if err := backup.Note(data, backup.Record{At: info.ModTime().UTC(), File: dump}); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is recorded\n", dump)
	return nil
}

// printPostgres prints how to back up PostgreSQL: one dump contains core and the plugins' schemas at the same point in time. Roles belong
// to the server and are not included. TestPrintedBackup runs the printed commands.
func printPostgres(cmd *cobra.Command, c config.Config, file string) error {
	plugins, err := backup.PluginRoles(cmd.Context(), c.Server())
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(file, filepath.Ext(file))
	dump, labels := shellQuoted(base+".dump"), shellQuoted(base+".labels.tar")
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "# Nothing was written. A backup of PostgreSQL, while the portal serves:\n")
	fmt.Fprintf(out, "pg_dump --format=custom --file=%s \"$WATTLE_DATABASE\"\n", dump)
	fmt.Fprintf(out, "wattle backup --record=%s --data=%s # checks the dump; wattle doctor says how old the last one is\n", dump,
		shellQuoted(c.Data))
	fmt.Fprintf(out, "tar --create --dereference --file=%s --directory=%s .\n", labels, shellQuoted(c.Labels))
	fmt.Fprintf(out, "# and, apart: %s or %s, and the file store\n", masterkey.SecretName, filepath.Join(c.Data, masterkey.File))
	fmt.Fprintf(out, "\n# To put it back, with every process of the portal stopped, into an empty database; first the identity key and the file store.\n")
	for _, role := range plugins {
		fmt.Fprintf(out, "psql --set=ON_ERROR_STOP=1 --command='DO $$ BEGIN CREATE ROLE %[1]s LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$' "+
			"--command='GRANT %[1]s TO CURRENT_USER' \"$WATTLE_DATABASE\"\n", role)
	}
	fmt.Fprintf(out, "pg_restore --single-transaction --dbname=\"$WATTLE_DATABASE\" %s # all of it or nothing\n", dump)
	fmt.Fprintf(out, "mkdir -p %[1]s && tar --extract --file=%[2]s --directory=%[1]s\n", shellQuoted(c.Labels), labels)
	fmt.Fprintf(out, "wattle restore --data=%s --labels=%s # runs both audits\n", shellQuoted(c.Data), shellQuoted(c.Labels))
	return exitStatus(2)
}

// shellQuoted returns a string as one word of a shell command.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func restoreCommand() *cobra.Command {
	c, key, keep := config.Default(), "", false
	cmd := &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Restore a backup into an empty folder, and run the audits",
		Long: "Reads FILE, compares it with its own checksums, and puts databases and labels into --data and --labels, which must be empty or\n" +
			"missing. Then it proves the log of staff and the ledger of shares and says which files of the backup the file store lacks.\n" +
			"With --database there is no FILE: after pg_restore it proves both. It refuses while a portal is running.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Check(); err != nil {
				return err
			}
			var listed []files.Entry
			switch {
			case c.Database != "" && len(args) > 0:
				return errors.New("with --database the backup is a dump of pg_dump: see `wattle backup --help`")
			case c.Database != "":
				if err := backup.CheckUnused(cmd.Context(), c.Server()); err != nil {
					return err
				}
				if err := backup.Filled(cmd.Context(), c.Server()); err != nil {
					return err
				}
			case len(args) == 0:
				return errors.New("name the FILE of the backup")
			default:
				t := backup.Target{Data: c.Data, Labels: c.Labels}
				if keep {
					t.Labels = ""
				}
				var secret []byte
				if key != "" { // checked first: without the key nothing is restored
					var err error
					if secret, err = os.ReadFile(key); err != nil {
						return fmt.Errorf("--identity-key: %w", err)
					}
				}
				m, all, err := backup.Read(args[0], t)
				if err != nil {
					return err
				}
				if secret != nil {
					if err := os.WriteFile(filepath.Join(c.Data, masterkey.File), secret, 0o600); err != nil {
						return fmt.Errorf("--identity-key: %w", err)
					}
				}
				listed = all
				fmt.Fprintf(cmd.OutOrStdout(), "restored to %s, as it was at %s\n", c.Data, m.At.Format(time.RFC3339))
			}
			return verifyRestored(cmd, &c, listed)
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().StringVar(&key, "identity-key", "", "file of the identity key, for a backup without it")
	cmd.Flags().BoolVar(&keep, "keep-labels", false, "use the labels that are in --labels, and leave out those of the backup")
	return cmd
}

// verifyRestored runs both audits on the restored data, and prints missing files.
func verifyRestored(cmd *cobra.Command, c *config.Config, listed []files.Entry) (err error) {
	a, done, err := open(cmd, c)
	if err != nil {
		return notAudited(err)
	}
	defer func() { done(&err) }()
	stored, missing := map[string]bool{}, 0
	if len(listed) > 0 {
		if err := a.Files.List(cmd.Context(), func(e files.Entry) error { stored[e.Name] = true; return nil }); err != nil {
			return notAudited(err)
		}
	}
	for _, e := range listed {
		if !stored[e.Name] {
			missing++
			fmt.Fprintf(cmd.OutOrStdout(), "missing in the file store: %s\n", e.Name)
		}
	}
	if missing > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%d of %d files are missing: put them back under the same names, at any time\n", missing, len(listed))
	}
	var auditErr error
	for _, m := range modules.All {
		for _, one := range m.Commands.All {
			if one.Audit {
				_, err := runEach(cmd, a, m.Manifest, one, "", nil)
				auditErr = errors.Join(auditErr, err)
			}
		}
	}
	return errors.Join(verifyLog(cmd, a, ""), auditErr)
}

// notAudited says what is left to do when restored data cannot be opened (9-module-audits).
func notAudited(err error) error {
	return fmt.Errorf("the data is there, but the audits did not run: %w. Then run %s", err, strings.Join(audits(), " and "))
}

// audits returns the commands that restore runs, for messages to the operator.
func audits() []string {
	out := []string{"`wattle audit verify`"}
	for _, m := range modules.All {
		for _, one := range m.Commands.All {
			if one.Audit {
				out = append(out, "`wattle "+m.Key+" "+one.Name+"`")
			}
		}
	}
	return out
}
