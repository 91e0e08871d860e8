-- +goose Up
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

-- +goose Down
DROP TABLE identity_subjects;
