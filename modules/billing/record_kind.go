package billing

import "github.com/wattle-portal/wattle/core/record"

// recordKinds describes the records of an import.
var recordKinds = []record.Kind{{
	Name: kindAgreement, Doc: "An agreement of a customer with its addresses, prices, products and term amount. The natural key is agreement_identifier_with_sequence.",
	Fields: agreementRecord{},
	Required: []string{"debtor_number", "agreement_identifier", "agreement_identifier_with_sequence", "product_category", "status", "period",
		"period.from",
		"addresses.0.address_type", "addresses.0.connections.0.ean_code", "addresses.0.connections.0.commodity", "tariff_sheets.0.retrieval_id",
		"tariff_sheets.0.send_date", "periodical.current_amount", "periodical.proposed_amount", "periodical.min_amount", "periodical.max_amount",
		"periodical.payment_method", "periodical.items.0.amount", "price_agreements.0.amount", "price_agreements.0.from",
		"products.0.product_code", "products.0.start_date"},
	Values: map[string][]string{"product_category": record.Texts(ProductCategories), "status": record.Texts(Statuses),
		"addresses.0.address_type":            {"INVOICE", "SHIPPING"},
		"addresses.0.connections.0.commodity": commodities, "price_agreements.0.commodity": commodities, "products.0.commodity": commodities,
		"periodical.payment_method": record.Texts(PaymentMethods), "price_agreements.0.includes_vat": {"true", "false"},
		"price_agreements.0.kind": record.Texts(PriceKinds)},
	Example: `{"debtor_number":"10001","agreement_identifier":"A1","agreement_identifier_with_sequence":"A1-1","name":"Stroom","product_category":"ENERGY",
		"status":"ACTIVE","period":{"from":"2024-01-01"},"addresses":[{"address_type":"SHIPPING","street":"Molenweg","house_number":"12","house_number_extension":"A",
		"zip_code":"1234AB","city":"Delft","connections":[{"ean_code":"871687120000000011","commodity":"ELECTRICITY"}]}],
		"periodical":{"current_amount":"120.00","proposed_amount":"125.50","min_amount":"95.00","max_amount":"190.00","payment_method":"DIRECT_DEBIT_CONSUMER"}}`,
}, {
	Name: kindInvoice, Doc: "An invoice of an agreement. The natural key is invoice_id. file is its name in the file store.",
	Fields: invoiceRecord{},
	Required: []string{"debtor_number", "agreement_identifier_with_sequence", "invoice_id", "invoice_type", "amount", "balance", "issue_date",
		"due_date", "payment_status",
		"settlement.rest_amount", "settlement.receivable.amount_value", "settlement.receivable.invoice_type",
		"settlement.payables.0.amount_value", "settlement.payables.0.invoice_type"},
	Values: map[string][]string{"invoice_type": record.Texts(InvoiceTypes), "payment_status": record.Texts(BalanceStatuses),
		"settlement.receivable.invoice_type": record.Texts(InvoiceTypes), "settlement.payables.0.invoice_type": record.Texts(InvoiceTypes)},
	Example: `{"debtor_number":"10001","agreement_identifier_with_sequence":"A1-1","invoice_id":"F2026-0042","invoice_type":"PERIODICAL","amount":"120.00","balance":"0.00",
		"issue_date":"2026-01-05","due_date":"2026-01-19","period_start_date":"2026-01-01","period_end_date":"2026-01-31","payment_status":"PAID"}`,
}}
