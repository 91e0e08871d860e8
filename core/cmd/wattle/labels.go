package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/app"
	"github.com/wattle-portal/wattle/core/internal/assets"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/modules"
)

func labelsCommand() *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{Use: "labels", Short: "Look after the labels"}
	cmd.PersistentFlags().StringVar(&c.Labels, "labels", c.Labels, "folder of the labels")
	cmd.AddCommand(labelsList(&c), labelsVet(&c), labelsNew(&c), labelsDiff(&c))
	return cmd
}

func labelsList(c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the labels",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			labels, problems, err := label.List(c.Labels, app.Fragments(modules.All))
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(labels)
			}
			lines := [][]any{{"LABEL", "NAME", "KIND", "HOSTS", "MODULES"}}
			for _, l := range labels {
				var hosts []string
				for _, h := range l.Hosts {
					hosts = append(hosts, h.Name)
				}
				lines = append(lines, []any{l.Key, l.Name, l.Kind, strings.Join(hosts, " "), strings.Join(l.Modules, " ")})
			}
			columns(cmd.OutOrStdout(), lines)
			return tell(cmd.ErrOrStderr(), problems)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func labelsVet(c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "vet [LABEL…]",
		Short: "Find all that is wrong with labels: fields, hosts, colours, texts, files",
		RunE: func(cmd *cobra.Command, keys []string) error {
			texts, err := assets.Texts()
			if err != nil {
				return err
			}
			problems, err := label.Vet(c.Labels, app.Fragments(modules.All), texts, keys...)
			if err != nil {
				return err
			}
			if asJSON {
				if err := json.NewEncoder(cmd.OutOrStdout()).Encode(append([]label.Problem{}, problems...)); err != nil {
					return err
				}
				problems, _ = nil, tell(io.Discard, problems)
			}
			if texts == nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "the texts were not checked: this program was built without its front end")
			}
			return tell(cmd.OutOrStdout(), problems)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func labelsNew(c *config.Config) *cobra.Command {
	s, kind := label.Sketch{}, ""
	cmd := &cobra.Command{
		Use:   "new LABEL",
		Short: "Write the folder of a new label",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Key, s.Kind = args[0], label.Kind(kind)
			files, err := label.New(c.Labels, s, app.Fragments(modules.All))
			for _, f := range files {
				fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(c.Labels, f))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&s.Name, "name", "", "name of the company")
	cmd.Flags().StringVar(&s.Color, "color", "#0b6e99", "primary colour")
	cmd.Flags().StringVar(&s.Host, "host", "", "live host name; without it the label lives on LABEL.localhost only")
	cmd.Flags().StringVar(&kind, "kind", string(label.KindCustomer), "customer or participant")
	_ = cmd.MarkFlagRequired("name") // it has just been registered
	return cmd
}

func labelsDiff(c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "List in what two labels differ; a label is a key, or a folder: other/labels/KEY",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			dirA, keyA := place(c.Labels, args[0])
			dirB, keyB := place(c.Labels, args[1])
			differences, err := label.Diff(dirA, keyA, dirB, keyB, app.Fragments(modules.All))
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(append([]label.Difference{}, differences...))
			}
			lines := [][]any{{"SETTING", args[0], args[1]}}
			for _, d := range differences {
				lines = append(lines, []any{d.Path, cell(d.A), cell(d.B)})
			}
			columns(cmd.OutOrStdout(), lines)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// place reads a label named by its key or by its folder.
func place(labels, arg string) (dir, key string) {
	if strings.ContainsRune(arg, filepath.Separator) {
		return filepath.Split(filepath.Clean(arg))
	}
	return labels, arg
}

func cell(v any) any {
	if v == nil {
		return "-"
	}
	return v
}

// tell prints problems, one a line; with any, the exit status is 1.
func tell(out io.Writer, problems []label.Problem) error {
	for _, p := range problems {
		fmt.Fprintln(out, p)
	}
	if len(problems) > 0 {
		return exitStatus(1)
	}
	return nil
}
