-- +goose Up
CREATE TABLE billing_agreements (
	label_key      text NOT NULL,
	relation_id    text NOT NULL,
	agreement      text NOT NULL, -- agreement_identifier_with_sequence
	current_amount bigint,        -- cents per term; NULL when nothing is collected periodically
	document       text NOT NULL, -- JSON; an agreement is read and written as a whole
	PRIMARY KEY (label_key, relation_id, agreement)
);

CREATE TABLE billing_invoices (
	label_key   text NOT NULL,
	invoice_id  text NOT NULL,
	relation_id text NOT NULL,
	agreement   text NOT NULL,
	due_date    text NOT NULL,
	position    bigint NOT NULL, -- within the agreement, by due date; the first is 1
	amount      bigint NOT NULL, -- cents
	balance     bigint NOT NULL,
	file        text NOT NULL,   -- name in the file store, or empty
	document    text NOT NULL,   -- JSON, exactly as the API returns it
	PRIMARY KEY (label_key, invoice_id)
);

-- For pages of an agreement's invoices: each page begins at a position.
CREATE INDEX billing_invoices_page ON billing_invoices (label_key, relation_id, agreement, position);

-- For the invoices of a year or a month, and the position of a new one. It includes the amounts, so that sums need only the index.
CREATE INDEX billing_invoices_due ON billing_invoices (label_key, relation_id, agreement, due_date, invoice_id, amount, balance);

-- For the newest invoices across all agreements.
CREATE INDEX billing_invoices_latest ON billing_invoices (label_key, relation_id, due_date, invoice_id);

-- For the invoices that a customer has to pay, across all agreements. They are only a few of all invoices.
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
