-- +goose Up
-- What is not kept in identity_accounts: a process of the version before reads all columns of that table and stops at a new one.
CREATE TABLE identity_account_states (
	label_key     text NOT NULL,
	account_id    text NOT NULL,
	disabled      boolean NOT NULL, -- cannot sign in
	signed_out_at timestamptz, -- all sessions ended then; a token from before that names no session is refused
	PRIMARY KEY (label_key, account_id),
	FOREIGN KEY (label_key, account_id) REFERENCES identity_accounts (label_key, id) ON DELETE CASCADE
);

-- Empty for a session of before: it is not known where it was.
ALTER TABLE identity_sessions ADD COLUMN browser text NOT NULL DEFAULT '';
ALTER TABLE identity_sessions ADD COLUMN platform text NOT NULL DEFAULT '';
ALTER TABLE identity_sessions ADD COLUMN network text NOT NULL DEFAULT '';

-- Which session a provider's tokens belong to. A row outlives its session, so that a token of an ended one is known.
CREATE TABLE identity_session_tokens (
	label_key  text NOT NULL,
	ref        text NOT NULL, -- what the tokens of one sign-in at the provider have in common
	session_id text NOT NULL,
	expires_at timestamptz NOT NULL, -- of the newest token
	PRIMARY KEY (label_key, ref)
);
CREATE INDEX identity_session_tokens_expiry ON identity_session_tokens (expires_at);

-- What every process must look at again before it believes what it remembers. Rows are needed for as long as a process remembers.
CREATE TABLE identity_revocations (
	label_key text NOT NULL,
	id        text NOT NULL,
	subject   text NOT NULL, -- a session, an impersonation or an account
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);
CREATE INDEX identity_revocations_at ON identity_revocations (at);

ALTER TABLE identity_impersonations ADD COLUMN ended_at timestamptz;
ALTER TABLE identity_impersonations ADD COLUMN key_name text NOT NULL DEFAULT ''; -- the API key of the support tool that started it
CREATE INDEX identity_impersonations_id ON identity_impersonations (label_key, id);
CREATE INDEX identity_impersonations_actor ON identity_impersonations (label_key, actor_id);

-- Keys of before may do everything, for ever.
ALTER TABLE identity_api_keys ADD COLUMN scopes text NOT NULL DEFAULT '*'; -- separated by blanks
ALTER TABLE identity_api_keys ADD COLUMN expires_at timestamptz;
ALTER TABLE identity_api_keys ADD COLUMN used_at timestamptz;
