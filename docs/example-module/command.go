package acme

import (
	"context"
	"fmt"
	"net/http"

	"github.com/wattle-portal/wattle/core/call"
	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/module"
)

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

// commands are the commands for operators: `wattle acme recount`.
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
