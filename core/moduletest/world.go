package moduletest

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/asyncapi"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/records/imports/dryrun"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

// Labels of the suite. Both have the module and its siblings.
const (
	LabelOne = "one"
	LabelTwo = "two"
)

// begin is the time of the suite's clock at the start.
var begin = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// World is a small portal with the module: a registry, a hub and two labels.
type World struct {
	// For core's own tests: modules cannot use these types.
	Registry *registry.Registry
	Hub      *sibling.Hub
	Clock    *clock.Clock
	Labels   *Labels
	Plugins  *pluginhost.Host // nil when in-process

	t    testing.TB
	key  string
	core *http.Client
	own  *store.Store // in-process: contains the module's outbox

	mu   sync.Mutex
	rows []store.Row // rows that a plugin sent to core
}

// Open opens a World, which is closed at the end of the test.
func Open(t testing.TB, m module.Module, o Options, asPlugin bool) *World {
	t.Helper()
	ctx := t.Context()
	w := &World{t: t, key: m.Key, Registry: registry.New(), Clock: &clock.Clock{}}
	w.Clock.Set(begin)
	set, err := settingsOf(o.Settings)
	require.NoError(t, err)
	keys := []string{m.Key}
	for _, s := range o.Siblings {
		keys = append(keys, s.Key)
	}
	w.Labels = twoLabels(keys, m.Key, set)
	w.Hub = sibling.New(w.Registry, w.Labels)
	w.core = w.Hub.Client(module.Manifest{Key: registry.Core})

	data := o.Data
	if data == "" {
		data = t.TempDir()
	}
	st, err := store.Open(ctx, store.Config{Dir: data, URL: o.Database, Unsafe: !o.Durable})
	require.NoError(t, err)
	t.Cleanup(func() { _ = st.Close() })
	w.own = st
	t.Cleanup(func() {
		for _, e := range w.published() {
			assert.NoError(t, asyncapi.Check(m.Manifest, e))
		}
	})
	inside := slices.Clone(o.Siblings)
	if !asPlugin {
		inside = append(inside, m)
	}
	log := slog.New(slog.NewTextHandler(testLog{t}, nil))
	hostFor := module.HostFor(func(m module.Manifest) module.Host {
		return module.Host{Client: w.Hub.Client(m), Web: outside.Client(), DB: dryrun.DB(st.Module(m, w.Clock, nil)), Now: w.Clock.Now, Log: log}
	})
	options := []fx.Option{fx.NopLogger, fx.Supply(hostFor)}
	for _, x := range inside {
		if x.Key != registry.Core {
			require.NoError(t, st.MigrateModule(ctx, x.Manifest))
		}
		options = append(options, x.Option())
	}
	var running []module.Running
	options = append(options, fx.Invoke(func(in struct {
		fx.In
		Modules []module.Running `group:"modules"`
	}) {
		running = in.Modules
	}))
	app := fx.New(options...)
	require.NoError(t, app.Start(ctx))
	t.Cleanup(func() { require.NoError(t, app.Stop(context.Background())) })
	require.NoError(t, w.Registry.Add(running...))
	if asPlugin {
		w.Plugins, err = pluginhost.Open(ctx, pluginhost.Options{
			Dir: PluginsDir(t, m.Key, o.Main), Data: data, Database: o.Database, Unsafe: !o.Durable, Registry: w.Registry, Hub: w.Hub,
			Clock: w.Clock, Log: log, Relay: w.relay})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, w.Plugins.Close()) })
	}
	return w
}

// testLog writes the log of modules to the test log, which is shown if the test fails.
type testLog struct{ testing.TB }

// Write implements io.Writer.
func (l testLog) Write(b []byte) (int, error) {
	if l.Context().Err() == nil { // writing to a test after its end panics
		l.Log(strings.TrimSpace(string(b)))
	}
	return len(b), nil
}

func (w *World) relay(_ context.Context, _ string, rows []store.Row) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range rows {
		if !slices.ContainsFunc(w.rows, func(x store.Row) bool { return x.ID == r.ID }) {
			w.rows = append(w.rows, r)
		}
	}
	return nil
}

// awaitQueued waits until the module has queued a row for core that want accepts, and returns the row.
func (w *World) awaitQueued(want func(store.Row) bool) (found store.Row) {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		rows := w.outbox()
		i := slices.IndexFunc(rows, want)
		if i >= 0 {
			found = rows[i]
		}
		return i >= 0
	}, 10*time.Second, 5*time.Millisecond, "the expected row was not queued for core")
	return found
}

// outbox returns the rows that the module has queued for core.
func (w *World) outbox() (rows []store.Row) {
	w.t.Helper()
	if w.Plugins != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		return slices.Clone(w.rows)
	}
	err := w.own.Read().NewSelect().Model(&rows).ModelTableExpr("? AS o", bun.Ident(w.key+"_outbox")).Scan(context.Background())
	require.NoError(w.t, err)
	return rows
}

// published returns the events that the module has published.
func (w *World) published() (events []module.Event) {
	w.t.Helper()
	for _, r := range w.outbox() {
		var e module.Event
		if r.Kind == store.RowEvent {
			require.NoError(w.t, json.Unmarshal(r.Payload, &e))
			events = append(events, e)
		}
	}
	return events
}

// running returns the module in the registry.
func (w *World) running() module.Running { return w.Registry.Snapshot().Modules[w.key] }

// scopeOf completes the scope of a call. The default is a customer of the first label.
func scopeOf(as module.Scope) module.Scope {
	if as.Label == "" {
		as.Label = LabelOne
	}
	if as.Role == "" {
		as.Role = scope.RoleCustomer
	}
	if as.Role == scope.RoleCustomer && as.Relation == "" {
		as.Relation, as.Subject = "relation-1", "account-1"
	}
	if as.Actor == "" {
		as.Actor = as.Subject
	}
	if as.Locale == "" {
		as.Locale = "nl"
	}
	return as
}

func (w *World) request(ctx context.Context, c Call, as module.Scope) *http.Request {
	w.t.Helper()
	method := c.Method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if c.Body != "" {
		body = strings.NewReader(c.Body)
	}
	r, err := http.NewRequestWithContext(w.Hub.Enter(ctx, as, w.key), method, "http://"+w.key+c.Path, body)
	require.NoError(w.t, err)
	if c.Body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.Key != "" {
		r.Header.Set("Idempotency-Key", c.Key)
	}
	return r
}

// Import imports records of a kind, given as JSON objects, into the first label. It returns the refusals.
func (w *World) Import(kind string, records ...string) []record.Refusal {
	w.t.Helper()
	ctx, ok := w.Hub.ScopeFor(LabelOne, w.key)
	require.True(w.t, ok)
	importer, ok := w.running().Instance.(module.Importer)
	require.True(w.t, ok, "the module imports nothing")
	rows := make([]record.Row, len(records))
	for i, r := range records {
		rows[i] = record.Row{Line: i + 1, Data: json.RawMessage(r)}
	}
	refused, err := importer.Import(ctx, kind, rows)
	require.NoError(w.t, err)
	return refused
}

// Do makes a call as core, on behalf of c.As. The default is a customer of the first label.
func (w *World) Do(ctx context.Context, c Call) (status int, body []byte) {
	w.t.Helper()
	return w.do(ctx, c, scopeOf(c.As))
}

func (w *World) do(ctx context.Context, c Call, as module.Scope) (status int, body []byte) {
	w.t.Helper()
	resp, err := w.core.Do(w.request(ctx, c, as))
	require.NoError(w.t, err)
	defer func() { require.NoError(w.t, resp.Body.Close()) }()
	body, err = io.ReadAll(resp.Body)
	require.NoError(w.t, err)
	return resp.StatusCode, body
}

// twoLabels returns two labels that have all the given modules.
func twoLabels(keys []string, key string, settings json.RawMessage) *Labels {
	out := &Labels{}
	for _, name := range []string{LabelOne, LabelTwo} {
		l := &label.Label{Key: name, URL: "https://" + name + ".example", Zone: "Europe/Amsterdam", Revision: "r1", Kind: label.KindParticipant,
			Modules: map[string]json.RawMessage{}, Settings: map[string]*scope.Settings{}}
		for _, k := range keys {
			l.Modules[k], l.Settings[k] = json.RawMessage("{}"), &scope.Settings{Raw: json.RawMessage("{}")}
		}
		l.Modules[key], l.Settings[key] = settings, &scope.Settings{Raw: settings}
		out.Put(l)
	}
	return out
}

// Labels is a source of labels that a test can change.
type Labels struct{ all sync.Map }

// Put adds a label, or replaces it with a new revision.
func (s *Labels) Put(l *label.Label) { s.all.Store(l.Key, l) }

// ByHost implements label.Source; calls of the suite have no host.
func (s *Labels) ByHost(string) *label.Label { return nil }

// ByKey implements label.Source.
func (s *Labels) ByKey(key string) *label.Label {
	if l, ok := s.all.Load(key); ok {
		return l.(*label.Label)
	}
	return nil
}

// All implements label.Source.
func (s *Labels) All() []*label.Label {
	var out []*label.Label
	s.all.Range(func(_, l any) bool { out = append(out, l.(*label.Label)); return true })
	slices.SortFunc(out, func(a, b *label.Label) int { return strings.Compare(a.Key, b.Key) })
	return out
}
