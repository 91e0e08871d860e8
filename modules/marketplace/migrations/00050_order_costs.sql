-- +goose Up
-- What is paid for an order is amount + administration_costs. Orders from before were charged their amount alone.
ALTER TABLE marketplace_orders ADD COLUMN administration_costs bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE marketplace_orders DROP COLUMN administration_costs;
