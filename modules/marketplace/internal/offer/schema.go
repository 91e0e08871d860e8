package offer

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// Numbers changes the type of properties to number.
func Numbers(s *huma.Schema, names ...string) *huma.Schema {
	for _, name := range names {
		s.Properties[name].Type = huma.TypeNumber
	}
	return s
}

// TransformSchema changes the type of the numbers of shares and the price to number.
func (NewOffer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Numbers(s, "number_of_shares", "price")
}

// Retraction is a number of shares to retract from an offer.
type Retraction struct {
	Reference string      `json:"reference" doc:"Reference of the offer"`
	Shares    json.Number `json:"shares,omitempty" doc:"From 1 to the number of shares that are left; absent: all of them"`
}

// TransformSchema changes the type of the number of shares to number.
func (Retraction) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Numbers(s, "shares")
}
