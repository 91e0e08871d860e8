-- +goose Up
-- The account that a code was mailed for; empty: it was mailed to nobody. A username can change hands while its code is valid.
ALTER TABLE identity_codes ADD COLUMN account_id text NOT NULL DEFAULT '';
UPDATE identity_codes SET account_id = coalesce((SELECT u.account_id FROM identity_usernames u
	WHERE u.label_key = identity_codes.label_key AND u.username = identity_codes.username AND NOT u.reserved), '');
CREATE INDEX identity_codes_account ON identity_codes (label_key, account_id);

-- +goose Down
DROP INDEX identity_codes_account;
ALTER TABLE identity_codes DROP COLUMN account_id;
