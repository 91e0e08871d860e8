-- +goose Up
CREATE TABLE token_tokens (
	label_key  text NOT NULL,
	hash       text NOT NULL, -- hash of the token; only the email contains the token itself
	purpose    text NOT NULL,
	key        text NOT NULL,
	data       text NOT NULL, -- JSON; empty: none
	module     text NOT NULL, -- module that requested the token
	expires_at timestamptz NOT NULL,
	used_at    timestamptz,
	PRIMARY KEY (label_key, hash)
);
CREATE INDEX token_tokens_expiry ON token_tokens (expires_at);
