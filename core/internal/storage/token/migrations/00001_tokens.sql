-- +goose Up
CREATE TABLE token_tokens (
	label_key  text NOT NULL,
	hash       text NOT NULL, -- of the token; the token itself stands only in the mail
	purpose    text NOT NULL,
	key        text NOT NULL,
	data       text NOT NULL, -- JSON, empty for none
	module     text NOT NULL, -- that asked for it
	expires_at timestamptz NOT NULL,
	used_at    timestamptz,
	PRIMARY KEY (label_key, hash)
);
CREATE INDEX token_tokens_expiry ON token_tokens (expires_at);
