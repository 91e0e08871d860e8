package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/config"
)

func staffCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "staff", Short: "Look after the accounts of staff"}
	c := config.Default()
	var key, username, email, name string
	add := &cobra.Command{
		Use:   "add",
		Short: "Make an account for a member of staff, with a temporary password",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if a.Labels.ByKey(key) == nil {
				return fmt.Errorf("there is no label %s", key)
			}
			password, err := a.Identity.AddStaff(cmd.Context(), key, username, email, name)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", password)
			fmt.Fprintln(cmd.ErrOrStderr(), "This password works once: a new one is asked for at the first sign-in.")
			return nil
		},
	}
	c.Place(add.Flags())
	needLabel(add, &key)
	add.Flags().StringVar(&username, "username", "", "name to sign in with")
	add.Flags().StringVar(&email, "email", "", "e-mail address")
	add.Flags().StringVar(&name, "name", "", "name that colleagues see")
	for _, flag := range []string{"username", "email", "name"} {
		_ = add.MarkFlagRequired(flag) // they have just been registered
	}
	cmd.AddCommand(add)
	return cmd
}
