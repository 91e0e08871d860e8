package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/config"
)

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Look after the API keys of back offices"}
	c := config.Default()
	var key, name string
	add := &cobra.Command{
		Use:   "add",
		Short: "Make an API key of a label and print it, once",
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
			secret, err := a.Identity.AddKey(cmd.Context(), key, name)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), secret)
			fmt.Fprintln(cmd.ErrOrStderr(), "Keep it: it is not stored and cannot be shown again.")
			return nil
		},
	}
	c.Place(add.Flags())
	needLabel(add, &key)
	add.Flags().StringVar(&name, "name", "", "whose key it is; stands in what it decides")
	_ = add.MarkFlagRequired("name") // it has just been registered
	cmd.AddCommand(add)
	return cmd
}
