-- +goose Up
CREATE TABLE identity_accounts (
	label_key       text NOT NULL,
	id              text NOT NULL,
	relation_id     text NOT NULL, -- empty for staff
	email           text NOT NULL,
	name            text NOT NULL,
	locale          text NOT NULL,
	role            text NOT NULL, -- customer, staff or impersonator
	password        text NOT NULL, -- argon2id, PHC form; empty: none, or kept by another provider
	temporary       boolean NOT NULL,
	temporary_until timestamptz,
	created_at      timestamptz NOT NULL,
	updated_at      timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);
CREATE INDEX identity_accounts_relation ON identity_accounts (label_key, relation_id);

-- One space of names per label, for those in use and those asked for: so a name cannot be had twice.
CREATE TABLE identity_usernames (
	label_key  text NOT NULL,
	username   text NOT NULL,
	account_id text NOT NULL,
	reserved   boolean NOT NULL, -- asked for, not yet processed
	PRIMARY KEY (label_key, username),
	UNIQUE (label_key, account_id, reserved),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

CREATE TABLE identity_sessions (
	label_key    text NOT NULL,
	id           text NOT NULL, -- what the browser and the logs see
	account_id   text NOT NULL,
	family       text NOT NULL, -- hash of the first half of the cookie, the same over its rotations
	secret       text NOT NULL, -- hash of the second half
	previous     text NOT NULL, -- hash of the one before
	rotated_at   timestamptz NOT NULL,
	tokens       text NOT NULL, -- of the provider, encrypted
	created_at   timestamptz NOT NULL,
	ends_at      timestamptz NOT NULL,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, family),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);
CREATE INDEX identity_sessions_account ON identity_sessions (label_key, account_id);
CREATE INDEX identity_sessions_end ON identity_sessions (ends_at);

-- Keys that sign id tokens, encrypted.
CREATE TABLE identity_keys (
	label_key  text NOT NULL,
	id         text NOT NULL,
	private    text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);

-- Codes that are mailed to reset a password. A row is written for an unknown username too, so that both take alike.
CREATE TABLE identity_codes (
	label_key  text NOT NULL,
	username   text NOT NULL,
	hash       text NOT NULL, -- keyed with the server's secret: six digits are soon guessed
	blocked    boolean NOT NULL, -- the password cannot be reset in its present state
	expires_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, username)
);
CREATE INDEX identity_codes_expiry ON identity_codes (expires_at);

CREATE TABLE identity_impersonations (
	label_key  text NOT NULL,
	hash       text NOT NULL, -- of the code
	id         text NOT NULL,
	account_id text NOT NULL, -- who is looked at
	actor_id   text NOT NULL, -- who looks
	tool       boolean NOT NULL, -- started by a support tool: the browser must come from an allowed referrer
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL,
	used_at    timestamptz,
	PRIMARY KEY (label_key, hash)
);

CREATE TABLE identity_api_keys (
	label_key  text NOT NULL,
	hash       text NOT NULL,
	name       text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, hash),
	UNIQUE (label_key, name)
);
