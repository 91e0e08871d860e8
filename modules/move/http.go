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

// The limits on look-ups and move requests per account, which protect the register.
const (
	maxAttempts   = 60
	attemptWindow = 10 * time.Minute
)

func (s *service) routes() {
	const get, put = http.MethodGet, http.MethodPut
	customer, read := module.Customer, module.Read
	module.Route(s.API, op(get, "/address", "lookupAddress", "Look up an address and its connections",
		"For customers. Returns the address with its connections, or the extensions to choose from. Problems: 404 move.address_unknown; 429 after "+
			"60 calls in 10 minutes, per account; 503 move.register_down."), customer, read, s.lookup) // 7.3-get-address
	module.Route(s.API, op(get, "/moves", "listMoves", "List moves, newest first",
		"For customers. Returns the moves of the relation in every state, at most 100."), customer, read, s.list)
	calendar := op(get, "/moves/{id}/calendar", "moveCalendar", "Download the days of a move as a calendar file",
		"For customers. Returns an iCalendar file. Problem: 404 for an unknown or rejected move.")
	calendar.Responses = map[string]*huma.Response{"200": {Description: "The iCalendar file",
		Content: map[string]*huma.MediaType{"text/calendar": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	files.Download(s.API, calendar, customer, s.calendar)
	request := op(put, "/move", "requestMove", "Request a move",
		"For customers, not during impersonation. The back office decides. Problems: 400 for invalid fields, or an address or agreement that "+
			"cannot be moved online; 409 change_pending for the agreement; 422 move.key_reused; 429 after 60 calls in 10 minutes.") // 7.3-put-move
	request.SkipValidateBody = true              // CheckForm returns clearer problems
	request.DefaultStatus = http.StatusNoContent // 7.3-put-move-status
	module.Route(s.API, request, customer, module.Write, s.request)
	module.Route(s.API, op(http.MethodPost, "/move/changes/{id}/decide", "decideChange", "Decide a change request",
		"For core, when staff or an API key decides a change that this module filed. The module applies a processed change in the same transaction. "+
			"Answers not_found when the module has no such change, and change_decided when it has been decided before."), module.Sibling,
		module.Write, s.decide)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

type lookupInput struct {
	ZipCode string `query:"zipCode" required:"true" maxLength:"20" doc:"Postal code, with or without a space"`
	Number  string `query:"houseNumber" required:"true" maxLength:"20" doc:"House number, digits only"`
	// 7.3-get-address-extension-name
	Extension    string `query:"houseNumberExtension" maxLength:"20" doc:"House number extension; empty: the address without one; absent: not chosen"`
	hasExtension bool
}

// Resolve stores whether an extension was sent: an empty one means the address without an extension.
func (in *lookupInput) Resolve(c huma.Context) []error {
	u := c.URL()
	in.hasExtension = u.Query().Has("houseNumberExtension")
	return nil
}

// Found is the result of a look-up by postal code and house number (3-address-lookup-fields).
type Found struct {
	Address      *FoundAddress `json:"address" doc:"The address; null if the caller must choose an extension"`
	Alternatives []Alternative `json:"alternatives" nullable:"false" doc:"Addresses to choose from; empty if the address was found"`
	EANs         EANs          `json:"eansPerCommodity" doc:"EAN codes of the connections at the address, by commodity"`
}

// FoundAddress is the address that was found.
type FoundAddress struct {
	_         struct{} `nullable:"true" doc:"The address; null if the caller must choose an extension"`
	Street    string   `json:"street" doc:"Name of the street in the register"`
	City      string   `json:"city" doc:"Name of the city in the register"`
	Number    string   `json:"house_number" doc:"House number, digits only"`
	Extension string   `json:"extension" doc:"House number extension; empty: none"`
	ZipCode   string   `json:"zip_code" doc:"Postal code, such as 1234AB"`
}

// Alternative is one of several addresses with the same postal code and house number.
type Alternative struct {
	Extension string `json:"houseNumberExtension" doc:"House number extension; empty: the address without one"`
}

type lookupAnswer struct{ Body Found }

func (s *service) lookup(ctx context.Context, in *lookupInput) (*lookupAnswer, error) {
	if err := s.takeLimit(ctx, "lookup"); err != nil {
		return nil, err
	}
	var extension *string
	if in.hasExtension {
		extension = &in.Extension
	}
	found, alternatives, err := s.find(ctx, in.ZipCode, in.Number, extension)
	if err != nil {
		return nil, toProblem(ctx, err)
	}
	out := &lookupAnswer{Found{Alternatives: []Alternative{}, EANs: EANsOf(nil)}}
	for _, extension := range alternatives {
		out.Body.Alternatives = append(out.Body.Alternatives, Alternative{extension})
	}
	if found == nil {
		return out, nil
	}
	out.Body.Address = &FoundAddress{Street: found.Street, City: found.City, Number: string(found.Number), Extension: found.Extension,
		ZipCode: found.ZipCode}
	connections, err := s.connections(ctx, *found)
	out.Body.EANs = EANsOf(connections)
	return out, toProblem(ctx, err)
}

var errUnknown = problem.Fail(http.StatusNotFound, codeAddressUnknown)

// toProblem returns 503 move.register_down for ErrDown, so that the customer can enter the address manually.
func toProblem(ctx context.Context, err error) error {
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
	moves, err := findMoves(ctx, s.host.DB, rows)
	return &movesAnswer{moves}, err
}

type calendarInput struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the move"`
}

func (s *service) calendar(ctx context.Context, in *calendarInput) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	m, err := findMove(ctx, s.host.DB, rows, in.ID)
	if err != nil {
		return nil, err
	}
	if m.State == module.Rejected { // its days no longer apply
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
