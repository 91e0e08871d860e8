package history

import (
	"errors"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bug is a deliberate bug. It makes the history of its seed impossible, and the checker reports that.
type bug struct {
	name     string
	what     string
	seed     uint64
	postgres bool // needs two processes on one database
}

var bugs = []bug{
	{"order-not-stored", "every third order is confirmed and not stored", 1, false},
	{"oversold", "an order gets more shares than its offer has left", 2, false},
	{"refused-for-nothing", "the last shares of an offer cannot be ordered", 3, false},
	{"basket-kept", "an order does not empty the basket", 4, false},
	{"wrong-amount", "all shares of an order get the price of the first", 5, false},
	{"key-ignored", "a second click orders again", 6, false},
	{"key-of-another", "an idempotency key finds the order of another member", 7, false},
	{"two-transactions", "an order is stored in one transaction, and its shares are reserved in the next", 8, false},
	{"lost-update", "two processes read what an offer has left and write it back", 9, true},
	{"stale-orders", "a process keeps the orders of a member for a fifth of a second", 10, false},
	{"stale-shares", "a process keeps the shares of a member for a fifth of a second", 11, false},
	{"stale-market", "a process keeps the market of a member for a fifth of a second", 12, false},
	{"cancel-early", "a buyer is told that an order is canceled before it is", 13, false},
	{"cancel-keeps-shares", "the shares of a canceled order stay reserved", 14, false},
	{"undo-keeps-shares", "the shares of an undone order stay sold", 27, false},
	{"payment-not-applied", "every second payment is stored and its order stays unpaid", 16, false},
	{"sold-early", "an offer counts as sold at its first payment", 17, false},
	{"retract-forgotten", "every second retraction is told and not written", 18, false},
	{"offered-twice", "offered shares stay free", 19, false},
	{"approved-not-open", "an approved offer is not opened", 20, false},
	{"shares-copied", "a seller keeps the shares that a buyer gets", 21, false},
	{"shares-lost", "transferred shares do not arrive", 22, false},
}

// edit is a source change for the build with planted bugs. old must occur exactly once in the module, in any file; line breaks and
// comments do not matter, because Go tokens are compared. The bugs exist only in this list, so that the sources of the shipped program do
// not contain them.
type edit struct{ old, new string }

const (
	module     = "modules/marketplace"
	switchFile = module + "/internal/planted/planted.go"
)

var edits = []edit{
	{"	if _, err := rows.Insert(tx, &b.orders).Exec(ctx); err != nil {", `	if planted.Every("order-not-stored", 3) {
		return nil
	}
	if _, err := rows.Insert(tx, &b.orders).Exec(ctx); err != nil {`},
	{"l.Shares >= 1 && l.Shares <= l.offer.Left",
		`l.Shares >= 1 && (l.Shares <= l.offer.Left || planted.Is("oversold") && l.offer.Left > 0) && !(planted.Is("refused-for-nothing") && l.Shares == l.offer.Left)`},
	{"		l.offer.Left -= l.Shares\n		b.taken[l.OfferID] += l.Shares\n", `		taken := l.Shares
		if planted.Is("oversold") {
			taken = min(taken, l.offer.Left)
		}
		l.offer.Left -= taken
		b.taken[l.OfferID] += taken
`},
	{"Shares: l.Shares, Ref: o.ID, By: pending.By}", "Shares: taken, Ref: o.ID, By: pending.By}"},
	{"	if len(b.gone) > 0 {", `	if len(b.gone) > 0 && !planted.Is("basket-kept") {`},
	{"		o.Amount += value.Cents(l.Shares) * l.offer.Price\n", `		o.Amount += value.Cents(l.Shares) * l.offer.Price
		if planted.Is("wrong-amount") {
			o.Amount += value.Cents(l.Shares) * (lines[0].offer.Price - l.offer.Price)
		}
`},
	{"	if known != nil {", `	if known != nil && !planted.Is("key-ignored") {`},
	{"	if pending.Key != \"\" {\n		o.IdempotencyKey", "	if pending.Key != \"\" && !planted.Is(\"key-ignored\") {\n		o.IdempotencyKey"},
	{"	out := make(map[string]*Row, len(rows))\n", `	out := make(map[string]*Row, len(rows))
	if planted.Is("key-of-another") {
		for _, pending := range batch {
			var others []Row
			if err := all.Select(tx, &others).Where("idempotency_key = ?", pending.Key).OrderExpr("placed_at").Limit(1).Scan(ctx); err != nil {
				return nil, err
			}
			for i := range others {
				out[pending.Request.Buyer] = &others[i]
			}
		}
		return out, nil
	}
`},
	{"	return p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {\n		now := state.StoredTime(p.now())\n", `	var late *orderBatch
	defer func() {
		if late != nil {
			<-time.After(30 * time.Millisecond)
			_ = p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return late.reserve(ctx, tx) })
		}
	}()
	return p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(p.now())
`},
	{"		return b.write(ctx, tx)\n", `		if planted.Is("two-transactions") {
			late = &b
		}
		return b.write(ctx, tx)
`},
	{"	rows := module.Label(ctx, \"orders of several buyers are placed in one transaction\")\n	offers := make(", `	rows := module.Label(ctx, "orders of several buyers are placed in one transaction")
	if !planted.Is("two-transactions") {
		if err := b.reserve(ctx, tx); err != nil {
			return err
		}
	}
	return b.store(ctx, tx, rows)
}

func (b *orderBatch) reserve(ctx context.Context, tx module.Tx) error {
	offers := make(`},
	{"	if err := ledger.Reserve(ctx, tx, b.now, b.lots...); err != nil {\n		return err\n	}\n", `	return ledger.Reserve(ctx, tx, b.now, b.lots...)
}

func (b *orderBatch) store(ctx context.Context, tx module.Tx, rows module.Rows) error {
`},
	{"			return all.SelectForUpdate(tx, offers)", `			if planted.Is("lost-update") {
				return all.Select(tx, offers)
			}
			return all.SelectForUpdate(tx, offers)`},
	{"	done, err := module.Label(ctx, \"a buyer takes shares of the offer of another member\").Update(tx, (*Offer)(nil)).", `	if planted.Is("lost-update") {
		rows, row := module.Label(ctx, "planted"), Offer{}
		if err := rows.Select(tx, &row).Where("id = ?", offer).Scan(ctx); err != nil {
			return err
		}
		<-time.After(30 * time.Millisecond)
		done, err := rows.Update(tx, (*Offer)(nil)).Where("id = ?", offer).
			Set("left_shares = ?, reserved = ?", row.Left-n, row.Reserved+n).Exec(ctx)
		return state.Changed(done, err, ErrUnavailable)
	}
	done, err := module.Label(ctx, "a buyer takes shares of the offer of another member").Update(tx, (*Offer)(nil)).`},
	{`Set("status = CASE WHEN left_shares = 0 AND reserved = ? THEN ? ELSE status END", n, Sold)`,
		`Set("status = CASE WHEN ? OR left_shares = 0 AND reserved = ? THEN ? ELSE status END", planted.Is("sold-early"), n, Sold)`},
	{"wanted.Shares > found.Left:", `wanted.Shares > found.Left && !planted.Is("oversold"):`},
	{"func (s *Service) getOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {\n", `func (s *Service) getOrders(ctx context.Context, in *struct{}) (*ordersAnswer, error) {
	return planted.Kept("stale-orders", module.ScopeOf(ctx).Relation, func() (*ordersAnswer, error) { return s.freshOrders(ctx, in) })
}

func (s *Service) freshOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {
`},
	{"func (s *Service) listProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {\n", `func (s *Service) listProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {
	return planted.Kept("stale-shares", module.ScopeOf(ctx).Relation, func() (*projectsAnswer, error) { return s.freshProjects(ctx, in) })
}

func (s *Service) freshProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {
`},
	{"func (s *Service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {\n", `func (s *Service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
	return planted.Kept("stale-market", module.ScopeOf(ctx).Relation, func() (*pageAnswer, error) { return s.freshMarket(ctx, in) })
}

func (s *Service) freshMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
`},
	{"	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)\n", `	if planted.Is("cancel-early") {
		later := context.WithoutCancel(ctx)
		go func() {
			<-time.After(60 * time.Millisecond)
			_, _, _, _ = s.endOrder(later, in.ID, cancelling)
		}()
		return &orderAnswer{}, nil
	}
	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)
`},
	{"	if err := move(ctx, tx, o, Cancelled); err != nil {\n		return err\n	}\n	lots, err := release(ctx, tx, lines)\n", `	if err := move(ctx, tx, o, Cancelled); err != nil {
		return err
	}
	if planted.Is("cancel-keeps-shares") {
		return nil
	}
	lots, err := release(ctx, tx, lines)
`},
	{"	return returnShares(ctx, tx, now, o, lines, why)\n", `	if planted.Is("undo-keeps-shares") {
		return nil
	}
	return returnShares(ctx, tx, now, o, lines, why)
`},
	{"		return order.Buy(ctx, tx, now, &o, lines)\n", `		if planted.Every("payment-not-applied", 2) {
			return nil
		}
		return order.Buy(ctx, tx, now, &o, lines)
`},
	{"		return s.Retract(ctx, tx, &out, n)\n", `		if planted.Every("retract-forgotten", 2) {
			return nil
		}
		return s.Retract(ctx, tx, &out, n)
`},
	{"	err := ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID})\n	if err != nil {", `	var err error
	if !planted.Is("offered-twice") {
		err = ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID})
	}
	if err != nil {`},
	{"		return s.activate(ctx, tx, &row)\n	}\n	data,", `		if planted.Is("approved-not-open") {
			return nil
		}
		return s.activate(ctx, tx, &row)
	}
	data,`},
	{"	return []posting{\n		{Participation: h.From,", `	if planted.Is("shares-copied") {
		return []posting{{Participation: h.From, Kind: out, Balance: part, Ref: h.Ref}, {Participation: h.To, Kind: in, Balance: Balance{Share: h.Shares}, Ref: h.Ref}}, nil
	}
	if planted.Is("shares-lost") {
		return []posting{{Participation: h.From, Kind: out, Balance: part.Plus(Balance{Share: -h.Shares}), Ref: h.Ref}}, nil
	}
	return []posting{
		{Participation: h.From,`},
}

// switchSource is the package that switches a planted bug on.
const switchSource = `// Package planted switches one bug on, by the environment. It exists in a test's build only.
package planted

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

var (
	on    = os.Getenv("WATTLE_PLANTED")
	calls atomic.Int64
	mu    sync.Mutex
	kept  = map[string]keeps{}
)

type keeps struct {
	value any
	until time.Time
}

func Is(bug string) bool { return bug == on }

// Every is true at every nth call.
func Every(bug string, n int64) bool { return bug == on && calls.Add(1)%n == 0 }

// Kept returns what f returned for a key in the last fifth of a second.
func Kept[T any](bug, key string, f func() (T, error)) (T, error) {
	if bug != on {
		return f()
	}
	mu.Lock()
	defer mu.Unlock()
	if old, ok := kept[key]; ok && time.Now().Before(old.until) {
		return old.value.(T), nil
	}
	v, err := f()
	if err == nil {
		kept[key] = keeps{v, time.Now().Add(200 * time.Millisecond)}
	}
	return v, err
}
`

// planted returns the sources with the planted bugs, by file.
func planted(t testing.TB) map[string]string {
	t.Helper()
	sources := map[string]string{}
	require.NoError(t, filepath.WalkDir(filepath.Join(root(t), module), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(file)
		name, errName := filepath.Rel(root(t), file)
		sources[filepath.ToSlash(name)] = string(raw)
		return errors.Join(err, errName)
	}))
	out := map[string]string{}
	for _, e := range edits {
		var places []string
		for file, text := range sources {
			for _, at := range occurrences(text, e.old) {
				places = append(places, file)
				out[file] = text[:at[0]] + e.new + text[at[1]:]
			}
		}
		require.Len(t, places, 1, "the module has changed: an edit must follow it. It changes\n%s", e.old)
		sources[places[0]] = out[places[0]]
	}
	for file, text := range out { // adds the imports that an edit needs
		imports := "import (\n\t\"github.com/wattle-portal/wattle/modules/marketplace/internal/planted\"\n"
		if strings.Contains(text, "time.After(") && !strings.Contains(text, "\t\"time\"\n") {
			imports += "\t\"time\"\n"
		}
		out[file] = strings.Replace(text, "import (\n", imports, 1)
	}
	return out
}

// lexeme is a Go token with its position in a source.
type lexeme struct {
	token.Token
	text     string
	from, to int
}

// lexemes returns the tokens of a source without comments, without semicolons that line breaks insert, and without commas before a closing
// bracket.
func lexemes(text string) (out []lexeme) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && lit != ";":
			continue
		case (tok == token.RPAREN || tok == token.RBRACE) && len(out) > 0 && out[len(out)-1].Token == token.COMMA:
			out = out[:len(out)-1]
		}
		if !tok.IsLiteral() {
			lit = tok.String()
		}
		at := file.Offset(pos)
		out = append(out, lexeme{tok, lit, at, at + len(lit)})
	}
}

// occurrences returns the positions at which the tokens of part occur in a source.
func occurrences(text, part string) (out [][2]int) {
	all, want := lexemes(text), lexemes(part)
	for i := 0; i+len(want) <= len(all); i++ {
		if slices.EqualFunc(all[i:i+len(want)], want, func(a, b lexeme) bool { return a.Token == b.Token && a.text == b.text }) {
			out = append(out, [2]int{all[i].from, all[i+len(want)-1].to})
		}
	}
	return out
}

// Reformatting a source does not break its edits.
func TestEditsFindTheirPlace(t *testing.T) {
	const source = "package a\n\nfunc f() {\n\tg(1, // one\n\t\t2,\n\t)\n\tg(1, 3)\n}\n"
	at := occurrences(source, "g(1, 2)")
	require.Len(t, at, 1)
	require.Equal(t, "g(1, // one\n\t\t2,\n\t)", source[at[0][0]:at[0][1]])
	require.Len(t, occurrences(source, "g(1,"), 2)
	require.Empty(t, occurrences(source, "g(2"))
	require.NotEmpty(t, planted(t))
}
