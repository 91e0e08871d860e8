// Package demo fills an empty portal with people to sign in as. A label's folder demo/ holds records that `wattle import` takes too:
// relation.ndjson and those of other modules, and account.ndjson with the logins.
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

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/imports"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

// Password of every demo account. It satisfies the policy of the identity service.
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

// login is a line of account.ndjson: what identity imports, and what the demo says and does besides.
type login struct {
	Username  string `json:"username"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	Debtor    string `json:"debtor_number"`
	Role      string `json:"role"`
	Temporary bool   `json:"temporary"`
	Demo      struct {
		Note string `json:"note"`
		// Put are calls that the customer has made: path of module account -> body.
		Put map[string]json.RawMessage `json:"put"`
	} `json:"demo"`
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
	for _, l := range s.Labels.All() {
		if slices.Contains(done, l.Key) {
			continue
		}
		if err := s.load(ctx, l); err != nil {
			return fmt.Errorf("demo: label %s: %w", l.Key, err)
		}
	}
	return nil
}

func (s *Service) load(ctx context.Context, l *label.Label) error {
	logins, err := loginsOf(l)
	if err != nil || logins == nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(l.Dir, "demo", "*.ndjson"))
	if err != nil {
		return err
	}
	order, target := s.Import(l.Key)
	files = slices.DeleteFunc(files, func(f string) bool {
		kind := imports.KindOf(f)
		return kind == accounts || !slices.Contains(order, kind) // those of a module that the label does not have
	})
	report, err := imports.Run(ctx, imports.Options{Label: l.Key, Order: order, Files: files}, target)
	if err != nil {
		return err
	}
	if report.Refused > 0 {
		return fmt.Errorf("records were refused, see %s", strings.Join(report.Rejected, ", "))
	}
	for _, in := range logins {
		if err := s.signUp(ctx, l, in); err != nil {
			return fmt.Errorf("account %s: %w", in.Username, err)
		}
	}
	return s.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewRaw("INSERT INTO demo_loaded (label_key, at) VALUES (?, ?) ON CONFLICT DO NOTHING", l.Key, s.Now()).Exec(ctx)
		return err
	})
}

// signUp makes the login and then does what the customer has done.
func (s *Service) signUp(ctx context.Context, l *label.Label, in login) error {
	a := identity.Account{Label: l.Key, Username: in.Username, Email: in.Email, Name: in.Name, Locale: "nl", Role: in.Role}
	if in.Debtor != "" {
		a.Relation = module.StableID(l.Key, "relation", in.Debtor)
	}
	a, err := s.Identity.Upsert(ctx, a, Password, in.Temporary)
	if err != nil {
		return err
	}
	for path, body := range in.Demo.Put {
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

// loginsOf reads a label's account.ndjson; nil when it has none.
func loginsOf(l *label.Label) ([]login, error) {
	data, err := os.ReadFile(filepath.Join(l.Dir, "demo", accounts+".ndjson"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := []login{}
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		in := login{}
		if err := d.Decode(&in); err != nil {
			return nil, fmt.Errorf("%s.ndjson: %w", accounts, err)
		}
		out = append(out, in)
	}
	return out, nil
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
		logins, err := loginsOf(l)
		if err != nil {
			return nil, fmt.Errorf("demo: label %s: %w", l.Key, err)
		}
		for _, in := range logins {
			role := in.Role
			if role == identity.Customer && l.Kind == label.KindParticipant {
				role = "member"
			}
			out = append(out, Login{l.Key, host(l), in.Username, Password, role, in.Demo.Note})
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
