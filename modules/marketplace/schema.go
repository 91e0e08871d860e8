package marketplace

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

// What Go types cannot say about JSON: a json.Number is a number, whose fractions are checked here, and an object can be null.
var (
	_ huma.SchemaTransformer = offer.NewOffer{}
	_ huma.SchemaTransformer = offer.NewTransfer{}
	_ huma.SchemaTransformer = offer.Retraction{}
	_ huma.SchemaTransformer = MarketOffer{}
)

// TransformSchema makes the addresses nullable, since only the owner gets them, and names myOffer for generators that would give it and
// my_offer the same name.
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
