//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package acme

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

type (
	notesOutput struct {
		Body []note `nullable:"false"` // [] and never null: list and all begin with an empty slice
	}
	noteOutput struct{ Body note }
	saveInput  struct {
		ID   string `path:"id" maxLength:"36"`
		Body struct {
			Text string `json:"text" minLength:"1" maxLength:"80"`
		}
	}
)

func (s *service) save(ctx context.Context, in *saveInput) (*noteOutput, error) {
	mine, err := module.Mine(ctx) // label and relation of the call
	if err != nil {
		return nil, err
	}
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	n := note{Label: mine.Key(), Relation: mine.Relation(), ID: in.ID, Text: in.Body.Text}
	return &noteOutput{n}, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if err := tx.Lock(ctx, mine.Relation()); err != nil { // two calls at once must not both be the last note
			return err
		}
		have, err := others(ctx, tx, mine, n.ID)
		if err != nil {
			return err
		}
		if !mayAdd(have, *settings) {
			return problem.Fail(http.StatusConflict, codeFull)
		}
		if err := store(ctx, tx, mine, n); err != nil {
			return err
		}
		return module.Publish(ctx, tx, acmeapi.EventNoteSaved, n.ID, acmeapi.NoteSaved{Length: len(n.Text)})
	})
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
