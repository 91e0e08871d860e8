-- +goose Up
CREATE TABLE ticket_tickets (
	label_key  text NOT NULL,
	hash       text NOT NULL, -- of the ticket; the ticket itself stands only in the address
	path       text NOT NULL, -- with its query, below /api/v0
	session_id text NOT NULL, -- that asked
	account_id text NOT NULL,
	actor_id   text NOT NULL, -- who really asked: an impersonator, else the account
	read_only  boolean NOT NULL,
	locale     text NOT NULL,
	expires_at timestamptz NOT NULL,
	used_at    timestamptz,
	PRIMARY KEY (label_key, hash)
);
CREATE INDEX ticket_tickets_expiry ON ticket_tickets (expires_at);
