package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
)

// errTampered makes the program exit with status 1 after the flaws have been printed.
var errTampered = errors.New("the audit log is not as it was written")

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Verify and export the audit log"}
	c := config.Default()
	var key, file string
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Verify that no entry was changed, removed or added",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if file != "" {
				return verifyExport(cmd, file)
			}
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			return verifyLog(cmd, a, key)
		},
	}
	c.BindFlags(verify.Flags())
	verify.Flags().StringVar(&key, "label", "", "key of the label; without it all")
	verify.Flags().StringVar(&file, "file", "", "file of wattle audit export to check, without the database")
	cmd.AddCommand(verify, auditExportCommand())
	return cmd
}

// auditExportCommand writes entries to standard output or a new file, and findings to standard error.
func auditExportCommand() *cobra.Command {
	c := config.Default()
	var key, from, to, format, name string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export the entries of a label as JSON lines or CSV",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
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
			return reportExport(cmd.ErrOrStderr(), x)
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&from, "from", "", "first day, such as 2026-11-01, in the time zone of the label; empty: from the first entry")
	cmd.Flags().StringVar(&to, "to", "", "last day; empty: to the newest entry")
	cmd.Flags().StringVar(&format, "format", audit.FormatJSON, audit.FormatJSON+" (one object per line, which audit verify --file checks) or "+
		audit.FormatCSV)
	cmd.Flags().StringVar(&name, "output", "", "new file, which only its owner can read; standard output without it")
	return cmd
}

// verifyExport checks a file that auditExportCommand wrote.
func verifyExport(cmd *cobra.Command, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	x, err := audit.VerifyFile(f)
	if err != nil {
		return err
	}
	return reportExport(cmd.OutOrStdout(), x)
}

// reportExport prints the flaws in the exported entries. Without flaws it prints which entries they are and the hash of the last one.
func reportExport(out io.Writer, x audit.Export) error {
	for _, f := range x.Findings {
		fmt.Fprintln(out, f)
	}
	if len(x.Findings) > 0 {
		return errTampered
	}
	if x.Entries == 0 {
		fmt.Fprintln(out, "no entries")
		return nil
	}
	fmt.Fprintf(out, "%d entries, %d to %d, each as it was written; hash of the last: %s\n", x.Entries, x.First, x.Last, x.Hash)
	return nil
}

// verifyLog prints the flaws in the audit log of a label, or of all labels when key is empty.
func verifyLog(cmd *cobra.Command, a *app.App, key string) error {
	entries, flaws, err := a.Audit.Verify(cmd.Context(), key)
	if err != nil {
		return err
	}
	for _, f := range flaws {
		fmt.Fprintln(cmd.OutOrStdout(), f)
	}
	if len(flaws) > 0 {
		return errTampered
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d entries, each as it was written\n", entries)
	return nil
}
