package module

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/value"
)

// Host is what core provides to a module.
type Host struct {
	// Client calls siblings: http://<key>/<path> for a module in Needs or Uses, and
	// http://core/{accounts,audit,files,limits,secrets,tokens}. A call carries the scope, deadline and trace of its context. A chain of
	// calls has at most four hops.
	Client *http.Client
	// Web calls external services. It has timeouts, and refuses private addresses after DNS resolution.
	Web *http.Client
	DB  DB
	// Now returns the time of the injected clock: the system clock, or the clock of the demo.
	Now func() time.Time
	Log *slog.Logger
}

// Querier runs queries. It is a DB, which only reads, or a Tx. Only Rows uses its handle.
type Querier interface {
	Handle() handle.Handle
}

// DB is the module's database. It is shared with core inside the program, and a plugin has its own. The same code runs on both, on SQLite
// and on PostgreSQL.
type DB interface {
	Querier
	// Find reads rows for pages with heavy traffic. It reads from the table of dest (a pointer to a bun model or to a slice of one) those
	// rows that are in rows and match more, such as "AND kind = ? ORDER BY day DESC, id DESC LIMIT ?". The statement is prepared once and
	// reused, while a query of Rows.Select is parsed at every call (docs/decisions/0007). So more must be a constant; values that differ
	// between calls are in args, one for each ?. Find returns sql.ErrNoRows when dest is a single row that does not exist.
	Find(ctx context.Context, rows Rows, dest any, more string, args ...any) error
	// Tx runs fn in one transaction and commits when fn returns nil. It retries after serialization failures, so fn must be repeatable. It
	// returns problem.ErrReadOnly in a read-only scope and problem.ErrNested inside another Tx. A transaction must not make HTTP calls or
	// hash passwords: Client and Web refuse the context that fn receives.
	Tx(ctx context.Context, fn func(context.Context, Tx) error) error
	// Snapshot runs fn with a read-only Querier whose reads all see the same state of the database.
	Snapshot(ctx context.Context, fn func(context.Context, Querier) error) error
	// Pending lists the PENDING changes of the call's label and relation, newest first. An empty kind means all kinds.
	Pending(ctx context.Context, kind string) ([]Change, error)
}

// Tx is a running transaction. Its events, change requests, decisions and emails are rows in the module's own database, which the relay
// moves to core after the commit.
type Tx interface {
	Querier
	// Lock waits until no other transaction of the same module and label holds the lock with this name, and holds it until this transaction
	// ends. It does nothing on SQLite, which has one writer.
	Lock(ctx context.Context, name string) error
	// Postgres reports whether the database is PostgreSQL, for the few statements that SQLite does not support.
	Postgres() bool
	// Publish writes the event to <key>_outbox. It sets ID, Seq and At when they are empty.
	Publish(ctx context.Context, e Event) error
	// Once reports whether the module handles the event for the first time, and records that it has. Handlers use it to be idempotent.
	Once(ctx context.Context, e Event) (bool, error)
	// File writes a PENDING change of the call's label and relation. It returns problem.ErrPending when there is one of the same kind
	// and key.
	File(ctx context.Context, c Change) (Change, error)
	// Decide sets a PENDING change of the call's label to PROCESSED or REJECTED and returns it. It returns problem.ErrDecided when the
	// change is not PENDING any more, and problem.ErrNotFound when it does not exist.
	Decide(ctx context.Context, d Decision) (Change, error)
	// Mail queues an email in the label's theme to one address.
	Mail(ctx context.Context, m Mail) error
}

// Event is something that has happened, named in the past tense: "account.phone_changed".
type Event struct {
	ID    string          `json:"id" doc:"The same for every delivery of the event"`
	Type  string          `json:"type" doc:"Type of the event, such as account.phone_changed"`
	Label string          `json:"label" doc:"Key of the label"`
	Key   string          `json:"key" doc:"Subject of the event: the id of a relation, an agreement or a change"`
	Seq   int64           `json:"seq" doc:"Increases per publisher, label and key: the highest is the newest"`
	At    time.Time       `json:"at" doc:"Time of publication, according to the portal's clock"`
	Due   time.Time       `json:"due" doc:"Earliest time of delivery; the zero time: immediately"`
	Data  json.RawMessage `json:"data" doc:"Data of the event, in the schema of its type"`
}

// States of a change request.
const (
	Pending   = "PENDING"
	Processed = "PROCESSED"
	Rejected  = "REJECTED"
)

// Change is a customer's request that the back office must process. There is at most one PENDING change per label, relation, kind and key.
type Change struct {
	ID        string          `json:"id" doc:"Id of the change request"`
	Label     string          `json:"label" doc:"Key of the label"`
	Relation  string          `json:"relation" doc:"Id of the relation; empty for a person who is not a customer yet"`
	Subject   string          `json:"subject" doc:"Id of the account that filed it; empty when nobody was signed in"`
	Kind      string          `json:"kind" doc:"Kind of change, prefixed with the key of its module: account.phone"`
	Key       string          `json:"key" doc:"The agreement or connection that changes, where a relation can have several; otherwise empty"`
	State     string          `json:"state" doc:"PENDING, PROCESSED or REJECTED"`
	Effective value.Day       `json:"effective" doc:"First day on which it applies; empty: immediately"`
	Data      json.RawMessage `json:"data" doc:"Requested values, in a schema of the module; shown to staff and returned by Decide"`
	Filed     time.Time       `json:"filed" doc:"Time of the request"`
	Decided   time.Time       `json:"decided,omitzero" doc:"Time of the decision; absent while it is pending"`
	By        string          `json:"by" doc:"Who decided: an account, the name of an API key, customer (by mailed link) or auto; empty while it is pending"`
	Reason    string          `json:"reason" doc:"Reason of the decision, shown to the customer"`
}

// Decision ends a change.
type Decision struct {
	ID     string `json:"id"`
	State  string `json:"state"` // Processed or Rejected
	By     string `json:"by"`    // who decided: an account, the name of an API key, "customer" (by mailed link) or "auto"
	Reason string `json:"reason"`
}

// Mail is one email to one address, in the theme of the call's label.
type Mail struct {
	To     string `json:"to"`
	Locale string `json:"locale"` // "nl" or "en"; empty: the scope's locale
	// Subject, Lines, Button and After are in the language of Locale, as plain text; core renders HTML and text.
	Subject string   `json:"subject"`
	Title   string   `json:"title"`
	Lines   []string `json:"lines"`
	Button  *Button  `json:"button,omitempty"`
	Code    string   `json:"code,omitempty"` // a code that the reader types, in large type
	After   []string `json:"after,omitempty"`
	// Unsubscribe lets the reader stop emails of this kind; nil for emails that cannot be stopped.
	Unsubscribe *Unsubscribe `json:"unsubscribe,omitempty"`
	// Texts identifies the module texts used above, so that core can replace them with the label's own texts. Texts.Mail sets it. If it is
	// nil, the texts cannot be replaced.
	Texts *MailTexts `json:"texts,omitempty"`
	// Security marks an email that a person is waiting for (a code, a link to confirm an address), or that warns of a change to the way a
	// person signs in or pays. It does not wait behind other emails. Do not set it for emails to many people at once.
	Security bool `json:"security,omitempty"`
}

// Unsubscribe describes how a reader stops emails of a kind: a link in the footer, and one click in the email client (RFC 8058). Core
// prefixes both paths with the label's URL.
type Unsubscribe struct {
	Text string `json:"text"` // text of the link
	Path string `json:"path"` // path of the portal page that asks for confirmation
	Call string `json:"call"` // path of a public operation below /api/v0; a POST to it stops the mails immediately
}

// Button is the only button of an email. Path is a path of the portal; core prefixes it with the label's URL.
type Button struct {
	Text string `json:"text"`
	Path string `json:"path"`
}
