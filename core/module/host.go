package module

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/internal/handle"
	"github.com/wattle-portal/wattle/core/value"
)

// Host is what core gives a module.
type Host struct {
	// Client calls siblings: http://<key>/<path> of a module in Needs or Uses, and http://core/{accounts,tokens,files,limits,secrets}.
	// A call carries the scope, the deadline and the trace of its context, and at most four hops.
	Client *http.Client
	// Web calls the outside world: time-outs, no private addresses after DNS.
	Web *http.Client
	DB  DB
	// Now is the injected clock: wall time, or the demo's.
	Now func() time.Time
	Log *slog.Logger
}

// Querier is what queries run on: a DB, which only reads, or a Tx. Only Rows open its handle.
type Querier interface {
	Handle() handle.Handle
}

// DB is the module's database: shared with core inside the program, its own in a plugin. The same code runs on both, on SQLite
// and on PostgreSQL.
type DB interface {
	Querier
	// Find is a read for a hot page: the rows of the table of dest, a pointer to a bun model or to a slice of one, narrowed to
	// rows, with more after that: "AND kind = ? ORDER BY day DESC, id DESC LIMIT ?". The statement is prepared once and used
	// again, where one of Rows.Select is parsed at every call (docs/decisions/0007). So more is a constant; what differs from call to
	// call are args, each of which is one ?. A single row that is not there is sql.ErrNoRows.
	Find(ctx context.Context, rows Rows, dest any, more string, args ...any) error
	// Tx runs fn in one transaction and commits when it returns nil. It retries serialisation failures, so fn must be
	// repeatable. Errors: ErrReadOnly under a read-only scope, ErrNested inside another Tx. Client and Web refuse the context
	// that fn gets; no password hashing and no HTTP inside.
	Tx(ctx context.Context, fn func(context.Context, Tx) error) error
	// Snapshot runs fn with a Querier whose reads all see the database as it was at one moment. It writes nothing.
	Snapshot(ctx context.Context, fn func(context.Context, Querier) error) error
	// Pending lists the PENDING changes of the call's label and relation, newest first. An empty kind means all kinds.
	Pending(ctx context.Context, kind string) ([]Change, error)
}

// Tx is a running transaction. What it publishes, files, decides and mails are rows of the module's own database, which a relay
// carries to core after the commit.
type Tx interface {
	Querier
	// Lock makes other transactions of the module and the call's label that lock the same name wait until this one ends. On SQLite
	// it does nothing: there is one writer.
	Lock(ctx context.Context, name string) error
	// Postgres reports whether the database is PostgreSQL, for the few statements that SQLite does not know.
	Postgres() bool
	// Publish writes the event to <key>_outbox. ID, Seq and At are filled in when empty.
	Publish(ctx context.Context, e Event) error
	// Once reports whether the event is seen for the first time by this module, and remembers it. Handlers are idempotent.
	Once(ctx context.Context, e Event) (bool, error)
	// File writes a PENDING change of the call's label and relation. ErrPending when there is one of the same kind and key.
	File(ctx context.Context, c Change) (Change, error)
	// Decide moves a PENDING change of the call's label to PROCESSED or REJECTED and returns it. ErrDecided when it is not
	// PENDING any more, ErrNotFound when it is not there.
	Decide(ctx context.Context, d Decision) (Change, error)
	// Mail queues a themed mail to one address. The template is a name that the module's mail texts define.
	Mail(ctx context.Context, m Mail) error
}

// Event is a fact, named in the past tense: "account.phone_changed".
type Event struct {
	ID    string          `json:"id" doc:"The same for every delivery of the event"`
	Type  string          `json:"type"`
	Label string          `json:"label" doc:"Key of the label"`
	Key   string          `json:"key" doc:"What it is about: a relation, an agreement, a change"`
	Seq   int64           `json:"seq" doc:"Grows for each key of a publisher in a label: the highest is the newest"`
	At    time.Time       `json:"at" doc:"When it was published, by the injected clock"`
	Due   time.Time       `json:"due" doc:"Not delivered before; the zero time: at once"`
	Data  json.RawMessage `json:"data"`
}

// States of a change request.
const (
	Pending   = "PENDING"
	Processed = "PROCESSED"
	Rejected  = "REJECTED"
)

// Change is a customer's wish that the back office must process. There is at most one PENDING per label, relation, kind and key.
type Change struct {
	ID        string          `json:"id"`
	Label     string          `json:"label"`
	Relation  string          `json:"relation"`
	Subject   string          `json:"subject"` // the account that filed it
	Kind      string          `json:"kind"`
	Key       string          `json:"key"` // which one, where a relation can have several: an agreement, an EAN; else empty
	State     string          `json:"state"`
	Effective value.Day       `json:"effective"` // the day from which it holds; zero: at once
	Data      json.RawMessage `json:"data"`      // what staff see and Decide returns; of a form that the module owns
	Filed     time.Time       `json:"filed"`
	Decided   time.Time       `json:"decided,omitzero"` // zero while it is pending
	By        string          `json:"by"`
	Reason    string          `json:"reason"`
}

// Decision ends a change.
type Decision struct {
	ID     string `json:"id"`
	State  string `json:"state"` // Processed or Rejected
	By     string `json:"by"`    // who decided: an account, an API key's name, "customer" (by mailed link) or "auto"
	Reason string `json:"reason"`
}

// Mail is one message to one address, themed by the label of the call.
type Mail struct {
	To     string `json:"to"`
	Locale string `json:"locale"` // "nl" or "en"; empty: the scope's
	// Subject, Lines, Button and After are texts in that language, plain text without mark-up; core lays out HTML and text.
	Subject string   `json:"subject"`
	Title   string   `json:"title"`
	Lines   []string `json:"lines"`
	Button  *Button  `json:"button,omitempty"`
	Code    string   `json:"code,omitempty"` // shown large, to be typed over
	After   []string `json:"after,omitempty"`
	// Unsubscribe lets the reader end mails of this kind; nil for mails that nobody can end.
	Unsubscribe *Unsubscribe `json:"unsubscribe,omitempty"`
}

// Unsubscribe is how a reader ends mails of a kind: a link at the foot of the mail, and with one click in the mail program (RFC 8058).
// Core puts the label's own URL before both.
type Unsubscribe struct {
	Text string `json:"text"` // of the link
	Path string `json:"path"` // of the page of the portal that asks whether the reader is sure
	Call string `json:"call"` // path of a public operation below /api/v0, whose POST ends the mails at once
}

// Button is the one thing to do in a mail. Path is of the portal; core puts the label's own URL before it.
type Button struct {
	Text string `json:"text"`
	Path string `json:"path"`
}
