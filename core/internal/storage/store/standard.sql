-- Tables that every module has in addition to its own. {key} is the module's key.

-- Rows that the relay copies to core after the commit and then deletes.
CREATE TABLE {key}_outbox (
	label_key text NOT NULL,
	id        text NOT NULL,
	kind      text NOT NULL, -- event, change, decision or mail
	seq       bigint NOT NULL,
	at        timestamptz NOT NULL,
	payload   text NOT NULL, -- JSON of the event, the change or the email
	PRIMARY KEY (label_key, id)
);
CREATE INDEX {key}_outbox_at ON {key}_outbox (at, seq, id);
-- The relay reads the oldest rows of one label.
CREATE INDEX {key}_outbox_label ON {key}_outbox (label_key, at, seq, id);

-- The last sequence number of each key that events are about.
CREATE TABLE {key}_seqs (
	label_key text NOT NULL,
	key       text NOT NULL,
	seq       bigint NOT NULL,
	PRIMARY KEY (label_key, key)
);

-- Change requests. These rows are authoritative; core's queue follows them.
CREATE TABLE {key}_changes (
	label_key   text NOT NULL,
	id          text NOT NULL,
	relation_id text NOT NULL,
	subject     text NOT NULL,
	kind        text NOT NULL,
	key         text NOT NULL,
	state       text NOT NULL,
	effective   text,
	data        text NOT NULL,
	filed_at    timestamptz NOT NULL,
	decided_at  timestamptz,
	decided_by  text NOT NULL DEFAULT '',
	reason      text NOT NULL DEFAULT '',
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX {key}_changes_pending ON {key}_changes (label_key, relation_id, kind, key) WHERE state = 'PENDING';
CREATE INDEX {key}_changes_filed ON {key}_changes (label_key, relation_id, filed_at, id);

-- Events that were handled.
CREATE TABLE {key}_inbox (
	label_key text NOT NULL,
	id        text NOT NULL,
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);
