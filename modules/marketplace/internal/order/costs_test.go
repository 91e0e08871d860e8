package order

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
)

func TestOrderCosts(t *testing.T) {
	t.Run("9-order-costs", func(t *testing.T) {
		type given struct {
			Day      value.Day `json:"day"`
			Projects []string  `json:"projects"`
			Charges  Charges   `json:"charges"`
		}
		moduletest.RunCases(t, checkoutRules+"9-order-costs.json", func(g given, _ value.Day, _ struct{}) value.Cents {
			return g.Charges.On(g.Day, g.Projects)
		})
	})
}

// randomBasket returns the lines of a basket and the charges of a label for its projects.
func randomBasket(r *rand.Rand, today value.Day) (lines []BasketLine, charges Charges) {
	charges = Charges{}
	for n := range 3 {
		var costs []project.Cost
		for range r.IntN(4) {
			costs = append(costs, project.Cost{From: today.AddDays(r.IntN(200) - 100), Amount: value.Cents(r.IntN(5000))})
		}
		charges[fmt.Sprint("P", n)] = costs
	}
	for n := range 1 + r.IntN(6) {
		lines = append(lines, BasketLine{basketRow: basketRow{RelationID: "me", OfferID: fmt.Sprint(n), Shares: 1 + r.Int64N(90)},
			offer: &offer.Offer{ID: fmt.Sprint(n), RelationID: "you", Status: offer.Active, Type: offer.Public, Left: 90,
				Price:       value.Cents(r.IntN(30000)),
				ProjectCode: fmt.Sprint("P", r.IntN(4)), Date: today.AddDays(r.IntN(60) - 30)}}) // project P3 has no costs
	}
	return lines, charges
}

// The amount due is always the price of the shares plus the costs of each project once, and only an order for exactly that amount is
// placed.
func TestAmountDueIsTotalPlusCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	today := value.Day{Year: 2026, Month: 11, Day: 20}
	set := TransferSettings{EarliestDays: 31}
	t.Run("9-order-costs", func(t *testing.T) {
		for range 2000 {
			lines, charges := randomBasket(r, today)
			for _, charged := range []Charges{nil, charges} {
				b := NewBasket(lines, today, set, charged)
				var total, costs value.Cents
				seen := map[string]bool{}
				for _, l := range lines {
					total += value.Cents(l.Shares) * l.offer.Price
					if code := l.offer.ProjectCode; !seen[code] {
						seen[code] = true
						costs += project.CostOn(charged[code], b.First)
					}
				}
				assert.Equal(t, []value.Cents{total, costs, total + costs}, []value.Cents{b.Total, b.Costs, b.Due})
				assert.GreaterOrEqual(t, b.Costs, value.Cents(0))
				if charged == nil {
					assert.Equal(t, b.Total, b.Due, "nothing is charged")
				}
				start := b.First.AddDays(r.IntN(90))
				o := Row{Amount: total, AdministrationCosts: charged.On(start, ProjectsOf(lines))}
				assert.Equal(t, o.Amount+o.AdministrationCosts, o.Due())
				shown := o.Show(nil, nil, today)
				assert.Equal(t, []value.Cents{o.Amount, o.AdministrationCosts, o.Due()}, []value.Cents{shown.Amount, shown.Costs, shown.Due})
			}
		}
	})
	t.Run("9-order-costs-seen", func(t *testing.T) {
		for range 500 {
			lines, charges := randomBasket(r, today)
			start := NewBasket(lines, today, set, charges).First.AddDays(r.IntN(90))
			due := NewBasket(lines, today, set, charges).Total + charges.On(start, ProjectsOf(lines))
			place := func(seen *value.Cents) string {
				outcome, _ := decideOrder(OrderRequest{Waived: true, Start: start, Due: seen, Buyer: "me"}, lines, today, set, charges)
				return outcome
			}
			assert.Equal(t, PlacedSuccess, place(&due))
			assert.Equal(t, PlacedSuccess, place(nil), "a client that shows no amount")
			for _, invalid := range []value.Cents{due - 1, due + 1, 0, -due} {
				if invalid != due {
					assert.Equal(t, placedChanged, place(&invalid))
				}
			}
		}
	})
}
