package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/problem"
)

func staffCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "staff", Short: "Manage staff accounts"}
	cmd.AddCommand(staffAddCommand(), staffListCommand(),
		staffPutCommand(identity.Disable, "Disable a staff account and end its sessions",
			"End all sessions and tokens of a staff account at once, and let it sign in no more until `wattle staff enable`.",
			"%s cannot sign in any more. Sessions, tokens and impersonations have ended.\n"),
		staffPutCommand(identity.Enable, "Enable a disabled staff account", "", "%s can sign in again.\n"),
		staffPutCommand(identity.SignOut, "End all sessions and tokens of a staff account",
			"End all sessions, tokens and impersonations of a staff account at once. The account can sign in again.",
			"Sessions, tokens and impersonations of %s have ended.\n"))
	return cmd
}

// staffAccount is a staff account in the output of `wattle staff list --json`.
type staffAccount struct {
	Username string     `json:"username"`
	Name     string     `json:"name"`
	Email    string     `json:"email"`
	Role     string     `json:"role"`
	State    string     `json:"state"` // active, disabled or temporary_password
	Sessions int        `json:"sessions"`
	LastUsed *time.Time `json:"last_used"` // null: never
}

func staffListCommand() *cobra.Command {
	c := config.Default()
	var key string
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the staff accounts of a label",
		Example: "  wattle staff list --label acme",
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
			people, err := a.Identity.People(cmd.Context(), key)
			if err != nil {
				return err
			}
			accounts := []staffAccount{}
			for _, p := range people {
				one := staffAccount{Username: p.Username, Name: p.Name, Email: p.Email, Role: p.Role, State: "active", Sessions: p.Sessions}
				switch {
				case p.Disabled:
					one.State = "disabled"
				case p.Temporary:
					one.State = "temporary_password"
				}
				if !p.Used.IsZero() {
					used := p.Used.UTC()
					one.LastUsed = &used
				}
				accounts = append(accounts, one)
			}
			return cli.Print(cmd, *asJSON, accounts, func(out io.Writer) {
				lines := [][]any{{"USERNAME", "NAME", "EMAIL", "ROLE", "STATE", "SESSIONS", "LAST USED"}}
				for _, p := range accounts {
					used := "never"
					if p.LastUsed != nil {
						used = p.LastUsed.In(l.Location).Format("2006-01-02 15:04")
					}
					lines = append(lines, []any{p.Username, p.Name, p.Email, p.Role, strings.ReplaceAll(p.State, "_", " "), p.Sessions, used})
				}
				cli.Table(out, lines)
			})
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

func staffPutCommand(what identity.AccountAction, short, long, said string) *cobra.Command {
	c := config.Default()
	var key, username string
	cmd := &cobra.Command{
		Use:     string(what),
		Short:   short,
		Long:    long,
		Example: "  wattle staff " + string(what) + " --label acme --username anna",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if _, err := labelOf(a, key); err != nil {
				return err
			}
			if err := a.Identity.ApplyToStaff(cmd.Context(), key, username, what); problem.Of(err).Code == problem.CodeNotFound {
				return fmt.Errorf("label %s has no staff account %q; see `wattle staff list --label %s`", key, username, key)
			} else if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), said, username)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&username, "username", "", "username of the account")
	_ = cmd.MarkFlagRequired("username") // the flag has just been registered
	return cmd
}

// notAccepted returns a sentence that says that the value of a flag is refused.
func notAccepted(flag, value string) error {
	why := "is not accepted"
	switch {
	case strings.TrimSpace(value) == "":
		why = "is empty"
	case flag == "email":
		why = "is not an e-mail address"
	}
	return fmt.Errorf("--%s %q %s", flag, value, why)
}

func staffAddCommand() *cobra.Command {
	c := config.Default()
	var key, username, email, name string
	var asJSON *bool
	add := &cobra.Command{
		Use:   "add",
		Short: "Create a staff account with a temporary password",
		Long: "Create a staff account, and print its temporary password once. No mail is sent. The account chooses another password when it signs in for the " +
			"first time.",
		Example: "  wattle staff add --label acme --username anna --email anna@example.org --name \"Anna de Boer\"",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := openCore(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if _, err := labelOf(a, key); err != nil {
				return err
			}
			password, err := a.Identity.AddStaff(cmd.Context(), key, username, email, name)
			if fieldErrors := problem.Of(err).Errors; err != nil && len(fieldErrors) > 0 {
				return notAccepted(fieldErrors[0].Field, map[string]string{"username": username, "email": email, "name": name}[fieldErrors[0].Field])
			}
			if err != nil {
				return err
			}
			created := map[string]string{"username": username, "temporary_password": password}
			if err := cli.Print(cmd, *asJSON, created, func(out io.Writer) { fmt.Fprintln(out, password) }); err != nil || *asJSON {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "This password works once: the account chooses another one at the first sign-in.")
			return nil
		},
	}
	c.BindFlags(add.Flags())
	needLabel(add, &key)
	add.Flags().StringVar(&username, "username", "", "name to sign in with")
	add.Flags().StringVar(&email, "email", "", "email address")
	add.Flags().StringVar(&name, "name", "", "name that colleagues see")
	for _, flag := range []string{"username", "email", "name"} {
		_ = add.MarkFlagRequired(flag) // the flags have just been registered
	}
	asJSON = cli.JSONFlag(add)
	return add
}
