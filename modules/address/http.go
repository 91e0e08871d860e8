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

// The limit on look-ups per caller, which protects the register.
const (
	maxLookups   = 60
	lookupWindow = 10 * time.Minute
)

func (s *service) routes() {
	check := op(http.MethodPost, "/lambda/address-validation/postcode", "validateAddress", "Validate an address",
		"Public. Returns the address with exactly this extension. Its codes begin with move. "+
			// 7.3-post-postcode
			"Problems: 400 for missing fields; 404 move.address_unknown; 429 after 60 calls in 10 minutes, per account or network address; 503 move.register_down.")
	check.SkipValidateBody = true // the house number may be a number
	module.Route(s.API, check, module.Public, module.Read, s.validate)
	module.Route(s.API, op(http.MethodPost, "/address/find", "findAddress", "Look up an address by postal code and house number",
		"For siblings, without a limit. Returns the address, or the extensions to choose from. Its codes begin with move. "+
			"Problems: 404 move.address_unknown; 503 move.register_down."), module.Sibling, module.Read, s.findAddress)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

// find looks up an address, or the extensions to choose from. It returns 404 move.address_unknown if the address does not exist.
func (s *service) find(ctx context.Context, zip, number string, extension *string) (*Address, []string, error) {
	key, ok := ParseZipNumber(zip, number)
	if !ok {
		return nil, nil, errUnknown
	}
	r, err := s.registers.forLabel(ctx)
	if err != nil {
		return nil, nil, err
	}
	at, err := r.Addresses(ctx, key)
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

// toProblem returns 503 move.register_down for a register that is down, so that the customer can enter the address manually.
func toProblem(ctx context.Context, err error) error {
	if !errors.Is(err, source.ErrDown) {
		return err
	}
	problem.Observe(ctx, err)
	return problem.Fail(http.StatusServiceUnavailable, codeRegisterDown)
}

type findInput struct {
	Body struct {
		ZipCode   string  `json:"zip_code" doc:"Postal code, with or without a space"`
		Number    string  `json:"house_number" doc:"House number, digits only"`
		Extension *string `json:"house_number_extension" nullable:"true" doc:"House number extension; empty: the address without one; null: not chosen"`
	}
}

// Found is the result of a look-up by postal code and house number.
type Found struct {
	Address      *FoundAddress `json:"address" doc:"The address; null if the caller must choose an extension"`
	Alternatives []string      `json:"alternatives" nullable:"false" doc:"Extensions to choose from; an empty string is the address without one"`
}

// FoundAddress is the address that was found.
type FoundAddress struct {
	_         struct{} `nullable:"true" doc:"The address; null if the caller must choose an extension"`
	Street    string   `json:"street" doc:"Name of the street in the register"`
	Number    string   `json:"house_number" doc:"House number, digits only"`
	Extension string   `json:"house_number_extension" doc:"House number extension; empty: none"`
	ZipCode   string   `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City      string   `json:"city" doc:"Name of the city in the register"`
}

type findOutput struct{ Body Found }

// findAddress looks up an address for a sibling; siblings apply their own limits. It returns 404 for an unknown address and 503 if the
// register is down.
func (s *service) findAddress(ctx context.Context, in *findInput) (*findOutput, error) {
	a, alternatives, err := s.find(ctx, in.Body.ZipCode, in.Body.Number, in.Body.Extension)
	if err != nil {
		return nil, toProblem(ctx, err)
	}
	out := &findOutput{Found{Alternatives: append([]string{}, alternatives...)}}
	if a != nil {
		out.Body.Address = &FoundAddress{Street: a.Street, Number: string(a.Number), Extension: a.Extension, ZipCode: a.ZipCode, City: a.City}
	}
	return out, nil
}

type validateInput struct {
	Body struct {
		ZipCode   string `json:"zipCode" doc:"Postal code, with or without a space"`
		Number    Number `json:"houseNumber" doc:"House number, digits only"`
		Extension string `json:"houseNumberExtension,omitempty" doc:"House number extension; empty: none"`
	}
}

// Validated is an address that exists (3-address-validation-fields).
type Validated struct {
	Street   string `json:"street" doc:"Name of the street in the register"`
	Number   string `json:"houseNumber" doc:"House number, digits only"`
	Addition string `json:"houseNumberAddition" doc:"House number extension; empty: none"`
	City     string `json:"city" doc:"Name of the city in the register"`
	ZipCode  string `json:"postcode" doc:"Postal code, such as 1234AB"`
}

type validateOutput struct{ Body Validated }

// validate returns the address with exactly the extension of the request. Without an extension it returns the only address with this
// number or the one that has no extension, and otherwise 404.
func (s *service) validate(ctx context.Context, in *validateInput) (*validateOutput, error) {
	if module.ScopeOf(ctx).Caller == "" { // siblings apply their own limit
		if err := s.takeLimit(ctx); err != nil {
			return nil, err
		}
	}
	var fieldErrors []problem.FieldError
	for _, f := range []struct{ field, value string }{{"zipCode", in.Body.ZipCode}, {"houseNumber", string(in.Body.Number)}} {
		if strings.TrimSpace(f.value) == "" {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: f.field, Code: codeRequired})
		}
	}
	if err := problem.Refuse(fieldErrors...); err != nil {
		return nil, err
	}
	a, _, err := s.find(ctx, in.Body.ZipCode, string(in.Body.Number), &in.Body.Extension)
	if err == nil && a == nil {
		err = errUnknown
	}
	if err != nil {
		return nil, toProblem(ctx, err)
	}
	return &validateOutput{Validated{a.Street, string(a.Number), a.Extension, a.City, a.ZipCode}}, nil
}
