package registry

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/module"
)

// ExtLabel is the OpenAPI extension of core's operations that work without a label (value "optional").
const ExtLabel = "x-label"

const defaultMaxBody = 1 << 20

// Operation contains what core needs to authorize and route a request.
type Operation struct {
	Module        string
	ID            string // without the module's key: "changePhone"
	Method        string
	Path          string // template, relative to /api/v0
	Formerly      string // the module that had the operation in the previous release
	Access        module.Access
	Effect        module.Effect
	Impersonation bool          // a label may allow this write during impersonation
	Always        bool          // a write of core that every impersonator may make, such as signing out
	NoLabel       bool          // works on a host without a label
	Audited       bool          // writes to the audit log itself
	Scope         string        // scope that an API key needs; only for Access APIKey
	Stream        bool          // the response is a streamed file: files.Download
	MaxBody       int64         // maximum size of a request body in bytes; a larger body returns 413
	Timeout       time.Duration // timeout of a call in a plugin; 0: the plugin's own timeout
}

// Name returns the id of the operation in the browser and in labels: "account.changePhone".
func (o *Operation) Name() string { return o.Module + "." + o.ID }

// MayImpersonate reports whether this write is allowed during impersonation (6-impersonator-api), because the label allows it or because it
// is the sign-out.
func (o *Operation) MayImpersonate(l *label.Label) bool {
	return o.Always || o.Impersonation && slices.Contains(l.Impersonation.Allow, o.Name())
}

// Snapshot contains the running modules at one point in time, with everything derived from them. It is immutable. For a module with several
// versions it contains the highest; For returns the snapshot for a label that chooses another version.
type Snapshot struct {
	Modules    map[string]module.Running
	versions   map[string][]module.Running // by key, highest first
	operations []*Operation                // ordered by module and id
	routes     *node
	of         map[string]*node // by module: the operations that siblings can call
	openAPI    []byte
	views      *views
}

func newSnapshot(all map[string][]module.Running) (*Snapshot, error) {
	highest := map[string]module.Running{}
	for key, versions := range all {
		highest[key] = versions[0]
	}
	s, err := derive(highest)
	if err != nil {
		return nil, err
	}
	s.versions, s.views = all, &views{of: map[string]*Snapshot{}}
	if err := checkVersions(all); err != nil {
		return nil, err
	}
	docs := map[string]*huma.OpenAPI{}
	for key, m := range highest {
		docs[key] = m.OpenAPI()
	}
	s.openAPI, err = merge(docs)
	return s, err
}

// derive returns the operations and routes of a set of modules.
func derive(all map[string]module.Running) (*Snapshot, error) {
	s := &Snapshot{Modules: all, routes: &node{}, of: map[string]*node{}}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		s.of[key] = &node{}
		ops, err := operationsOf(key, all[key].OpenAPI())
		if err != nil {
			return nil, err
		}
		for _, op := range ops {
			if other := s.routes.add(op); other != nil {
				switch {
				case op.Formerly == other.Module: // a plugin of the previous release still has it
				case other.Formerly == op.Module:
					s.routes.put(op)
				default:
					return nil, claimed(other, op)
				}
			}
			s.of[key].put(op)
		}
		s.operations = append(s.operations, ops...)
	}
	for _, op := range s.operations {
		if n := s.of[op.Formerly]; n != nil {
			n.add(op)
		}
	}
	return s, nil
}

func claimed(a, b *Operation) error {
	return fmt.Errorf("%w: %s and %s: %s %s", ErrClaimed, a.Name(), b.Name(), b.Method, b.Path)
}

// operationsOf returns a module's operations, ordered by id. It returns an error if core cannot authorize one of them.
func operationsOf(key string, doc *huma.OpenAPI) ([]*Operation, error) {
	var out []*Operation
	ids := map[string]bool{}
	for path, item := range doc.Paths {
		if err := validTemplate(path); err != nil {
			return nil, fmt.Errorf("%w: module %s: %w", ErrInvalid, key, err)
		}
		for method, o := range methods(item) {
			op := &Operation{Module: key, ID: o.OperationID, Method: method, Path: path,
				Formerly: extension(o, module.ExtFormerly),
				Access:   module.Access(extension(o, module.ExtAccess)), Effect: module.Effect(extension(o, module.ExtEffect)),
				Impersonation: extension(o, module.ExtImpersonation) == "true",
				Always:        key == Core && extension(o, module.ExtImpersonation) == module.ImpersonationAlways,
				NoLabel:       key == Core && extension(o, ExtLabel) == "optional",
				Audited:       key == Core && extension(o, audit.Ext) == audit.Itself,
				Stream:        extension(o, files.ExtStream) == "true",
				Timeout:       timeoutOf(o),
				MaxBody:       cmp.Or(max(o.MaxBodyBytes, 0), defaultMaxBody)} // every operation has a body limit
			if op.ID == "" || ids[op.ID] {
				return nil, fmt.Errorf("%w: module %s: %s %s has no id of its own", ErrInvalid, key, method, path)
			}
			ids[op.ID] = true
			if op.Access == module.APIKey {
				if op.Scope = scopeOf(key, op.Effect, extension(o, module.ExtScope)); op.Scope == "" {
					return nil, fmt.Errorf("%w: %s says in no %s what an API key needs", ErrInvalid, op.Name(), module.ExtScope)
				}
			}
			if !slices.Contains([]module.Access{module.Public, module.Customer, module.Staff, module.APIKey, module.Sibling}, op.Access) ||
				op.Effect != module.Read && op.Effect != module.Write {
				return nil, fmt.Errorf("%w: %s says %q for %s and %q for %s", ErrInvalid, op.Name(),
					op.Access, module.ExtAccess, op.Effect, module.ExtEffect)
			}
			out = append(out, op)
		}
	}
	slices.SortFunc(out, func(a, b *Operation) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

// timeoutOf returns the timeout of an operation in a plugin, or 0 if the operation has none in the form of module.ExtTimeout.
func timeoutOf(o *huma.Operation) time.Duration {
	d, err := time.ParseDuration(extension(o, module.ExtTimeout))
	if err != nil {
		return 0
	}
	return max(d, 0)
}

// scopeOf returns the scope that an API key needs for an operation (7.7-key-scopes). Operations of core declare it; operations of a module
// have the scope <key>:read or <key>:write.
func scopeOf(key string, does module.Effect, said string) string {
	if key == Core {
		return said
	}
	return key + ":" + string(does)
}

// Scopes returns the scopes that operations require from API keys, sorted.
func (s *Snapshot) Scopes() []string {
	var out []string
	for _, op := range s.operations {
		if op.Scope != "" {
			out = append(out, op.Scope)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func methods(p *huma.PathItem) map[string]*huma.Operation {
	all := map[string]*huma.Operation{
		http.MethodGet: p.Get, http.MethodPut: p.Put, http.MethodPost: p.Post, http.MethodDelete: p.Delete,
		http.MethodPatch: p.Patch, http.MethodHead: p.Head, http.MethodOptions: p.Options, http.MethodTrace: p.Trace}
	maps.DeleteFunc(all, func(_ string, o *huma.Operation) bool { return o == nil })
	return all
}

// extension returns the value of an OpenAPI extension. In this program it has a type from core/module; in a plugin's document it is a
// string.
func extension(o *huma.Operation, name string) string {
	if v, ok := o.Extensions[name]; ok {
		return fmt.Sprint(v)
	}
	return ""
}

// Match returns the operation for a method and path (relative to /api/v0, still escaped). If there is none, allowed contains the methods of
// the path: the response is 405 if there are any, and otherwise 404.
func (s *Snapshot) Match(method, path string) (op *Operation, allowed []string) {
	return s.routes.match(method, path)
}

// MatchIn is like Match, for the operations that siblings find in one module: its own, and those that it had in the previous release, whose
// Module is a different one.
func (s *Snapshot) MatchIn(key, method, path string) (op *Operation, allowed []string) {
	if n := s.of[key]; n != nil {
		return n.match(method, path)
	}
	return nil, nil
}

// Operations returns every operation, ordered by module and id.
func (s *Snapshot) Operations() []*Operation { return s.operations }

// OpenAPI returns the merged document of all modules. Schema names and operation ids are prefixed with the module's key; sibling operations
// are omitted.
func (s *Snapshot) OpenAPI() []byte { return s.openAPI }

// Fragments returns the settings schemas of the modules, ordered by key. If a module has several versions, it returns the schema of the
// highest: versions that run side by side only add settings.
func (s *Snapshot) Fragments() []label.Fragment {
	var out []label.Fragment
	for _, key := range slices.Sorted(maps.Keys(s.Modules)) {
		m := s.Modules[key]
		if key == Core {
			continue
		}
		f := label.Fragment{Module: key, Source: m.Settings, Needs: m.Needs, Kinds: m.Imports, Records: m.Records}
		for _, v := range s.versions[key] {
			f.Versions = append(f.Versions, v.Version)
		}
		out = append(out, f)
	}
	return out
}
