-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION marketplace_entries_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'marketplace_entries is append-only';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER marketplace_entries_no_change BEFORE UPDATE OR DELETE ON marketplace_entries
	FOR EACH ROW EXECUTE FUNCTION marketplace_entries_append_only();
CREATE TRIGGER marketplace_entries_no_truncate BEFORE TRUNCATE ON marketplace_entries
	FOR EACH STATEMENT EXECUTE FUNCTION marketplace_entries_append_only();
