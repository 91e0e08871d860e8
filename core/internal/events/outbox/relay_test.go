package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func TestChangesReachTheirQueueAndSubscribers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var seen []string
		var mu sync.Mutex
		for _, e := range []string{coreapi.EventChangeFiled, coreapi.EventChangeDecided} {
			w.on(e, "staff", func(_ context.Context, e module.Event) error {
				mu.Lock()
				defer mu.Unlock()
				var c module.Change
				seen = append(seen, e.Type+" "+fmt.Sprint(json.Unmarshal(e.Data, &c), c.State))
				return nil
			})
		}
		var c module.Change
		w.tx(func(ctx context.Context, tx module.Tx) (err error) {
			c, err = tx.File(ctx, module.Change{Kind: "acme.phone"})
			return err
		})
		w.work()
		if w.queue[c.ID].State != module.Pending {
			t.Fatalf("%+v", w.queue)
		}
		w.tx(func(ctx context.Context, tx module.Tx) error {
			_, err := tx.Decide(ctx, module.Decision{ID: c.ID, State: module.Rejected, By: "staff"})
			return err
		})
		w.work()
		if w.queue[c.ID].State != module.Rejected || fmt.Sprint(seen) != "[core.change_filed <nil>PENDING core.change_decided <nil>REJECTED]" {
			t.Errorf("%+v %v", w.queue, seen)
		}
	})
}

func TestRelayIsIdempotent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		calls := map[string]int{}
		for _, m := range []string{"billing", "move"} {
			w.on("plug.made", m, func(_ context.Context, e module.Event) error {
				mu.Lock()
				defer mu.Unlock()
				calls[m+e.ID]++
				return nil
			})
		}
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 6).Draw(t, "rows")
			rows := make([]Row, n)
			for i := range rows {
				rows[i] = eventRow("plug.made", value.NewID())
			}
			for range rapid.IntRange(1, 4).Draw(t, "sends") {
				batch := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 2*n).Draw(t, "which")
				send := make([]Row, len(batch))
				for i, b := range batch {
					send[i] = rows[b]
				}
				if err := w.Relay(context.Background(), "plug", send); err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "work") {
					w.work()
				}
			}
			if err := w.Relay(context.Background(), "plug", rows); err != nil {
				t.Fatal(err)
			}
			w.work()
			for _, r := range rows {
				if calls["billing"+r.ID] != 1 || calls["move"+r.ID] != 1 {
					t.Fatalf("delivered %d and %d times", calls["billing"+r.ID], calls["move"+r.ID])
				}
			}
		})
	})
}

func eventRow(eventType, id string) Row {
	payload, _ := json.Marshal(module.Event{ID: id, Type: eventType, Label: "a", At: time.Now()})
	return Row{Label: "a", ID: id, Kind: store.RowEvent, At: time.Now(), Payload: payload}
}

func TestMalformedRowsAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		calls := 0
		w.on("acme.made", "billing", func(context.Context, module.Event) error { calls++; return nil })
		w.on("plug.made", "billing", func(context.Context, module.Event) error { calls++; return nil })
		forged := eventRow("acme.made", "1")
		otherLabel := eventRow("plug.made", "2")
		otherLabel.Label = "b"
		garbage := eventRow("plug.made", "3")
		garbage.Payload = json.RawMessage(`"x"`)
		change, _ := json.Marshal(module.Change{ID: "c", Label: "a", Kind: "acme.phone"})
		rows := []Row{forged, otherLabel, garbage, {Label: "a", ID: "4", Kind: "what", Payload: json.RawMessage("{}")},
			{Label: "a", ID: "5", Kind: store.RowChange, Payload: change}, eventRow("plug.made", "6")}
		if err := w.Relay(context.Background(), "plug", rows); err != nil {
			t.Fatal(err)
		}
		w.work()
		d := w.deliveries(dead)
		if calls != 1 || len(d) != 4 || len(w.queue) != 0 { // the fifth delivery is of label b
			t.Fatalf("%d calls, %+v, %v", calls, d, w.queue)
		}
		if err := w.Replay(context.Background(), "a", d[0].ID); !errors.Is(err, problem.ErrNotFound) {
			t.Errorf("replayed a refused row: %v", err)
		}
	})
}

// Events of a label whose file is broken at a start wait until the label is back. Modules that the label does not have get no events.
func TestEventsOfAMissingLabelWait(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		calls := 0
		w.on("acme.made", "billing", func(context.Context, module.Event) error { calls++; return nil })
		w.off["acore"], w.off["abilling"] = true, true
		w.publish(module.Event{Type: "acme.made"})
		w.work()
		if n := len(w.deliveries(waiting)); calls != 0 || n != 1 {
			t.Fatalf("%d calls, %d wait", calls, n)
		}
		w.mu.Lock()
		clear(w.off)
		w.mu.Unlock()
		w.clock.Advance(time.Minute)
		w.work()
		if calls != 1 {
			t.Errorf("delivered %d times", calls)
		}
	})
}
