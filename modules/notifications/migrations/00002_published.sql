-- +goose Up
-- Whether its readers were counted and its mails begun. A planned notification may be withdrawn and planned again under its id; the events of
-- both still come.
ALTER TABLE notifications_notifications ADD COLUMN published boolean NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE notifications_notifications DROP COLUMN published;
