package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/call"
	"github.com/wattle-portal/wattle/core/internal/app"
	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/registry"
	"github.com/wattle-portal/wattle/core/module"
)

// marketplaceKey is the module that keeps the ledger of shares.
const marketplaceKey = "marketplace"

// auditWithin bounds the audit of one label.
const auditWithin = 30 * time.Minute

func marketplaceCommand() *cobra.Command {
	cmd := &cobra.Command{Use: marketplaceKey, Short: "Look after the market of shares"}
	cmd.AddCommand(ledgerCommand())
	return cmd
}

func ledgerCommand() *cobra.Command {
	c, only := config.Default(), ""
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Prove that the ledger of shares is whole, also while the portal runs",
		Long: "Walks along the ledger of shares of every label that has a market: that no entry is missing or changed, that balances are the\n" +
			"sum of their entries, that offers, orders and moves agree with them, and that each project has as many shares as were issued.\n" +
			"What is wrong is listed; the exit status is then 1.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			return auditLedgers(cmd, a, only)
		},
	}
	c.Place(cmd.Flags())
	cmd.Flags().StringVar(&only, "label", "", "key of the label; without it all")
	return cmd
}

// audited is what the module says of the ledger of one label.
type audited struct {
	Participations int   `json:"participations"`
	Entries        int   `json:"entries"`
	Offers         int   `json:"offers"`
	Shares         int64 `json:"shares"`
	Findings       []struct {
		What  string `json:"what"`
		ID    string `json:"id"`
		Where int64  `json:"sequence"`
		Text  string `json:"text"`
	} `json:"findings"`
	More int `json:"more"`
}

var errNoMarket = errors.New("no label has a market")

func auditLedgers(cmd *cobra.Command, a *app.App, only string) error {
	if only != "" && a.Labels.ByKey(only) == nil {
		return fmt.Errorf("there is no label %s; see wattle labels list", only)
	}
	out, wrong, looked := cmd.OutOrStdout(), 0, 0
	for _, l := range a.Labels.All() {
		scope, on := a.Hub.ScopeFor(l.Key, marketplaceKey)
		if !on || only != "" && l.Key != only {
			continue
		}
		looked++
		r, err := auditLabel(cmd.Context(), scope, a)
		if err != nil {
			return fmt.Errorf("label %s: %w", l.Key, err)
		}
		fmt.Fprintf(out, "%s: %d participations, %d shares, %d entries, %d offers, %d findings\n", l.Key, r.Participations, r.Shares, r.Entries, r.Offers,
			len(r.Findings)+r.More)
		for _, f := range r.Findings {
			where := ""
			if f.Where > 0 {
				where = fmt.Sprintf(" entry %d", f.Where)
			}
			fmt.Fprintf(out, "  %s %s%s: %s\n", f.What, f.ID, where, f.Text)
		}
		if r.More > 0 {
			fmt.Fprintf(out, "  and %d more\n", r.More)
		}
		wrong += len(r.Findings) + r.More
	}
	switch {
	case looked == 0 && only != "":
		return fmt.Errorf("label %s has no market", only)
	case looked == 0:
		return errNoMarket
	case wrong > 0:
		return exitStatus(1)
	}
	return nil
}

// auditLabel asks the module, which may be a plugin, within the scope of a label.
func auditLabel(ctx, scope context.Context, a *app.App) (audited, error) {
	scope, cancel := context.WithTimeout(scope, auditWithin)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	return call.JSON[audited](scope, a.Hub.Client(module.Manifest{Key: registry.Core}), http.MethodGet, "http://"+marketplaceKey+"/sustainable/audit", nil)
}
