package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/app"
	"github.com/wattle-portal/wattle/core/internal/config"
)

// errTampered makes the program exit with status 1 after the flaws have been printed.
var errTampered = errors.New("the audit log is not as it was written")

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Look after the log of who looked at or acted on customers' data"}
	c := config.Default()
	key := ""
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Check that no entry was changed, taken out or put in",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			return verifyLog(cmd, a, key)
		},
	}
	c.Place(verify.Flags())
	verify.Flags().StringVar(&key, "label", "", "key of the label; empty: all")
	cmd.AddCommand(verify)
	return cmd
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
