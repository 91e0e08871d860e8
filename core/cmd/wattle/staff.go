package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/problem"
)

func staffCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "staff", Short: "Manage staff accounts"}
	cmd.AddCommand(staffAddCommand(), staffListCommand(),
		staffPutCommand(identity.Disable, "Shut an account of staff: its sessions and tokens end at once, it cannot sign in",
			"%s cannot sign in any more. Sessions, tokens and impersonations have ended.\n"),
		staffPutCommand(identity.Enable, "Open an account of staff that was shut", "%s can sign in again.\n"),
		staffPutCommand(identity.SignOut, "End all sessions and tokens of an account of staff at once",
			"Sessions, tokens and impersonations of %s have ended.\n"))
	return cmd
}

func staffListCommand() *cobra.Command {
	c := config.Default()
	var key string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the staff accounts of a label",
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
			people, err := a.Identity.People(cmd.Context(), key)
			if err != nil {
				return err
			}
			lines := [][]any{{"USERNAME", "NAME", "EMAIL", "ROLE", "STATE", "SESSIONS", "LAST USE"}}
			for _, p := range people {
				state, used := "active", "none"
				switch {
				case p.Disabled:
					state = "disabled"
				case p.Temporary:
					state = "temporary password"
				}
				if !p.Used.IsZero() {
					used = p.Used.In(l.Location).Format("2006-01-02 15:04")
				}
				lines = append(lines, []any{p.Username, p.Name, p.Email, p.Role, state, p.Sessions, used})
			}
			columns(cmd.OutOrStdout(), lines)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	return cmd
}

func staffPutCommand(what identity.AccountAction, short, said string) *cobra.Command {
	c := config.Default()
	var key, username string
	cmd := &cobra.Command{
		Use:   string(what),
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if err := a.Identity.ApplyToStaff(cmd.Context(), key, username, what); problem.Of(err).Code == problem.CodeNotFound {
				return fmt.Errorf("label %s has no staff account %q; see wattle staff list", key, username)
			} else if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), said, username)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	needLabel(cmd, &key)
	cmd.Flags().StringVar(&username, "username", "", "name that the account signs in with")
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
	add := &cobra.Command{
		Use:   "add",
		Short: "Create a staff account with a temporary password",
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
			if fieldErrors := problem.Of(err).Errors; err != nil && len(fieldErrors) > 0 {
				return notAccepted(fieldErrors[0].Field, map[string]string{"username": username, "email": email, "name": name}[fieldErrors[0].Field])
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", password)
			fmt.Fprintln(cmd.ErrOrStderr(), "This password works once: a new one is asked for at the first sign-in.")
			return nil
		},
	}
	c.BindFlags(add.Flags())
	needLabel(add, &key)
	add.Flags().StringVar(&username, "username", "", "name to sign in with")
	add.Flags().StringVar(&email, "email", "", "e-mail address")
	add.Flags().StringVar(&name, "name", "", "name that colleagues see")
	for _, flag := range []string{"username", "email", "name"} {
		_ = add.MarkFlagRequired(flag) // the flags have just been registered
	}
	return add
}
