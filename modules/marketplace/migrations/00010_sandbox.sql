-- +goose Up
-- What a visitor of the sandbox's page chose: payments of the provider that moves no money. One without a row is still open.
CREATE TABLE marketplace_sandbox (
	label_key  text NOT NULL,
	payment_id text NOT NULL,
	state      text NOT NULL,
	at         timestamptz NOT NULL,
	PRIMARY KEY (label_key, payment_id)
);

-- Staff look at payments that came late, newest first, and at those whose money is to go back.
CREATE INDEX marketplace_payments_late ON marketplace_payments (label_key, created_at, id) WHERE late;

-- +goose Down
DROP INDEX marketplace_payments_late;
DROP TABLE marketplace_sandbox;
