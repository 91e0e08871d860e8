-- +goose Up
-- What staff find a customer by: see search.go. Rows that are there get it plainly, and in full with the next import of theirs.
ALTER TABLE account_relations ADD COLUMN search_name text NOT NULL DEFAULT '';
ALTER TABLE account_relations ADD COLUMN search_firm text NOT NULL DEFAULT '';
UPDATE account_relations SET search_name = lower(last_name || ' ' || initials),
	search_firm = lower(coalesce(json_extract(company, '$.name'), ''));
CREATE INDEX account_relations_name ON account_relations (label_key, search_name, relation_id);
CREATE INDEX account_relations_firm ON account_relations (label_key, search_firm, relation_id) WHERE search_firm <> '';
CREATE INDEX account_relations_email ON account_relations (label_key, lower(email));

-- +goose Down
DROP INDEX account_relations_email;
DROP INDEX account_relations_firm;
DROP INDEX account_relations_name;
ALTER TABLE account_relations DROP COLUMN search_firm;
ALTER TABLE account_relations DROP COLUMN search_name;
