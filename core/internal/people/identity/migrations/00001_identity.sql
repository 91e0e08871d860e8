-- +goose Up
CREATE TABLE identity_accounts (
	label_key       text NOT NULL,
	id              text NOT NULL,
	relation_id     text NOT NULL, -- empty for staff
	email           text NOT NULL,
	name            text NOT NULL,
	preferred_name  text NOT NULL, -- empty: not known
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
CREATE INDEX identity_accounts_email ON identity_accounts (label_key, lower(email));

-- An earlier decision on e-mail address or username whose event comes later must not undo the last one.
CREATE TABLE identity_account_states (
	label_key           text NOT NULL,
	account_id          text NOT NULL,
	disabled            boolean NOT NULL, -- cannot sign in
	signed_out_at       timestamptz, -- all sessions ended then; an earlier token that names no session is refused
	email_decided_at    timestamptz,
	username_decided_at timestamptz,
	PRIMARY KEY (label_key, account_id),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

-- By what another identity provider knows the user of an account, whatever the user types: stored at the first sign-in.
CREATE TABLE identity_subjects (
	label_key  text NOT NULL,
	issuer     text NOT NULL, -- of the provider's tokens: a label may move to another user pool
	subject    text NOT NULL, -- claim sub
	account_id text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, issuer, subject),
	UNIQUE (label_key, account_id, issuer),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

-- One space of names per label, for those in use and those asked for: so a name cannot be had twice.
CREATE TABLE identity_usernames (
	label_key   text NOT NULL,
	username    text NOT NULL,
	account_id  text NOT NULL,
	reserved    boolean NOT NULL, -- asked for, not yet processed
	reserved_at timestamptz, -- when it was last asked for: a decision from before concerns another request; NULL when it is in use
	PRIMARY KEY (label_key, username),
	UNIQUE (label_key, account_id, reserved),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

CREATE TABLE identity_sessions (
	label_key  text NOT NULL,
	id         text NOT NULL, -- what the browser and the logs see
	account_id text NOT NULL,
	family     text NOT NULL, -- hash of the first half of the cookie, the same over its rotations
	secret     text NOT NULL, -- hash of the second half
	previous   text NOT NULL, -- hash of the one before
	rotated_at timestamptz NOT NULL,
	tokens     text NOT NULL, -- of the provider, encrypted
	browser    text NOT NULL DEFAULT '',
	platform   text NOT NULL DEFAULT '',
	network    text NOT NULL DEFAULT '', -- the address, shortened
	created_at timestamptz NOT NULL,
	ends_at    timestamptz NOT NULL,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, family),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);
CREATE INDEX identity_sessions_account ON identity_sessions (label_key, account_id);
CREATE INDEX identity_sessions_end ON identity_sessions (ends_at);

-- The session that a provider's tokens belong to. A row outlives its session, so that a token of an ended one is known.
CREATE TABLE identity_session_tokens (
	label_key  text NOT NULL,
	ref        text NOT NULL, -- what the tokens of one sign-in at the provider have in common
	session_id text NOT NULL,
	expires_at timestamptz NOT NULL, -- of the newest token
	PRIMARY KEY (label_key, ref)
);
CREATE INDEX identity_session_tokens_expiry ON identity_session_tokens (expires_at);

-- What every process must read again instead of using its cache. Rows are needed for as long as a process caches.
CREATE TABLE identity_revocations (
	label_key text NOT NULL,
	id        text NOT NULL,
	subject   text NOT NULL, -- a session, an impersonation or an account
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);
CREATE INDEX identity_revocations_at ON identity_revocations (at);

-- Keys that sign id tokens, encrypted.
CREATE TABLE identity_keys (
	label_key  text NOT NULL,
	id         text NOT NULL,
	private    text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);

-- The identity keys that are accepted. Each row holds all of them, sealed with its own, so that a process that was started with any
-- of them knows the others.
CREATE TABLE identity_keyring (
	label_key  text NOT NULL, -- empty: it is of the installation
	id         text NOT NULL, -- fingerprint of the key
	keys       text NOT NULL, -- the newest first, sealed
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
	account_id text NOT NULL DEFAULT '', -- for which it was mailed; empty: to nobody. A username can change hands while its code is valid.
	PRIMARY KEY (label_key, username)
);
CREATE INDEX identity_codes_expiry ON identity_codes (expires_at);
CREATE INDEX identity_codes_account ON identity_codes (label_key, account_id);

CREATE TABLE identity_impersonations (
	label_key  text NOT NULL,
	hash       text NOT NULL, -- of the code
	id         text NOT NULL,
	account_id text NOT NULL, -- that is impersonated
	actor_id   text NOT NULL, -- the impersonator
	tool       boolean NOT NULL, -- started by a support tool: the browser must come from an allowed referrer
	key_name   text NOT NULL DEFAULT '', -- the API key of that tool
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL,
	used_at    timestamptz,
	ended_at   timestamptz,
	PRIMARY KEY (label_key, hash)
);
CREATE INDEX identity_impersonations_id ON identity_impersonations (label_key, id);
CREATE INDEX identity_impersonations_actor ON identity_impersonations (label_key, actor_id);

CREATE TABLE identity_api_keys (
	label_key  text NOT NULL,
	hash       text NOT NULL,
	name       text NOT NULL,
	scopes     text NOT NULL DEFAULT '*', -- separated by blanks
	created_at timestamptz NOT NULL,
	expires_at timestamptz,
	used_at    timestamptz,
	PRIMARY KEY (label_key, hash),
	UNIQUE (label_key, name)
);
