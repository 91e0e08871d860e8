-- +goose Up
-- Deliveries are claimed within one label.
CREATE INDEX outbox_deliveries_claim ON outbox_deliveries (label_key, subscriber, due_at) WHERE state = 'WAITING';
DROP INDEX outbox_deliveries_lane;
