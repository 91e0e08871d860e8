package offer

import (
	"cmp"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
)

// MarketOffer is an offer as the market shows it (3-market-offer-fields).
type MarketOffer struct {
	Reference     string                 `json:"reference" doc:"Human-readable reference"`
	Identifier    string                 `json:"identifier" doc:"Id of the offer in requests"`
	Date          value.Day              `json:"date" doc:"First day on which the offer can be bought"`
	ProjectCode   string                 `json:"project_code" doc:"Code of the project"`
	ProjectName   string                 `json:"project_name" doc:"Name of the project"`
	ProjectType   string                 `json:"project_type" doc:"WIND is a wind project, any other a solar one"`
	ProjectEnd    *value.Day             `json:"project_end_date" nullable:"true" doc:"Last day of the project; null: unknown"`
	Place         string                 `json:"place" doc:"Place of the project"`
	Shares        int64                  `json:"shares" doc:"Shares that can be bought or retracted; once the offer has ended, all that were offered"`
	Offered       int64                  `json:"shares_offered" doc:"All shares of the offer"`
	Sold          int64                  `json:"shares_sold" doc:"Shares that are paid"`
	Price         value.Cents            `json:"price_per_share" doc:"Price of a share in euros"`
	Status        string                 `json:"status" doc:"CREATED, APPROVED, AVAILABLE, RESERVED, COMPLETED, TRANSFERRED or CLOSED"`
	Rejection     string                 `json:"rejection_reason" doc:"For the owner: why the offer was rejected"`
	Seller        string                 `json:"seller" enum:"PROJECT,MEMBER,UNKNOWN" doc:"PROJECT: the owner of the project sells; MEMBER: another member; UNKNOWN: the back office sent no owner. The identity of the member is never disclosed"`
	Private       bool                   `json:"private_offer" doc:"Whether the offer is not for every member: its type is DIRECT or PRIVATE"`
	Type          string                 `json:"offer_publication_type" enum:"PUBLIC,DIRECT,PRIVATE" doc:"PUBLIC: for every member; DIRECT: redeemed by a code; PRIVATE: a transfer free of charge"`
	Code          string                 `json:"direct_offer_code" doc:"For the owner: the code of a DIRECT offer"`
	Participation string                 `json:"participation_identifier" doc:"For the owner: participation of the shares"`
	Address       *participation.Address `json:"address" doc:"For the owner: address of the shares"`
	OldAddress    *participation.Address `json:"old_address" doc:"For the owner: address of the shares before a transfer"`
	Mine          bool                   `json:"my_offer" doc:"Whether the caller is the seller"`
	MineToo       bool                   `json:"myOffer" doc:"Same as my_offer"` // 3-market-offer-my-offer-alias
}

// marketOffer returns an offer as its owner or another member sees it; p is nil when its participation is unknown.
func marketOffer(o Offer, mine bool, d project.Document, p *ledger.Participation, at *participation.Address) MarketOffer {
	m := MarketOffer{Reference: o.Reference, Identifier: o.ID, Date: o.Date, ProjectCode: o.ProjectCode,
		ProjectName: cmp.Or(d.Name, o.ProjectName), ProjectType: d.Type, ProjectEnd: participation.Optional(d.End), Place: d.Place,
		Shares: o.Left, Offered: o.Shares, Sold: o.Held + o.Transferred, Price: o.Price, Status: o.ItemStatus(), Private: o.Type != Public,
		Type: o.Type, Mine: mine, Seller: sellerOf(o, d)}
	if o.Status == Sold || o.Status == Rejected || o.Status == Revoked {
		m.Shares = o.Shares
	}
	m.MineToo = m.Mine
	if !m.Mine {
		return m
	}
	m.Rejection, m.Code, m.Address, m.OldAddress = o.RejectionReason, o.Code, at, at
	if p != nil {
		m.Participation = p.ParticipationIdentifier
	}
	return m
}

// Seller kinds (9-offer-seller).
const (
	sellerProject = "PROJECT"
	sellerMember  = "MEMBER"
	sellerUnknown = "UNKNOWN"
)

// sellerOf returns the kind of seller of an offer in a project.
func sellerOf(o Offer, d project.Document) string {
	switch d.Owner {
	case "":
		return sellerUnknown
	case o.RelationID:
		return sellerProject
	}
	return sellerMember
}

// TransformSchema makes the addresses nullable, because only the owner gets them, and renames myOffer for code generators that would give
// it and my_offer the same name.
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
