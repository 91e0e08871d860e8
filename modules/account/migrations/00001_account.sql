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
	company             text, -- JSON; a relation is read and written whole
	addresses           text NOT NULL, -- JSON
	PRIMARY KEY (label_key, relation_id),
	UNIQUE (label_key, debtor_number)
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

-- The list that staff read: newest first.
CREATE INDEX account_contacts_at ON account_contacts (label_key, at DESC, id DESC);

-- +goose Down
DROP TABLE account_contacts;
DROP TABLE account_relations;
