package participation

import (
	"fmt"
	"strconv"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

// ImportKind is the kind of a participation record, which the ledger uses as the source of its shares.
const ImportKind = "participation"

// Error codes of participation records. Offer records use some of them too.
const (
	CodeUnknown      = "marketplace.participation_unknown" // 400: the member does not have the participation
	CodeOtherProject = "marketplace.project_differs"
	codeProject      = "marketplace.project_unknown"
	codeImportLast   = "marketplace.shares_differ" // in a record: the history does not end with the value of share
	codeOwnerDiffers = "marketplace.owner_differs" // in a record: the participation belongs to somebody else
)

// RecordKind describes the participation records.
var RecordKind = record.Kind{
	Name: ImportKind, Doc: "The shares of a customer in a project. The natural key is participation_identifier.",
	Fields: participationFields{}, Required: []string{"debtor_number", "participation_identifier", "project_code", "share", "address",
		"address.street_name", "address.house_number",
		"address.postal_code", "address.city", "shares.0.from_date", "shares.0.share"},
	Example: `{"debtor_number":"10001","participation_identifier":"P-10001","project_code":"WND-01","share":"20","address":{"street_name":"Molenweg","house_number":"12",
		"postal_code":"1234AB","city":"Delft"}}`,
}

// participationFields are the fields of a participation, as the back office sends them.
type participationFields struct {
	Debtor       record.Loose  `json:"debtor_number"`
	Identifier   record.Loose  `json:"participation_identifier"`
	Provider     record.Loose  `json:"provider_identifier"`
	Project      record.Loose  `json:"project_code"`
	Share        record.Loose  `json:"share"`
	History      []shareFields `json:"shares"`
	Supplier     record.Loose  `json:"supplier"`
	SupplierFrom record.Loose  `json:"supplierFromDate"`
	SupplierTo   record.Loose  `json:"supplierToDate"`
	EAN          record.Loose  `json:"ean"`
	Address      AddressFields `json:"address"`
	Production   yieldFields   `json:"production"`
}

type yieldFields struct {
	Start   record.Loose `json:"period_start_date"`
	End     record.Loose `json:"period_end_date"`
	Peak    record.Loose `json:"peak"`
	OffPeak record.Loose `json:"off_peak"`
}

type shareFields struct {
	From  record.Loose `json:"from_date"`
	Share record.Loose `json:"share"`
}

// AddressFields are the address fields of a participation or an order, as the back office sends them.
type AddressFields struct {
	Street     record.Loose `json:"street_name"`
	Number     record.Loose `json:"house_number"`
	Postfix    record.Loose `json:"house_postfix"`
	PostalCode record.Loose `json:"postal_code"`
	City       record.Loose `json:"city"`
}

// importedParticipation is the participation in a record.
type importedParticipation struct {
	line                                  int
	debtor, identifier, provider, project string
	share                                 int64
	history                               []ShareFrom
	Document
}

func readParticipation(row record.Row) (p importedParticipation, _ []record.Refusal) {
	var in participationFields
	c, ok := fields.Read(row, &in)
	if !ok {
		return p, c.Refusals()
	}
	p = importedParticipation{line: row.Line, debtor: c.Required("debtor_number", in.Debtor),
		identifier: c.ID("participation_identifier", in.Identifier), provider: in.Provider.Text(),
		project: c.Required("project_code", in.Project), share: c.Count("share", in.Share),
		Document: Document{Supplier: in.Supplier.Text(), EAN: in.EAN.Text(),
			SupplierFrom: c.OptionalDay("supplierFromDate", in.SupplierFrom), SupplierTo: c.OptionalDay("supplierToDate", in.SupplierTo),
			Address: ReadAddress(c, in.Address)}}
	p.Production = readYield(c, in.Production)
	p.Imported = &p.share
	for n, x := range in.History {
		at := fmt.Sprintf("shares.%d.", n)
		h := ShareFrom{From: c.Day(at+"from_date", x.From), Share: c.Count(at+"share", x.Share)}
		if n > 0 && !h.From.After(p.history[n-1].From) {
			c.Refuse(at+"from_date", problem.CodeInvalid)
		}
		p.history = append(p.history, h)
	}
	if n := len(p.history); n > 0 && p.history[n-1].Share != p.share {
		c.Refuse("shares", codeImportLast)
	}
	return p, c.Refusals()
}

// issue returns the share grants of a new participation.
func (p importedParticipation) issue(id string) (out []ledger.Grant) {
	had := int64(0)
	history := p.history
	if len(history) == 0 {
		history = []ShareFrom{{Share: p.share}}
	}
	for _, h := range history {
		if h.Share != had {
			out = append(out, ledger.Grant{Participation: id, Shares: h.Share - had, From: h.From})
			had = h.Share
		}
	}
	return out
}

// ReadAddress reads the address of a participation or an order.
func ReadAddress(c fields.Reading, in AddressFields) Address {
	return Address{StreetName: c.Required("address.street_name", in.Street), HouseNumber: c.Required("address.house_number", in.Number),
		HousePostfix: in.Postfix.Text(), PostalCode: c.Required("address.postal_code", in.PostalCode), City: c.Required("address.city", in.City)}
}

// readYield reads the production of a participation: nothing, or a period with its production.
func readYield(c fields.Reading, in yieldFields) (y Yield) {
	if in == (yieldFields{}) {
		return y
	}
	start, end := c.Day("production.period_start_date", in.Start), c.Day("production.period_end_date", in.End)
	if end.Before(start) {
		c.Refuse("production.period_end_date", problem.CodeInvalid)
	}
	return Yield{PeriodStart: &start, PeriodEnd: &end, Peak: readEnergy(c, "production.peak", in.Peak),
		OffPeak: readEnergy(c, "production.off_peak", in.OffPeak)}
}

// maxEnergy is a number of kWh that no participation produces.
const maxEnergy = 1e12

// readEnergy reads a number of kWh; nil when it is absent.
func readEnergy(c fields.Reading, field string, v record.Loose) *float64 {
	if v.Text() == "" {
		return nil
	}
	n, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil || !(n >= 0 && n <= maxEnergy) { // NaN is refused too
		c.Refuse(field, problem.CodeInvalid)
	}
	return &n
}
