package marketplace

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// What Go's types do not say of the JSON, said to OpenAPI: a json.Number is a number, whose fractions are ours to judge, and an
// object can be null.
var (
	_ huma.SchemaTransformer = offer.NewOffer{}
	_ huma.SchemaTransformer = offer.NewTransfer{}
	_ huma.SchemaTransformer = offer.Retraction{}
	_ huma.SchemaTransformer = MarketOffer{}
)

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
