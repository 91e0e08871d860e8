-- +goose Up
-- The provider is also asked for payments that are still open: the notification that one was paid may have been lost.
DROP INDEX marketplace_payments_checked;
CREATE INDEX marketplace_payments_checked ON marketplace_payments (label_key, coalesce(checked_at, paid_at, created_at), id) WHERE state IN ('OPEN', 'PAID', 'REFUNDING', 'REFUNDED');

-- +goose Down
DROP INDEX marketplace_payments_checked;
CREATE INDEX marketplace_payments_checked ON marketplace_payments (label_key, coalesce(checked_at, paid_at, created_at), id) WHERE state IN ('PAID', 'REFUNDED');
