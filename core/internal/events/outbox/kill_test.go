package outbox

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

const victimEnv = "WATTLE_TEST_VICTIM"

// TestMain runs the victim process if the test binary was started as a victim.
func TestMain(m *testing.M) {
	if conf := os.Getenv(victimEnv); conf != "" {
		if err := victim(conf); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// victim files changes, each with an event in the same transaction, prints the ids of committed changes, and relays at the same time.
func victim(conf string) error {
	var c store.Config
	if err := json.Unmarshal([]byte(conf), &c); err != nil {
		return err
	}
	s, err := store.Open(context.Background(), c)
	if err != nil {
		return err
	}
	w := newWorld(&testing.B{}, s)
	w.on("acme.made", "billing", func(context.Context, module.Event) error { return nil })
	go w.Run(context.Background()) //nolint:errcheck // it is killed
	ctx := scope.With(context.Background(), scope.Scope{Label: "a", Relation: "r1"}, nil)
	for i := 0; ; i++ {
		var filed module.Change
		err := w.db.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
			if filed, err = tx.File(ctx, module.Change{Kind: "acme.phone", Key: fmt.Sprint(os.Getpid(), "-", i)}); err != nil {
				return err
			}
			return tx.Publish(ctx, module.Event{Type: "acme.made", Key: filed.ID})
		})
		if err != nil {
			return err
		}
		fmt.Println(filed.ID)
	}
}

// A process that is killed while it files changes leaves only complete transactions, and no event is lost.
func TestKilledWhileFiling(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		c.Unsafe = false
		committed := map[string]bool{}
		for range 4 {
			for _, id := range killed(t, c) {
				committed[id] = true
			}
		}
		w := newWorld(t, storetest.Open(t, c))
		if w.Store.Engine() == store.Postgres { // on SQLite the only serving process releases all leases at its start
			if _, err := w.Store.DB().Exec("UPDATE outbox_deliveries SET leased_until = NULL"); err != nil {
				t.Fatal(err)
			}
		}
		w.clock.Advance(time.Hour) // the victims' clocks started at the same time as this one, and have advanced
		w.on("acme.made", "billing", func(context.Context, module.Event) error { return nil })
		w.work()

		var changes, delivered, filed int
		count := func(n *int, sql string) {
			t.Helper()
			if err := w.Store.Read().QueryRow(sql).Scan(n); err != nil {
				t.Fatal(err)
			}
		}
		count(&changes, "SELECT count(*) FROM acme_changes")
		count(&delivered, "SELECT count(*) FROM outbox_messages m JOIN acme_changes c ON m.type = 'acme.made' AND m.payload LIKE '%' || c.id || '%' "+
			"JOIN outbox_deliveries d ON d.message_id = m.id AND d.state = 'DONE'")
		count(&filed, "SELECT count(*) FROM outbox_messages WHERE type = '"+coreapi.EventChangeFiled+"'")
		if changes < len(committed) || delivered != changes || filed != changes || len(committed) == 0 {
			t.Errorf("%d committed, %d changes, %d events delivered, %d filed", len(committed), changes, delivered, filed)
		}
		for id := range committed {
			var stored int
			count(&stored, "SELECT count(*) FROM acme_changes WHERE id = '"+id+"'")
			if stored != 1 {
				t.Errorf("%s was committed and is lost", id)
			}
		}
	})
}

// killed runs a victim and kills it at a random moment after its first commits. It returns the ids of the committed changes.
func killed(t *testing.T, c store.Config) (ids []string) {
	t.Helper()
	conf, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+string(conf))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		ids = append(ids, lines.Text())
		if len(ids) == 15 {
			time.AfterFunc(3*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed
	if len(ids) < 15 {
		t.Fatalf("the process ended by itself: %s", stderr.String())
	}
	return ids
}
