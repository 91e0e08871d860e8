// Package participation contains the data of a participation other than its shares, which belong to the ledger: its address, its supplier
// and its production. Only Open creates a participation without shares: one for each relation, project and address.
package participation

import (
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

// Key returns the same string for the same address, regardless of how it was typed.
func (a Address) Key() string {
	plain := func(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }
	return strings.Join([]string{plain(a.PostalCode), plain(a.HouseNumber), plain(a.HousePostfix)}, "-")
}

// Participation is a number of shares of one project at one address (3-participation-fields).
type Participation struct {
	Identifier         string      `json:"participation_identifier" doc:"Id of the participation in requests"`
	ProviderIdentifier string      `json:"provider_identifier,omitempty" doc:"Identifier in the provider's administration"`
	ProjectCode        string      `json:"project_code" doc:"Code of the project"`
	Share              int64       `json:"share" doc:"All shares of the participation"`
	Offered            int64       `json:"offered_share" doc:"Shares on offer, ordered, or sold and not yet transferred"`
	Reserved           int64       `json:"reserved_share" doc:"Part of offered_share: shares in unpaid orders"`
	Sold               int64       `json:"sold_share" doc:"Part of offered_share: shares that are paid and wait for their transfer date"`
	Available          int64       `json:"availableShares" doc:"share minus offered_share"`
	Moving             int64       `json:"moving_share" doc:"Shares in a planned move: they are available, but cannot be offered"`
	Supplier           string      `json:"supplier" doc:"Supplier that takes the energy of the shares; empty: unknown"`
	SupplierFrom       *value.Day  `json:"supplierFromDate" nullable:"true" doc:"First day with this supplier; null: unknown"`
	SupplierTo         *value.Day  `json:"supplierToDate" nullable:"true" doc:"Last day with this supplier; null: unknown"`
	ProjectEnd         *value.Day  `json:"projectEndDate" nullable:"true" doc:"Last day of the project; null: unknown"`
	Mutation           *value.Day  `json:"mutation_date" nullable:"true" doc:"Last day on which share changed"`
	EAN                string      `json:"ean" doc:"EAN code of the connection at the address; empty: unknown"`
	Address            Address     `json:"address" doc:"Address of the shares"`
	Production         Yield       `json:"production" doc:"Production of the shares in a period, according to the back office"`
	Shares             []ShareFrom `json:"shares" nullable:"false" doc:"Changes of share, oldest first"`
}

// Yield is the production in kWh of the shares of a participation in a period, according to the back office; null where it sent nothing
// (3-participation-fields).
type Yield struct {
	PeriodStart *value.Day `json:"period_start_date" nullable:"true" doc:"First day of the period"`
	PeriodEnd   *value.Day `json:"period_end_date" nullable:"true" doc:"Last day of the period"`
	Peak        *float64   `json:"peak" doc:"kWh in peak hours"`
	OffPeak     *float64   `json:"off_peak" doc:"kWh in all other hours"`
}

// ShareFrom is the number of shares that a participation has had since a day.
type ShareFrom struct {
	From  value.Day `json:"from_date" doc:"First day with this number"`
	Share int64     `json:"share" doc:"All shares of the participation from that day on"`
}

// Document is the stored data of a participation other than its key and its balance.
type Document struct {
	Address      Address   `json:"address"`
	Supplier     string    `json:"supplier,omitempty"`
	SupplierFrom value.Day `json:"supplier_from_date,omitzero"`
	SupplierTo   value.Day `json:"supplier_to_date,omitzero"`
	EAN          string    `json:"ean,omitempty"`
	Production   Yield     `json:"production,omitzero"`
	Imported     *int64    `json:"imported,omitempty"` // share in the last record; the next record corrects by the difference
}

// shareHistory returns the number of shares from day to day; changes must be in the order in which they were written.
func shareHistory(changes []ledger.Change) []ShareFrom {
	out := make([]ShareFrom, 0, len(changes))
	share := int64(0)
	for _, c := range changes {
		share += c.Shares
		n := len(out) - 1
		if n >= 0 && !c.Effective.After(out[n].From) { // a correction of an earlier day, or two changes on one day: the last one wins
			out[n].Share = share
			continue
		}
		out = append(out, ShareFrom{c.Effective, share})
	}
	return out
}
