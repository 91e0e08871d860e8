// Package market shows the market to members: the offers that can be bought, personal offers, and the projects with the yield of a share.
package market

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
)

// codeSort is the error code for a field that the market cannot be sorted by.
const codeSort = "marketplace.sort_unknown"

// moduleSettings are the module settings that the market needs.
type moduleSettings struct {
	PageSize int `json:"page_size"` // 9-market-page-size
	Transfer struct {
		EarliestDays int `json:"earliest_days"`
	} `json:"transfer"`
}

// Service serves the market.
type Service struct {
	host   module.Host
	offers *offer.Service
	yields yields
}

// New returns the service for a host, which shows offers.
func New(h module.Host, offers *offer.Service) *Service { return &Service{host: h, offers: offers} }

// Routes registers the market operations.
func (s *Service) Routes(api huma.API) {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(api, operation.New(get, "/offers", "listOffers", "List the offers of other members",
		// 7.6-get-offers
		"For customers. Returns a page of the PUBLIC offers that can be bought, of one project or of all."), module.Customer, module.Read,
		s.listOffers)
	one := operation.New(get, "/offers/{id}", "getOffer", "Get an offer with its project",
		// 9-offer-page
		"For customers. An own offer, one that every member can buy, or one whose code the member has redeemed. Says what a share yielded in the last three calendar years and when an average year has earned its price back. Problem: 404 for any other offer, also one that has ended.")
	one.Errors = []int{http.StatusNotFound}
	module.Route(api, one, module.Customer, module.Read, s.getOffer)
	module.Route(api, operation.New(post, "/market", "searchMarket", "Search the market or the member's own offers",
		// 7.6-post-market
		"For customers. Returns a page in the order asked for. Problem: 400 sort_unknown."), module.Customer, module.Read, s.searchMarket)
	personal := operation.New(get, "/market", "personalMarket", "List the member's personal offers",
		// 7.6-get-personal-market
		"For customers. With personal=true the offers whose code the member has redeemed; otherwise the first page of the market. Problem: 404 when there are no personal offers, without empty=true.")
	personal.Errors = []int{http.StatusNotFound}
	module.Route(api, personal, module.Customer, module.Read, s.personalMarket)
	module.Route(api, operation.New(get, "/market/projects", "listMarketProjects", "List all projects with their number of offers",
		"For customers. Counts the offers of other members that can be bought, and says what a share yielded last year."),
		module.Customer, module.Read, s.marketProjects)
}

type listOffersInput struct {
	Project string `query:"project_code" maxLength:"64" doc:"Only offers of this project; absent: offers of all projects"`
	Page    int    `query:"page" minimum:"0" maximum:"10000" doc:"Number of the page, from 0"` // 9-market-page-base-reconcile
}

type pageAnswer struct {
	Body operation.PageOf[offer.MarketOffer]
}

func (s *Service) listOffers(ctx context.Context, in *listOffersInput) (*pageAnswer, error) {
	no := false
	if in.Project != "" {
		if _, err := project.Find(ctx, s.host.DB, in.Project); err != nil {
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

// search limits the market; without filters it returns all offers.
type search struct {
	Filters offerFilter `json:"filters,omitempty" required:"false" doc:"Which offers to return; absent: all"`
}

// offerFilter limits the offers of the market.
type offerFilter struct {
	Project string `json:"project_code,omitempty" maxLength:"64" doc:"Only offers of this project; absent: offers of all projects"`
	Mine    *bool  `json:"my_offer,omitempty" doc:"true: only the member's own offers, in any status; false: only offers of others"`
}

func (s *Service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
	what := search{}
	if in.Body != nil {
		what = *in.Body
	}
	return s.page(ctx, what.Filters, in.Page, in.Size, in.Sort)
}

// sortable maps the fields that the market can be sorted by to their columns.
var sortable = map[string]string{"price": "price", "projectName": "project_name", "date": "date", "shares": "left_shares"}

// sorted returns the columns of a sort order, followed by those of the default order (9-market-sort); nil if the market cannot be sorted
// by one of the fields.
func sorted(columns []string) (order []string) {
	var taken []string
	for _, a := range append(slices.Clone(columns), "price,asc", "projectName,asc") {
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

func (s *Service) page(ctx context.Context, f offerFilter, number, size int, sort []string) (*pageAnswer, error) {
	wide := module.Label(ctx, "the market shows the offers of all members")
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := module.Settings[moduleSettings](ctx)
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
	out := &pageAnswer{operation.NewPage[offer.MarketOffer](number, size, total)}
	out.Body.Content, err = s.offers.MarketOffers(ctx, offer.OwnedBy(rows.Relation()), found)
	return out, err
}

type personalInput struct {
	Personal bool `query:"personal" doc:"true: only offers whose code the member has redeemed"`
	Empty    bool `query:"empty" doc:"true: an empty list instead of 404 when there are no personal offers"`
}

type offersAnswer struct {
	Body []offer.MarketOffer `nullable:"false"`
}

// personalMarket lists the personal offers whose code the member has redeemed: those that can be bought, and those that open later
// (7.6-activation-effect). Without personal it returns the first page of the market.
func (s *Service) personalMarket(ctx context.Context, in *personalInput) (*offersAnswer, error) {
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
	err = s.host.DB.Find(ctx, all, &found,
		"AND buyer_relation = ? AND status IN (?, ?) AND type = ? AND left_shares > 0 ORDER BY price, project_name, id LIMIT 100",
		rows.Relation(), string(offer.Active), string(offer.Approved), offer.Direct)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && in.Empty {
		return &offersAnswer{[]offer.MarketOffer{}}, nil // browsers log a 404 as an error of the page (9-market-empty)
	}
	if len(found) == 0 {
		return nil, problem.ErrNotFound
	}
	offers, err := s.offers.MarketOffers(ctx, offer.OwnedBy(rows.Relation()), found)
	return &offersAnswer{offers}, err
}
