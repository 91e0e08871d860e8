-- +goose Up
-- When the bank account of a relation was last decided: an earlier decision that comes into force later must not undo it.
CREATE TABLE account_bank_accounts (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	decided_at  timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id)
);

-- +goose Down
DROP TABLE account_bank_accounts;
