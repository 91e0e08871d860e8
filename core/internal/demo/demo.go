// Package demo fills an empty portal with people to sign in as. A label's folder demo/ holds records as `wattle import` takes them:
// account.ndjson with the logins, relation.ndjson and those of other modules; people.json says who they are and what they have done.
package demo

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/imports"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

// Password of every demo account. It satisfies the policy of the identity service; account.ndjson of each label holds the same.
const Password = "Wattle2026"

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations of the table that remembers which labels were loaded.
var Migrations = store.Migrations{Name: "demo", FS: folder()}

func folder() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // a wrong name in this file
	}
	return sub
}

// Deps is what the demo is built from.
type Deps struct {
	Store    *store.Store
	Labels   label.Source
	Identity Identity
	// Import gives the kinds of record that a label's modules take, in order, and where they are stored: what `wattle import` uses.
	Import func(labelKey string) (order []string, target imports.Target)
	// Client calls modules as core does, and Enter makes the context of such a call: those of the sibling hub.
	Client *http.Client
	Enter  func(ctx context.Context, s scope.Scope, moduleKey string) context.Context
	Now    func() time.Time
	Log    *slog.Logger
}

// Identity keeps the accounts.
type Identity interface {
	Upsert(ctx context.Context, a identity.Account, password string, temporary bool) (identity.Account, error)
	NewImpersonation(ctx context.Context, impersonator identity.Account, relation string) (code string, err error)
}

// Service loads the demo and makes customers for tests.
type Service struct{ Deps }

// New makes the service.
func New(d Deps) *Service { return &Service{d} }

// login is a line of account.ndjson, as identity imports it.
type login struct {
	Username  string `json:"username"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	Debtor    string `json:"debtor_number"`
	Role      string `json:"role"`
	Password  string `json:"password"`
	Temporary string `json:"temporary_password"`
}

// person is what the demo says of a login, and does as it: people.json, by username.
type person struct {
	Note string `json:"note"`
	// Put are calls that the customer has made: path of module account -> body.
	Put map[string]json.RawMessage `json:"put"`
}

const (
	accounts = "account" // kind of record that identity takes
	owner    = "account" // module whose customers these are
)

// Load stores the demo records of every label that was not loaded before, through the importer. A second run changes nothing.
func (s *Service) Load(ctx context.Context) error {
	var done []string
	if err := s.Store.Read().NewSelect().Table("demo_loaded").Column("label_key").Scan(ctx, &done); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	together, ctx := errgroup.WithContext(ctx) // most of the time is spent on hashing passwords
	for _, l := range s.Labels.All() {
		if slices.Contains(done, l.Key) {
			continue
		}
		together.Go(func() error {
			if err := s.load(ctx, l); err != nil {
				return fmt.Errorf("demo: label %s: %w", l.Key, err)
			}
			return nil
		})
	}
	return together.Wait()
}

func (s *Service) load(ctx context.Context, l *label.Label) error {
	logins, people, err := peopleOf(l)
	if err != nil || logins == nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(l.Dir, "demo", "*.ndjson"))
	if err != nil {
		return err
	}
	order, target := s.Import(l.Key)
	files = slices.DeleteFunc(files, func(f string) bool { // those of a module that the label does not have
		return !slices.Contains(order, imports.KindOf(f))
	})
	report, err := imports.Run(ctx, imports.Options{Label: l.Key, Order: order, Files: files}, target)
	if err != nil {
		return err
	}
	if report.Refused > 0 {
		return fmt.Errorf("records were refused, see %s", strings.Join(report.Rejected, ", "))
	}
	for _, in := range logins {
		if err := s.act(ctx, l, in, people[in.Username]); err != nil {
			return fmt.Errorf("account %s: %w", in.Username, err)
		}
	}
	return s.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewRaw("INSERT INTO demo_loaded (label_key, at) VALUES (?, ?) ON CONFLICT DO NOTHING", l.Key, s.Now()).Exec(ctx)
		return err
	})
}

// act does what the customer has done.
func (s *Service) act(ctx context.Context, l *label.Label, in login, p person) error {
	if len(p.Put) == 0 {
		return nil
	}
	a, err := s.Identity.Upsert(ctx, identity.Account{Label: l.Key, Relation: module.StableID(l.Key, "relation", in.Debtor), Username: in.Username,
		Email: in.Email, Name: in.Name, Locale: "nl", Role: in.Role}, "", false) // as it was imported: this only finds it
	if err != nil {
		return err
	}
	for path, body := range p.Put {
		if err := s.put(ctx, a, path, body); err != nil {
			return err
		}
	}
	return nil
}

// put makes a call as the customer. What is pending already stays.
func (s *Service) put(ctx context.Context, a identity.Account, path string, body []byte) error {
	ctx = s.Enter(ctx, scope.Scope{Label: a.Label, Relation: a.Relation, Subject: a.ID, Actor: a.ID, Role: scope.RoleCustomer,
		Locale: cmp.Or(a.Locale, "nl")}, owner)
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://"+owner+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.Client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // read to its end or not wanted
	if res.StatusCode >= 300 && res.StatusCode != http.StatusConflict {
		return fmt.Errorf("PUT %s: status %d", path, res.StatusCode)
	}
	return nil
}

// peopleOf reads a label's account.ndjson, nil when it has none, and people.json.
func peopleOf(l *label.Label) (logins []login, people map[string]person, err error) {
	data, err := os.ReadFile(filepath.Join(l.Dir, "demo", accounts+".ndjson"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	logins = []login{}
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		in := login{}
		if err := d.Decode(&in); err != nil {
			return nil, nil, fmt.Errorf("%s.ndjson: %w", accounts, err)
		}
		logins = append(logins, in)
	}
	if data, err = os.ReadFile(filepath.Join(l.Dir, "demo", "people.json")); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(data, &people); err != nil {
		return nil, nil, fmt.Errorf("people.json: %w", err)
	}
	return logins, people, nil
}

// Login is one line of `wattle demo accounts`.
type Login struct {
	Label    string `json:"label"`
	Host     string `json:"host"`
	Username string `json:"username"`
	Password string `json:"password"`
	Role     string `json:"role" enum:"customer,member,staff,impersonator,operator"`
	Note     string `json:"note"`
}

// Accounts lists whom one can sign in as, label by label.
func Accounts(labels label.Source) ([]Login, error) {
	out := []Login{}
	for _, l := range labels.All() {
		logins, people, err := peopleOf(l)
		if err != nil {
			return nil, fmt.Errorf("demo: label %s: %w", l.Key, err)
		}
		for _, in := range logins {
			role := in.Role
			if role == identity.Customer && l.Kind == label.KindParticipant {
				role = "member"
			}
			out = append(out, Login{l.Key, host(l), in.Username, cmp.Or(in.Password, in.Temporary), role, people[in.Username].Note})
		}
	}
	return out, nil
}

// host is where a demo account signs in: a test host, which shows the form for migrated labels too.
func host(l *label.Label) string {
	for _, h := range l.Hosts {
		if h.Test {
			return h.Name
		}
	}
	if len(l.Hosts) == 0 {
		return ""
	}
	return l.Hosts[0].Name
}
