package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/records/formats"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules"
)

var errBulk = errors.New("--bulk writes without pauses, and another process has the database open: stop every process of the portal first, or import without --bulk")

// importReport is the output of `wattle import --json`.
type importReport struct {
	Records  int      `json:"records"`
	Refused  int      `json:"refused"`
	Stored   int      `json:"stored"` // with --dry-run: that could be stored
	DryRun   bool     `json:"dry_run"`
	Seconds  float64  `json:"seconds"`
	Reasons  []string `json:"reasons"`  // of refusals, with their counts
	Warned   int      `json:"warned"`   // stored records with a value that looks wrong
	Warnings []string `json:"warnings"` // with their counts
	Notes    []string `json:"notes"`
	Files    []string `json:"rejected_files"` // files with the refused records
}

func importCommand() *cobra.Command {
	c, o, name := config.Default(), imports.Options{Pause: true}, ""
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Import records of a back office",
		Long: "Import records into a label from NDJSON or CSV files. Records are updated by their natural keys, so importing a file again changes nothing. " +
			"Refused records are written to FILE.rejected.ndjson with line and reason, and the exit status is then 2.\n\n" +
			"Convert a CSV file of another system with a mapping of the label: --mapping NAME. Import a file of meter data as it is: --format " +
			orList(formats.Names()) + ". `wattle import schema KIND` and `wattle import template KIND` describe the records of a kind.",
		Example: "  wattle import --label acme 01-relation.ndjson 02-connection.ndjson\n" +
			"  wattle import --label acme --mapping customers --dry-run customers.csv\n" +
			"  wattle import --label acme --format dsmr --set electricity=871687120000000011 telegrams.txt",
		RunE: func(cmd *cobra.Command, files []string) (err error) {
			if o.Bulk {
				if err := c.Check(); err != nil {
					return err
				}
				if err := checkStopped(cmd, &c); errors.Is(err, backup.ErrUsed) || errors.Is(err, backup.ErrRunning) {
					return errBulk
				} else if err != nil {
					return err
				}
			}
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			target, order, err := a.Importer(o.Label)
			if err != nil {
				return err
			}
			if err := setMapping(a.Labels.ByKey(o.Label), name, &o); err != nil {
				return err
			}
			if o.Format != "" {
				o.Zone = a.Labels.ByKey(o.Label).Location
			}
			if o.Database, err = a.Store.Importing(cmd.Context(), o.Bulk); err != nil {
				return err
			}
			o.Files, o.Order, o.Progress, o.Kinds = files, order, cmd.ErrOrStderr(), app.Kinds(modules.All)
			began := time.Now()
			var report imports.Report
			run := func(ctx context.Context) error {
				report, err = imports.Run(ctx, o, target)
				return err
			}
			if o.Bulk { // a portal that starts in the meantime waits
				err = a.Store.Locked(cmd.Context(), run)
			} else {
				err = run(cmd.Context())
			}
			if err != nil {
				return err
			}
			took := time.Since(began)
			out := importReport{report.Rows, report.Refused, report.Rows - report.Refused, o.DryRun, took.Seconds(), notNil(report.Reasons),
				report.Warned, notNil(report.Warnings), notNil(report.Notes), notNil(report.Rejected)}
			if err := cli.Print(cmd, *asJSON, out, func(out io.Writer) { printImport(out, report, took, o.DryRun) }); err != nil {
				return err
			}
			if status := report.ExitCode(); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &o.Label)
	cmd.Flags().StringVar(&o.Kind, "kind", "", "kind of the records; if empty, taken from the file names, such as 03-connection.ndjson")
	cmd.Flags().StringVar(&name, "mapping", "", "mapping of the label that converts the lines of a CSV file to records")
	cmd.Flags().StringVar(&o.Format, "format", "", "built-in format of the files: "+orList(formats.Names()))
	cmd.Flags().StringToStringVar(&o.Settings, "set", nil,
		"setting of the mapping or the format as `NAME=VALUE`, such as electricity=EAN; an empty value leaves its records out")
	cmd.MarkFlagsMutuallyExclusive("kind", "mapping", "format")
	cmd.Flags().StringVar(&o.Rejects, "rejects", "",
		"file for refused rows with their reasons, in the format of FILE: correct it and import it again")
	cmd.Flags().BoolVar(&o.KeepGoing, "keep-going", false, "continue when the first 1,000 records are all refused for the same reason")
	cmd.Flags().BoolVar(&o.Bulk, "bulk", false,
		"import several times as fast, with larger batches and no pauses, into a database that no portal serves yet")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "check everything and store nothing")
	asJSON = cli.JSONFlag(cmd)
	cmd.AddCommand(importPlanCommand(),
		importTextCommand("schema", "Print the JSON Schema of the records of a kind", "  wattle import schema invoice", record.Kind.Schema),
		importTextCommand("template", "Print a CSV file of a kind with its columns and an example", "  wattle import template relation > relation.csv",
			record.Kind.Template))
	return cmd
}

// printImport prints the result of an import.
func printImport(out io.Writer, report imports.Report, took time.Duration, isDry bool) {
	fmt.Fprintf(out, "%s, %d refused\n", words.Count(report.Rows, "record", "records"), report.Refused)
	fmt.Fprintln(out, report.Summary(took, isDry))
	for _, line := range report.Reasons {
		fmt.Fprintln(out, "  "+line)
	}
	if report.Warned > 0 {
		fmt.Fprintln(out, "stored as they are, although they look wrong:")
	}
	for _, line := range report.Warnings {
		fmt.Fprintln(out, "  "+line)
	}
	for _, note := range report.Notes {
		fmt.Fprintln(out, note)
	}
	for _, file := range report.Rejected {
		fmt.Fprintln(out, "refused records:", file)
	}
}

// notNil returns a list that is [] in JSON when it is empty.
func notNil(list []string) []string { return append([]string{}, list...) }

// orList returns the elements of a list as a phrase: "a, b or c".
func orList(all []string) string {
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// importTextCommand returns a command that prints information about a record kind.
func importTextCommand(name, short, example string, text func(record.Kind, time.Time) ([]byte, error)) *cobra.Command {
	return &cobra.Command{Use: name + " KIND", Short: short, Example: example, RunE: func(cmd *cobra.Command, args []string) error {
		kinds := app.Kinds(modules.All)
		k, known := kinds[args[0]]
		if !known {
			names := slices.Sorted(maps.Keys(kinds))
			near := mistake.Suggest(args[0], names)
			if near == "" {
				near = "; there are: " + strings.Join(names, ", ")
			}
			return fmt.Errorf("there is no record kind %q%s", args[0], near)
		}
		b, err := text(k, time.Now())
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(b)
		return err
	}}
}

// setMapping sets the mapping in o to the label's mapping with the given name.
func setMapping(l *label.Label, name string, o *imports.Options) error {
	if name == "" {
		if len(o.Settings) > 0 && o.Format == "" {
			return errors.New("--set needs --mapping or --format")
		}
		return nil
	}
	if o.Mapping, o.Zone = l.Imports[name], l.Location; o.Mapping != nil {
		return nil
	}
	names := slices.Sorted(maps.Keys(l.Imports))
	if near := mistake.Suggest(name, names); near != "" {
		return fmt.Errorf("label %s has no mapping %q%s", l.Key, name, near)
	}
	available := "none; wattle import plan DIR writes mappings"
	if len(names) > 0 {
		available = strings.Join(names, ", ")
	}
	return fmt.Errorf("label %s has no mapping %q; there are: %s", l.Key, name, available)
}
