-- +goose Up
-- What came back of a payment as its provider tells it, in cents: given back by us or by hand at the provider, and taken back by the
-- buyer's bank. version counts the writes of a row, so that an answer that was asked for before the last of them is not believed.
ALTER TABLE marketplace_payments ADD COLUMN refunded bigint NOT NULL DEFAULT 0;
ALTER TABLE marketplace_payments ADD COLUMN charged_back bigint NOT NULL DEFAULT 0;
ALTER TABLE marketplace_payments ADD COLUMN bought boolean NOT NULL DEFAULT false; -- it bought its order
ALTER TABLE marketplace_payments ADD COLUMN refund_amount bigint NOT NULL DEFAULT 0; -- that we wish back, of what was left
ALTER TABLE marketplace_payments ADD COLUMN refund_tries bigint NOT NULL DEFAULT 0; -- refunds of ours that were taken on and failed
ALTER TABLE marketplace_payments ADD COLUMN version bigint NOT NULL DEFAULT 0;
ALTER TABLE marketplace_payments ADD COLUMN checked_at timestamptz; -- when the provider was last asked for a payment that was paid
UPDATE marketplace_payments SET refunded = amount WHERE state = 'REFUNDED';
UPDATE marketplace_payments SET bought = true WHERE paid_at IS NOT NULL AND (note IN ('WITHDRAWN', 'REFUNDED_OUTSIDE') OR state = 'PAID' AND note IN ('', 'HONOURED'));
CREATE INDEX marketplace_payments_checked ON marketplace_payments (label_key, coalesce(checked_at, paid_at, created_at), id) WHERE state IN ('PAID', 'REFUNDED');

-- Why the portal or staff ended an order that was paid: CHARGED_BACK, REFUNDED_OUTSIDE or BY_STAFF; empty: its buyer did.
ALTER TABLE marketplace_orders ADD COLUMN end_reason text NOT NULL DEFAULT '';

ALTER TABLE marketplace_sandbox ADD COLUMN refunded bigint NOT NULL DEFAULT 0;
ALTER TABLE marketplace_sandbox ADD COLUMN charged_back bigint NOT NULL DEFAULT 0;
ALTER TABLE marketplace_sandbox ADD COLUMN refund_key text NOT NULL DEFAULT ''; -- of the last refund that was asked for

-- +goose Down
ALTER TABLE marketplace_sandbox DROP COLUMN refund_key;
ALTER TABLE marketplace_sandbox DROP COLUMN charged_back;
ALTER TABLE marketplace_sandbox DROP COLUMN refunded;
ALTER TABLE marketplace_orders DROP COLUMN end_reason;
DROP INDEX marketplace_payments_checked;
ALTER TABLE marketplace_payments DROP COLUMN checked_at;
ALTER TABLE marketplace_payments DROP COLUMN version;
ALTER TABLE marketplace_payments DROP COLUMN refund_tries;
ALTER TABLE marketplace_payments DROP COLUMN refund_amount;
ALTER TABLE marketplace_payments DROP COLUMN bought;
ALTER TABLE marketplace_payments DROP COLUMN charged_back;
ALTER TABLE marketplace_payments DROP COLUMN refunded;
