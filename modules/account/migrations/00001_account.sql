-- +goose Up
CREATE TABLE account_relations (
	label_key           text NOT NULL,
	relation_id         text NOT NULL,
	debtor_number       text NOT NULL,
	relation_since      text,
	salutation          text NOT NULL,
	initials            text NOT NULL,
	prefix              text NOT NULL,
	last_name           text NOT NULL,
	email               text NOT NULL,
	phone_number        text NOT NULL,
	bank_account_number text NOT NULL,
	bank_account_name   text NOT NULL,
	company             text, -- JSON; a relation is read and written as a whole
	addresses           text NOT NULL, -- JSON
	search_name         text NOT NULL DEFAULT '', -- staff search in these three columns: see search.go
	search_firm         text NOT NULL DEFAULT '',
	search_place        text NOT NULL DEFAULT '',
	PRIMARY KEY (label_key, relation_id),
	UNIQUE (label_key, debtor_number)
);
CREATE INDEX account_relations_name ON account_relations (label_key, search_name, relation_id);
CREATE INDEX account_relations_firm ON account_relations (label_key, search_firm, relation_id) WHERE search_firm <> '';
CREATE INDEX account_relations_place ON account_relations (label_key, search_place, relation_id);
CREATE INDEX account_relations_email ON account_relations (label_key, lower(email));

-- The time of the last decision about a relation's bank account: an earlier decision that takes effect later must not undo it.
CREATE TABLE account_bank_accounts (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	decided_at  timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id)
);

CREATE TABLE account_contacts (
	label_key   text NOT NULL,
	id          text NOT NULL,
	relation_id text NOT NULL,
	subject     text NOT NULL,
	message     text NOT NULL,
	at          timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);

-- For the list of messages that staff read, newest first.
CREATE INDEX account_contacts_at ON account_contacts (label_key, at DESC, id DESC);
