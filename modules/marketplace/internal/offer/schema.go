package offer

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// Numbers makes the type of properties number.
func Numbers(s *huma.Schema, names ...string) *huma.Schema {
	for _, name := range names {
		s.Properties[name].Type = huma.TypeNumber
	}
	return s
}

// TransformSchema makes the numbers of shares and the price numbers.
func (NewOffer) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Numbers(s, "number_of_shares", "price")
}

// Retraction is a number of shares to retract from an offer.
type Retraction struct {
	Reference string      `json:"reference" doc:"Reference of the offer"`
	Shares    json.Number `json:"shares,omitempty" doc:"From 1 to the shares that are left; all of them when absent"`
}

// TransformSchema makes the number of shares a number.
func (Retraction) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Numbers(s, "shares")
}
