-- +goose Up
CREATE TABLE marketplace_projects (
	label_key    text NOT NULL,
	project_code text NOT NULL,
	project_name text NOT NULL,
	document     text NOT NULL, -- JSON of the Project
	PRIMARY KEY (label_key, project_code)
);

-- A number of shares of one project, held by one relation at one address. The five numbers are the sum of its entries: they are
-- kept beside them so that a condition can be asked of them. share is all of them; offered, reserved, held and moving are parts.
CREATE TABLE marketplace_participations (
	label_key                text NOT NULL,
	id                       text NOT NULL,
	relation_id              text NOT NULL,
	participation_identifier text NOT NULL,
	provider_identifier      text NOT NULL,
	project_code             text NOT NULL,
	address_key              text NOT NULL,
	share                    bigint NOT NULL,
	offered                  bigint NOT NULL, -- in offers of its own
	reserved                 bigint NOT NULL, -- in unpaid orders of others
	held                     bigint NOT NULL, -- paid, waiting for the transfer date
	moving                   bigint NOT NULL, -- in a move of shares to come
	sequence                 bigint NOT NULL, -- of the newest entry
	hash                     text NOT NULL,   -- of the newest entry
	document                 text NOT NULL,   -- JSON: address, supplier, ean …
	seal                     text NOT NULL DEFAULT '', -- hash of what never changes: label, id, relation, identifier, project
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, participation_identifier),
	CHECK (offered >= 0 AND reserved >= 0 AND held >= 0 AND moving >= 0 AND share >= offered + reserved + held + moving)
);
CREATE INDEX marketplace_participations_relation ON marketplace_participations (label_key, relation_id, project_code, address_key, id);
-- The participants of a project, a page at a time.
CREATE INDEX marketplace_participations_project ON marketplace_participations (label_key, project_code, relation_id, id);

-- The ledger: rows are added and never changed: triggers refuse it. hash covers the row and the hash before it.
CREATE TABLE marketplace_entries (
	label_key        text NOT NULL,
	participation_id text NOT NULL,
	sequence         bigint NOT NULL,
	kind             text NOT NULL,
	share            bigint NOT NULL, -- what it adds to each of the five numbers
	offered          bigint NOT NULL,
	reserved         bigint NOT NULL,
	held             bigint NOT NULL,
	moving           bigint NOT NULL,
	ref              text NOT NULL, -- the offer, order, move or import that it is about
	counter          text NOT NULL, -- the participation on the other side
	reason           text NOT NULL,
	actor            text NOT NULL, -- who did it
	subject          text NOT NULL, -- the account on whose behalf
	role             text NOT NULL,
	effective        text,
	at               timestamptz NOT NULL,
	previous_hash    text NOT NULL,
	hash             text NOT NULL,
	PRIMARY KEY (label_key, participation_id, sequence),
	CHECK (sequence > 0)
);
CREATE INDEX marketplace_entries_ref ON marketplace_entries (label_key, ref);

CREATE TABLE marketplace_offers (
	label_key        text NOT NULL,
	id               text NOT NULL,
	reference        text NOT NULL,
	relation_id      text NOT NULL, -- the seller
	project_code     text NOT NULL,
	project_name     text NOT NULL, -- of its project, for the order of the market
	participation_id text NOT NULL,
	type             text NOT NULL, -- PUBLIC, DIRECT or PRIVATE
	status           text NOT NULL,
	date             text NOT NULL, -- from which it can be bought
	price            bigint NOT NULL, -- cents of a share
	shares           bigint NOT NULL, -- all of them: those left, reserved, held and transferred
	left_shares      bigint NOT NULL,
	reserved         bigint NOT NULL,
	held             bigint NOT NULL,
	transferred      bigint NOT NULL,
	code             text NOT NULL, -- of a DIRECT offer; its owner may read it again
	code_hash        text,          -- NULL without a code
	buyer_email      text NOT NULL,
	buyer_relation   text NOT NULL, -- who redeemed the code, or gets the shares of a PRIVATE one
	rejection_reason text NOT NULL,
	change_id        text NOT NULL,
	idempotency_key  text,          -- NULL when none was given
	digest           text NOT NULL, -- of the request
	locale           text NOT NULL, -- in which the seller asked for it
	created_at       timestamptz NOT NULL,
	updated_at       timestamptz NOT NULL,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, reference),
	CHECK (left_shares >= 0 AND reserved >= 0 AND held >= 0 AND transferred >= 0 AND shares >= left_shares + reserved + held + transferred)
);
CREATE UNIQUE INDEX marketplace_offers_key ON marketplace_offers (label_key, relation_id, idempotency_key);
CREATE UNIQUE INDEX marketplace_offers_code ON marketplace_offers (label_key, code_hash);
-- The market: what can be bought, cheapest first; one's own; one's personal ones; what becomes active today; what a participation has.
CREATE INDEX marketplace_offers_market ON marketplace_offers (label_key, type, status, price, project_name, id);
CREATE INDEX marketplace_offers_project ON marketplace_offers (label_key, project_code, type, status, price, id);
CREATE INDEX marketplace_offers_owner ON marketplace_offers (label_key, relation_id, created_at, id);
CREATE INDEX marketplace_offers_buyer ON marketplace_offers (label_key, buyer_relation, status, id);
CREATE INDEX marketplace_offers_status ON marketplace_offers (label_key, status, date, id);
CREATE INDEX marketplace_offers_change ON marketplace_offers (label_key, change_id);
CREATE INDEX marketplace_offers_participation ON marketplace_offers (label_key, participation_id, id);

CREATE TABLE marketplace_baskets (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	offer_id    text NOT NULL,
	shares      bigint NOT NULL,
	address     text NOT NULL, -- JSON: where the shares will be
	added_at    timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id, offer_id)
);

-- What is paid for an order is amount + administration_costs.
CREATE TABLE marketplace_orders (
	label_key            text NOT NULL,
	id                   text NOT NULL, -- deal_identifier
	reference            text NOT NULL, -- deal_reference
	relation_id          text NOT NULL, -- the buyer
	status               text NOT NULL,
	amount               bigint NOT NULL,
	administration_costs bigint NOT NULL DEFAULT 0,
	shares               bigint NOT NULL,
	private_deal         boolean NOT NULL,
	transfer_date        text NOT NULL,
	withdrawal_days      bigint, -- the withdrawal period, as it was when the order was paid; NULL until then
	placed_at            timestamptz NOT NULL,
	expires_at           timestamptz NOT NULL,
	paid_at              timestamptz,
	ended_at             timestamptz, -- cancelled, expired or completed
	end_reason           text NOT NULL DEFAULT '', -- why the portal or staff ended it when it was paid: CHARGED_BACK, REFUNDED_OUTSIDE or BY_STAFF
	idempotency_key      text,
	digest               text NOT NULL,
	email                text NOT NULL,
	locale               text NOT NULL,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, reference)
);
CREATE UNIQUE INDEX marketplace_orders_key ON marketplace_orders (label_key, relation_id, idempotency_key);
CREATE INDEX marketplace_orders_relation ON marketplace_orders (label_key, relation_id, placed_at, id);
CREATE INDEX marketplace_orders_status ON marketplace_orders (label_key, status, expires_at, id);
CREATE INDEX marketplace_orders_transfer ON marketplace_orders (label_key, status, transfer_date, id);

CREATE TABLE marketplace_order_lines (
	label_key            text NOT NULL,
	order_id             text NOT NULL,
	offer_id             text NOT NULL,
	offer_reference      text NOT NULL,
	project_code         text NOT NULL,
	project_name         text NOT NULL,
	shares               bigint NOT NULL,
	price                bigint NOT NULL,
	seller_participation text NOT NULL,
	buyer_participation  text NOT NULL, -- once the shares are there
	address              text NOT NULL, -- JSON
	PRIMARY KEY (label_key, order_id, offer_id)
);
CREATE INDEX marketplace_order_lines_offer ON marketplace_order_lines (label_key, offer_id, order_id);

-- refunded and charged_back are cents that came back of a payment, as its provider reports them: refunded by us or by hand at the provider,
-- and taken back by the buyer's bank. version counts the writes of a row, so that an answer that was requested before the last of them is
-- not applied.
CREATE TABLE marketplace_payments (
	label_key     text NOT NULL,
	id            text NOT NULL,
	relation_id   text NOT NULL,
	order_id      text NOT NULL,
	provider      text NOT NULL,
	provider_id   text, -- NULL until the provider has made it
	amount        bigint NOT NULL,
	state         text NOT NULL,
	url           text NOT NULL,
	created_at    timestamptz NOT NULL,
	expires_at    timestamptz NOT NULL,
	paid_at       timestamptz,
	bought        boolean NOT NULL DEFAULT false, -- it bought its order
	late          boolean NOT NULL, -- came after its order had ended, or a second time: staff look at it
	seen_at       timestamptz, -- when staff saw that it came late
	note          text NOT NULL,
	refund_id     text NOT NULL,
	refund_since  timestamptz, -- since when money is to go back
	refund_amount bigint NOT NULL DEFAULT 0, -- that we want to refund, of what was left
	refund_tries  bigint NOT NULL DEFAULT 0, -- our refunds that were accepted and failed
	refunded      bigint NOT NULL DEFAULT 0,
	charged_back  bigint NOT NULL DEFAULT 0,
	version       bigint NOT NULL DEFAULT 0,
	checked_at    timestamptz, -- when the provider was last asked for it
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX marketplace_payments_provider ON marketplace_payments (label_key, provider, provider_id);
CREATE INDEX marketplace_payments_order ON marketplace_payments (label_key, order_id, id);
CREATE INDEX marketplace_payments_state ON marketplace_payments (label_key, state, id);
-- Staff look at payments that came late and that nobody has seen, newest first.
CREATE INDEX marketplace_payments_unseen ON marketplace_payments (label_key, created_at, id) WHERE late AND seen_at IS NULL;
-- The provider is also asked for open payments: the notification that one was paid may have been lost.
CREATE INDEX marketplace_payments_checked ON marketplace_payments (label_key, coalesce(checked_at, paid_at, created_at), id) WHERE state IN ('OPEN', 'PAID', 'REFUNDING', 'REFUNDED');

-- What a visitor chose on the page of the sandbox, the provider that moves no money. A payment without a row is open.
CREATE TABLE marketplace_sandbox (
	label_key    text NOT NULL,
	payment_id   text NOT NULL,
	state        text NOT NULL,
	at           timestamptz NOT NULL,
	refunded     bigint NOT NULL DEFAULT 0,
	charged_back bigint NOT NULL DEFAULT 0,
	refund_key   text NOT NULL DEFAULT '', -- of the last refund that was requested
	PRIMARY KEY (label_key, payment_id)
);

CREATE TABLE marketplace_moves (
	label_key          text NOT NULL,
	id                 text NOT NULL,
	relation_id        text NOT NULL,
	state              text NOT NULL, -- PLANNED, DONE or CANCELLED
	date               text NOT NULL,
	from_participation text NOT NULL,
	to_participation   text NOT NULL, -- empty until a new one is opened
	shares             bigint NOT NULL,
	address            text NOT NULL, -- JSON: where to
	old_address        text NOT NULL, -- JSON: from where
	idempotency_key    text,
	digest             text NOT NULL,
	item               bigint NOT NULL, -- which item of its request
	created_at         timestamptz NOT NULL,
	ended_at           timestamptz,
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX marketplace_moves_key ON marketplace_moves (label_key, relation_id, idempotency_key, item);
CREATE INDEX marketplace_moves_relation ON marketplace_moves (label_key, relation_id, date, id);
CREATE INDEX marketplace_moves_state ON marketplace_moves (label_key, state, date, id);

CREATE TABLE marketplace_access (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	state       text NOT NULL, -- PENDING, APPROVED or REJECTED
	change_id   text NOT NULL,
	email       text NOT NULL,
	locale      text NOT NULL,
	at          timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id)
);
