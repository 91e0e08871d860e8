-- +goose Up
CREATE TABLE identity_accounts (
	label_key       text NOT NULL,
	id              text NOT NULL,
	relation_id     text NOT NULL, -- empty for staff
	email           text NOT NULL,
	name            text NOT NULL,
	preferred_name  text NOT NULL, -- empty: unknown
	locale          text NOT NULL,
	role            text NOT NULL, -- customer, staff or impersonator
	password        text NOT NULL, -- argon2id hash as a PHC string; empty: none, or stored by another provider
	temporary       boolean NOT NULL,
	temporary_until timestamptz,
	created_at      timestamptz NOT NULL,
	updated_at      timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);
CREATE INDEX identity_accounts_relation ON identity_accounts (label_key, relation_id);
CREATE INDEX identity_accounts_email ON identity_accounts (label_key, lower(email));

-- An earlier decision about an email address or username must not override a later one when its event arrives late.
CREATE TABLE identity_account_states (
	label_key           text NOT NULL,
	account_id          text NOT NULL,
	disabled            boolean NOT NULL, -- cannot sign in
	signed_out_at       timestamptz, -- when all sessions were ended; older tokens without a session are refused
	email_decided_at    timestamptz,
	username_decided_at timestamptz,
	PRIMARY KEY (label_key, account_id),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

-- Permanent identity of an account's user at another identity provider, whatever name the user types. Stored at the first sign-in.
CREATE TABLE identity_subjects (
	label_key  text NOT NULL,
	issuer     text NOT NULL, -- issuer of the provider's tokens: a label may move to another user pool
	subject    text NOT NULL, -- claim sub
	account_id text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, issuer, subject),
	UNIQUE (label_key, account_id, issuer),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

-- Usernames in use and requested usernames of a label, in one table, so that a name cannot be used twice.
CREATE TABLE identity_usernames (
	label_key   text NOT NULL,
	username    text NOT NULL,
	account_id  text NOT NULL,
	reserved    boolean NOT NULL, -- requested, not yet processed
	reserved_at timestamptz, -- when it was last requested: an earlier decision concerns another request; NULL for a name in use
	PRIMARY KEY (label_key, username),
	UNIQUE (label_key, account_id, reserved),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

CREATE TABLE identity_sessions (
	label_key  text NOT NULL,
	id         text NOT NULL, -- shown to the browser and in logs
	account_id text NOT NULL,
	family     text NOT NULL, -- hash of the first half of the cookie, which rotations do not change
	secret     text NOT NULL, -- hash of the second half of the cookie
	previous   text NOT NULL, -- hash of the previous secret
	rotated_at timestamptz NOT NULL,
	tokens     text NOT NULL, -- tokens of the provider, encrypted
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

-- The session to which a provider's tokens belong. A row outlives its session, so that tokens of an ended session are recognized.
CREATE TABLE identity_session_tokens (
	label_key  text NOT NULL,
	ref        text NOT NULL, -- shared by all tokens of one sign-in at the provider
	session_id text NOT NULL,
	expires_at timestamptz NOT NULL, -- expiry of the newest token
	PRIMARY KEY (label_key, ref)
);
CREATE INDEX identity_session_tokens_expiry ON identity_session_tokens (expires_at);

-- Subjects that every process must read again instead of using its cache. Rows are needed only as long as processes cache tokens.
CREATE TABLE identity_revocations (
	label_key text NOT NULL,
	id        text NOT NULL,
	subject   text NOT NULL, -- id of a session, an impersonation or an account
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

-- The accepted identity keys. Each row contains all keys, sealed with the key of the row, so that a process that was started with any
-- of them can read the others.
CREATE TABLE identity_keyring (
	label_key  text NOT NULL, -- empty: the key belongs to the installation
	id         text NOT NULL, -- fingerprint of the key
	keys       text NOT NULL, -- all keys, newest first, sealed
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);

-- Codes that are sent by email to reset a password. Unknown usernames get a row too, so that both cases take the same time.
CREATE TABLE identity_codes (
	label_key  text NOT NULL,
	username   text NOT NULL,
	hash       text NOT NULL, -- keyed with the server's secret, because six digits are easy to guess
	blocked    boolean NOT NULL, -- the password cannot be reset in its current state
	expires_at timestamptz NOT NULL,
	account_id text NOT NULL DEFAULT '', -- account that the code was sent for; empty: nobody. Another account may get the username while the code is valid.
	PRIMARY KEY (label_key, username)
);
CREATE INDEX identity_codes_expiry ON identity_codes (expires_at);
CREATE INDEX identity_codes_account ON identity_codes (label_key, account_id);

CREATE TABLE identity_impersonations (
	label_key  text NOT NULL,
	hash       text NOT NULL, -- hash of the code
	id         text NOT NULL,
	account_id text NOT NULL, -- impersonated account
	actor_id   text NOT NULL, -- account of the impersonator
	tool       boolean NOT NULL, -- requested by a support tool: the browser must come from an allowed referrer
	key_name   text NOT NULL DEFAULT '', -- API key of the tool
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
	scopes     text NOT NULL DEFAULT '*', -- separated by spaces
	created_at timestamptz NOT NULL,
	expires_at timestamptz,
	used_at    timestamptz,
	PRIMARY KEY (label_key, hash),
	UNIQUE (label_key, name)
);
