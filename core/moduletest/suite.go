package moduletest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/modules/sibling"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
)

type suite struct {
	module  module.Module
	options Options
	plugin  bool

	mu   sync.Mutex
	seen map[string]bool // types of the published events
}

// open opens a World, and records the events published in it when it closes.
func (s *suite) open(t *testing.T) *World {
	t.Helper()
	w := Open(t, s.module, s.options, s.plugin)
	t.Cleanup(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, e := range w.published() {
			s.seen[e.Type] = true
		}
	})
	return w
}

// world returns a World in which the records have been imported and the preparations have been made.
func (s *suite) world(t *testing.T) *World {
	t.Helper()
	w := s.open(t)
	s.load(t, w)
	for _, c := range s.options.Prepare {
		w.expect(c)
	}
	return w
}

func (s *suite) load(t *testing.T, w *World) (refused []record.Refusal) {
	t.Helper()
	for i, r := range s.options.Records {
		importer, ok := w.running().Instance.(module.Importer)
		require.True(t, ok, "Manifest.Imports has kinds, but the instance is not an Importer")
		ctx, ok := w.Hub.ScopeFor(LabelOne, s.module.Key)
		require.True(t, ok)
		no, err := importer.Import(ctx, r.Kind, []record.Row{{Line: i + 1, Data: json.RawMessage(r.Data)}})
		require.NoError(t, err)
		refused = append(refused, no...)
	}
	return refused
}

func (w *World) expect(c Call) []byte {
	w.t.Helper()
	status, body := w.do(w.t.Context(), c, scopeOf(c.As))
	require.Less(w.t, status, 300, "%s %s: %s", c.Method, c.Path, body)
	return body
}

// state returns the responses of the State calls in one label.
func (s *suite) state(w *World, label string) string {
	w.t.Helper()
	var b strings.Builder
	for _, c := range s.options.State {
		as := scopeOf(c.As)
		as.Label = label
		status, body := w.do(w.t.Context(), c, as)
		fmt.Fprintf(&b, "%s %d %s\n", c.Path, status, body)
	}
	return b.String()
}

func (s *suite) operations(t *testing.T) string {
	w := s.open(t)
	snapshot := w.Registry.Snapshot()
	count := 0
	for _, op := range snapshot.Operations() {
		if op.Module != s.module.Key {
			continue
		}
		count++
		// The registry refuses an operation without an id, access or effect; this checks what the registry cannot check.
		require.True(t, strings.HasPrefix(op.Path, "/"), op.Path)
		if (op.Method == http.MethodGet || op.Method == http.MethodHead) && op.Effect != module.Read {
			// An old GET that writes may be kept if it declares its effect and new clients have a POST on the same path.
			post, _ := snapshot.Match(http.MethodPost, op.Path)
			require.True(t, op.Method == http.MethodGet && post != nil && post.Path == op.Path && post.Effect == op.Effect,
				"%s: a %s must not write, unless there is a POST on the same path that does the same", op.Name(), op.Method)
		}
	}
	require.Positive(t, count, "the module has no operations")
	m := w.running().Manifest
	require.NotEmpty(t, m.Version)
	for _, name := range slices.Concat(m.Changes, slices.Sorted(keysOf(m.Schedule))) {
		require.True(t, strings.HasPrefix(name, m.Key+"."), "%s does not start with the module's key", name)
	}
	if len(m.Imports) > 0 {
		_, ok := w.running().Instance.(module.Importer)
		require.True(t, ok, "Manifest.Imports has kinds, but the instance is not an Importer")
	}
	raw, err := json.Marshal(w.running().OpenAPI())
	require.NoError(t, err)
	var plain any
	require.NoError(t, json.Unmarshal(raw, &plain))
	out, err := json.Marshal(plain) // maps are encoded with sorted keys
	require.NoError(t, err)
	return string(out)
}

// checkDescribed requires an example of every event in the manifest. When a World closes, it checks that every published event is
// described.
func (s *suite) checkDescribed(t testing.TB) {
	names := map[string]bool{}
	for _, e := range s.module.Publishes {
		names[e.Name] = true
		if _, scheduled := s.module.Schedule[e.Name]; !scheduled && !s.seen[e.Name] {
			assert.NotEmpty(t, s.options.Skip[e.Name], "no example publishes %s", e.Name)
		}
	}
	for _, name := range slices.Concat(s.module.Handles, slices.Sorted(keysOf(s.module.Schedule))) {
		assert.True(t, names[name] || !strings.HasPrefix(name, s.module.Key+"."), "Manifest.Publishes does not describe %s", name)
	}
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (s *suite) events(t *testing.T) {
	if len(s.module.Handles) == 0 {
		t.Skip("the module handles no events")
	}
	for _, typ := range s.module.Handles {
		require.True(t, slices.ContainsFunc(s.options.Events, func(e module.Event) bool { return e.Type == typ }),
			"Options.Events has no event of type %s", typ)
	}
	require.NotEmpty(t, s.options.State, "Options.State is empty")
	once := s.world(t)
	empty := s.state(once, LabelOne)
	s.deliver(once, s.filled())
	want := s.state(once, LabelOne)
	require.NotEqual(t, empty, want, "the events do not change the responses of Options.State")

	second := s.world(t)
	events := s.filled()
	slices.Reverse(events)
	s.deliver(second, slices.Concat(events, events))
	require.Equal(t, want, s.state(second, LabelOne), "delivering the events twice and in reverse order leads to another state")
	if s.plugin { // a plugin has the same handlers
		return
	}
	s.decideFiled(once, module.Processed)
	s.decideFiled(second, module.Rejected)
	for i, late := range s.filled() {
		w := s.world(t)
		s.deliver(w, slices.Concat(slices.Delete(s.filled(), i, i+1), []module.Event{late, late}))
		require.Equal(t, want, s.state(w, LabelOne), "delivering event %d (%s) after the others, and twice, leads to another state", i, late.Type)
	}
}

// decideFiled decides every filed change, including by event. A change that was already decided, or an invalid decision, is refused.
func (s *suite) decideFiled(w *World, state string) {
	w.t.Helper()
	for _, r := range w.outbox() {
		if r.Kind == store.RowChange {
			var c module.Change
			require.NoError(w.t, json.Unmarshal(r.Payload, &c))
			status, body := w.do(w.t.Context(), s.decide(c.ID, state), system)
			require.Less(w.t, status, http.StatusInternalServerError, "%s to %s: %s", c.Kind, state, body)
		}
	}
}

// system is the scope in which core lets a module decide its changes.
var system = module.Scope{Label: LabelOne, Role: scope.RoleSystem, Locale: "nl"}

func (s *suite) decide(id, state string) Call {
	return Call{Method: http.MethodPost, Path: "/" + s.module.Key + "/changes/" + id + "/decide",
		Body: fmt.Sprintf(`{"state":%q,"by":"suite","reason":"OTHER"}`, state)}
}

// filled returns the events with the fields that Publish sets.
func (s *suite) filled() []module.Event {
	events := slices.Clone(s.options.Events)
	seq := map[string]int64{}
	for i := range events {
		e := &events[i]
		if e.ID == "" {
			e.ID = fmt.Sprintf("event-%d", i)
		}
		if e.Label == "" {
			e.Label = LabelOne
		}
		if seq[e.Key]++; e.Seq == 0 {
			e.Seq = seq[e.Key]
		}
		if e.At.IsZero() {
			e.At = begin
		}
	}
	return events
}

func (s *suite) deliver(w *World, events []module.Event) {
	w.t.Helper()
	for _, e := range events {
		ctx, ok := w.Hub.ScopeFor(e.Label, s.module.Key)
		require.True(w.t, ok)
		require.NoError(w.t, w.running().Handle(ctx, e), e.Type)
	}
}

func (s *suite) readOnly(t *testing.T) {
	w := s.world(t)
	before := s.state(w, LabelOne)
	for _, op := range w.Registry.Snapshot().Operations() {
		if op.Module != s.module.Key || op.Effect != module.Write || op.ID == "decideChange" {
			continue
		}
		c, ok := s.options.Writes[op.ID]
		if !ok { // the other examples must still run, because later tests need the events that they publish
			assert.NotEmpty(t, s.options.Skip[op.ID], "Options.Writes has no example of %s", op.ID)
			continue
		}
		as := scopeOf(c.As)
		as.ReadOnly, as.Actor = true, "support"
		status, body := w.do(t.Context(), c, as)
		require.Equal(t, http.StatusForbidden, status, "%s: %s", op.ID, body)

		// The same call without core's check, as if the effect had been declared incorrectly.
		answer := httptest.NewRecorder()
		r := w.request(t.Context(), c, as)
		r.RequestURI = r.URL.RequestURI()
		w.running().ServeHTTP(answer, r)
		require.GreaterOrEqual(t, answer.Code, 400, "%s is not refused in a read-only scope", op.ID)
		require.Less(t, answer.Code, 500, "%s fails in a read-only scope with an internal error: %s", op.ID, answer.Body)
		require.Equal(t, before, s.state(w, LabelOne), "%s changed the state in a read-only scope", op.ID)
	}
	for id, c := range s.options.Writes {
		fresh := s.world(t)
		status, body := fresh.do(t.Context(), c, scopeOf(c.As))
		require.Less(t, status, 300, "the example of %s fails: %s", id, body)
	}
}

func (s *suite) imports(t *testing.T) {
	if len(s.module.Imports) == 0 {
		t.Skip("the module imports nothing")
	}
	for _, kind := range s.module.Imports {
		require.True(t, slices.ContainsFunc(s.options.Records, func(r Record) bool { return r.Kind == kind }),
			"Options.Records has no record of kind %s", kind)
	}
	w := s.open(t)
	first := s.load(t, w)
	want := s.state(w, LabelOne)
	second := s.load(t, w)
	require.Equal(t, want, s.state(w, LabelOne), "importing the same records twice leads to another state")
	require.Equal(t, first, second)
	importer := w.running().Instance.(module.Importer)
	ctx, _ := w.Hub.ScopeFor(LabelOne, s.module.Key)
	for _, kind := range s.module.Imports {
		refused, err := importer.Import(ctx, kind, []record.Row{{Line: 7, Data: json.RawMessage("{}")}})
		require.NoError(t, err, "%s: an empty record must be a refusal, not an error", kind)
		require.NotEmpty(t, refused, "%s: an empty record was imported", kind)
		require.Equal(t, 7, refused[0].Line)
		require.NotEmpty(t, refused[0].Code)
	}
	require.Equal(t, want, s.state(w, LabelOne), "a refused record changed the state")
}

func (s *suite) decisions(t *testing.T) {
	if len(s.module.Changes) == 0 {
		t.Skip("the module has no changes")
	}
	for _, kind := range s.module.Changes {
		call, ok := s.options.Changes[kind]
		if !ok {
			require.NotEmpty(t, s.options.Skip[kind], "Options.Changes has no example of %s", kind)
			continue
		}
		for _, state := range []string{module.Processed, module.Rejected} {
			w := s.world(t)
			w.expect(call)
			var c module.Change
			w.awaitQueued(func(r store.Row) bool {
				return r.Kind == store.RowChange && json.Unmarshal(r.Payload, &c) == nil && c.Kind == kind
			})
			require.Equal(t, module.Pending, c.State)
			status, body := w.do(t.Context(), call, scopeOf(call.As))
			require.Equal(t, http.StatusConflict, status, "a second %s must be refused while one is pending: %s", kind, body)
			decide := s.decide(c.ID, state)
			status, body = w.do(t.Context(), decide, system)
			require.Equal(t, http.StatusOK, status, "%s: %s", kind, body)
			var decided module.Change
			require.NoError(t, json.Unmarshal(body, &decided))
			require.Equal(t, state, decided.State)
			status, body = w.do(t.Context(), decide, system)
			require.Equal(t, http.StatusConflict, status, "%s was decided twice: %s", kind, body)
			other := system
			other.Label = LabelTwo
			status, _ = w.do(t.Context(), decide, other)
			require.Equal(t, http.StatusNotFound, status, "a change of another label could be decided")
			w.awaitQueued(func(r store.Row) bool { return r.Kind == store.RowDecision })
		}
	}
}

func (s *suite) labels(t *testing.T) {
	w := s.open(t)
	empty := s.state(w, LabelTwo)
	s.load(t, w)
	for _, c := range s.options.Prepare {
		w.expect(c)
	}
	s.deliver(w, s.filled())
	require.Equal(t, empty, s.state(w, LabelTwo), "a label has data of another label")
}

func (s *suite) loops(t *testing.T) {
	w := s.open(t)
	ctx, ok := w.Hub.ScopeFor(LabelOne, s.module.Key)
	require.True(t, ok)
	call := sibling.Capture(ctx)
	call.Hops = sibling.MaxHops
	deep, cancel := call.Enter(context.Background(), s.module.Key)
	defer cancel()
	for _, op := range w.Registry.Snapshot().Operations() {
		if op.Module == s.module.Key {
			r, err := http.NewRequestWithContext(deep, op.Method, "http://"+s.module.Key+op.Path, nil)
			require.NoError(t, err)
			resp, err := w.Hub.Client(module.Manifest{Key: registry.Core}).Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusLoopDetected, resp.StatusCode)
		}
	}
}

// commands runs each command of the module and returns their output.
func (s *suite) commands(t *testing.T) string {
	if len(s.module.Commands.All) == 0 {
		t.Skip("the module has no commands")
	}
	w, out := s.world(t), &strings.Builder{}
	for _, c := range s.module.Commands.All {
		require.NotEmpty(t, c.Short, c.Name)
		require.Len(t, s.options.Args[c.Name], len(c.Args), "Options.Args of %s", c.Name)
		ctx, ok := w.Hub.ScopeFor(LabelOne, s.module.Key)
		require.True(t, ok)
		found, err := c.Run(ctx, command.Call{Label: LabelOne, Client: w.core, Args: s.options.Args[c.Name], In: strings.NewReader(""), Out: out})
		require.NoError(t, err, c.Name)
		fmt.Fprintf(out, "%s: %d\n", c.Name, found)
	}
	return out.String()
}
