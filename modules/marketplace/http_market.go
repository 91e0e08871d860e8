package marketplace

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

func (s *service) marketRoutes() {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(s.API, op(get, "/offers", "listOffers", "List the offers of other members",
		"For customers. Returns a page of the PUBLIC offers that can be bought, of one project or of all."), module.Customer, module.Read, s.listOffers) // 7.6-get-offers
	module.Route(s.API, op(post, "/market", "searchMarket", "Search the market or the member's own offers",
		"For customers. Returns a page in the order asked for. Problem: 400 sort_unknown."), module.Customer, module.Read, s.searchMarket) // 7.6-post-market
	personal := op(get, "/market", "personalMarket", "List the member's personal offers",
		"For customers. With personal=true the offers whose code the member has redeemed; otherwise the first page of the market. Problem: 404 when there are no personal offers, without empty=true.") // 7.6-get-personal-market
	personal.Errors = []int{http.StatusNotFound}
	module.Route(s.API, personal, module.Customer, module.Read, s.personalMarket)
}

// shownOffer returns an offer as the caller sees it.
func (s *service) shownOffer(ctx context.Context, viewer string, row offer.Offer) (*offerAnswer, error) {
	all, err := s.marketOffers(ctx, owned(viewer), []offer.Offer{row})
	if err != nil {
		return nil, err
	}
	return &offerAnswer{all[0]}, nil
}

// owned returns whether an offer is that of a relation.
func owned(by string) func(offer.Offer) bool {
	return func(o offer.Offer) bool { return o.RelationID == by }
}

// marketOffers returns offers as the market shows them, with the fields for their owner where mine is true.
func (s *service) marketOffers(ctx context.Context, mine func(offer.Offer) bool, rows []offer.Offer) ([]MarketOffer, error) {
	codes, ids := make([]string, len(rows)), []string{}
	for i, r := range rows {
		if codes[i] = r.ProjectCode; mine(r) {
			ids = append(ids, r.ParticipationID)
		}
	}
	db := s.host.DB
	projects, err := projectsBy(ctx, db, codes)
	if err != nil {
		return nil, err
	}
	own, err := participation.ByID(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	out := make([]MarketOffer, len(rows))
	for i, r := range rows {
		var p *ledger.Participation
		var at *participation.Address
		if row, ok := own[r.ParticipationID]; ok {
			d, err := participation.DocumentOf(row)
			if err != nil {
				return nil, err
			}
			p, at = &row, &d.Address
		}
		out[i] = marketOffer(r, mine(r), projects[r.ProjectCode], p, at)
	}
	return out, nil
}

type listOffersInput struct {
	Project string `query:"project_code" maxLength:"64" doc:"Only offers of this project; absent: of all"`
	Page    int    `query:"page" minimum:"0" maximum:"10000" doc:"Number of the page, from 0"` // 9-market-page-base-reconcile
}

type pageAnswer struct{ Body pageOf[MarketOffer] }

func (s *service) listOffers(ctx context.Context, in *listOffersInput) (*pageAnswer, error) {
	no := false
	if in.Project != "" {
		if _, err := projectOf(ctx, s.host.DB, in.Project); err != nil {
			return nil, err
		}
	}
	return s.page(ctx, offerFilter{Project: in.Project, Mine: &no}, in.Page, 0, nil)
}

type searchInput struct {
	Page int      `query:"page" minimum:"0" maximum:"10000" doc:"Number of the page, from 0"`
	Size int      `query:"size" minimum:"0" maximum:"100" doc:"Offers on a page; 0 or absent: the label's setting"`
	Sort []string `query:"sort,explode" maxItems:"4" doc:"price, projectName, date or shares, each with ,asc or ,desc; by default price,asc and projectName,asc"`
	Body *search
}

// search limits the market; absent: all offers.
type search struct {
	Filters offerFilter `json:"filters,omitempty" required:"false" doc:"Which offers to return; absent: all"`
}

// offerFilter limits the offers of the market.
type offerFilter struct {
	Project string `json:"project_code,omitempty" maxLength:"64" doc:"Only offers of this project; absent: of all"`
	Mine    *bool  `json:"my_offer,omitempty" doc:"true: only the member's own offers, in any status; false: only offers of others"`
}

func (s *service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
	what := search{}
	if in.Body != nil {
		what = *in.Body
	}
	return s.page(ctx, what.Filters, in.Page, in.Size, in.Sort)
}

// sortable are the fields that the market can be sorted by, with their columns.
var sortable = map[string]string{"price": "price", "projectName": "project_name", "date": "date", "shares": "left_shares"}

// sorted returns the columns of a sort order, followed by those of the default (9-market-sort); nil for a field that the market cannot be
// sorted by.
func sorted(asked []string) (order []string) {
	var taken []string
	for _, a := range append(slices.Clone(asked), "price,asc", "projectName,asc") {
		name, way, _ := strings.Cut(a, ",")
		column, ok := sortable[name]
		if way = strings.ToLower(way); !ok || way != "" && way != "asc" && way != "desc" {
			return nil
		}
		if slices.Contains(taken, column) {
			continue
		}
		if taken = append(taken, column); way == "" {
			way = "asc"
		}
		order = append(order, "o."+column+" "+way)
	}
	return append(order, "o.id asc")
}

func (s *service) page(ctx context.Context, f offerFilter, number, size int, sort []string) (*pageAnswer, error) {
	wide := module.Label(ctx, "the market shows the offers of all members")
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if size <= 0 {
		size = settings.PageSize // 9-market-page-size
	}
	order := sorted(sort)
	if order == nil {
		return nil, problem.Refuse(problem.FieldError{Field: "sort", Code: codeSort})
	}
	var found []offer.Offer
	var q *bun.SelectQuery
	switch {
	case f.Mine != nil && *f.Mine:
		q = rows.Select(s.host.DB, &found)
	default:
		q = wide.Select(s.host.DB, &found).Where("o.type = ? AND o.status = ? AND o.left_shares > 0", offer.Public, offer.Active)
		if f.Mine != nil {
			q = q.Where("o.relation_id <> ?", rows.Relation())
		}
	}
	if f.Project != "" {
		q = q.Where("o.project_code = ?", f.Project)
	}
	total, err := q.OrderExpr(strings.Join(order, ", ")).Limit(int64(size)).Offset(int64(number * size)).ScanAndCount(ctx)
	if err != nil {
		return nil, err
	}
	out := &pageAnswer{newPage[MarketOffer](number, size, total)}
	out.Body.Content, err = s.marketOffers(ctx, owned(rows.Relation()), found)
	return out, err
}

type personalInput struct {
	Personal bool `query:"personal" doc:"true: only offers whose code the member has redeemed"`
	Empty    bool `query:"empty" doc:"true: an empty list instead of 404 when there are no personal offers"`
}

type offersAnswer struct {
	Body []MarketOffer `nullable:"false"`
}

// personalMarket lists the personal offers whose code the member has redeemed: those that can be bought, and those before their date
// (7.6-activation-effect). Without personal it returns the first page of the market.
func (s *service) personalMarket(ctx context.Context, in *personalInput) (*offersAnswer, error) {
	all := module.Label(ctx, "a personal offer belongs to its seller, its buyer is the caller")
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if !in.Personal {
		no := false
		page, err := s.page(ctx, offerFilter{Mine: &no}, 0, 0, nil)
		if err != nil {
			return nil, err
		}
		return &offersAnswer{page.Body.Content}, nil
	}
	var found []offer.Offer
	err = s.host.DB.Find(ctx, all, &found, "AND buyer_relation = ? AND status IN (?, ?) AND type = ? AND left_shares > 0 ORDER BY price, project_name, id LIMIT 100",
		rows.Relation(), string(offer.Active), string(offer.Approved), offer.Direct)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && in.Empty {
		return &offersAnswer{[]MarketOffer{}}, nil // a browser reports a 404 as an error of the page (9-market-empty)
	}
	if len(found) == 0 {
		return nil, problem.ErrNotFound
	}
	offers, err := s.marketOffers(ctx, owned(rows.Relation()), found)
	return &offersAnswer{offers}, err
}

// MarketOffer is an offer as the market shows it (3-market-offer-fields).
type MarketOffer struct {
	Reference     string                 `json:"reference" doc:"Reference for people"`
	Identifier    string                 `json:"identifier" doc:"Id of the offer in requests"`
	Date          value.Day              `json:"date" doc:"First day on which it can be bought"`
	ProjectCode   string                 `json:"project_code" doc:"Code of the project"`
	ProjectName   string                 `json:"project_name" doc:"Name of the project"`
	ProjectType   string                 `json:"project_type" doc:"WIND is a wind project, any other a solar one"`
	ProjectEnd    *value.Day             `json:"project_end_date" nullable:"true" doc:"Last day of the project; null: not known"`
	Place         string                 `json:"place" doc:"Place of the project"`
	Shares        int64                  `json:"shares" doc:"Shares that can be bought or retracted; all that were offered once the offer has ended"`
	Offered       int64                  `json:"shares_offered" doc:"All shares of the offer"`
	Sold          int64                  `json:"shares_sold" doc:"Shares that are paid"`
	Price         value.Cents            `json:"price_per_share" doc:"Price of a share in euros"`
	Status        string                 `json:"status" doc:"CREATED, APPROVED, AVAILABLE, RESERVED, COMPLETED, TRANSFERRED or CLOSED"`
	Rejection     string                 `json:"rejection_reason" doc:"For the owner: why the offer was rejected"`
	Private       bool                   `json:"private_offer" doc:"Whether it is not for every member: its type is DIRECT or PRIVATE"`
	Type          string                 `json:"offer_publication_type" enum:"PUBLIC,DIRECT,PRIVATE" doc:"PUBLIC: for every member; DIRECT: redeemed by a code; PRIVATE: a transfer for nothing"`
	Code          string                 `json:"direct_offer_code" doc:"For the owner: the code of a DIRECT offer"`
	Participation string                 `json:"participation_identifier" doc:"For the owner: participation of the shares"`
	Address       *participation.Address `json:"address" doc:"For the owner: address of the shares"`
	OldAddress    *participation.Address `json:"old_address" doc:"For the owner: address of the shares before a transfer"`
	Mine          bool                   `json:"my_offer" doc:"Whether the caller is the seller"`
	MineToo       bool                   `json:"myOffer" doc:"Same as my_offer"` // 3-market-offer-my-offer-alias
}

// marketOffer returns an offer as its owner or another member sees it; p is nil when its participation is unknown.
func marketOffer(o offer.Offer, mine bool, project projectDocument, p *ledger.Participation, at *participation.Address) MarketOffer {
	m := MarketOffer{Reference: o.Reference, Identifier: o.ID, Date: o.Date, ProjectCode: o.ProjectCode, ProjectName: cmp.Or(project.Name, o.ProjectName),
		ProjectType: project.Type, ProjectEnd: participation.Optional(project.End), Place: project.Place, Shares: o.Left, Offered: o.Shares, Sold: o.Held + o.Transferred,
		Price: o.Price, Status: o.ItemStatus(), Private: o.Type != offer.Public, Type: o.Type, Mine: mine}
	if o.Status == offer.Sold || o.Status == offer.Rejected || o.Status == offer.Revoked {
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
