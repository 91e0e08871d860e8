package marketplace

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// What Go's types do not say of the JSON, said to OpenAPI: a json.Number is a number, whose fractions are ours to judge, and an
// object can be null.
var (
	_ huma.SchemaTransformer = NewOffer{}
	_ huma.SchemaTransformer = NewTransfer{}
	_ huma.SchemaTransformer = Retraction{}
	_ huma.SchemaTransformer = MarketOffer{}
)

// numbers makes properties numbers.
func numbers(s *huma.Schema, names ...string) *huma.Schema {
	for _, name := range names {
		s.Properties[name].Type = huma.TypeNumber
	}
	return s
}

// TransformSchema makes the numbers of shares and the price numbers.
func (NewOffer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return numbers(s, "number_of_shares", "price")
}

// TransformSchema makes the number of shares a number.
func (NewTransfer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return numbers(s, "number_of_shares")
}

// Retraction says how many shares come back from an offer.
type Retraction struct {
	Reference string      `json:"reference"`
	Shares    json.Number `json:"shares,omitempty" doc:"From 1 to what is left; all of it when absent"`
}

// TransformSchema makes the number of shares a number.
func (Retraction) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return numbers(s, "shares")
}

// TransformSchema lets the addresses be null, which only the owner gets, and names myOffer for generators that would write it and
// my_offer alike.
func (MarketOffer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	alias := s.Properties["myOffer"]
	alias.Deprecated = true
	alias.Extensions = map[string]any{"x-go-name": "MyOfferAlias"}
	for _, name := range []string{"address", "old_address"} {
		p := s.Properties[name]
		p.OneOf, p.Ref = []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, ""
	}
	return s
}
