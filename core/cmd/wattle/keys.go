package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Manage the API keys of back offices"}
	cmd.AddCommand(keysAddCommand(), keysListCommand(), keysRevokeCommand())
	return cmd
}

func keysAddCommand() *cobra.Command {
	c := config.Default()
	var key, name, expires string
	var scopes []string
	cmd := &cobra.Command{
		Use:   "add",
		Short: "Create an API key, and print it once",
		Long: "Makes an API key of a label and prints it, once. A key of the same name is revoked.\n" +
			"Without --scopes it may do everything. Each call under /api/v0/staff names its scope as x-scope in /api/v0/openapi.json.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			l := a.Labels.ByKey(key)
			if l == nil {
				return fmt.Errorf("there is no label %s", key)
			}
			k := identity.Key{Name: name, Scopes: []string{identity.AllScopes}}
			if len(scopes) > 0 {
				available := a.Registry.Snapshot().Scopes()
				for _, s := range scopes {
					if !slices.Contains(available, s) {
						return fmt.Errorf("there is no scope %s; there are: %s", s, strings.Join(available, ", "))
					}
				}
				slices.Sort(scopes)
				k.Scopes = slices.Compact(scopes)
			}
			if expires != "" {
				day, err := value.ParseDay(expires)
				if err != nil {
					return fmt.Errorf("--expires %s is not a day such as 2027-03-31", expires)
				}
				k.Expires = day.AddDays(1).In(l.Location).UTC()
			}
			secret, err := a.Identity.MakeKey(cmd.Context(), key, k)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), secret)
			fmt.Fprintln(cmd.ErrOrStderr(), "Keep it: it is not stored and cannot be shown again.")
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&name, "name", "", "whose key it is; stands in what it decides")
	cmd.Flags().StringVar(&expires, "expires", "",
		"last day on which it works, such as 2027-03-31; without it the key works until it is revoked")
	cmd.Flags().StringSliceVar(&scopes, "scopes", nil, "what it may do, such as changes:read,changes:decide,webhooks; without it everything")
	_ = cmd.MarkFlagRequired("name") // the flag has just been registered
	return cmd
}

func keysListCommand() *cobra.Command {
	c := config.Default()
	var key string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the API keys of a label",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			l := a.Labels.ByKey(key)
			if l == nil {
				return fmt.Errorf("there is no label %s", key)
			}
			list, err := a.Identity.Keys(cmd.Context(), key)
			if err != nil {
				return err
			}
			day := func(t time.Time, none string) string {
				if t.IsZero() {
					return none
				}
				return value.DayOf(t.In(l.Location)).String()
			}
			lines := [][]any{{"NAME", "MADE", "LAST USED", "LAST DAY", "SCOPES"}}
			for _, k := range list {
				last, scopes := "none", strings.Join(k.Scopes, ",")
				if !k.Expires.IsZero() {
					last = value.DayOf(k.Expires.In(l.Location)).AddDays(-1).String()
				}
				if scopes == identity.AllScopes {
					scopes = "all"
				}
				lines = append(lines, []any{k.Name, day(k.Created, ""), day(k.Used, "never"), last, scopes})
			}
			columns(cmd.OutOrStdout(), lines)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	return cmd
}

func keysRevokeCommand() *cobra.Command {
	c := config.Default()
	var key, name string
	cmd := &cobra.Command{
		Use:   "revoke",
		Short: "Revoke an API key and its impersonations",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if err := a.Identity.RevokeKey(cmd.Context(), key, name); problem.Of(err).Code == problem.CodeNotFound {
				return fmt.Errorf("label %s has no API key %q; see wattle keys list", key, name)
			} else if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s has ended.\n", name)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&name, "name", "", "name of the key")
	_ = cmd.MarkFlagRequired("name") // the flag has just been registered
	return cmd
}
