// Package demo fills an empty portal with accounts and their data. A label's folder demo/ contains
//
//	account.ndjson, relation.ndjson, invoice.ndjson …   records in the format of `wattle import`, with days that may be relative to today
//	people.json                                         name and calls of each login, by username
//	pending.json                                        pending changes of applicants, who have no login
//	<series>.json                                       meters for which a module generates records up to now (demodata.Series)
//	files/                                              files for the label's file store
//
// Each part is loaded once, and again after it has changed. A test creates a separate customer with POST /dev/customers: records of any
// module, and calls, whose responses later calls may use ("keep"). Modules declare their demo data in their manifests (core/demodata).
package demo

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations creates the table that records the loaded parts.
var Migrations = store.Migrations{Name: "demo", FS: migrations}

// Deps contains the dependencies of Service.
type Deps struct {
	Store    *store.Store
	Labels   label.Source
	Identity Identity
	Modules  []module.Manifest // modules with demo data
	// Import returns the record kinds that a label's modules accept, in order, and the target of `wattle import`.
	Import func(labelKey string) (order []string, target imports.Target)
	// Put writes a file to the label's file store. It replaces a file of the same name.
	Put func(ctx context.Context, labelKey, name string, content []byte) error
	// Processed returns the relations in a label that have a processed change, because visitors have then changed their records.
	Processed func(ctx context.Context, labelKey string) (map[string]bool, error)
	// Work makes the queued deliveries. No other part makes any before the demo is loaded.
	Work func(ctx context.Context) error
	// File makes a module file a change without a relation, such as an applicant's change.
	File func(ctx context.Context, labelKey, moduleKey string, c module.Change) error
	// Client calls modules as core, and Enter returns the context for such a call. Both belong to the sibling hub.
	Client *http.Client
	Enter  func(ctx context.Context, s scope.Scope, moduleKey string) context.Context
	Now    func() time.Time
	Log    *slog.Logger
}

// Identity stores the accounts.
type Identity interface {
	Upsert(ctx context.Context, a identity.Account, password string, temporary bool) (identity.Account, error)
	NewImpersonation(ctx context.Context, impersonator identity.Account, relation string) (code string, err error)
}

// Service loads the demo and creates customers for tests.
type Service struct {
	Deps
	deliveries sync.Mutex
	modules    atomic.Pointer[map[string]string] // modules of each label when the demos were loaded
	changed    chan struct{}                     // holds one value when a label is new or its modules have changed
}

// New returns a Service.
func New(d Deps) *Service { return &Service{Deps: d, changed: make(chan struct{}, 1)} }

// LabelsChanged lets Run load the demos again when a label is new or its modules have changed, because a demo may be waiting for a plugin.
func (s *Service) LabelsChanged() {
	if before := s.modules.Load(); before == nil || maps.Equal(*before, s.labelModules()) {
		return
	}
	select {
	case s.changed <- struct{}{}:
	default: // it will be loaded already
	}
}

func (s *Service) labelModules() map[string]string {
	out := map[string]string{}
	for _, l := range s.Labels.All() {
		out[l.Key] = strings.Join(slices.Sorted(maps.Keys(l.Modules)), " ")
	}
	return out
}

// Load stores the parts of the labels' demos that have not been loaded yet. A second run adds only new records of generated meters.
func (s *Service) Load(ctx context.Context) error {
	modules := s.labelModules()
	s.modules.Store(&modules)
	done, err := s.loaded(ctx)
	if err != nil {
		return err
	}
	together, ctx := errgroup.WithContext(ctx) // most of the time is spent on hashing passwords
	for _, l := range s.Labels.All() {
		together.Go(func() error {
			if err := s.load(ctx, l, done[l.Key]); err != nil {
				return fmt.Errorf("demo: label %s: %w", l.Key, err)
			}
			return nil
		})
	}
	return together.Wait()
}

func (s *Service) load(ctx context.Context, l *label.Label, before parts) error {
	logins, people, err := peopleOf(l)
	if err != nil || logins == nil {
		return err
	}
	order, target := s.Import(l.Key)
	for _, step := range []func() ([]part, error){
		func() ([]part, error) { return s.records(ctx, l, before, order, target) },
		func() ([]part, error) { return s.files(ctx, l, before) },
		func() ([]part, error) { return s.importMeasurements(ctx, l, before, order, target) },
		func() ([]part, error) { return s.calls(ctx, l, before, logins, people) },
		func() ([]part, error) { return s.pendingChanges(ctx, l, before) },
	} {
		done, err := step()
		if err := errors.Join(err, s.remember(ctx, done)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) part(l *label.Label, name, sum string) part {
	return part{Label: l.Key, Name: name, Sum: sum, At: s.Now()}
}

// records imports the record files, except those of modules that the label does not have. If a file has changed since it was loaded,
// records of relations with a processed change are left as the change made them (9-demo-kept). A new file is loaded completely.
func (s *Service) records(ctx context.Context, l *label.Label, before parts, order []string, target imports.Target) (done []part,
	err error) {
	paths, err := filepath.Glob(filepath.Join(l.Dir, "demo", "*.ndjson"))
	if err != nil {
		return nil, err
	}
	kept, err := s.Processed(ctx, l.Key)
	if err != nil {
		return nil, err
	}
	place := func(path string) int { return slices.Index(order, imports.KindOf(path)) }
	slices.SortStableFunc(paths, func(a, b string) int { return place(a) - place(b) })
	texts := s.texts(l)
	for _, path := range paths {
		if place(path) < 0 {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return done, err
		}
		name, sum := filepath.Base(path), sum(text)
		if !before.isNew(name, sum) {
			continue
		}
		if text, err = texts.Execute(name, string(text)); err != nil {
			return done, err
		}
		rows := lines(text)
		if _, loaded := before[name]; loaded {
			rows = without(rows, l.Key, kept)
		}
		if err := take(ctx, target, imports.KindOf(path), rows); err != nil {
			return done, err
		}
		done = append(done, s.part(l, name, sum))
	}
	return done, nil
}

// files copies demo/files into the file store.
func (s *Service) files(ctx context.Context, l *label.Label, before parts) (done []part, err error) {
	root := filepath.Join(l.Dir, "demo", fileFolder)
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	folder := os.DirFS(root)
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		key, sum := fileFolder+"/"+name, sum(content)
		if !before.isNew(key, sum) {
			return nil
		}
		if err := s.Put(ctx, l.Key, name, content); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		done = append(done, s.part(l, key, sum))
		return nil
	})
	return done, err
}

// calls makes the calls of the demo's people, each once. A visitor of the demo may have done something that conflicts with a call: then
// the call is logged and skipped.
func (s *Service) calls(ctx context.Context, l *label.Label, before parts, logins []login, people map[string]person) (done []part,
	err error) {
	texts := s.texts(l)
	for _, in := range logins {
		kept, times := keptValues{}, map[string]int{}
		for _, c := range people[in.Username].Calls {
			text, _ := json.Marshal(c) // never fails: the value comes from JSON
			sum := sum(text)
			name := "call " + in.Username + " " + sum[:16]
			if times[sum]++; times[sum] > 1 { // an identical call
				name += fmt.Sprint(" ", times[sum])
			}
			if !before.isNew(name, sum) {
				continue
			}
			a, err := s.Identity.Upsert(ctx, identity.Account{Label: l.Key, Relation: value.StableID(l.Key, "relation", in.Debtor),
				Username: in.Username, Email: in.Email, Name: in.Name, Preferred: in.Preferred, Locale: "nl", Role: in.Role},
				"", false) // the values match the import, so this only finds the account
			if err != nil {
				return done, err
			}
			if _, on := l.Modules[c.Module]; !on {
				continue
			}
			switch err := s.call(ctx, a, c, texts.For(in.Debtor, in.Debtor), kept); {
			case errors.As(err, new(*refusedCall)), errors.Is(err, errNotKept):
				s.Log.Warn("a call of the demo was refused", "label", l.Key, "username", in.Username, "error", err)
			case err != nil:
				return done, fmt.Errorf("account %s: %w", in.Username, err)
			}
			done = append(done, s.part(l, name, sum))
		}
	}
	return done, nil
}

// refusedCall is the error for a call that the module refused.
type refusedCall struct {
	Call
	status int
	answer string
}

func (r *refusedCall) Error() string {
	return fmt.Sprintf("%s http://%s%s: status %d: %s", r.Method, r.Module, r.Path, r.status, r.answer)
}

// call makes a call as the customer. If it would file a change that is already pending, it leaves that change as it is.
func (s *Service) call(ctx context.Context, a identity.Account, c Call, texts demodata.Texts, kept keptValues) error {
	texts = kept.in(texts)
	path, err := texts.Value(c.Path)
	if err != nil {
		return err
	}
	c.Method, c.Path = cmp.Or(c.Method, http.MethodPut), path.(string)
	var body io.Reader = http.NoBody
	kind := "application/json"
	switch {
	case c.Form != nil:
		form := url.Values{}
		for name, value := range c.Form {
			form.Set(name, value)
		}
		body, kind = strings.NewReader(form.Encode()), "application/x-www-form-urlencoded"
	case c.Body != nil:
		v, err := texts.Value(c.Body)
		if err != nil {
			return err
		}
		text, _ := json.Marshal(v) // never fails: the value comes from JSON
		body = bytes.NewReader(text)
	}
	ctx = s.Enter(ctx, scope.Scope{Label: a.Label, Relation: a.Relation, Subject: a.ID, Actor: a.ID, Role: scope.RoleCustomer,
		Locale: cmp.Or(a.Locale, "nl")}, c.Module)
	req, err := http.NewRequestWithContext(ctx, c.Method, "http://"+c.Module+c.Path, body)
	if err != nil {
		return err
	}
	if body != http.NoBody {
		req.Header.Set("Content-Type", kind)
	}
	client := *s.Client
	// a redirect leads to a portal page
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()                      // the body has been read or is not needed
	answer, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswer)) // a truncated response is only logged
	if res.StatusCode < 400 || res.StatusCode == http.StatusConflict {
		if c.Deliver {
			s.deliveries.Lock()
			defer s.deliveries.Unlock()
			if err := s.Work(ctx); err != nil {
				return err
			}
		}
		return kept.keep(c, answer)
	}
	return &refusedCall{c, res.StatusCode, string(answer[:min(len(answer), 1000)])}
}
