-- +goose Up
-- +goose StatementBegin
CREATE TRIGGER marketplace_entries_no_update BEFORE UPDATE ON marketplace_entries
BEGIN
	SELECT RAISE(ABORT, 'marketplace_entries is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER marketplace_entries_no_delete BEFORE DELETE ON marketplace_entries
BEGIN
	SELECT RAISE(ABORT, 'marketplace_entries is append-only');
END;
-- +goose StatementEnd
