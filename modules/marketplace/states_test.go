package marketplace

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Every transition that is not in a table is refused with 409.
func TestForbiddenTransitions(t *testing.T) {
	forbid := func(t *testing.T, table []state.Transition, all []state.Status, want [][2]state.Status) {
		t.Helper()
		for _, from := range all {
			for _, to := range all {
				err := state.Next(table, from, to)
				if slices.Contains(want, [2]state.Status{from, to}) {
					assert.NoError(t, err, "%s to %s", from, to)
					continue
				}
				p := problem.Of(err)
				require.Equal(t, 409, p.Status, "%s to %s", from, to)
				require.Equal(t, "marketplace.transition", p.Code)
			}
		}
		assert.Len(t, table, len(want), "a transition stands there twice")
		assert.Error(t, state.Next(table, "", all[0]))
		assert.Error(t, state.Next(table, all[0], "ELSEWHERE"))
	}
	t.Run("4-offer-transitions,4-offer-lifecycle-enum", func(t *testing.T) {
		assert.Equal(t, []state.Status{"CREATED", "APPROVED", "ACTIVE", "SOLD", "REJECTED", "REVOKED"}, offerStatuses)
		forbid(t, offer.Transitions, offerStatuses, [][2]state.Status{{"CREATED", "APPROVED"}, {"CREATED", "REJECTED"}, {"APPROVED", "ACTIVE"},
			{"ACTIVE", "SOLD"},
			{"CREATED", "REVOKED"}, {"APPROVED", "REVOKED"}, {"ACTIVE", "REVOKED"}})
	})
	t.Run("of orders", func(t *testing.T) {
		forbid(t, order.Transitions, orderStatuses, [][2]state.Status{{"CREATED", "AWAITING_PAYMENT"}, {"AWAITING_PAYMENT", "BOUGHT"},
			{"BOUGHT", "COMPLETED"},
			{"CREATED", "EXPIRED"}, {"AWAITING_PAYMENT", "EXPIRED"}, {"CREATED", "CANCELLED"}, {"AWAITING_PAYMENT", "CANCELLED"},
			{"BOUGHT", "CANCELLED"}})
	})
}

var offerStatuses = []state.Status{offer.Created, offer.Approved, offer.Active, offer.Sold, offer.Rejected, offer.Revoked}

var orderStatuses = []state.Status{order.Created, order.Awaiting, order.Bought, order.Completed, order.Expired, order.Cancelled}

// An order with a status of a newer version is shown, and nothing else is done with it.
func TestOrderStates(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		insert := func(is state.Status) order.Row {
			row := order.Row{LabelKey: moduletest.LabelOne, ID: value.NewID(), Reference: offer.RandomString(8), RelationID: member("3").Relation,
				Status: is, Amount: 100, Shares: 1,
				TransferDate: value.Day{Year: 2027, Month: 1, Day: 1}, PlacedAt: state.StoredTime(w.Clock.Now()),
				ExpiresAt: state.StoredTime(w.Clock.Now())}
			line := order.Line{LabelKey: row.LabelKey, OrderID: row.ID, OfferID: "o", OfferReference: "O", ProjectCode: "WP", ProjectName: "WP",
				Shares: 1, Price: 100, SellerParticipation: "p", Address: "{}"}
			require.NoError(t, w.s.host.DB.Tx(w.system(), func(ctx context.Context, tx module.Tx) error {
				if _, err := moduletest.Raw(tx).NewInsert().Model(&row).Exec(ctx); err != nil {
					return err
				}
				_, err := moduletest.Raw(tx).NewInsert().Model(&line).Exec(ctx)
				return err
			}))
			return row
		}
		t.Run("4-order-status-other", func(t *testing.T) { // a newer version, or a program that runs next to this one
			strange := insert("PARTLY_PAID")
			var shown []string
			for _, o := range call[[]order.Order](w, 200, member("3"), "GET", "/sustainable/orders", nil) {
				if o.ID == strange.ID {
					shown = append(shown, string(o.Status), string(o.Offers[0].Status))
					assert.True(t, o.Withdraw.IsZero())
				}
			}
			assert.Equal(t, []string{"PARTLY_PAID", "PARTLY_PAID"}, shown, "as it is")
			office := func(query string) operation.PageOf[order.StaffOrder] {
				return call[operation.PageOf[order.StaffOrder]](w, 200, staffMember(), "GET", "/sustainable/staff/orders?"+query, nil)
			}
			assert.EqualValues(t, "PARTLY_PAID", office("q=" + strange.Reference).Content[0].Status)
			assert.Equal(t, strange.ID, office("status=PARTLY_PAID").Content[0].ID)
			assert.Empty(t, office("status=NOTHING_OF_THE_KIND").Content)
			// nothing is done with an unknown status
			w.refused(409, state.CodeTransition, member("3"), "DELETE", "/sustainable/orders/"+strange.ID, nil)
			w.refused(409, state.CodeTransition, member("3"), "POST", "/sustainable/orders/"+strange.ID+"/withdrawal", nil)
			w.refused(409, "marketplace.not_payable", member("3"), "GET", "/sustainable/orders/"+strange.ID+"/paylink", nil)
			require.NoError(t, order.Expire(w.system(), w.s.host.DB, w.s.host.Now, strange.ID))
			require.NoError(t, order.Complete(w.system(), w.s.host.DB, w.s.host.Now, strange.ID))
			assert.EqualValues(t, "PARTLY_PAID", office("q=" + strange.ID).Content[0].Status)
		})
		t.Run("4-offer-item-further,4-order-status-enum,4-order-status-other-set", func(t *testing.T) {
			for _, is := range orderStatuses {
				insert(is)
			}
			seen := map[string]bool{}
			for _, o := range call[[]order.Order](w, 200, member("3"), "GET", "/sustainable/orders", nil) {
				require.Len(t, o.Offers, 1)
				require.Equal(t, o.Status, o.Offers[0].Status)
				seen[string(o.Offers[0].Status)] = true
			}
			for _, is := range []string{"CREATED", "AWAITING_PAYMENT", "BOUGHT", "COMPLETED", "CANCELLED", "EXPIRED"} {
				assert.True(t, seen[is], is)
			}
		})
	})
}

// diagram returns the diagram of a table for the README.
func diagram(table []state.Transition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```mermaid\nstateDiagram-v2\n    [*] --> %s\n", table[0].From)
	ends := []state.Status{}
	for _, t := range table {
		fmt.Fprintf(&b, "    %s --> %s: %s, by %s\n", t.From, t.To, t.Event, t.By)
		if !slices.ContainsFunc(table, func(o state.Transition) bool { return o.From == t.To }) && !slices.Contains(ends, t.To) {
			ends = append(ends, t.To)
		}
	}
	for _, e := range ends {
		fmt.Fprintf(&b, "    %s --> [*]\n", e)
	}
	b.WriteString("```\n")
	return b.String()
}

// The README contains the diagrams of the tables. `go test -run TestDiagrams -update` writes them.
func TestDiagrams(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	got := string(text)
	for name, table := range map[string][]state.Transition{"offers": offer.Transitions, "orders": order.Transitions} {
		begin, end := "<!-- states of "+name+" -->\n", "<!-- end of "+name+" -->"
		before, rest, found := strings.Cut(got, begin)
		require.True(t, found, begin)
		_, after, found := strings.Cut(rest, end)
		require.True(t, found, end)
		got = before + begin + diagram(table) + end + after
	}
	if flag.Lookup("update").Value.String() == "true" {
		require.NoError(t, os.WriteFile("README.md", []byte(got), 0o644))
		return
	}
	assert.Equal(t, got, string(text), "run: make generate")
}
