package offer

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Settings limit the date of an offer (5.7-offer-date-horizon).
type Settings struct {
	MaxDaysAhead int `json:"max_days_ahead" browser:"true" doc:"Maximum number of days ahead that an offer can open for sale"`
}

// moduleSettings are the module settings that offers need.
type moduleSettings struct {
	Offer Settings `json:"offer"`
}

// Service serves and imports offers, applies the decisions of staff on them, and opens them on their dates.
type Service struct {
	host   module.Host
	access *access.Service
}

// New returns the service for a host. Only members with access may trade.
func New(h module.Host, access *access.Service) *Service { return &Service{h, access} }

// Routes registers the offer operations.
func (s *Service) Routes(api huma.API) {
	const get, post = http.MethodGet, http.MethodPost
	create := operation.New(post, "/offers", "createOffer", "Create a public offer, or one redeemable by code",
		// 7.6-post-offers
		"For customers who may sell. The shares are offered at once; buyers see the offer when staff have approved it and its date has come. Problems: 400 by field; 403 access_pending; 422 key_reused.")
	create.DefaultStatus = http.StatusCreated
	create.SkipValidateBody = true // Check reports errors by field
	module.Route(api, create, module.Customer, module.Write, s.createOffer)
	retract := operation.New(post, "/offers/retract", "retractOffer", "Retract shares from the member's own offer",
		// 7.6-post-retract
		"For customers. Ends the offer when no shares are left. Problems: 400 shares_range; 404 for an offer of another member; 409 transition.")
	retract.SkipValidateBody = true
	module.Route(api, retract, module.Customer, module.Write, s.retractOffer)
	module.Route(api, operation.New(post, "/activation/direct/{id}", "activateOffer", "Redeem the code of a personal offer",
		// 7.6-post-activation
		"For customers. The offer is then one of the member's personal offers. Problems: 400 code_invalid; 404 code_unknown; 429 after 60 in an hour."), module.Customer, module.Write, s.activateOffer)
	module.Route(api, operation.New(get, "/staff/offers", "staffOffers", "List the offers of all members, newest first",
		"For staff and API keys. Returns a page of 25 offers as their sellers see them, with the seller."),
		module.APIKey, module.Read, s.staffOffers)
}

type createInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Sending the same request again with the same key creates one offer"`
	Body NewOffer
}

// Answer is an offer as the caller sees it.
type Answer struct{ Body MarketOffer }

// createOffer offers shares. The shares are no longer free immediately; buyers see the offer when staff have approved it and its date has
// been reached (7.6-post-offers-status).
func (s *Service) createOffer(ctx context.Context, in *createInput) (*Answer, error) {
	return s.Make(ctx, in.Key, in.Body, func(rows module.Rows) (*Offer, error) { return s.newOffer(ctx, rows, in.Body) })
}

// Make stores the offer of a request, only once for an idempotency key.
func (s *Service) Make(ctx context.Context, key string, request any, of func(module.Rows) (*Offer, error)) (*Answer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.access.RequireTrade(ctx); err != nil {
		return nil, err
	}
	digest := operation.Digest(request)
	if sent, err := s.sentOffer(ctx, rows, key, digest); err != nil || sent != nil {
		return sent, err
	}
	row, err := of(rows)
	if err != nil {
		return nil, err
	}
	if row.Digest = digest; key != "" {
		row.IdempotencyKey = &key
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return s.place(ctx, tx, row) })
	switch {
	case errors.Is(err, operation.ErrSent):
		sent, err := s.sentOffer(ctx, rows, key, digest)
		if err == nil && sent == nil {
			err = operation.ErrKeyReused
		}
		return sent, err
	case errors.Is(err, ledger.ErrShares): // the shares were taken after the participation was read
		err = problem.Refuse(problem.FieldError{Field: "number_of_shares", Code: CodeNotEnough})
	}
	if err != nil {
		return nil, err
	}
	return s.shownOffer(ctx, rows.Relation(), *row)
}

// sentOffer returns the offer that the same request created before; nil when there is none. It returns 422 when the key was used for
// another request.
func (s *Service) sentOffer(ctx context.Context, rows module.Rows, key, digest string) (*Answer, error) {
	if key == "" {
		return nil, nil
	}
	row := Offer{}
	err := s.host.DB.Find(ctx, rows, &row, "AND idempotency_key = ?", key)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case row.Digest != digest:
		return nil, operation.ErrKeyReused
	}
	return s.shownOffer(ctx, rows.Relation(), row)
}

// shownOffer returns an offer as the caller sees it.
func (s *Service) shownOffer(ctx context.Context, viewer string, row Offer) (*Answer, error) {
	all, err := s.MarketOffers(ctx, OwnedBy(viewer), []Offer{row})
	if err != nil {
		return nil, err
	}
	return &Answer{all[0]}, nil
}

// OwnedBy returns a function that reports whether an offer belongs to a relation.
func OwnedBy(by string) func(Offer) bool {
	return func(o Offer) bool { return o.RelationID == by }
}

// MarketOffers returns offers as the market shows them, including the owner's fields where mine returns true.
func (s *Service) MarketOffers(ctx context.Context, mine func(Offer) bool, rows []Offer) ([]MarketOffer, error) {
	codes, ids := make([]string, len(rows)), []string{}
	for i, r := range rows {
		if codes[i] = r.ProjectCode; mine(r) {
			ids = append(ids, r.ParticipationID)
		}
	}
	db := s.host.DB
	projects, err := project.ByCode(ctx, db, codes)
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

type retractInput struct{ Body Retraction }

// retractOffer retracts shares from an offer of the calling member (7.6-retract-shares).
func (s *Service) retractOffer(ctx context.Context, in *retractInput) (*Answer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var out Offer
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row := Offer{}
		err := rows.SelectForUpdate(tx, &row).Where("reference = ?", strings.TrimSpace(in.Body.Reference)).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return problem.ErrNotFound
		}
		if err != nil {
			return err
		}
		if !state.Allows(Transitions, row.Status, Revoked) || row.Left == 0 {
			return state.ErrTransition
		}
		n := row.Left
		if in.Body.Shares != "" {
			var code string
			if n, code = SharesWithin(in.Body.Shares, row.Left); code != "" { // 5.7-shares-clamp
				return problem.Refuse(problem.FieldError{Field: "shares", Code: CodeSharesRange})
			}
		}
		out = row
		return s.Retract(ctx, tx, &out, n)
	})
	if err != nil {
		return nil, err
	}
	return s.shownOffer(ctx, rows.Relation(), out)
}
