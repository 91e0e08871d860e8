-- +goose Up
-- Hash of what never changes of a participation: label, id, relation, identifier, project. Empty in rows from before.
ALTER TABLE marketplace_participations ADD COLUMN seal text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE marketplace_participations DROP COLUMN seal;
