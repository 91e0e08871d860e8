package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
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
		Long: "Create a new identity key, and encrypt all stored secrets with it. The portal may be running: processes with the previous key continue, on " +
			"any number of machines. Restart them with the new key, and then run this command with --finish, which refuses the previous key.\n\n" +
			"The file identity.key in the data folder is replaced. A key that comes from WATTLE_IDENTITY_KEY is printed instead: replace it there.",
		Example: "  wattle identity rotate\n  wattle identity rotate --finish",
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
				fmt.Fprintf(cmd.ErrOrStderr(), "Replace %s with it.\n", masterkey.SecretName)
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "Restart every process, back up the key, and then run: wattle identity rotate --finish")
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&finish, "finish", false, "refuse the previous key, once every process was restarted with the new one")
	return cmd
}

// resetReport is the output of `wattle identity reset --json`.
type resetReport struct {
	Webhooks    []resetWebhook `json:"webhooks"`
	UnsentMails int            `json:"unsent_mails"` // each had a temporary password
}

// resetWebhook is a webhook with its new secret.
type resetWebhook struct {
	Label  string `json:"label"`
	ID     string `json:"id"`
	URL    string `json:"url"`
	Secret string `json:"secret"`
}

// resetWord is the word that the operator types to confirm a reset.
const resetWord = "reset"

func identityResetCommand() *cobra.Command {
	c, yes := config.Default(), false
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "reset",
		Short: "Replace a lost identity key",
		Long: "Discard what the lost key encrypted: signing keys and sessions, so that everybody signs in again, mailed codes, and temporary passwords in " +
			"mails that were not sent yet. Create new secrets for webhooks, and print them once, for their receivers. Accounts, passwords, API keys and all " +
			"records stay.\n\n" +
			"Stop every process of the portal first. From then on, the identity key is the one of this command: WATTLE_IDENTITY_KEY, or else identity.key, " +
			"which is created if it is missing.",
		Example: "  wattle identity reset",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := c.Check(); err != nil {
				return err
			}
			if err := checkStopped(cmd, &c); err != nil {
				return err
			}
			if !yes {
				fmt.Fprintf(cmd.ErrOrStderr(), "This signs everybody out and gives webhooks new secrets. Type %q to continue: ", resetWord)
				if answer(cmd) != resetWord {
					return errors.New("nothing was changed")
				}
			}
			a, err := app.New(c, modules.All, quiet())
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
			r := resetReport{Webhooks: []resetWebhook{}, UnsentMails: lost.Mails}
			for _, w := range lost.Webhooks {
				r.Webhooks = append(r.Webhooks, resetWebhook{w.Label, w.ID, w.URL, w.Secret})
			}
			return cli.Print(cmd, *asJSON, r, func(out io.Writer) { printReset(out, r) })
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// printReset prints what a reset has discarded, and the new secrets.
func printReset(out io.Writer, r resetReport) {
	if len(r.Webhooks) > 0 {
		var lines [][]any
		for _, w := range r.Webhooks {
			lines = append(lines, []any{w.Label, w.ID, w.URL, w.Secret})
		}
		fmt.Fprintln(out, "Webhooks with a new secret; give it to their receivers:")
		cli.Table(out, lines)
	}
	if r.UnsentMails > 0 {
		fmt.Fprintf(out, "%s with a temporary password will not be sent; their receivers reactivate their accounts.\n",
			words.Count(r.UnsentMails, "mail", "mails"))
	}
	fmt.Fprintln(out, "The identity key was reset. Everybody signs in again.")
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
