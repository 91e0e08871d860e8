// Package participation is what the marketplace keeps of a participation in addition to its shares, which are the ledger's: its address,
// its supplier and what it produced. Open is the only way to a new participation without shares: one for each relation, project and
// address.
package participation

import (
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

// Key returns the same string for the same address, however it was typed.
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
	Available          int64       `json:"availableShares" doc:"share minus offered_share"`
	Moving             int64       `json:"moving_share" doc:"Shares in a planned move: they are available, and cannot be offered"`
	Supplier           string      `json:"supplier" doc:"Supplier that takes the energy of the shares; empty: not known"`
	SupplierFrom       *value.Day  `json:"supplierFromDate" nullable:"true" doc:"First day with this supplier; null: not known"`
	SupplierTo         *value.Day  `json:"supplierToDate" nullable:"true" doc:"Last day with this supplier; null: no end is known"`
	ProjectEnd         *value.Day  `json:"projectEndDate" nullable:"true" doc:"Last day of the project; null: not known"`
	Mutation           *value.Day  `json:"mutation_date" nullable:"true" doc:"Day on which share changed last"`
	EAN                string      `json:"ean" doc:"EAN code of the connection at the address; empty: not known"`
	Address            Address     `json:"address" doc:"Address of the shares"`
	Production         Yield       `json:"production" doc:"What the shares produced in a period, from the back office"`
	Shares             []ShareFrom `json:"shares" nullable:"false" doc:"Changes of share, oldest first"`
}

// Yield is what the shares of a participation produced in a period, in kWh, from the back office; null where it sent nothing
// (3-participation-fields).
type Yield struct {
	PeriodStart *value.Day `json:"period_start_date" nullable:"true" doc:"First day of the period"`
	PeriodEnd   *value.Day `json:"period_end_date" nullable:"true" doc:"Last day of the period"`
	Peak        *float64   `json:"peak" doc:"kWh in peak hours"`
	OffPeak     *float64   `json:"off_peak" doc:"kWh in all other hours"`
}

// ShareFrom is how many shares a participation has had from a day on.
type ShareFrom struct {
	From  value.Day `json:"from_date" doc:"First day with this number"`
	Share int64     `json:"share" doc:"All shares of the participation from that day on"`
}

// Document is what is stored of a participation in addition to its key and its balance.
type Document struct {
	Address      Address   `json:"address"`
	Supplier     string    `json:"supplier,omitempty"`
	SupplierFrom value.Day `json:"supplier_from_date,omitzero"`
	SupplierTo   value.Day `json:"supplier_to_date,omitzero"`
	EAN          string    `json:"ean,omitempty"`
	Production   Yield     `json:"production,omitzero"`
	Imported     *int64    `json:"imported,omitempty"` // what the back office last said of share; it corrects by what it says now minus that
}

// grown are the shares of a participation from day to day; changes come in the order in which they were written down.
func grown(changes []ledger.Change) []ShareFrom {
	out := make([]ShareFrom, 0, len(changes))
	share := int64(0)
	for _, c := range changes {
		share += c.Shares
		n := len(out) - 1
		if n >= 0 && !c.Effective.After(out[n].From) { // a correction of an earlier day, or two changes on one day: the last holds
			out[n].Share = share
			continue
		}
		out = append(out, ShareFrom{c.Effective, share})
	}
	return out
}
