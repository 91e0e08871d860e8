-- +goose Up
-- The withdrawal period of an order in days, as it was when the order was paid. NULL in orders that were paid before.
ALTER TABLE marketplace_orders ADD COLUMN withdrawal_days bigint;

-- +goose Down
ALTER TABLE marketplace_orders DROP COLUMN withdrawal_days;
