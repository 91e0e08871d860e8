package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/plan"
	"github.com/wattle-portal/wattle/core/internal/records/formats"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules"
)

var errBulk = errors.New("--bulk writes without pauses, and another process has the database open: stop every process of the portal first, or import without --bulk")

func importCommand() *cobra.Command {
	c, o, name := config.Default(), imports.Options{Pause: true}, ""
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Import records of a back office",
		Long: "Takes records of a label in, from NDJSON or CSV files, by natural key: importing a file again changes nothing.\n" +
			"Refused records go to FILE.rejected.ndjson with line and reason; the exit status is then 2.\n" +
			"A CSV file of others becomes records through a mapping that stands in the label: --mapping NAME.\n" +
			"Files of meter data are read as they are: --format " + strings.Join(formats.Names(), ", ") + ".",
		Args: cobra.MinimumNArgs(1),
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
			if err := mapped(a.Labels.ByKey(o.Label), name, &o); err != nil {
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
			fmt.Fprintf(cmd.OutOrStdout(), "%d records, %d refused\n", report.Rows, report.Refused)
			fmt.Fprintln(cmd.OutOrStdout(), report.Summary(time.Since(began), o.DryRun))
			for _, line := range report.Reasons {
				fmt.Fprintln(cmd.OutOrStdout(), "  "+line)
			}
			if report.Warned > 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "stored as they are, although they look wrong:")
			}
			for _, line := range report.Warnings {
				fmt.Fprintln(cmd.OutOrStdout(), "  "+line)
			}
			for _, note := range report.Notes {
				fmt.Fprintln(cmd.OutOrStdout(), note)
			}
			for _, file := range report.Rejected {
				fmt.Fprintln(cmd.OutOrStdout(), "refused records:", file)
			}
			if status := report.ExitCode(); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &o.Label)
	cmd.Flags().StringVar(&o.Kind, "kind", "", "kind of record; without it the files' names tell: 03-connection.ndjson")
	cmd.Flags().StringVar(&name, "mapping", "", "mapping of the label that says how the lines of a CSV file become records")
	cmd.Flags().StringVar(&o.Format, "format", "", "format of the files, which comes with the program: "+strings.Join(formats.Names(), ", "))
	cmd.Flags().StringToStringVar(&o.Settings, "set", nil,
		"what the mapping or the format asks for: --set electricity=EAN; empty leaves its records out")
	cmd.MarkFlagsMutuallyExclusive("kind", "mapping", "format")
	cmd.Flags().StringVar(&o.Rejects, "rejects", "",
		"file for refused rows with their reasons, in the format of FILE: correct it and import it again")
	cmd.Flags().BoolVar(&o.KeepGoing, "keep-going", false, "read on when the first 1,000 records are all refused for the same reason")
	cmd.Flags().BoolVar(&o.Bulk, "bulk", false,
		"several times as fast, for a database that no portal serves yet: larger batches, without pauses")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "check everything and keep nothing")
	cmd.AddCommand(importPlanCommand(),
		importTextCommand("schema KIND", "Print the JSON Schema of the records of a kind", record.Kind.Schema),
		importTextCommand("template KIND", "Print a CSV file of a kind with its columns and an example", record.Kind.Template))
	return cmd
}

// importPlanCommand returns the command that plans the import of a folder.
func importPlanCommand() *cobra.Command {
	c, o, asJSON := config.Default(), plan.Options{}, false
	cmd := &cobra.Command{
		Use:   "plan DIR",
		Short: "Plan the import of a folder of CSV files, and list what would be refused",
		Long: "Recognizes the kind of record and the columns of each CSV file in DIR by their Dutch and English names, and writes a mapping for each to DIR/" +
			plan.MappingsFile + ".\n" +
			"If that file exists, its mappings are used: correct them, and run the command again.\n" +
			"The files are imported into an empty database, which is removed afterwards; nothing is stored, and a portal may run.\n" +
			"The exit status is 2 if records or files would be refused.",
		Example: "  wattle import plan --label 2001 back-office",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dir, o.Labels, o.Modules, o.Progress, o.Now = args[0], c.Labels, modules.All, cmd.ErrOrStderr(), time.Now()
			p, err := plan.Make(cmd.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				out := json.NewEncoder(cmd.OutOrStdout())
				out.SetIndent("", "  ")
				err = out.Encode(p)
			} else {
				p.Print(cmd.OutOrStdout(), o)
			}
			if err == nil && !p.OK() {
				err = exitStatus(2)
			}
			return err
		},
	}
	c.FileFlag(cmd.Flags())
	cmd.Flags().StringVar(&c.Labels, "labels", c.Labels, "folder of the labels")
	needLabel(cmd, &o.Label)
	cmd.Flags().StringVar(&o.Mappings, "mappings", "", "file with the mappings; DIR/"+plan.MappingsFile+" without it")
	cmd.Flags().BoolVar(&o.Overwrite, "overwrite", false, "guess the mappings again, and overwrite the file")
	cmd.Flags().StringToStringVar(&o.Settings, "set", nil, "value that the mappings ask for: --set electricity=EAN")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// importTextCommand returns a command that prints information about a record kind.
func importTextCommand(use, short string, text func(record.Kind, time.Time) ([]byte, error)) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
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

// mapped sets the mapping in o to the label's mapping with the given name.
func mapped(l *label.Label, name string, o *imports.Options) error {
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
