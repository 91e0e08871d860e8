package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Manage the API keys of back offices"}
	cmd.AddCommand(keysAddCommand(), keysListCommand(), keysRevokeCommand())
	return cmd
}

// apiKey is an API key in the output of `wattle keys list --json`.
type apiKey struct {
	Name     string     `json:"name"`
	Created  time.Time  `json:"created"`
	LastUsed *time.Time `json:"last_used"` // null: never
	LastDay  *string    `json:"last_day"`  // last day on which the key works; null: it does not expire
	Scopes   []string   `json:"scopes"`    // "*": all
}

// scopes returns the scopes that a key can have: those of the operations of this program, and of the modules of the plugins, which are not
// started for that.
func scopes(a *app.App, plugins string) []string {
	out := a.Registry.Snapshot().Scopes()
	specs, _ := pluginhost.Scan(plugins) // `wattle plugins list` reports what is wrong with a plugin
	for _, s := range specs {
		out = append(out, s.Key+":"+string(module.Read), s.Key+":"+string(module.Write))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func keysAddCommand() *cobra.Command {
	c := config.Default()
	var key, name, expires string
	var only []string
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "add",
		Short: "Create an API key, and print it once",
		Long: "Create an API key for a label, and print it once. A key with the same name is revoked. Without --scopes the key may do everything. " +
			"In /api/v0/openapi.json, each operation below /api/v0/staff has the scope that it needs as x-scope.",
		Example: "  wattle keys add --label acme --name erp --scopes changes:read,changes:decide --expires 2027-03-31",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			l, err := labelOf(a, key)
			if err != nil {
				return err
			}
			k := identity.Key{Name: name, Scopes: []string{identity.AllScopes}}
			if len(only) > 0 {
				available := scopes(a, c.Plugins)
				for _, s := range only {
					if !slices.Contains(available, s) {
						return fmt.Errorf("there is no scope %s; there are: %s", s, strings.Join(available, ", "))
					}
				}
				slices.Sort(only)
				k.Scopes = slices.Compact(only)
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
			created := map[string]any{"name": name, "key": secret, "scopes": k.Scopes}
			if err := cli.Print(cmd, *asJSON, created, func(out io.Writer) { fmt.Fprintln(out, secret) }); err != nil || *asJSON {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "Keep this key: it is not stored and cannot be shown again.")
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&name, "name", "", "name of the caller, which the audit log and decisions show")
	cmd.Flags().StringVar(&expires, "expires", "", "last day on which the key works, such as 2027-03-31; if empty, it works until it is revoked")
	cmd.Flags().StringSliceVar(&only, "scopes", nil, "what the key may do, such as changes:read,changes:decide,webhooks; if empty, everything")
	_ = cmd.MarkFlagRequired("name") // the flag has just been registered
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

func keysListCommand() *cobra.Command {
	c := config.Default()
	var key string
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the API keys of a label",
		Example: "  wattle keys list --label acme",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			l, err := labelOf(a, key)
			if err != nil {
				return err
			}
			list, err := a.Identity.Keys(cmd.Context(), key)
			if err != nil {
				return err
			}
			keys := []apiKey{}
			for _, k := range list {
				one := apiKey{Name: k.Name, Created: k.Created.UTC(), Scopes: k.Scopes}
				if !k.Used.IsZero() {
					used := k.Used.UTC()
					one.LastUsed = &used
				}
				if !k.Expires.IsZero() {
					last := value.DayOf(k.Expires.In(l.Location)).AddDays(-1).String()
					one.LastDay = &last
				}
				keys = append(keys, one)
			}
			return cli.Print(cmd, *asJSON, keys, func(out io.Writer) { printKeys(out, keys, l.Location) })
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// printKeys prints API keys, with days in a time zone.
func printKeys(out io.Writer, keys []apiKey, zone *time.Location) {
	lines := [][]any{{"NAME", "CREATED", "LAST USED", "LAST DAY", "SCOPES"}}
	for _, k := range keys {
		used, last, may := "never", "none", strings.Join(k.Scopes, ",")
		if k.LastUsed != nil {
			used = value.DayOf(k.LastUsed.In(zone)).String()
		}
		if k.LastDay != nil {
			last = *k.LastDay
		}
		if may == identity.AllScopes {
			may = "all"
		}
		lines = append(lines, []any{k.Name, value.DayOf(k.Created.In(zone)), used, last, may})
	}
	cli.Table(out, lines)
}

func keysRevokeCommand() *cobra.Command {
	c := config.Default()
	var key, name string
	cmd := &cobra.Command{
		Use:     "revoke",
		Short:   "Revoke an API key and end its impersonations",
		Example: "  wattle keys revoke --label acme --name erp",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if _, err := labelOf(a, key); err != nil {
				return err
			}
			if err := a.Identity.RevokeKey(cmd.Context(), key, name); problem.Of(err).Code == problem.CodeNotFound {
				return fmt.Errorf("label %s has no API key %q; see `wattle keys list --label %s`", key, name, key)
			} else if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "API key %s is revoked.\n", name)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&name, "name", "", "name of the key")
	_ = cmd.MarkFlagRequired("name") // the flag has just been registered
	return cmd
}
