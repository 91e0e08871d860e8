package marketplace

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func (s *service) marketRoutes() {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(s.API, op(get, "/offers", "listOffers", "Offers of others that can be bought, a page at a time"), module.Customer, module.Read, s.listOffers) // 7.6-get-offers
	module.Route(s.API, op(post, "/market", "searchMarket", "A page of the market, or of one's own offers"), module.Customer, module.Read, s.searchMarket)     // 7.6-post-market
	personal := op(get, "/market", "personalMarket", "Personal offers to the member; 404 when there are none")                                                 // 7.6-get-personal-market
	personal.Errors = []int{http.StatusNotFound}
	module.Route(s.API, personal, module.Customer, module.Read, s.personalMarket)
}

// seen is an offer as the caller sees it.
func (s *service) seen(ctx context.Context, viewer string, row offerRow) (*offerAnswer, error) {
	all, err := s.marketOffers(ctx, owned(viewer), []offerRow{row})
	if err != nil {
		return nil, err
	}
	return &offerAnswer{all[0]}, nil
}

// owned says which offers are those of a relation.
func owned(by string) func(offerRow) bool {
	return func(o offerRow) bool { return o.RelationID == by }
}

// marketOffers are offers as somebody sees them to whom those of mine are his own.
func (s *service) marketOffers(ctx context.Context, mine func(offerRow) bool, rows []offerRow) ([]MarketOffer, error) {
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
	own, err := participationsBy(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	out := make([]MarketOffer, len(rows))
	for i, r := range rows {
		var p *ledger.Participation
		var at *Address
		if row, ok := own[r.ParticipationID]; ok {
			d, err := documentOf(row)
			if err != nil {
				return nil, err
			}
			p, at = &row, &d.Address
		}
		out[i] = r.market(mine(r), projects[r.ProjectCode], p, at)
	}
	return out, nil
}

type listOffersInput struct {
	Project string `query:"project_code" maxLength:"64"`
	Page    int    `query:"page" minimum:"0" maximum:"10000" doc:"From 0 on"` // 9-market-page-base-reconcile
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
	Page int      `query:"page" minimum:"0" maximum:"10000" doc:"From 0 on"`
	Size int      `query:"size" minimum:"0" maximum:"100" doc:"0 or absent: the label's"`
	Sort []string `query:"sort,explode" maxItems:"4" doc:"price, projectName, date or shares with ,asc or ,desc; by default price,asc and projectName,asc"`
	Body *search
}

// search narrows the market; absent, it is all of it.
type search struct {
	Filters offerFilter `json:"filters,omitempty" required:"false"`
}

// offerFilter narrows the market.
type offerFilter struct {
	Project string `json:"project_code,omitempty" maxLength:"64"`
	Mine    *bool  `json:"my_offer,omitempty" doc:"true: only one's own, whatever became of them; false: only those of others"`
}

func (s *service) searchMarket(ctx context.Context, in *searchInput) (*pageAnswer, error) {
	what := search{}
	if in.Body != nil {
		what = *in.Body
	}
	return s.page(ctx, what.Filters, in.Page, in.Size, in.Sort)
}

// sortable are what the market can be sorted by.
var sortable = map[string]string{"price": "price", "projectName": "project_name", "date": "date", "shares": "left_shares"}

// Sorted is an order of the market: its columns, with the default after what was asked for (9-market-sort), or an empty one for what
// it cannot be sorted by.
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
	var found []offerRow
	var q *bun.SelectQuery
	switch {
	case f.Mine != nil && *f.Mine:
		q = rows.Select(s.host.DB, &found)
	default:
		q = wide.Select(s.host.DB, &found).Where("o.type = ? AND o.status = ? AND o.left_shares > 0", typePublic, offerActive)
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
	Personal bool `query:"personal" doc:"true: those that the member has redeemed the code of"`
}

type offersAnswer struct {
	Body []MarketOffer `nullable:"false"`
}

// personalMarket are the personal offers that the member has redeemed the code of: those that can be bought, and those whose day is
// still to come (7.6-activation-effect). Without personal it is the first page of the market.
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
	var found []offerRow
	err = s.host.DB.Find(ctx, all, &found, "AND buyer_relation = ? AND status IN (?, ?) AND type = ? AND left_shares > 0 ORDER BY price, project_name, id LIMIT 100",
		rows.Relation(), string(offerActive), string(offerApproved), typeDirect)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, problem.ErrNotFound
	}
	offers, err := s.marketOffers(ctx, owned(rows.Relation()), found)
	return &offersAnswer{offers}, err
}
