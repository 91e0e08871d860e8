//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package address

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/source"
)

// How often one may look up addresses: the register is not ours to wear out.
const (
	tries     = 60
	tryWindow = 10 * time.Minute
)

func (s *service) routes() {
	check := op(http.MethodPost, "/lambda/address-validation/postcode", "validateAddress", "Look up an address") // 7.3-post-postcode
	check.SkipValidateBody = true                                                                                // a house number may be a number
	check.Extensions = map[string]any{module.ExtFormerly: "move"}
	module.Route(s.API, check, module.Public, module.Read, s.validate)
	module.Route(s.API, op(http.MethodPost, "/address/find", "findAddress", "Look up an address, or those to choose from"), module.Sibling, module.Read, s.findAddress)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

// find looks an address up. A problem 404 when there is none.
func (s *service) find(ctx context.Context, zip, number string, extension *string) (*Address, []string, error) {
	place, ok := PlaceOf(zip, number)
	if !ok {
		return nil, nil, errUnknown
	}
	r, err := s.registers.of(ctx)
	if err != nil {
		return nil, nil, err
	}
	at, err := r.At(ctx, place)
	if err != nil {
		return nil, nil, err
	}
	found, alternatives := Resolve(at, extension)
	if found == nil && len(alternatives) == 0 {
		return nil, nil, errUnknown
	}
	return found, alternatives, nil
}

var errUnknown = problem.Fail(http.StatusNotFound, codeUnknown)

// shown is what a caller sees of a register that is down: 503, so that an address can be entered by hand.
func shown(ctx context.Context, err error) error {
	if !errors.Is(err, source.ErrDown) {
		return err
	}
	problem.Observe(ctx, err)
	return problem.Fail(http.StatusServiceUnavailable, codeRegisterDown)
}

type findInput struct {
	Body struct {
		ZipCode   string  `json:"zip_code"`
		Number    string  `json:"house_number"`
		Extension *string `json:"house_number_extension" nullable:"true" doc:"Empty: the address without one; null: none was chosen"`
	}
}

// Found is what there is at a postal code and house number.
type Found struct {
	Address      *FoundAddress `json:"address"`
	Alternatives []string      `json:"alternatives" nullable:"false" doc:"Extensions that can be chosen then; empty for the address without one"`
}

// FoundAddress is the address that was found.
type FoundAddress struct {
	_         struct{} `nullable:"true" doc:"null when several addresses have this number and none was chosen"`
	Street    string   `json:"street"`
	Number    string   `json:"house_number"`
	Extension string   `json:"house_number_extension"`
	ZipCode   string   `json:"zip_code"`
	City      string   `json:"city"`
}

type findAnswer struct{ Body Found }

// findAddress answers a sibling, which counts look-ups by itself. 404 when there is no such address, 503 when that cannot be known.
func (s *service) findAddress(ctx context.Context, in *findInput) (*findAnswer, error) {
	a, alternatives, err := s.find(ctx, in.Body.ZipCode, in.Body.Number, in.Body.Extension)
	if err != nil {
		return nil, shown(ctx, err)
	}
	out := &findAnswer{Found{Alternatives: append([]string{}, alternatives...)}}
	if a != nil {
		out.Body.Address = &FoundAddress{Street: a.Street, Number: string(a.Number), Extension: a.Extension, ZipCode: a.ZipCode, City: a.City}
	}
	return out, nil
}

type validateInput struct {
	Body struct {
		ZipCode   string `json:"zipCode"`
		Number    Number `json:"houseNumber"`
		Extension string `json:"houseNumberExtension,omitempty"`
	}
}

// Validated is an address that exists (3-address-validation-fields).
type Validated struct {
	Street   string `json:"street"`
	Number   string `json:"houseNumber"`
	Addition string `json:"houseNumberAddition"`
	City     string `json:"city"`
	ZipCode  string `json:"postcode"`
}

type validateAnswer struct{ Body Validated }

// validate answers one address: where several have the number, the one with just the extension that was given. Without any it is
// the one that has none, and where all have one there is no such address.
func (s *service) validate(ctx context.Context, in *validateInput) (*validateAnswer, error) {
	if module.ScopeOf(ctx).Caller == "" { // a sibling counts by itself
		if err := s.mayTry(ctx); err != nil {
			return nil, err
		}
	}
	var wrong []problem.FieldError
	for _, f := range []struct{ field, value string }{{"zipCode", in.Body.ZipCode}, {"houseNumber", string(in.Body.Number)}} {
		if strings.TrimSpace(f.value) == "" {
			wrong = append(wrong, problem.FieldError{Field: f.field, Code: codeRequired})
		}
	}
	if err := problem.Refuse(wrong...); err != nil {
		return nil, err
	}
	a, _, err := s.find(ctx, in.Body.ZipCode, string(in.Body.Number), &in.Body.Extension)
	if err == nil && a == nil {
		err = errUnknown
	}
	if err != nil {
		return nil, shown(ctx, err)
	}
	return &validateAnswer{Validated{a.Street, string(a.Number), a.Extension, a.City, a.ZipCode}}, nil
}
