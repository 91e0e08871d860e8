package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/modules"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "wattle",
		Short:         "White-label customer portal for energy retailers and cooperatives",
		SilenceUsage:  true,
		SilenceErrors: true, // main prints the error once
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return config.Resolve(cmd.Flags(), os.LookupEnv)
		},
	}
	root.AddCommand(serveCommand(), demoCommand(), importCommand(), labelsCommand(), modulesCommand(), pluginsCommand(), staffCommand(),
		keysCommand(), identityCommand(), auditCommand(),
		migrateCommand(), backupCommand(), restoreCommand(), configCommand(), doctorCommand(), upgradeCommand(), readyCommand(), versionCommand())
	for _, m := range modules.All {
		addGroup(root, m.Manifest)
	}
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	refuseUnknown(root)
	return root
}

// open starts the parts of the program that a database command needs. It works while a portal is running. done stops them.
func open(cmd *cobra.Command, c *config.Config) (a *app.App, done func(*error), err error) {
	if err := c.Check(); err != nil {
		return nil, nil, err
	}
	a, err = app.New(*c, modules.All)
	if err != nil {
		return nil, nil, err
	}
	if err := a.Open(cmd.Context()); err != nil {
		return nil, nil, err
	}
	return a, func(err *error) {
		if stop := a.Stop(cmd.Context()); *err == nil {
			*err = stop
		}
	}, nil
}

// needLabel registers the required flag --label.
func needLabel(cmd *cobra.Command, key *string) {
	cmd.Flags().StringVar(key, "label", "", "key of the label")
	_ = cmd.MarkFlagRequired("label") // the flag has just been registered
}

// columns prints rows of cells in aligned columns.
func columns(out io.Writer, lines [][]any) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, cells := range lines {
		for i, cell := range cells {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // the reader has closed the pipe
}
