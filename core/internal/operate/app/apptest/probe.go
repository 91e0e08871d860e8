package apptest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"testing/fstest"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Probe is a module with an operation of every kind, for tests of core. It returns the scope of the call, and stores items for relations.
var Probe = module.New(probeManifest, newProbe)

var probeManifest = module.Manifest{
	Key: "probe", Version: "0.1.0", Settings: `#Settings: {greeting: string | *"hello", secret_code: string | *"hidden"}`,
	Handles: []string{"probe.item_added"},
	Browser: module.BrowserSettings[ProbeSettings](),
	Migrations: fstest.MapFS{"00001_items.sql": {Data: []byte(`-- +goose Up
CREATE TABLE probe_items (label_key TEXT NOT NULL, relation_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (label_key, id));
-- +goose Down
DROP TABLE probe_items;
`)}},
}

// ProbeSettings are the settings of Probe.
type ProbeSettings struct {
	Greeting string `json:"greeting" browser:"true"`
	Secret   string `json:"secret_code"`
}

// ErrProbe is the error of GET /probe/broken. Its message must never leave the server.
var ErrProbe = errors.New("the password of the database at /var/lib/wattle is hunter2")

type probe struct {
	module.Router
	host module.Host
}

type probeItem struct {
	bun.BaseModel `bun:"table:probe_items"`
	Label         string `bun:"label_key,pk" json:"-"`
	ID            string `bun:"id,pk" json:"id"`
	Relation      string `bun:"relation_id" json:"-"`
	Name          string `bun:"name" json:"name"`
}

type probeForm struct {
	Body struct {
		Name  string   `json:"name" minLength:"3" maxLength:"20" pattern:"^[a-z ]+$"`
		Email string   `json:"email" format:"email"`
		Count int      `json:"count" minimum:"1" maximum:"9"`
		Tags  []string `json:"tags,omitempty" maxItems:"2"`
	}
}

type (
	probeScope struct{ Body module.Scope }
	probeID    struct {
		ID string `path:"id"`
	}
	probeOut  struct{ Body probeItem }
	probeName struct {
		Body struct {
			Name string `json:"name" minLength:"1"`
		}
	}
	probeSettings struct{ Body *ProbeSettings }
)

func newProbe(h module.Host) module.Instance {
	p := &probe{module.NewRouter(probeManifest), h}
	scope := func(id, method, path string, who module.Access, does module.Effect, extensions ...string) {
		op := huma.Operation{OperationID: id, Method: method, Path: "/probe" + path, Extensions: map[string]any{}}
		for _, e := range extensions {
			op.Extensions[e] = true
		}
		module.Route(p.API, op, who, does, func(ctx context.Context, _ *struct{}) (*probeScope, error) {
			if does == module.Write {
				return &probeScope{module.ScopeOf(ctx)}, h.DB.Tx(ctx, func(context.Context, module.Tx) error { return nil })
			}
			return &probeScope{module.ScopeOf(ctx)}, nil
		})
	}
	scope("open", http.MethodGet, "/open", module.Public, module.Read)
	scope("sendOpen", http.MethodPost, "/open", module.Public, module.Write)
	scope("mine", http.MethodGet, "/mine", module.Customer, module.Read)
	scope("changeMine", http.MethodPut, "/mine", module.Customer, module.Write)
	scope("searchMine", http.MethodPost, "/search", module.Customer, module.Read)
	scope("consent", http.MethodGet, "/consent", module.Customer, module.Write)
	scope("helped", http.MethodPut, "/helped", module.Customer, module.Write, module.ExtImpersonation)
	scope("desk", http.MethodGet, "/desk", module.Staff, module.Read)
	scope("decide", http.MethodPost, "/desk", module.APIKey, module.Write)
	scope("inside", http.MethodGet, "/inside", module.Sibling, module.Read)
	route := func(id, method, path string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: "/probe" + path}
	}
	module.Route(p.API, route("broken", http.MethodGet, "/broken"), module.Public, module.Read,
		func(context.Context, *struct{}) (*probeScope, error) { return nil, ErrProbe })
	module.Route(p.API, route("panics", http.MethodGet, "/panics"), module.Public, module.Read,
		func(context.Context, *struct{}) (*probeScope, error) { panic(ErrProbe) })
	module.Route(p.API, route("fill", http.MethodPost, "/form"), module.Public, module.Write,
		func(context.Context, *probeForm) (*struct{}, error) { return nil, nil })
	module.Route(p.API, route("settings", http.MethodGet, "/settings"), module.Public, module.Read,
		func(ctx context.Context, _ *struct{}) (*probeSettings, error) {
			s, err := module.Settings[ProbeSettings](ctx)
			return &probeSettings{s}, err
		})
	module.Route(p.API, route("addItem", http.MethodPost, "/items"), module.Customer, module.Write, p.add)
	module.Route(p.API, route("item", http.MethodGet, "/items/{id}"), module.Customer, module.Read,
		func(ctx context.Context, in *probeID) (*probeOut, error) {
			rows, err := module.Mine(ctx)
			if err != nil {
				return nil, err
			}
			out := &probeOut{}
			return out, found(rows.Select(h.DB, &out.Body).Where("id = ?", in.ID).Scan(ctx))
		})
	module.Route(p.API, route("removeItem", http.MethodDelete, "/items/{id}"), module.Customer, module.Write,
		func(ctx context.Context, in *probeID) (*struct{}, error) {
			rows, err := module.Mine(ctx)
			if err != nil {
				return nil, err
			}
			return nil, h.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				res, err := rows.Delete(tx, (*probeItem)(nil)).Where("id = ?", in.ID).Exec(ctx)
				if err != nil {
					return err
				}
				if n, err := res.RowsAffected(); err != nil || n == 0 {
					return errors.Join(err, problem.ErrNotFound)
				}
				return nil
			})
		})
	return p
}

func (p *probe) add(ctx context.Context, in *probeName) (*probeOut, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	item := probeItem{Label: rows.Key(), Relation: rows.Relation(), ID: value.NewID(), Name: in.Body.Name}
	return &probeOut{item}, p.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if _, err := rows.Insert(tx, &item).Exec(ctx); err != nil {
			return err
		}
		data, _ := json.Marshal(item.ID) // encoding a string never fails
		return tx.Publish(ctx, module.Event{Type: "probe.item_added", Key: item.ID, Data: data})
	})
}

// Handle marks the added item, so that a test can detect that the event was delivered.
func (p *probe) Handle(ctx context.Context, e module.Event) error {
	return p.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		rows := module.Label(ctx, "an event names an item of any relation")
		_, err := rows.Update(tx, (*probeItem)(nil)).Set("name = name || ?", " (seen)").Where("id = ?", e.Key).Exec(ctx)
		return err
	})
}

func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return problem.ErrNotFound
	}
	return err
}
