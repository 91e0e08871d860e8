-- +goose Up
-- A registration whose answer got lost is sent again: the same key with the same content is one registration.
ALTER TABLE onboarding_applications ADD COLUMN attempt text; -- hash of key and content; NULL: no key was given
CREATE UNIQUE INDEX onboarding_applications_attempt ON onboarding_applications (label_key, attempt);

-- +goose Down
DROP INDEX onboarding_applications_attempt;
ALTER TABLE onboarding_applications DROP COLUMN attempt;
