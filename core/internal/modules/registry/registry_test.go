package registry

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/module"
)

type instance struct{ module.Router }

func (instance) Handle(context.Context, module.Event) error { return nil }

type phone struct {
	Body struct {
		Phone string `json:"phone"`
	}
}

type secretOut struct {
	Body struct {
		Inside innerSecret `json:"inside"`
	}
}

type innerSecret struct {
	N int `json:"n"`
}

// running returns a module with operations such as "GET /a/{b} customer read".
func running(m module.Manifest, operations ...string) module.Running {
	r := module.NewRouter(m)
	for _, o := range operations {
		f := strings.Fields(o)
		op := huma.Operation{OperationID: strings.ToLower(f[0]) + strings.NewReplacer("/", "_", "{", "", "}", "").Replace(f[1]), Method: f[0],
			Path: f[1]}
		if f[2] == "sibling" {
			module.Route(r.API, op, module.Sibling, module.Effect(f[3]), func(context.Context, *struct{}) (*secretOut, error) {
				return &secretOut{},
					nil
			})
			continue
		}
		module.Route(r.API, op, module.Access(f[2]), module.Effect(f[3]), func(context.Context, *phone) (*phone, error) { return &phone{}, nil })
	}
	return module.Running{Manifest: m, Instance: instance{r}}
}

func TestClaimsAndNeeds(t *testing.T) {
	r := New()
	require.NoError(t, r.Add(running(module.Manifest{Key: "account"}, "GET /relations/{id} customer read",
		"POST /relations/{id} customer write")))

	err := r.Add(running(module.Manifest{Key: "other"}, "GET /relations/{relation} customer read"))
	require.ErrorIs(t, err, ErrClaimed, "paths that differ in parameter names only conflict")
	require.ErrorContains(t, err, "account.")
	require.ErrorContains(t, err, "other.")
	require.NotContains(t, r.Snapshot().Modules, "other", "a refused module changes nothing")

	require.ErrorIs(t, r.Add(running(module.Manifest{Key: "billing", Needs: []string{"usage"}})), ErrNeeds)
	require.ErrorIs(t, r.Add(
		running(module.Manifest{Key: "a", Needs: []string{"b"}}),
		running(module.Manifest{Key: "b", Needs: []string{"c"}}),
		running(module.Manifest{Key: "c", Needs: []string{"a"}})), ErrCycle)
	require.NoError(t, r.Add( // the order does not matter within one call
		running(module.Manifest{Key: "billing", Needs: []string{"usage"}}),
		running(module.Manifest{Key: "usage", Needs: []string{"account"}})))
	require.ErrorIs(t, r.Add(running(module.Manifest{Key: "x"}, "GET /x/{a}.csv customer read")), ErrInvalid)

	wide := module.NewRouter(module.Manifest{Key: "open"})
	huma.Register(wide.API, huma.Operation{OperationID: "leak", Method: "GET", Path: "/leak"},
		func(context.Context, *struct{}) (*phone, error) { return nil, nil })
	require.ErrorIs(t, r.Add(module.Running{Manifest: module.Manifest{Key: "open"}, Instance: instance{wide}}), ErrInvalid,
		"an operation without access is refused")
}

func TestAModuleIsAddedReplacedAndRemoved(t *testing.T) {
	r, changes := New(), 0
	r.BeforeChange(func() error {
		changes++
		require.NotSame(t, r.Snapshot(), r.Upcoming(), "it sees the state that the change leads to")
		if _, refused := r.Upcoming().Modules["refused"]; refused {
			return errors.New("no label can be compiled with its settings")
		}
		return nil
	})
	require.NoError(t, r.Add(running(module.Manifest{Key: "account", Version: "1", Handles: []string{"core.x"}}, "GET /a customer read")))
	before := r.Snapshot()
	require.NoError(t, r.Add(running(module.Manifest{Key: "account", Version: "2"}, "GET /b customer read")))
	op, _ := r.Snapshot().Match("GET", "/a")
	require.Nil(t, op)
	op, _ = r.Snapshot().Match("GET", "/b")
	require.Equal(t, "account.get_b", op.Name())
	require.Empty(t, r.Snapshot().Handlers(nil, "core.x"))
	op, _ = before.Match("GET", "/a")
	require.NotNil(t, op, "a snapshot in use never changes")
	require.Len(t, before.Handlers(nil, "core.x"), 1)
	require.Error(t, r.Add(running(module.Manifest{Key: "refused"}, "GET /c customer read")))
	require.NotContains(t, r.Snapshot().Modules, "refused")
	require.Same(t, r.Snapshot(), r.Upcoming())
	require.NoError(t, r.Remove("account"))
	require.Empty(t, r.Snapshot().Operations())
	require.Equal(t, 4, changes)
}

// An operation that moves to another module is found in both, and an older plugin that still has the operation keeps it.
func TestAnOperationMoves(t *testing.T) {
	t.Run("9-operations-moved", func(t *testing.T) {
		moved := func(from string) module.Running {
			m := running(module.Manifest{Key: "address"}, "POST /lookup public read", "POST /find sibling read")
			m.OpenAPI().Paths["/lookup"].Post.Extensions[module.ExtFormerly] = from
			return m
		}
		at := func(r *Registry, key string) string {
			op, _ := r.Snapshot().MatchIn(key, "POST", "/lookup")
			if op == nil {
				return ""
			}
			return op.Module
		}
		r := New()
		require.NoError(t, r.Add(moved("move"), running(module.Manifest{Key: "move"}, "PUT /move customer write")))
		op, _ := r.Snapshot().Match("POST", "/lookup")
		require.Equal(t, "address", op.Module)
		require.Equal(t, []string{"address", "address", ""}, []string{at(r, "address"), at(r, "move"), at(r, "other")})
		op, _ = r.Snapshot().MatchIn("move", "POST", "/find")
		require.Nil(t, op, "only a moved operation is found at the previous module")

		// an older plugin with the operation
		previous := running(module.Manifest{Key: "move"}, "PUT /move customer write", "POST /lookup public read")
		require.NoError(t, r.Add(previous))
		op, _ = r.Snapshot().Match("POST", "/lookup")
		require.Equal(t, "move", op.Module, "the response uses its own settings")
		require.Equal(t, []string{"address", "move"}, []string{at(r, "address"), at(r, "move")})

		r = New() // in the reverse order of keys
		require.NoError(t, r.Add(moved("aaa"), running(module.Manifest{Key: "aaa"}, "POST /lookup public read")))
		op, _ = r.Snapshot().Match("POST", "/lookup")
		require.Equal(t, "aaa", op.Module)
		require.ErrorIs(t, New().Add(moved("move"), running(module.Manifest{Key: "other"}, "POST /lookup public read")), ErrClaimed)
	})
}

func TestMatchDistinguishesMissingFromNotAllowed(t *testing.T) {
	r := New()
	require.NoError(t, r.Add(running(module.Manifest{Key: "m"},
		"GET /a/b customer read", "PUT /a/{x} customer write", "DELETE /a/{x}/c customer write", "GET /a/{x}/d customer read")))
	s := r.Snapshot()
	for path, want := range map[string]string{
		"GET /a/b": "/a/b", "PUT /a/b": "/a/{x}", "PUT /a/z": "/a/{x}", "DELETE /a/b/c": "/a/{x}/c", "PUT /a/%2F": "/a/{x}",
	} {
		method, path, _ := strings.Cut(path, " ")
		op, _ := s.Match(method, path)
		require.NotNil(t, op, path)
		require.Equal(t, want, op.Path)
	}
	for path, want := range map[string][]string{
		"POST /a/b": {"GET", "PUT"}, "GET /a/z": {"PUT"}, "GET /a": nil, "GET /a/": nil, "GET /a//d": nil, "GET /": nil, "GET ": nil,
		"GET /a/b/": nil,
	} {
		method, path, _ := strings.Cut(path, " ")
		op, allowed := s.Match(method, path)
		require.Nil(t, op, path)
		require.Equal(t, want, allowed, path)
	}
}

// The operation that core checks must be the one that runs: for any set of templates the snapshot finds the same operation as chi.
func TestMatchAgreesWithChi(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "ab", "b", "abc", "{p}"})
		template := rapid.Custom(func(t *rapid.T) string {
			var b strings.Builder
			for i, s := range rapid.SliceOfN(segment, 1, 4).Draw(t, "segments") {
				if s == "{p}" {
					s = "{p" + string(rune('0'+i)) + "}"
				}
				b.WriteString("/" + s)
			}
			return b.String()
		})
		method := rapid.SampledFrom([]string{"GET", "PUT", "POST"})
		tree, mux := &node{}, chi.NewMux()
		for i := range rapid.IntRange(1, 12).Draw(t, "operations") {
			op := &Operation{ID: string(rune('A' + i)), Method: method.Draw(t, "method"), Path: template.Draw(t, "template")}
			if tree.add(op) == nil {
				mux.MethodFunc(op.Method, op.Path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(op.ID)) })
			}
		}
		for range 20 {
			path := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ab", "b", "abc", "z", "a%2Fb", "abcd"}), 1, 5).Draw(t,
				"path"), "/")
			m := method.Draw(t, "asked")
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(m, path, nil))
			op, allowed := tree.match(m, path)
			switch w.Code {
			case http.StatusOK:
				if op == nil || op.ID != w.Body.String() {
					t.Fatalf("%s %s: chi runs %s, core guards %v", m, path, w.Body, op)
				}
			case http.StatusMethodNotAllowed:
				if op != nil || len(allowed) == 0 {
					t.Fatalf("%s %s: chi says 405, core %v %v", m, path, op, allowed)
				}
			default:
				if op != nil || len(allowed) > 0 {
					t.Fatalf("%s %s: chi says %d, core %v %v", m, path, w.Code, op, allowed)
				}
			}
		}
	})
}

func TestOpenAPIOmitsOperationsForSiblings(t *testing.T) {
	r := New()
	require.NoError(t, r.Add(
		running(module.Manifest{Key: "account"}, "GET /phone customer read", "POST /phone public write", "GET /secret sibling read"),
		running(module.Manifest{Key: "usage"}, "PUT /phone customer write")))
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Security    []any
		}
		Components struct{ Schemas map[string]any }
	}
	require.NoError(t, json.Unmarshal(r.Snapshot().OpenAPI(), &doc))
	require.Len(t, doc.Paths, 1)
	require.Equal(t, "account.get_phone", doc.Paths["/phone"]["get"].OperationID)
	require.NotEmpty(t, doc.Paths["/phone"]["get"].Security)
	require.Empty(t, doc.Paths["/phone"]["post"].Security)
	require.Equal(t, "usage.put_phone", doc.Paths["/phone"]["put"].OperationID)
	require.Contains(t, doc.Components.Schemas, "account.PhoneBody")
	require.Contains(t, doc.Components.Schemas, "usage.PhoneBody")
	for name := range doc.Components.Schemas {
		require.NotContains(t, strings.ToLower(name), "secret")
	}
	for _, ref := range refs(r.Snapshot().OpenAPI()) {
		require.Contains(t, doc.Components.Schemas, ref)
	}
	require.Equal(t, r.Snapshot().OpenAPI(), func() []byte { require.NoError(t, r.Remove("none")); return r.Snapshot().OpenAPI() }(),
		"the document is stable")
}

func refs(doc []byte) (out []string) {
	for _, part := range strings.Split(string(doc), `"$ref":"`+schemaRef)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		out = append(out, name)
	}
	return out
}

func TestFragmentsAreOfModulesOnly(t *testing.T) {
	r := New()
	require.NoError(t, r.Add(running(module.Manifest{Key: Core}),
		running(module.Manifest{Key: "b", Settings: "#Settings: {}", Needs: []string{"a"}}),
		running(module.Manifest{Key: "a"})))
	var keys []string
	for _, f := range r.Snapshot().Fragments() {
		keys = append(keys, f.Module)
	}
	require.True(t, slices.Equal([]string{"a", "b"}, keys))
}

func BenchmarkMatch(b *testing.B) {
	r := New()
	require.NoError(b, r.Add(running(module.Manifest{Key: "m"}, "GET /a/b customer read", "PUT /a/{x} customer write",
		"DELETE /a/{x}/c customer write")))
	b.ReportAllocs()
	for b.Loop() {
		if op, _ := r.Snapshot().Match("DELETE", "/a/123/c"); op == nil {
			b.Fatal()
		}
	}
}
