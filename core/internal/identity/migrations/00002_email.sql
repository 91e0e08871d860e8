-- +goose Up
-- Accounts are found by their e-mail address when somebody applies or reactivates.
CREATE INDEX identity_accounts_email ON identity_accounts (label_key, lower(email));

-- +goose Down
DROP INDEX identity_accounts_email;
