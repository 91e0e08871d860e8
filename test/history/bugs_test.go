package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bug is a bug that is planted on purpose. The history of its seed is impossible with it, and the checker says so.
type bug struct {
	name     string
	what     string
	seed     uint64
	postgres bool // it needs two processes on one database
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

// edit is a change of a source file for the build with planted bugs. old occurs once in the file.
type edit struct{ file, old, new string }

// The bugs are in this list and nowhere else: the program that is shipped is built from sources that do not know of them.
const (
	placeFile  = "modules/marketplace/internal/order/store_order_place.go"
	flowFile   = "modules/marketplace/internal/order/store_order_flow.go"
	basketFile = "modules/marketplace/internal/order/basket.go"
	offerFile  = "modules/marketplace/internal/offer/store_offer.go"
	moveFile   = "modules/marketplace/internal/ledger/movement.go"
	createFile = "modules/marketplace/internal/offer/store_create.go"
	decideFile = "modules/marketplace/internal/offer/store_approval.go"
	offersFile = "modules/marketplace/internal/offer/http.go"
	addFile    = "modules/marketplace/internal/order/http_basket.go"
	ordersFile = "modules/marketplace/internal/order/http.go"
	marketFile = "modules/marketplace/internal/market/http.go"
	sharesFile = "modules/marketplace/internal/project/http.go"
	payFile    = "modules/marketplace/internal/settlement/store_settle.go"
	switchFile = "modules/marketplace/internal/planted/planted.go"
)

var edits = []edit{
	{placeFile, "	if _, err := rows.Insert(tx, &b.orders).Exec(ctx); err != nil {", `	if planted.Every("order-not-stored", 3) {
		return nil
	}
	if _, err := rows.Insert(tx, &b.orders).Exec(ctx); err != nil {`},
	{basketFile, "l.Shares >= 1 && l.Shares <= l.offer.Left",
		`l.Shares >= 1 && (l.Shares <= l.offer.Left || planted.Is("oversold") && l.offer.Left > 0) && !(planted.Is("refused-for-nothing") && l.Shares == l.offer.Left)`},
	{placeFile, "		l.offer.Left -= l.Shares\n		b.taken[l.OfferID] += l.Shares\n", `		taken := l.Shares
		if planted.Is("oversold") {
			taken = min(taken, l.offer.Left)
		}
		l.offer.Left -= taken
		b.taken[l.OfferID] += taken
`},
	{placeFile, "Shares: l.Shares, Ref: o.ID, By: pending.By}", "Shares: taken, Ref: o.ID, By: pending.By}"},
	{placeFile, "	if len(b.gone) > 0 {", `	if len(b.gone) > 0 && !planted.Is("basket-kept") {`},
	{placeFile, "		o.Amount += value.Cents(l.Shares) * l.offer.Price\n", `		o.Amount += value.Cents(l.Shares) * l.offer.Price
		if planted.Is("wrong-amount") {
			o.Amount += value.Cents(l.Shares) * (lines[0].offer.Price - l.offer.Price)
		}
`},
	{placeFile, "	if known != nil {", `	if known != nil && !planted.Is("key-ignored") {`},
	{placeFile, "	if pending.Key != \"\" {\n		o.IdempotencyKey", "	if pending.Key != \"\" && !planted.Is(\"key-ignored\") {\n		o.IdempotencyKey"},
	{placeFile, "	out := make(map[string]*Row, len(rows))\n", `	out := make(map[string]*Row, len(rows))
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
	{placeFile, "	return p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {\n		now := state.StoredTime(p.now())\n", `	var late *orderBatch
	defer func() {
		if late != nil {
			<-time.After(30 * time.Millisecond)
			_ = p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return late.reserve(ctx, tx) })
		}
	}()
	return p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(p.now())
`},
	{placeFile, "		return b.write(ctx, tx)\n", `		if planted.Is("two-transactions") {
			late = &b
		}
		return b.write(ctx, tx)
`},
	{placeFile, "	rows := module.Label(ctx, \"orders of several buyers are placed in one transaction\")\n	offers := make(", `	rows := module.Label(ctx, "orders of several buyers are placed in one transaction")
	if !planted.Is("two-transactions") {
		if err := b.reserve(ctx, tx); err != nil {
			return err
		}
	}
	return b.store(ctx, tx, rows)
}

func (b *orderBatch) reserve(ctx context.Context, tx module.Tx) error {
	offers := make(`},
	{placeFile, "	if err := ledger.Reserve(ctx, tx, b.now, b.lots...); err != nil {\n		return err\n	}\n", `	return ledger.Reserve(ctx, tx, b.now, b.lots...)
}

func (b *orderBatch) store(ctx context.Context, tx module.Tx, rows module.Rows) error {
`},
	{placeFile, "			return all.SelectForUpdate(tx, offers)", `			if planted.Is("lost-update") {
				return all.Select(tx, offers)
			}
			return all.SelectForUpdate(tx, offers)`},
	{offerFile, "	done, err := module.Label(ctx, \"a buyer takes shares of the offer of another member\").Update(tx, (*Offer)(nil)).", `	if planted.Is("lost-update") {
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
	{offerFile, `Set("status = CASE WHEN left_shares = 0 AND reserved = ? THEN ? ELSE status END", n, Sold)`,
		`Set("status = CASE WHEN ? OR left_shares = 0 AND reserved = ? THEN ? ELSE status END", planted.Is("sold-early"), n, Sold)`},
	{addFile, "asked.Shares > found.Left:", `asked.Shares > found.Left && !planted.Is("oversold"):`},
	{ordersFile, "func (s *Service) getOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {\n", `func (s *Service) getOrders(ctx context.Context, in *struct{}) (*ordersAnswer, error) {
	return planted.Kept("stale-orders", module.ScopeOf(ctx).Relation, func() (*ordersAnswer, error) { return s.freshOrders(ctx, in) })
}

func (s *Service) freshOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {
`},
	{sharesFile, "func (s *Service) listProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {\n", `func (s *Service) listProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {
	return planted.Kept("stale-shares", module.ScopeOf(ctx).Relation, func() (*projectsAnswer, error) { return s.freshProjects(ctx, in) })
}

func (s *Service) freshProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {
`},
	{marketFile, "func (s *Service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {\n", `func (s *Service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
	return planted.Kept("stale-market", module.ScopeOf(ctx).Relation, func() (*pageAnswer, error) { return s.freshMarket(ctx, in) })
}

func (s *Service) freshMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
`},
	{ordersFile, "	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)\n", `	if planted.Is("cancel-early") {
		later := context.WithoutCancel(ctx)
		go func() {
			<-time.After(60 * time.Millisecond)
			_, _, _, _ = s.endOrder(later, in.ID, cancelling)
		}()
		return &orderAnswer{}, nil
	}
	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)
`},
	{flowFile, "	if err := move(ctx, tx, o, Cancelled); err != nil {\n		return err\n	}\n	lots, err := release(ctx, tx, lines)\n", `	if err := move(ctx, tx, o, Cancelled); err != nil {
		return err
	}
	if planted.Is("cancel-keeps-shares") {
		return nil
	}
	lots, err := release(ctx, tx, lines)
`},
	{flowFile, "	return returnShares(ctx, tx, now, o, lines, why)\n", `	if planted.Is("undo-keeps-shares") {
		return nil
	}
	return returnShares(ctx, tx, now, o, lines, why)
`},
	{payFile, "		return order.Buy(ctx, tx, now, &o, lines)\n", `		if planted.Every("payment-not-applied", 2) {
			return nil
		}
		return order.Buy(ctx, tx, now, &o, lines)
`},
	{offersFile, "		return s.Retract(ctx, tx, &out, n)\n", `		if planted.Every("retract-forgotten", 2) {
			return nil
		}
		return s.Retract(ctx, tx, &out, n)
`},
	{createFile, "	err := ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID})\n	if err != nil {", `	var err error
	if !planted.Is("offered-twice") {
		err = ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID})
	}
	if err != nil {`},
	{decideFile, "		return s.activate(ctx, tx, &row)\n	}\n	data,", `		if planted.Is("approved-not-open") {
			return nil
		}
		return s.activate(ctx, tx, &row)
	}
	data,`},
	{moveFile, "	return []posting{\n		{Participation: h.From,", `	if planted.Is("shares-copied") {
		return []posting{{Participation: h.From, Kind: out, Balance: part, Ref: h.Ref}, {Participation: h.To, Kind: in, Balance: Balance{Share: h.Shares}, Ref: h.Ref}}, nil
	}
	if planted.Is("shares-lost") {
		return []posting{{Participation: h.From, Kind: out, Balance: part.Plus(Balance{Share: -h.Shares}), Ref: h.Ref}}, nil
	}
	return []posting{
		{Participation: h.From,`},
}

// switchSource is the package by which a planted bug is switched on.
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
	out := map[string]string{}
	for _, e := range edits {
		text, ok := out[e.file]
		if !ok {
			raw, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(e.file)))
			require.NoError(t, err)
			text = strings.Replace(string(raw), "import (\n", "import (\n\t\"github.com/wattle-portal/wattle/modules/marketplace/internal/planted\"\n", 1)
		}
		require.Equal(t, 1, strings.Count(text, e.old), "%s has changed: the edit that begins with %q must follow it", e.file, strings.TrimSpace(e.old))
		out[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	for file, text := range out { // imports that an edit needs
		if strings.Contains(text, "time.After(") && !strings.Contains(text, "\t\"time\"\n") {
			out[file] = strings.Replace(text, "import (\n", "import (\n\t\"time\"\n", 1)
		}
	}
	return out
}
