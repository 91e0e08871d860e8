package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
)

// errTampered makes the program exit with status 1 after the flaws have been printed.
var errTampered = errors.New("the audit log was changed")

// auditReport is the output of `wattle audit verify --json`.
type auditReport struct {
	OK      bool        `json:"ok"`
	Entries int64       `json:"entries"`
	First   int64       `json:"first,omitempty"` // of a file: sequence numbers of the first and the last entry, and the hash of the last one
	Last    int64       `json:"last,omitempty"`
	Hash    string      `json:"hash,omitempty"`
	Flaws   []auditFlaw `json:"flaws"`
}

type auditFlaw struct {
	Label   string `json:"label"`
	Entry   int64  `json:"entry"`
	Problem string `json:"problem"`
}

func flawsOf(found []audit.Finding) []auditFlaw {
	out := []auditFlaw{}
	for _, f := range found {
		out = append(out, auditFlaw{f.Label, f.Seq, f.Problem})
	}
	return out
}

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Verify and export the audit log"}
	cmd.AddCommand(auditVerifyCommand(), auditExportCommand())
	return cmd
}

func auditVerifyCommand() *cobra.Command {
	c := config.Default()
	var key, file string
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Verify that no entry was changed, removed or added",
		Long: "Verify the audit log of a label or of all labels, or a file of `wattle audit export`. Print each entry that was changed, removed or added; " +
			"the exit status is 1 if there is one.",
		Example: "  wattle audit verify\n  wattle audit verify --file audit.ndjson",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if file != "" {
				return verifyExport(cmd, file, *asJSON)
			}
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			r, flaws, err := auditLog(cmd.Context(), a, key)
			if err != nil {
				return err
			}
			if err := cli.Print(cmd, *asJSON, r, func(out io.Writer) { printAuditLog(out, r, flaws) }); err != nil {
				return err
			}
			return tampered(flaws)
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().StringVar(&key, "label", "", "key of the label; if empty, all labels")
	cmd.Flags().StringVar(&file, "file", "", "file of wattle audit export to verify instead of the database")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// auditExportCommand writes entries to standard output or a new file, and findings to standard error.
func auditExportCommand() *cobra.Command {
	c := config.Default()
	var key, from, to, format, name string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export the audit log of a label as JSON lines or CSV",
		Long: "Export the entries of a label, oldest first, and verify each of them, also for a label that no longer exists. Entries that were changed or are missing are " +
			"printed to standard error, and the exit status is then 1.",
		Example: "  wattle audit export --label acme --from 2026-11-01 --to 2026-11-30 --output audit.ndjson",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			zone := time.UTC // of a label that no longer exists
			if l := a.Labels.ByKey(key); l != nil {
				zone = l.Location
			}
			period, err := audit.ParsePeriod(from, to, zone)
			if err != nil {
				return err
			}
			x, err := a.Audit.ExportTo(cmd.Context(), key, period, format, name, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			printExport(cmd.ErrOrStderr(), x)
			return tampered(x.Findings)
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&from, "from", "", "first day, such as 2026-11-01, in the time zone of the label; if empty, from the first entry")
	cmd.Flags().StringVar(&to, "to", "", "last day; if empty, to the newest entry")
	cmd.Flags().StringVar(&format, "format", audit.FormatJSON, audit.FormatJSON+", with one object per line, or "+audit.FormatCSV)
	cmd.Flags().StringVar(&name, "output", "", "new file that only its owner can read; if empty, standard output")
	return cmd
}

// tampered returns errTampered when there are findings.
func tampered(found []audit.Finding) error {
	if len(found) > 0 {
		return errTampered
	}
	return nil
}

// verifyExport checks a file that auditExportCommand wrote.
func verifyExport(cmd *cobra.Command, name string, asJSON bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	x, err := audit.VerifyFile(f)
	if err != nil {
		return err
	}
	r := auditReport{len(x.Findings) == 0, x.Entries, x.First, x.Last, x.Hash, flawsOf(x.Findings)}
	if err := cli.Print(cmd, asJSON, r, func(out io.Writer) { printExport(out, x) }); err != nil {
		return err
	}
	return tampered(x.Findings)
}

// printExport prints the flaws in the exported entries. Without flaws it prints which entries they are and the hash of the last one.
func printExport(out io.Writer, x audit.Export) {
	for _, f := range x.Findings {
		fmt.Fprintln(out, f)
	}
	switch {
	case len(x.Findings) > 0:
	case x.Entries == 0:
		fmt.Fprintln(out, "no entries")
	default:
		fmt.Fprintf(out, "%s, %d to %d, unchanged; hash of the last one: %s\n", words.Count(x.Entries, "entry", "entries"), x.First, x.Last, x.Hash)
	}
}

// auditLog verifies the audit log of a label, or of all labels when key is empty.
func auditLog(ctx context.Context, a *app.App, key string) (auditReport, []audit.Finding, error) {
	entries, flaws, err := a.Audit.Verify(ctx, key)
	return auditReport{OK: len(flaws) == 0, Entries: entries, Flaws: flawsOf(flaws)}, flaws, err
}

// printAuditLog prints the flaws in the audit log, or the number of entries when there are none.
func printAuditLog(out io.Writer, r auditReport, flaws []audit.Finding) {
	for _, f := range flaws {
		fmt.Fprintln(out, f)
	}
	if r.OK {
		fmt.Fprintf(out, "%s, unchanged\n", words.Count(r.Entries, "entry", "entries"))
	}
}
