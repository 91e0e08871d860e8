-- +goose Up
-- When somebody of the staff has seen a payment that came late, and since when money is to go back.
ALTER TABLE marketplace_payments ADD COLUMN seen_at timestamptz;
ALTER TABLE marketplace_payments ADD COLUMN refund_since timestamptz;
DROP INDEX marketplace_payments_late;
CREATE INDEX marketplace_payments_unseen ON marketplace_payments (label_key, created_at, id) WHERE late AND seen_at IS NULL;

-- +goose Down
DROP INDEX marketplace_payments_unseen;
CREATE INDEX marketplace_payments_late ON marketplace_payments (label_key, created_at, id) WHERE late;
ALTER TABLE marketplace_payments DROP COLUMN refund_since;
ALTER TABLE marketplace_payments DROP COLUMN seen_at;
