package audit

import (
	"context"
	"fmt"
	"net/http"

	"github.com/wattle-portal/wattle/core/call"
	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
)

// Commands lists the operator commands of the module.
var Commands = command.Group{Short: "Audit the market of shares", Noun: "market", All: []command.Command{{
	Name:  "audit",
	Short: "Verify the ledger of shares",
	Long: "Verify the ledger of shares of every label that has a market: that no entry is missing or changed, that balances are the sum of their " +
		"entries, that offers, orders and moves agree with them, and that each project has as many shares as were issued. Print what is wrong; the exit " +
		"status is then 1.",
	Audit: true,
	Run:   runAudit,
}}}

// runAudit prints the audit findings for the ledger of a label.
func runAudit(ctx context.Context, c command.Call) (findings int, err error) {
	r, err := call.JSON[ledger.Report](ctx, c.Client, http.MethodGet, "http://marketplace"+operation.Base+"/audit", nil)
	if err != nil {
		return 0, err
	}
	findings = len(r.Findings) + r.More
	fmt.Fprintf(c.Out, "%s: %s, %s, %s, %s, %s\n", c.Label, count(r.Participations, "participation", "participations"),
		count(r.Shares, "share", "shares"), count(r.Entries, "entry", "entries"), count(r.Offers, "offer", "offers"),
		count(findings, "finding", "findings"))
	for _, f := range r.Findings {
		fmt.Fprintf(c.Out, "  %s\n", f)
	}
	if r.More > 0 {
		fmt.Fprintf(c.Out, "  and %d more\n", r.More)
	}
	return findings, nil
}

// count returns a number with its noun.
func count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
