package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/files"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/modules"
)

// restoreReport is the output of `wattle restore --json`.
type restoreReport struct {
	File     string        `json:"file,omitempty"` // with --database there is none
	At       *time.Time    `json:"at,omitempty"`   // moment of the backup
	Files    int           `json:"files"`          // files in the file store that the backup lists
	Missing  []string      `json:"missing_files"`  // those that the file store lacks
	AuditLog *auditReport  `json:"audit_log"`      // null, like the audits: it did not run
	Audits   []moduleAudit `json:"audits"`
}

// moduleAudit is the audit of the data of a module, in each label that has the module.
type moduleAudit struct {
	Command string `json:"command"`
	Labels  []ran  `json:"labels"`
}

func restoreCommand() *cobra.Command {
	c, key, keep := config.Default(), "", false
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Restore a backup into an empty folder, and run the audits",
		Long: "Read FILE, verify its checksums, and restore databases and labels into the folders --data and --labels, which must be empty or missing. " +
			"Then run the audits, and list the files of the backup that the file store lacks. Stop the portal first.\n\n" +
			"With PostgreSQL there is no FILE: restore the dump with pg_restore (`wattle backup` prints how), and run this command for the audits.",
		Example: "  wattle restore /backups/wattle.tar.zst --data /var/lib/wattle --labels /etc/wattle/labels --identity-key identity.key",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Check(); err != nil {
				return err
			}
			var listed []files.Entry
			r, out := restoreReport{Missing: []string{}}, cmd.OutOrStdout()
			if *asJSON {
				out = nil
			}
			switch {
			case c.Database != "" && len(args) > 0:
				return cli.Usagef(cmd, "FILE and --database cannot be used together: with PostgreSQL, run pg_restore first (`wattle backup --help`)")
			case c.Database != "":
				if err := backup.CheckUnused(cmd.Context(), c.Server()); err != nil {
					return err
				}
				if err := backup.Filled(cmd.Context(), c.Server()); err != nil {
					return err
				}
			case len(args) == 0:
				return cli.Missing(cmd, "FILE")
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
				listed, r.File, r.At, r.Files = all, args[0], &m.At, len(all)
				if out != nil {
					fmt.Fprintf(out, "restored to %s, as of %s\n", c.Data, m.At.Format(time.RFC3339))
				}
			}
			err := verifyRestored(cmd, &c, listed, &r, out)
			if *asJSON {
				return cmp.Or(cli.Print(cmd, true, r, nil), err)
			}
			return err
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().StringVar(&key, "identity-key", "", "file with the identity key, for a backup that does not contain it")
	cmd.Flags().BoolVar(&keep, "keep-labels", false, "keep the labels in --labels, and do not restore those of the backup")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// verifyRestored looks for the listed files in the file store and runs the audits on the restored data. It adds the results to r, and
// prints them as it goes if out is not nil.
func verifyRestored(cmd *cobra.Command, c *config.Config, listed []files.Entry, r *restoreReport, out io.Writer) (err error) {
	a, done, err := open(cmd, c)
	if err != nil {
		return notAudited(err)
	}
	defer func() { done(&err) }()
	stored := map[string]bool{}
	if len(listed) > 0 {
		if err := a.Files.List(cmd.Context(), func(e files.Entry) error { stored[e.Name] = true; return nil }); err != nil {
			return notAudited(err)
		}
	}
	for _, e := range listed {
		if !stored[e.Name] {
			r.Missing = append(r.Missing, e.Name)
		}
	}
	if out != nil {
		printMissing(out, r)
	}
	var auditErr error
	r.Audits = []moduleAudit{}
	for _, m := range modules.All {
		for _, one := range m.Commands.All {
			if one.Audit {
				all, err := runEach(cmd, a, m.Manifest, one, "", nil, out)
				r.Audits = append(r.Audits, moduleAudit{auditCommandOf(m.Key, one.Name), append([]ran{}, all...)})
				auditErr = errors.Join(auditErr, err)
			}
		}
	}
	entries, flaws, err := auditLog(cmd.Context(), a, "")
	if err != nil {
		return errors.Join(err, auditErr)
	}
	r.AuditLog = &entries
	if out != nil {
		printAuditLog(out, entries, flaws)
	}
	return errors.Join(tampered(flaws), auditErr)
}

// printMissing prints the files that the file store lacks.
func printMissing(out io.Writer, r *restoreReport) {
	for _, name := range r.Missing {
		fmt.Fprintf(out, "missing in the file store: %s\n", name)
	}
	if missing := len(r.Missing); missing > 0 {
		fmt.Fprintf(out, "%s missing, of %d in the backup: copy them to the file store under the same names, at any time\n",
			words.Count(missing, "file is", "files are"), r.Files)
	}
}

// notAudited says what is left to do when restored data cannot be opened (9-module-audits).
func notAudited(err error) error {
	return fmt.Errorf("the data is restored, but the audits did not run: %w. Then run %s", err, strings.Join(audits(), " and "))
}

// audits returns the commands that restore runs, for messages to the operator.
func audits() []string {
	out := []string{"`wattle audit verify`"}
	for _, m := range modules.All {
		for _, one := range m.Commands.All {
			if one.Audit {
				out = append(out, "`"+auditCommandOf(m.Key, one.Name)+"`")
			}
		}
	}
	return out
}

// auditCommandOf returns the command that audits the data of a module.
func auditCommandOf(module, name string) string { return "wattle " + module + " " + name }
