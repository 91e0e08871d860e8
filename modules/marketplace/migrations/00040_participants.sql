-- +goose Up
-- Who takes part in a project, a page at a time.
CREATE INDEX marketplace_participations_project ON marketplace_participations (label_key, project_code, relation_id, id);

-- +goose Down
DROP INDEX marketplace_participations_project;
