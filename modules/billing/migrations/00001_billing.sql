-- +goose Up
CREATE TABLE billing_agreements (
	label_key      text NOT NULL,
	relation_id    text NOT NULL,
	agreement      text NOT NULL, -- agreement_identifier_with_sequence
	current_amount bigint,        -- cents a term; NULL when nothing is collected periodically
	document       text NOT NULL, -- JSON; an agreement is read and written whole
	PRIMARY KEY (label_key, relation_id, agreement)
);

CREATE TABLE billing_invoices (
	label_key   text NOT NULL,
	invoice_id  text NOT NULL,
	relation_id text NOT NULL,
	agreement   text NOT NULL,
	due_date    text NOT NULL,
	position    bigint NOT NULL, -- among the invoices of the agreement: 1 is due first
	amount      bigint NOT NULL, -- cents
	balance     bigint NOT NULL,
	file        text NOT NULL,   -- name in the file store, or empty
	document    text NOT NULL,   -- JSON, just as it is answered
	PRIMARY KEY (label_key, invoice_id)
);

-- A page of an agreement's invoices: any page begins at a position.
CREATE INDEX billing_invoices_page ON billing_invoices (label_key, relation_id, agreement, position);

-- The invoices of a year or a month, and where a new one comes to stand. With the amounts, so that sums need no row.
CREATE INDEX billing_invoices_due ON billing_invoices (label_key, relation_id, agreement, due_date, invoice_id, amount, balance);

-- The newest over all agreements.
CREATE INDEX billing_invoices_latest ON billing_invoices (label_key, relation_id, due_date, invoice_id);

-- What a customer has to pay, over all agreements: few of many invoices.
CREATE INDEX billing_invoices_open ON billing_invoices (label_key, relation_id, due_date, invoice_id) WHERE balance > 0;

CREATE TABLE billing_invoice_years (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	agreement   text NOT NULL,
	year        bigint NOT NULL, -- of the due dates
	count       bigint NOT NULL,
	amount      bigint NOT NULL, -- cents
	open        bigint NOT NULL,
	PRIMARY KEY (label_key, relation_id, agreement, year)
);
