package order

import (
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

// Error codes of the basket.
const (
	codeBasketFull = "marketplace.basket_full"
)

// maxBasket is the maximum number of offers in a basket.
const maxBasket = 25

// Basket contains what a member is about to order (3-basket-fields).
type Basket struct {
	Items []BasketItem `json:"items" nullable:"false" doc:"Items of the basket, one for each offer"`
	Total value.Cents  `json:"total_amount" doc:"Sum of the amounts of the items"`
	Costs value.Cents  `json:"administration_costs" doc:"Administration costs that are charged when the shares are transferred on first_valid_start_date; 0 when the label charges none with an order"`
	Due   value.Cents  `json:"amount_due" doc:"Amount to be paid for the order then: total_amount plus administration_costs"`
	First value.Day    `json:"first_valid_start_date,omitzero" doc:"Earliest transfer date; absent while the basket is empty"`
}

// BasketItem is a number of shares of one offer (3-basket-amounts).
type BasketItem struct {
	Identifier  string                `json:"identifier" doc:"Id of the offer"`
	Reference   string                `json:"reference" doc:"Reference of the offer for people"`
	ProjectName string                `json:"project_name" doc:"Name of the project"`
	ProjectCode string                `json:"project_code" doc:"Code of the project"`
	Address     participation.Address `json:"address" doc:"Address that the shares get"`
	Shares      int64                 `json:"shares" doc:"Number of shares to buy"`
	Price       value.Cents           `json:"price_per_share" doc:"Price of a share in euros"`
	Amount      value.Cents           `json:"amount" doc:"Price of these shares in euros"`
}

// BasketLine is a stored basket item with its offer, which is nil if it does not exist.
type BasketLine struct {
	basketRow
	address participation.Address
	offer   *offer.Offer
}

// isOrderable reports whether a line can be ordered without changes.
func (l BasketLine) isOrderable() bool {
	return l.offer.Buyable(l.RelationID) && l.Shares >= 1 && l.Shares <= l.offer.Left
}

// NewBasket returns the basket for some lines, without lines whose offer does not exist.
func NewBasket(lines []BasketLine, today value.Day, set TransferSettings, charges Charges) Basket {
	b := Basket{Items: []BasketItem{}}
	var dates []value.Day
	for _, l := range lines {
		if l.offer == nil {
			continue
		}
		item := BasketItem{Identifier: l.OfferID, Reference: l.offer.Reference, ProjectName: l.offer.ProjectName,
			ProjectCode: l.offer.ProjectCode, Address: l.address, Shares: l.Shares, Price: l.offer.Price,
			Amount: value.Cents(l.Shares) * l.offer.Price}
		b.Items = append(b.Items, item)
		b.Total += item.Amount
		dates = append(dates, l.offer.Date)
	}
	b.First = firstOf(dates, today, set)
	b.Costs = charges.On(b.First, ProjectsOf(lines))
	b.Due = b.Total + b.Costs
	return b
}

// BasketSeen is the basket that a browser displays. It is only compared with the stored basket; unknown fields in it are ignored.
type BasketSeen struct {
	_     struct{}    `additionalProperties:"true"`
	Items []itemSeen  `json:"items" nullable:"true" required:"false" maxItems:"100" doc:"Items that the browser shows"`
	Total value.Cents `json:"total_amount" required:"false" doc:"Sum in euros that the browser shows"`
}

type itemSeen struct {
	_          struct{}    `additionalProperties:"true"`
	Identifier string      `json:"identifier" required:"false" maxLength:"100" doc:"Id of the offer"`
	Shares     int64       `json:"shares" required:"false" doc:"Number of shares that the browser shows"`
	Price      value.Cents `json:"price_per_share" required:"false" doc:"Price of a share in euros that the browser shows"`
	Amount     value.Cents `json:"amount" required:"false" doc:"Price of these shares in euros that the browser shows"`
	// nil: the client displays none
	Address *participation.Address `json:"address" required:"false" doc:"Address that the browser shows"`
}

// same reports whether a browser displays this basket. When the displayed numbers or addresses differ from the stored ones, nothing is
// ordered.
func (b Basket) same(seen *BasketSeen) bool {
	if seen == nil {
		return true
	}
	if len(seen.Items) != len(b.Items) || seen.Total != b.Total {
		return false
	}
	byID := func(x, y string) int { return strings.Compare(x, y) }
	theirs := slices.SortedFunc(slices.Values(seen.Items), func(x, y itemSeen) int { return byID(x.Identifier, y.Identifier) })
	ours := slices.SortedFunc(slices.Values(b.Items), func(x, y BasketItem) int { return byID(x.Identifier, y.Identifier) })
	for i, o := range ours {
		if t := theirs[i]; t.Identifier != o.Identifier || t.Shares != o.Shares || t.Price != o.Price || t.Amount != o.Amount ||
			t.Address != nil && *t.Address != o.Address {
			return false
		}
	}
	return true
}
