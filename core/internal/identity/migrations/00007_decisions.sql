-- +goose Up
-- When the e-mail address and the username of an account were last decided: an earlier decision whose event comes later must not undo it.
ALTER TABLE identity_account_states ADD COLUMN email_decided_at timestamptz;
ALTER TABLE identity_account_states ADD COLUMN username_decided_at timestamptz;
-- When a name was last asked for: a decision from before concerns another request. Empty for one of before, or in use.
ALTER TABLE identity_usernames ADD COLUMN reserved_at timestamptz;

-- +goose Down
ALTER TABLE identity_usernames DROP COLUMN reserved_at;
ALTER TABLE identity_account_states DROP COLUMN username_decided_at;
ALTER TABLE identity_account_states DROP COLUMN email_decided_at;
