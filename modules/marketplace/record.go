package marketplace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// loose is a value of a record as a string.
type loose = record.Loose

// Records as the back office sends them. The rules for input of members do not apply to them.
type (
	projectFields struct {
		Code            loose           `json:"project_code"`
		Name            loose           `json:"project_name"`
		Type            loose           `json:"project_type"`
		Place           loose           `json:"place"`
		EAN             loose           `json:"project_ean_number"`
		Start           loose           `json:"project_start_date"`
		End             loose           `json:"project_end_date"`
		Unit            loose           `json:"unit_of_measurement"`
		Supplier        loose           `json:"energy_supplier"`
		Statutes        loose           `json:"statutes_location"`
		MemberAgreement loose           `json:"member_agreement_location"`
		Report          loose           `json:"report"`
		Settings        []settingFields `json:"member_offer_settings"`
		Costs           []costFields    `json:"administration_costs"`
	}
	settingFields struct {
		From  loose `json:"from_date"`
		Min   loose `json:"min_price"`
		Max   loose `json:"max_price"`
		Allow loose `json:"allow_selling"`
	}
	costFields struct {
		From   loose `json:"from_date"`
		Amount loose `json:"amount"`
	}
	participationFields struct {
		Debtor       loose         `json:"debtor_number"`
		Identifier   loose         `json:"participation_identifier"`
		Provider     loose         `json:"provider_identifier"`
		Project      loose         `json:"project_code"`
		Share        loose         `json:"share"`
		History      []shareFields `json:"shares"`
		Supplier     loose         `json:"supplier"`
		SupplierFrom loose         `json:"supplierFromDate"`
		SupplierTo   loose         `json:"supplierToDate"`
		EAN          loose         `json:"ean"`
		Address      addressFields `json:"address"`
		Production   yieldFields   `json:"production"`
	}
	yieldFields struct {
		Start   loose `json:"period_start_date"`
		End     loose `json:"period_end_date"`
		Peak    loose `json:"peak"`
		OffPeak loose `json:"off_peak"`
	}
	shareFields struct {
		From  loose `json:"from_date"`
		Share loose `json:"share"`
	}
	addressFields struct {
		Street     loose `json:"street_name"`
		Number     loose `json:"house_number"`
		Postfix    loose `json:"house_postfix"`
		PostalCode loose `json:"postal_code"`
		City       loose `json:"city"`
	}
	offerFields struct {
		Identifier    loose `json:"identifier"`
		Reference     loose `json:"reference"`
		Debtor        loose `json:"debtor_number"`
		Participation loose `json:"participation_identifier"`
		Project       loose `json:"project_code"`
		Type          loose `json:"offer_publication_type"`
		Status        loose `json:"status"`
		Date          loose `json:"date"`
		Price         loose `json:"price_per_share"`
		Shares        loose `json:"shares"`
		Rejection     loose `json:"rejection_reason"`
		Code          loose `json:"direct_offer_code"`
		BuyerEmail    loose `json:"buyer_email_address"`
		Buyer         loose `json:"buyer_debtor_number"`
		Created       loose `json:"created"`
	}
)

// readProject reads a project from a record; wrong is everything that keeps it from being stored.
func readProject(row record.Row) (*projectDocument, []record.Refusal) {
	var in projectFields
	c, ok := open(row, &in)
	if !ok {
		return nil, c.Refusals()
	}
	d := &projectDocument{ProjectRecord: ProjectRecord{Code: c.id("project_code", in.Code), Name: c.Required("project_name", in.Name), Type: c.Required("project_type", in.Type),
		Place: in.Place.Text(), EAN: in.EAN.Text(), Unit: in.Unit.Text(), Supplier: in.Supplier.Text(), Statutes: c.link("statutes_location", in.Statutes),
		MemberAgreement: c.link("member_agreement_location", in.MemberAgreement), Report: c.truth("report", in.Report), Settings: []offer.OfferSetting{}, Costs: []order.Cost{}},
		Start: c.OptionalDay("project_start_date", in.Start), End: c.OptionalDay("project_end_date", in.End)}
	for n, x := range in.Settings {
		at := fmt.Sprintf("member_offer_settings.%d.", n)
		s := offer.OfferSetting{From: c.Day(at+"from_date", x.From), Min: c.cents(at+"min_price", x.Min), Max: c.cents(at+"max_price", x.Max),
			AllowSelling: c.truth(at+"allow_selling", x.Allow)}
		if s.Min > s.Max {
			c.Refuse(at+"max_price", problem.CodeInvalid)
		}
		d.Settings = append(d.Settings, s)
	}
	for n, x := range in.Costs {
		at := fmt.Sprintf("administration_costs.%d.", n)
		d.Costs = append(d.Costs, order.Cost{From: c.Day(at+"from_date", x.From), Amount: c.cents(at+"amount", x.Amount)})
	}
	return d, c.Refusals()
}

// importedParticipation is a participation of a record.
type importedParticipation struct {
	line                                  int
	debtor, identifier, provider, project string
	share                                 int64
	history                               []participation.ShareFrom
	participation.Document
}

func readParticipation(row record.Row) (p importedParticipation, _ []record.Refusal) {
	var in participationFields
	c, ok := open(row, &in)
	if !ok {
		return p, c.Refusals()
	}
	p = importedParticipation{line: row.Line, debtor: c.Required("debtor_number", in.Debtor), identifier: c.id("participation_identifier", in.Identifier),
		provider: in.Provider.Text(), project: c.Required("project_code", in.Project), share: c.count("share", in.Share),
		Document: participation.Document{Supplier: in.Supplier.Text(), EAN: in.EAN.Text(),
			SupplierFrom: c.OptionalDay("supplierFromDate", in.SupplierFrom), SupplierTo: c.OptionalDay("supplierToDate", in.SupplierTo),
			Address: c.address(in.Address)}}
	p.Production = c.yield(in.Production)
	p.Imported = p.share
	for n, x := range in.History {
		at := fmt.Sprintf("shares.%d.", n)
		h := participation.ShareFrom{From: c.Day(at+"from_date", x.From), Share: c.count(at+"share", x.Share)}
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

// issue returns the changes of the shares of a new participation.
func (p importedParticipation) issue(id string) (out []ledger.Grant) {
	had := int64(0)
	history := p.history
	if len(history) == 0 {
		history = []participation.ShareFrom{{Share: p.share}}
	}
	for _, h := range history {
		if h.Share != had {
			out = append(out, ledger.Grant{Participation: id, Shares: h.Share - had, From: h.From})
			had = h.Share
		}
	}
	return out
}

// importedOffer is an offer of a record.
type importedOffer struct {
	line                                           int
	identifier, reference, debtor                  string
	participation, project, kind, rejection, email string
	code, buyer                                    string
	status                                         state.Status
	date                                           value.Day
	created                                        moment
	price                                          value.Cents
	shares                                         int64
}

var offerStatuses = []state.Status{offer.Created, offer.Approved, offer.Active, offer.Sold, offer.Rejected, offer.Revoked}

func readOffer(row record.Row) (o importedOffer, _ []record.Refusal) {
	var in offerFields
	c, ok := open(row, &in)
	if !ok {
		return o, c.Refusals()
	}
	o = importedOffer{line: row.Line, identifier: c.id("identifier", in.Identifier), reference: in.Reference.Text(), debtor: c.Required("debtor_number", in.Debtor),
		participation: in.Participation.Text(), project: in.Project.Text(), kind: in.Type.Text(), rejection: in.Rejection.Text(), email: in.BuyerEmail.Text(),
		code: strings.ToUpper(in.Code.Text()), buyer: in.Buyer.Text(), status: state.Status(in.Status.Text()), date: c.Day("date", in.Date),
		created: c.moment("created", in.Created), price: c.cents("price_per_share", in.Price), shares: c.count("shares", in.Shares)}
	if o.kind == "" {
		o.kind = offer.Public
	}
	if o.status == "" {
		o.status = offer.Created
	}
	if o.participation == "" && o.project == "" {
		c.Refuse("participation_identifier", problem.CodeRequired)
	}
	if o.kind != offer.Public && o.kind != offer.Direct {
		c.Refuse("offer_publication_type", problem.CodeInvalid)
	}
	if !slices.Contains(offerStatuses, o.status) {
		c.Refuse("status", problem.CodeInvalid)
	}
	if o.status == offer.Rejected && len(offer.CheckReason(o.rejection)) > 0 {
		c.Refuse("rejection_reason", offer.CodeReasonUnknown)
	}
	if o.shares == 0 || o.price%100 != 0 {
		field := "shares"
		if o.shares > 0 {
			field = "price_per_share"
		}
		c.Refuse(field, problem.CodeInvalid)
	}
	if _, fits := offer.CodeHash(o.code); o.code != "" && (o.kind != offer.Direct || !fits) {
		c.Refuse("direct_offer_code", problem.CodeInvalid)
	}
	return o, c.Refusals()
}

// checked reads the fields of a record.
type checked struct{ record.Reading }

func open(row record.Row, in any) (checked, bool) {
	r, ok := record.Read(row, in)
	return checked{r}, ok
}

func (c checked) id(field string, v loose) string {
	s := c.Required(field, v)
	if s != "" && !participation.IdentifierPattern.MatchString(s) {
		c.Refuse(field, problem.CodeInvalid)
	}
	return s
}

// address reads the address of a participation or an order.
func (c checked) address(in addressFields) participation.Address {
	return participation.Address{StreetName: c.Required("address.street_name", in.Street), HouseNumber: c.Required("address.house_number", in.Number),
		HousePostfix: in.Postfix.Text(), PostalCode: c.Required("address.postal_code", in.PostalCode), City: c.Required("address.city", in.City)}
}

// link reads a URL that the browser may open.
func (c checked) link(field string, v loose) string {
	s := v.Text()
	if s != "" && !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "/") {
		c.Refuse(field, problem.CodeInvalid)
	}
	return s
}

func (c checked) cents(field string, v loose) value.Cents {
	if c.Required(field, v) == "" {
		return 0
	}
	amount, err := value.ParseCents(v.Text())
	if err != nil || amount < 0 {
		c.Refuse(field, problem.CodeInvalid)
	}
	return amount
}

// count reads a whole number of at most nine digits.
func (c checked) count(field string, v loose) int64 {
	s := c.Required(field, v)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || len(s) > 9 {
		c.Refuse(field, problem.CodeInvalid)
	}
	return n
}

// yield reads the production of a participation: nothing, or a period with its production.
func (c checked) yield(in yieldFields) (y participation.Yield) {
	if in == (yieldFields{}) {
		return y
	}
	start, end := c.Day("production.period_start_date", in.Start), c.Day("production.period_end_date", in.End)
	if end.Before(start) {
		c.Refuse("production.period_end_date", problem.CodeInvalid)
	}
	return participation.Yield{PeriodStart: &start, PeriodEnd: &end, Peak: c.energy("production.peak", in.Peak), OffPeak: c.energy("production.off_peak", in.OffPeak)}
}

// maxEnergy is a number of kWh above what any participation produces.
const maxEnergy = 1e12

// energy reads a number of kWh; nil when it is absent.
func (c checked) energy(field string, v loose) *float64 {
	if v.Text() == "" {
		return nil
	}
	n, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil || !(n >= 0 && n <= maxEnergy) { // also refuses NaN
		c.Refuse(field, problem.CodeInvalid)
	}
	return &n
}

func (c checked) truth(field string, v loose) bool {
	if v.Text() == "" {
		return false
	}
	b, err := strconv.ParseBool(v.Text())
	if err != nil {
		c.Refuse(field, problem.CodeInvalid)
	}
	return b
}
