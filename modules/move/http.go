//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package move

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// How often one may look up addresses, and ask for a move: the register is not ours to wear out.
const (
	tries     = 60
	tryWindow = 10 * time.Minute
)

func (s *service) routes() {
	const get, put = http.MethodGet, http.MethodPut
	customer, read := module.Customer, module.Read
	module.Route(s.API, op(get, "/address", "lookupAddress", "Look up an address and what lies there"), customer, read, s.lookup) // 7.3-get-address
	module.Route(s.API, op(get, "/moves", "listMoves", "Moves that were asked for, newest first"), customer, read, s.list)
	calendar := op(get, "/moves/{id}/calendar", "moveCalendar", "The days of a move as a file for a calendar")
	calendar.Responses = map[string]*huma.Response{"200": {Description: "The file", Content: map[string]*huma.MediaType{"text/calendar": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	files.Download(s.API, calendar, customer, s.calendar)
	ask := op(put, "/move", "requestMove", "Ask for a move") // 7.3-put-move
	ask.SkipValidateBody = true                              // CheckForm says it better
	ask.DefaultStatus = http.StatusNoContent                 // 7.3-put-move-status
	module.Route(s.API, ask, customer, module.Write, s.request)
	module.Decisions(s.API, manifest.Key, s.host.DB, s.decided)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

type lookupInput struct {
	ZipCode   string `query:"zipCode" required:"true" maxLength:"20"`
	Number    string `query:"houseNumber" required:"true" maxLength:"20"`
	Extension string `query:"houseNumberExtension" maxLength:"20" doc:"Empty: the address without one; absent: none was chosen"` // 7.3-get-address-extension-name
	chosen    bool
}

// Resolve hears whether there was an extension: an empty one says something else than none.
func (in *lookupInput) Resolve(c huma.Context) []error {
	u := c.URL()
	in.chosen = u.Query().Has("houseNumberExtension")
	return nil
}

// Found is what lies at a postal code and house number (3-address-lookup-fields).
type Found struct {
	Address      *FoundAddress `json:"address"`
	Alternatives []Alternative `json:"alternatives" nullable:"false" doc:"What can be chosen then"`
	EANs         EANs          `json:"eansPerCommodity"`
}

// FoundAddress is the address that was found.
type FoundAddress struct {
	_         struct{} `nullable:"true" doc:"null when several addresses have this number and none was chosen"`
	Street    string   `json:"street"`
	City      string   `json:"city"`
	Number    string   `json:"house_number"`
	Extension string   `json:"extension"`
	ZipCode   string   `json:"zip_code"`
}

// Alternative is one of the addresses that have the number.
type Alternative struct {
	Extension string `json:"houseNumberExtension" doc:"Empty for the address without one"`
}

type lookupAnswer struct{ Body Found }

func (s *service) lookup(ctx context.Context, in *lookupInput) (*lookupAnswer, error) {
	if err := s.mayTry(ctx, "lookup"); err != nil {
		return nil, err
	}
	var extension *string
	if in.chosen {
		extension = &in.Extension
	}
	found, alternatives, err := s.find(ctx, in.ZipCode, in.Number, extension)
	if err != nil {
		return nil, shown(ctx, err)
	}
	out := &lookupAnswer{Found{Alternatives: []Alternative{}, EANs: EANsOf(nil)}}
	for _, extension := range alternatives {
		out.Body.Alternatives = append(out.Body.Alternatives, Alternative{extension})
	}
	if found == nil {
		return out, nil
	}
	out.Body.Address = &FoundAddress{Street: found.Street, City: found.City, Number: string(found.Number), Extension: found.Extension, ZipCode: found.ZipCode}
	connections, err := s.connections(ctx, *found)
	out.Body.EANs = EANsOf(connections)
	return out, shown(ctx, err)
}

var errUnknown = problem.Fail(http.StatusNotFound, codeAddressUnknown)

// shown is what a caller sees of a provider that is down: 503, so that the wizard offers entering the address by hand.
func shown(ctx context.Context, err error) error {
	if !errors.Is(err, ErrDown) {
		return err
	}
	problem.Observe(ctx, err)
	return problem.Fail(http.StatusServiceUnavailable, codeRegisterDown)
}

type movesAnswer struct {
	Body []Filed `nullable:"false"`
}

func (s *service) list(ctx context.Context, _ *struct{}) (*movesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	moves, err := movesOf(ctx, s.host.DB, rows)
	return &movesAnswer{moves}, err
}

type calendarInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *service) calendar(ctx context.Context, in *calendarInput) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	m, err := moveOf(ctx, s.host.DB, rows, in.ID)
	if err != nil {
		return nil, err
	}
	if m.State == module.Rejected { // nothing happens on those days
		return nil, problem.ErrNotFound
	}
	file, err := Calendar(m, module.ScopeOf(ctx).Locale)
	if err != nil {
		return nil, err
	}
	return files.Stream("verhuizing-"+m.Start.String()+".ics", "text/calendar; charset=utf-8", func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	}), nil
}
