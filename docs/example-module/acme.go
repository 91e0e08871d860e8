// Package acme stores notes of customers.
package acme

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/call"
	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

//go:embed label.cue
var settings string // CUE: #Settings: max_notes: *10 | int & >=1 & <=100

//go:embed *.sql
var migrations embed.FS // goose: 00001_notes.sql

// Settings are the settings of a label under modules: acme.
type Settings struct {
	MaxNotes int `json:"max_notes" browser:"true"` // only tagged fields reach the browser
}

var manifest = module.Manifest{
	Key: "acme", Version: "1.0.0", Settings: settings,
	Uses:       []string{"account"},              // optional sibling; Needs: switched on with this module
	Handles:    []string{acmeapi.EventNoteSaved}, // events
	Publishes:  acmeapi.Events,                   // published events, with types
	Changes:    []string{"acme.limit"},           // kinds of change requests
	Imports:    []string{"note"},                 // kinds of records
	Browser:    module.BrowserSettings[Settings](),
	Commands:   commands,
	Migrations: migrations,
}

// Module is the value for modules.go and for the main of a plugin.
var Module = module.New(manifest, newService)

type service struct {
	module.Router
	host module.Host
}

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h}
	route := func(id, method, path string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: "/acme" + path}
	}
	module.Route(s.API, route("listNotes", http.MethodGet, "/notes"), module.Customer, module.Read, s.list)
	module.Route(s.API, route("saveNote", http.MethodPut, "/notes/{id}"), module.Customer, module.Write, s.save)
	module.Route(s.API, route("askLimit", http.MethodPost, "/limit"), module.Customer, module.Write, s.askLimit)
	module.Route(s.API, route("listAllNotes", http.MethodGet, "/all"), module.APIKey, module.Read, s.all)
	module.Route(s.API, route("recount", http.MethodPost, "/recount"), module.Sibling, module.Read, s.recount)
	module.Decisions(s.API, "acme", h.DB, s.apply) // the operation that decides change requests
	return s
}

// note is a text of a customer.
type note struct {
	bun.BaseModel `bun:"table:acme_notes" json:"-"`
	Label         string `bun:"label_key,pk" json:"-"`
	Relation      string `bun:"relation_id,pk" json:"-"`
	ID            string `bun:"id,pk" json:"id"`
	Text          string `bun:"text" json:"text"`
	Mailed        bool   `bun:"mailed" json:"mailed"` // whether the service desk was notified
}

type (
	notesOutput struct{ Body []note }
	noteOutput  struct{ Body note }
	saveInput   struct {
		ID   string `path:"id"`
		Body struct {
			Text string `json:"text" maxLength:"80"`
		}
	}
	limitInput struct {
		Body struct {
			Amount int `json:"amount" minimum:"1" maximum:"100"`
		}
	}
)

func (s *service) save(ctx context.Context, in *saveInput) (*noteOutput, error) {
	mine, err := module.Mine(ctx) // label and relation of the call
	if err != nil {
		return nil, err
	}
	n := note{Label: mine.Key(), Relation: mine.Relation(), ID: in.ID, Text: in.Body.Text}
	return &noteOutput{n}, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if err := store(ctx, tx, mine, n); err != nil {
			return err
		}
		return module.Publish(ctx, tx, acmeapi.EventNoteSaved, n.ID, acmeapi.NoteSaved{Length: len(n.Text)})
	})
}

// store upserts a note. Every query begins with rows, which limit it to their label and relation.
func store(ctx context.Context, tx module.Tx, rows module.Rows, n note) error {
	_, err := rows.Insert(tx, &n).On("CONFLICT (label_key, relation_id, id) DO UPDATE").Set("text = EXCLUDED.text").Exec(ctx)
	return err
}

func (s *service) list(ctx context.Context, _ *struct{}) (*notesOutput, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	out := &notesOutput{Body: []note{}}
	return out, mine.Select(s.host.DB, &out.Body).Order("id").Scan(ctx)
}

func (s *service) all(ctx context.Context, _ *struct{}) (*notesOutput, error) {
	out := &notesOutput{Body: []note{}}
	rows := module.Label(ctx, "a back office reads the notes of every customer")
	return out, rows.Select(s.host.DB, &out.Body).Order("relation_id", "id").Scan(ctx)
}

// askLimit files a change request that the back office decides.
func (s *service) askLimit(ctx context.Context, in *limitInput) (*struct{}, error) {
	data, err := json.Marshal(in.Body)
	if err != nil {
		return nil, err
	}
	who := module.ScopeOf(ctx)
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := tx.File(ctx, module.Change{Relation: who.Relation, Subject: who.Subject, Kind: "acme.limit", Data: data})
		return err
	})
}

// apply applies a decided change request; here it stores a note.
func (s *service) apply(ctx context.Context, tx module.Tx, c module.Change) error {
	rows := module.Label(ctx, "the change names its relation")
	return store(ctx, tx, rows, note{Label: rows.Key(), Relation: c.Relation, ID: "limit", Text: c.State})
}

// Handle mails a saved note to the service desk. An event may be delivered twice, and in any order.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		rows := module.Label(ctx, "an event names a note of any customer")
		if _, err := rows.Update(tx, (*note)(nil)).Set("mailed = ?", true).Where("id = ?", e.Key).Exec(ctx); err != nil {
			return err
		}
		return tx.Mail(ctx, module.Mail{To: "service@acme.example", Locale: "nl", Subject: "Een notitie", Title: "Een notitie",
			Lines: []string{fmt.Sprintf("Notitie %s is bewaard.", e.Key)}})
	})
}

// Import stores notes of another system. A repeated import changes nothing.
func (s *service) Import(ctx context.Context, _ string, rows []record.Row) (refused []record.Refusal, err error) {
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = nil // the transaction may run again
		all := module.Label(ctx, "records are of every customer")
		for _, r := range rows {
			var in struct{ Relation, ID, Text string }
			if err := json.Unmarshal(r.Data, &in); err != nil || in.Relation == "" || in.ID == "" {
				refused = append(refused, record.Refusal{Line: r.Line, Field: "id", Code: problem.CodeRequired})
				continue
			}
			if err := store(ctx, tx, all, note{Label: all.Key(), Relation: in.Relation, ID: in.ID, Text: in.Text}); err != nil {
				return err
			}
		}
		return nil
	})
	return refused, err
}

// report is the result of a count of all notes.
type report struct {
	Notes int `json:"notes"`
	Wrong int `json:"wrong" doc:"Notes without a text"`
}

type reportOutput struct{ Body report }

func (s *service) recount(ctx context.Context, _ *struct{}) (*reportOutput, error) {
	var all []note
	if err := module.Label(ctx, "an operator counts the notes of every customer").Select(s.host.DB, &all).Scan(ctx); err != nil {
		return nil, err
	}
	out := &reportOutput{report{Notes: len(all)}}
	for _, n := range all {
		if n.Text == "" {
			out.Body.Wrong++
		}
	}
	return out, nil
}

// commands are the commands for operators: wattle notebook recount.
var commands = command.Group{Short: "Look after notes", Noun: "notebook", All: []command.Command{{
	Name: "recount", Short: "Count the notes of every customer again", Audit: true,
	Run: func(ctx context.Context, c command.Call) (findings int, err error) {
		r, err := call.JSON[report](ctx, c.Client, http.MethodPost, "http://acme/acme/recount", nil)
		if err == nil {
			fmt.Fprintf(c.Out, "%s: %d notes, %d wrong\n", c.Label, r.Notes, r.Wrong)
		}
		return r.Wrong, err
	},
}}}
