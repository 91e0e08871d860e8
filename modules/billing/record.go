package billing

import (
	"regexp"
	"slices"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// loose is a JSON string or number in a record, as a string.
type loose = record.Loose

// Back-office records. The rules for customer input do not apply to them.
type (
	agreementRecord struct {
		Debtor      loose             `json:"debtor_number"`
		AgreementID loose             `json:"agreement_id"`
		Identifier  loose             `json:"agreement_identifier"`
		ID          loose             `json:"agreement_identifier_with_sequence"`
		Name        string            `json:"name"`
		Company     string            `json:"company_name"`
		Category    string            `json:"product_category"`
		Status      string            `json:"status"`
		Period      periodRecord      `json:"period"`
		Addresses   []addressRecord   `json:"addresses"`
		Sheets      []sheetRecord     `json:"tariff_sheets"`
		Periodical  *periodicalRecord `json:"periodical"`
		Prices      []priceRecord     `json:"price_agreements"`
		Products    []productRecord   `json:"products"`
	}
	periodRecord  struct{ From, To loose }
	addressRecord struct {
		Type        string             `json:"address_type"`
		Street      string             `json:"street"`
		Number      loose              `json:"house_number"`
		Extension   loose              `json:"house_number_extension"`
		ZipCode     string             `json:"zip_code"`
		City        string             `json:"city"`
		Connections []connectionRecord `json:"connections"`
	}
	connectionRecord struct {
		EAN       loose  `json:"ean_code"`
		Commodity string `json:"commodity"`
	}
	sheetRecord struct {
		ID       loose  `json:"retrieval_id"`
		SendDate loose  `json:"send_date"`
		File     string `json:"file"`
	}
	periodicalRecord struct {
		Current        loose          `json:"current_amount"`
		Proposed       loose          `json:"proposed_amount"`
		Min            loose          `json:"min_amount"`
		Max            loose          `json:"max_amount"`
		Items          []itemRecord   `json:"items"`
		Method         string         `json:"payment_method"`
		NextCollection loose          `json:"next_collection"`
		YearEnd        *yearEndRecord `json:"year_end"`
	}
	itemRecord struct {
		Category    string `json:"category"`
		Description string `json:"description"`
		Amount      loose  `json:"amount"`
	}
	yearEndRecord struct {
		ExpectedCost loose `json:"expected_cost"`
		Paid         loose `json:"paid"`
		SettlesOn    loose `json:"settles_on"`
	}
	priceRecord struct {
		Description string `json:"description"`
		Kind        string `json:"kind"`
		Commodity   string `json:"commodity"`
		Unit        string `json:"unit"`
		Amount      loose  `json:"amount"`
		IncludesVAT loose  `json:"includes_vat"`
		From        loose  `json:"from"`
		To          loose  `json:"to"`
	}
	productRecord struct {
		Code      loose  `json:"product_code"`
		Name      string `json:"name"`
		Commodity string `json:"commodity"`
		Start     loose  `json:"start_date"`
		End       loose  `json:"end_date"`
	}
	invoiceRecord struct {
		Debtor      loose             `json:"debtor_number"`
		Agreement   loose             `json:"agreement_identifier_with_sequence"`
		ID          loose             `json:"invoice_id"`
		Type        string            `json:"invoice_type"`
		Amount      loose             `json:"amount"`
		Balance     loose             `json:"balance"`
		IssueDate   loose             `json:"issue_date"`
		DueDate     loose             `json:"due_date"`
		PeriodStart loose             `json:"period_start_date"`
		PeriodEnd   loose             `json:"period_end_date"`
		Status      string            `json:"payment_status"`
		File        string            `json:"file"`
		Settlement  *settlementRecord `json:"settlement"`
	}
	settlementRecord struct {
		Receivable settledRecord   `json:"receivable"`
		Payables   []settledRecord `json:"payables"`
		Rest       loose           `json:"rest_amount"`
		Reference  loose           `json:"payment_reference"`
	}
	settledRecord struct {
		Reference loose  `json:"invoice_reference"`
		Amount    loose  `json:"amount_value"`
		Type      string `json:"invoice_type"`
	}
)

// parseAgreement parses and validates an agreement record. It returns all refusals of the record.
func parseAgreement(row record.Row) (debtor string, _ *storedAgreement, _ []record.Refusal) {
	var in agreementRecord
	c, ok := openRecord(row, &in)
	if !ok {
		return "", nil, c.Refusals()
	}
	a := &storedAgreement{Agreement: Agreement{AgreementID: string(in.AgreementID),
		Identifier: c.Required("agreement_identifier", in.Identifier),
		ID:         c.id("agreement_identifier_with_sequence", in.ID), Name: in.Name, CompanyName: in.Company,
		Period:   Period{From: c.Day("period.from", in.Period.From), To: c.lastDay("period.to", in.Period.To)},
		Category: enumValue(c, "product_category", in.Category, ProductCategories), Status: enumValue(c, "status", Status(in.Status), Statuses),
		Addresses: []Address{}, TariffSheets: []TariffSheet{}, Prices: []PriceAgreement{}},
		Files: map[string]string{}}
	if to := a.Period.To; to != nil && to.Before(a.Period.From) {
		c.Refuse("period.to", problem.CodeInvalid)
	}
	for n, x := range in.Addresses {
		at := c.element("addresses", n)
		address := Address{Type: enumValue(at, "address_type", x.Type, []string{"INVOICE", "SHIPPING"}), Street: x.Street,
			Number:    string(x.Number),
			Extension: string(x.Extension), ZipCode: x.ZipCode, City: x.City, Connections: []Connection{}}
		for n, x := range x.Connections {
			at := at.element("connections", n)
			address.Connections = append(address.Connections, Connection{at.Required("ean_code", x.EAN),
				enumValue(at, "commodity", x.Commodity, commodities)})
		}
		a.Addresses = append(a.Addresses, address)
	}
	for n, x := range in.Sheets {
		at := c.element("tariff_sheets", n)
		id := at.id("retrieval_id", x.ID)
		if file := at.file("file", x.File); file != "" {
			a.Files[id] = file
		}
		a.TariffSheets = append(a.TariffSheets, TariffSheet{RetrievalID: id, Link: tariffSheetLink(id, x.File),
			SendDate: at.Day("send_date", x.SendDate)})
	}
	if in.Periodical != nil {
		a.Periodical = in.Periodical.parse(c.field("periodical"), a)
	}
	for n, x := range in.Prices {
		at := c.element("price_agreements", n)
		p := PriceAgreement{Description: x.Description, Kind: PriceKind(x.Kind), Commodity: at.commodity(x.Commodity), Unit: x.Unit,
			Amount: at.price("amount", x.Amount), IncludesVAT: at.boolean("includes_vat", x.IncludesVAT), From: at.Day("from", x.From),
			To: at.lastDay("to", x.To)}
		at.checkKind(p)
		if slices.ContainsFunc(a.Prices, p.overlaps) {
			at.Refuse("from", problem.CodeInvalid)
		}
		a.Prices = append(a.Prices, p)
	}
	for n, x := range in.Products {
		at := c.element("products", n)
		a.Products = append(a.Products, Product{Code: at.Required("product_code", x.Code), Name: x.Name, Commodity: at.commodity(x.Commodity),
			Start: at.Day("start_date", x.Start), End: at.lastDay("end_date", x.End), Agreement: a.Identifier})
	}
	debtor = c.Required("debtor_number", in.Debtor)
	return debtor, a, c.Refusals()
}

func (in *periodicalRecord) parse(c recordReader, a *storedAgreement) *Payment {
	p := &Payment{Details: Details{Current: c.cents("current_amount", in.Current), Proposed: c.cents("proposed_amount", in.Proposed),
		Min: c.cents("min_amount", in.Min), Max: c.cents("max_amount", in.Max)}, Items: []Item{},
		Method: enumValue(c, "payment_method", PaymentMethod(in.Method), PaymentMethods)}
	if p.Details.Min > p.Details.Max {
		c.Refuse("max_amount", problem.CodeInvalid)
	}
	for n, x := range in.Items {
		p.Items = append(p.Items, Item{x.Category, x.Description, c.element("items", n).cents("amount", x.Amount)})
	}
	a.NextCollection = c.OptionalDay("next_collection", in.NextCollection)
	if y := in.YearEnd; y != nil {
		at := c.field("year_end")
		a.YearEnd = &YearEnd{ExpectedCost: at.cents("expected_cost", y.ExpectedCost), Paid: at.cents("paid", y.Paid),
			SettlesOn: at.Day("settles_on", y.SettlesOn)}
	}
	return p
}

// parseInvoice parses and validates an invoice record. It returns all refusals of the record.
func parseInvoice(row record.Row) (debtor string, _ *Invoice, file string, _ []record.Refusal) {
	var in invoiceRecord
	c, ok := openRecord(row, &in)
	if !ok {
		return "", nil, "", c.Refusals()
	}
	id := c.id("invoice_id", in.ID)
	file = c.file("file", in.File)
	i := &Invoice{ID: id, Agreement: c.id("agreement_identifier_with_sequence", in.Agreement),
		Type:   enumValue(c, "invoice_type", InvoiceType(in.Type), InvoiceTypes),
		Amount: c.cents("amount", in.Amount), Balance: c.cents("balance", in.Balance), Link: invoiceLink(id, file),
		IssueDate: c.Day("issue_date", in.IssueDate), DueDate: c.Day("due_date", in.DueDate),
		PeriodStart: c.OptionalDay("period_start_date", in.PeriodStart),
		PeriodEnd:   c.OptionalDay("period_end_date", in.PeriodEnd), Status: enumValue(c, "payment_status", BalanceStatus(in.Status),
			BalanceStatuses)}
	if s := in.Settlement; s != nil {
		at := c.field("settlement")
		i.Settlement = &Settlement{Receivable: s.Receivable.parse(at.field("receivable")), Payables: []Settled{},
			Rest:      at.cents("rest_amount", s.Rest),
			Reference: string(s.Reference)}
		for n, x := range s.Payables {
			i.Settlement.Payables = append(i.Settlement.Payables, x.parse(at.element("payables", n)))
		}
	}
	debtor = c.Required("debtor_number", in.Debtor)
	return debtor, i, file, c.Refusals()
}

func (in settledRecord) parse(c recordReader) Settled {
	return Settled{string(in.Reference), c.cents("amount_value", in.Amount), enumValue(c, "invoice_type", InvoiceType(in.Type), InvoiceTypes)}
}

var commodities = []string{"ELECTRICITY", "GAS"}

// Patterns of natural keys, which occur in paths and file names, and of names in the file store.
var (
	idPattern   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$`)
	filePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,127}){0,7}$`)
)

// recordReader reads and validates the fields of a record.
type recordReader struct{ record.Reading }

func openRecord(row record.Row, in any) (recordReader, bool) {
	r, ok := record.Read(row, in)
	return recordReader{r}, ok
}

// field returns a reader of a nested object.
func (c recordReader) field(field string) recordReader { return recordReader{c.At(field)} }

// element returns a reader of the n-th element of a list.
func (c recordReader) element(field string, n int) recordReader { return recordReader{c.In(field, n)} }

func (c recordReader) id(field string, v loose) string {
	s := c.Required(field, v)
	if s != "" && !idPattern.MatchString(s) {
		c.Refuse(field, problem.CodeInvalid)
	}
	return s
}

// file validates a name in the file store, or "".
func (c recordReader) file(field, name string) string {
	if name != "" && !filePattern.MatchString(name) {
		c.Refuse(field, files.CodeName)
	}
	return name
}

// lastDay returns nil, which means no known end, for an empty value.
func (c recordReader) lastDay(field string, v loose) *value.Day {
	if v == "" {
		return nil
	}
	d := c.OptionalDay(field, v)
	return &d
}

func (c recordReader) cents(field string, v loose) value.Cents {
	if c.Required(field, v) == "" {
		return 0
	}
	amount, err := value.ParseCents(string(v))
	if err != nil {
		c.Refuse(field, codeDecimals)
	}
	return amount
}

func (c recordReader) price(field string, v loose) value.Price {
	if c.Required(field, v) == "" {
		return 0
	}
	p, err := value.ParsePrice(string(v))
	if err != nil {
		c.Refuse(field, codeDecimals)
	}
	return p
}

// boolean returns nil, which means unknown, for an empty value.
func (c recordReader) boolean(field string, v loose) *bool {
	is := v == "true"
	switch v {
	case "":
		return nil
	case "true", "false":
		return &is
	}
	c.Refuse(field, problem.CodeInvalid)
	return &is
}

// commodity validates a commodity; prices and products may have none.
func (c recordReader) commodity(v string) string {
	if v == "" {
		return ""
	}
	return enumValue(c, "commodity", v, commodities)
}

// enumValue validates a required value of an enumeration.
func enumValue[T ~string](c recordReader, field string, v T, allowed []T) T {
	switch {
	case v == "":
		c.Refuse(field, problem.CodeRequired)
	case !slices.Contains(allowed, v):
		c.Refuse(field, problem.CodeInvalid)
	}
	return v
}
