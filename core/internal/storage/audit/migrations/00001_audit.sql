-- +goose Up
-- Who viewed or acted on what, and why. Rows are only added, never changed: triggers refuse changes by anybody, including core.
CREATE TABLE audit (
	label_key     text NOT NULL,
	seq           bigint NOT NULL, -- 1, 2, 3 … in a label, without gaps
	at            timestamptz NOT NULL,
	action        text NOT NULL,
	role          text NOT NULL, -- staff, impersonator, key, auto or customer
	actor_id      text NOT NULL, -- account id, or name of an API key
	actor_name    text NOT NULL, -- name at the time of the action
	relation_id   text NOT NULL, -- customer whose data the entry is about; empty: none
	kind          text NOT NULL,
	target        text NOT NULL,
	reason        text NOT NULL,
	until         timestamptz,
	previous_hash text NOT NULL, -- hash of the row with seq - 1
	hash          text NOT NULL,
	PRIMARY KEY (label_key, seq)
);
CREATE INDEX audit_relation ON audit (label_key, relation_id, seq);
CREATE INDEX audit_actor ON audit (label_key, actor_id, seq);
CREATE INDEX audit_action ON audit (label_key, action, seq);

-- The last row of each label. Its lock makes writers wait for each other, and it shows when the newest rows were deleted.
CREATE TABLE audit_heads (
	label_key text NOT NULL,
	seq       bigint NOT NULL,
	hash      text NOT NULL,
	PRIMARY KEY (label_key)
);

-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
-- INSERT OR REPLACE deletes without firing the trigger above.
-- +goose StatementBegin
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE label_key = NEW.label_key AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
