package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/modules"
)

func identityCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "identity", Short: "Manage the identity key, which encrypts secrets in the database"}
	cmd.AddCommand(identityRotateCommand(), identityResetCommand())
	return cmd
}

func identityRotateCommand() *cobra.Command {
	c, finish := config.Default(), false
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Rotate the identity key",
		Long: "Makes a new identity key and seals what is stored with it. The portal may be running: processes with the previous key continue, on any\n" +
			"number of machines, and are started again with the new one when it suits. Then --finish refuses the one before.\n" +
			"identity.key in the data folder is replaced; a key that is a secret is printed, to be put in its place.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if finish {
				if err := a.Key.Finish(cmd.Context(), a.Resealers()...); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), "Only the new identity key is accepted.")
				return nil
			}
			next, err := a.Key.Rotate(cmd.Context(), a.Resealers()...)
			if err != nil {
				return err
			}
			if c.Secret(masterkey.SecretName) == "" {
				fmt.Fprintf(cmd.OutOrStdout(), "%s in the data folder is the new key.\n", masterkey.File)
			} else {
				fmt.Fprintln(cmd.OutOrStdout(), next)
				fmt.Fprintf(cmd.ErrOrStderr(), "Put it in the place of %s.\n", masterkey.SecretName)
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "Start every process again, back the key up, and then run: wattle identity rotate --finish")
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&finish, "finish", false, "refuse the key before: every process was started with the new one")
	return cmd
}

// resetWord is the word that the operator types to confirm a reset.
const resetWord = "reset"

func identityResetCommand() *cobra.Command {
	c, yes := config.Default(), false
	cmd := &cobra.Command{
		Use:   "reset",
		Short: "Replace an identity key that is lost",
		Long: "Discards what the lost key encrypted: signing keys and sessions, so that everybody signs in again, mailed codes, and temporary\n" +
			"passwords in mails that wait. Webhooks get new secrets, which are printed once, for their receivers. Accounts, passwords, API keys\n" +
			"and all records stay. Stop every process of the portal first. The key of this command (WATTLE_IDENTITY_KEY, else identity.key, which\n" +
			"is made when it is missing) is the identity key from then on.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := c.Check(); err != nil {
				return err
			}
			if err := checkStopped(cmd, &c); err != nil {
				return err
			}
			if !yes {
				fmt.Fprintf(cmd.ErrOrStderr(), "Everybody is signed out, and webhooks get new secrets. Type %q to go on: ", resetWord)
				if answer(cmd) != resetWord {
					return errors.New("nothing was changed")
				}
			}
			a, err := app.New(c, modules.All)
			if err != nil {
				return err
			}
			defer func() {
				if stop := a.Stop(cmd.Context()); err == nil {
					err = stop
				}
			}()
			if err := a.OpenDatabase(cmd.Context()); err != nil {
				return err
			}
			lost, err := a.ResetKey(cmd.Context())
			if err != nil {
				return err
			}
			var lines [][]any
			for _, w := range lost.Webhooks {
				lines = append(lines, []any{w.Label, w.ID, w.URL, w.Secret})
			}
			if len(lines) > 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "Webhooks with a new secret; give it to their receivers:")
				columns(cmd.OutOrStdout(), lines)
			}
			if lost.Mails > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "%d mails with a temporary password will not be sent; these people reactivate their accounts.\n",
					lost.Mails)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "The identity key was reset. Everybody signs in again.")
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// answer returns the line that the operator types, or an empty string when the input or the context ends.
func answer(cmd *cobra.Command) string {
	typed := make(chan string, 1)
	go func() { // may wait for a line until the program ends
		line, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		typed <- strings.TrimSpace(line)
	}()
	select {
	case line := <-typed:
		return line
	case <-cmd.Context().Done():
		fmt.Fprintln(cmd.ErrOrStderr())
		return ""
	}
}

// checkStopped returns an error while a process of the portal uses the database.
func checkStopped(cmd *cobra.Command, c *config.Config) error {
	if c.Database != "" {
		return backup.CheckUnused(cmd.Context(), c.Server())
	}
	return backup.Running(c.Data)
}
