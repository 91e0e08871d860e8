package marketplace

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

func (s *service) offerRoutes() {
	const get, post = http.MethodGet, http.MethodPost
	s.marketRoutes()
	create := op(post, "/offers", "createOffer", "Create a public offer, or one redeemable by code",
		"For customers who may sell. The shares are offered at once; buyers see the offer when staff have approved it and its date has come. Problems: 400 by field; 403 access_pending; 422 key_reused.") // 7.6-post-offers
	create.DefaultStatus = http.StatusCreated
	create.SkipValidateBody = true // Check reports it by field
	module.Route(s.API, create, module.Customer, module.Write, s.createOffer)
	retract := op(post, "/offers/retract", "retractOffer", "Retract shares from the member's own offer",
		"For customers. Ends the offer when no shares are left. Problems: 400 shares_range; 404 for an offer of another member; 409 transition.") // 7.6-post-retract
	retract.SkipValidateBody = true
	module.Route(s.API, retract, module.Customer, module.Write, s.retractOffer)
	module.Route(s.API, op(get, "/staff/offers", "staffOffers", "List the offers of all members, newest first",
		"For staff and API keys. Returns a page of 25 offers as their sellers see them, with the seller."), module.APIKey, module.Read, s.staffOffers)

	decide := op(post, "", "decideChange", "Decide a change request",
		"For core, when staff or a back office decide. An offer is checked again first, and may be rejected in spite of an approval. Problem: 400 reason_unknown.")
	decide.Path = "/" + manifest.Key + "/changes/{id}/decide"
	module.Route(s.API, decide, module.Sibling, module.Write, s.decide)
}

type createInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Sending the same request again with the same key creates one offer"`
	Body offer.NewOffer
}

type offerAnswer struct{ Body MarketOffer }

// createOffer offers shares. They are no longer free at once; buyers see the offer when staff have approved it and its date has come
// (7.6-post-offers-status).
func (s *service) createOffer(ctx context.Context, in *createInput) (*offerAnswer, error) {
	return s.makeOffer(ctx, in.Key, in.Body, func(rows module.Rows) (*offer.Offer, error) { return s.newOffer(ctx, rows, in.Body) })
}

// makeOffer stores the offer of a request, once for an idempotency key.
func (s *service) makeOffer(ctx context.Context, key string, request any, of func(module.Rows) (*offer.Offer, error)) (*offerAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.market(ctx); err != nil {
		return nil, err
	}
	digest := digestOf(request)
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
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return s.placeOffer(ctx, tx, row) })
	switch {
	case errors.Is(err, errSent):
		sent, err := s.sentOffer(ctx, rows, key, digest)
		if err == nil && sent == nil {
			err = order.ErrKeyReused
		}
		return sent, err
	case errors.Is(err, ledger.ErrShares): // taken since the participation was read
		err = problem.Refuse(problem.FieldError{Field: "number_of_shares", Code: offer.CodeNotEnough})
	}
	if err != nil {
		return nil, err
	}
	return s.shownOffer(ctx, rows.Relation(), *row)
}

// sentOffer returns the offer that the same request created before; nil when there is none. It returns 422 when the key came with another
// request.
func (s *service) sentOffer(ctx context.Context, rows module.Rows, key, digest string) (*offerAnswer, error) {
	if key == "" {
		return nil, nil
	}
	row := offer.Offer{}
	err := s.host.DB.Find(ctx, rows, &row, "AND idempotency_key = ?", key)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case row.Digest != digest:
		return nil, order.ErrKeyReused
	}
	return s.shownOffer(ctx, rows.Relation(), row)
}

// newOffer checks the request of a seller and returns its offer. It reads the participation, its free shares and the price limits from the
// database.
func (s *service) newOffer(ctx context.Context, rows module.Rows, in offer.NewOffer) (*offer.Offer, error) {
	settings, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if in.BuyerEmail = strings.TrimSpace(in.BuyerEmail); in.Type == "" { // 7.6-post-offers-type-reconcile
		in.Type = offer.FormPublic
		if in.BuyerEmail != "" {
			in.Type = offer.FormPersonal
		}
	}
	p, project, err := s.offeredFrom(ctx, rows, in.Participation)
	if err != nil {
		return nil, err
	}
	today := s.today(ctx)
	wrong := in.Check(offer.Bounds{Free: p.Free(), Settings: project.Settings, Days: settings.Offer.MaxDaysAhead}, today)
	if in.ProjectCode != "" && p.ID != "" && in.ProjectCode != p.ProjectCode {
		wrong = append(wrong, problem.FieldError{Field: "project_code", Code: codeOtherProject})
	}
	if err := problem.Refuse(wrong...); err != nil {
		return nil, err
	}
	price, _ := offer.FloorPrice(in.Price)
	shares, _ := offer.SharesWithin(in.Shares, p.Free())
	on, _ := offer.DateWithin(in.Date, today, settings.Offer.MaxDaysAhead)
	row := s.offer(ctx, rows, p, project)
	row.Type, row.Price, row.Shares, row.Left, row.Date = offer.Public, price, shares, shares, on
	if in.Type == offer.FormPersonal { // 3-publication-type-mapping
		row.Type, row.BuyerEmail, row.Code = offer.Direct, in.BuyerEmail, offer.RandomString(offer.CodeLength)
		if hash, ok := offer.CodeHash(row.Code); ok {
			row.CodeHash = &hash
		}
	}
	return row, nil
}

// offeredFrom reads the participation that shares are offered from, with its project; both are empty without a name, which Check refuses.
func (s *service) offeredFrom(ctx context.Context, rows module.Rows, name string) (p ledger.Participation, project projectDocument, err error) {
	if name == "" {
		return p, project, nil
	}
	p, err = participation.Named(ctx, s.host.DB, rows, name)
	if errors.Is(err, problem.ErrNotFound) {
		err = problem.Refuse(problem.FieldError{Field: "participation_identifier", Code: codeParticipation})
	}
	if err == nil {
		project, err = projectOf(ctx, s.host.DB, p.ProjectCode)
	}
	return p, project, err
}

// offer returns the begin of an offer of a participation. The caller sets Type, Price, Shares, Left and Date, and placeOffer stores it.
func (s *service) offer(ctx context.Context, rows module.Rows, p ledger.Participation, project projectDocument) *offer.Offer {
	now := state.StoredTime(s.host.Now())
	return &offer.Offer{LabelKey: rows.Key(), ID: value.NewID(), Reference: offer.RandomString(8), RelationID: p.RelationID, ProjectCode: p.ProjectCode,
		ProjectName: project.Name, ParticipationID: p.ID, Status: offer.Created, Locale: module.ScopeOf(ctx).Locale, CreatedAt: now, UpdatedAt: now}
}

// FiledOffer is an offer that waits for staff: the data of its change.
type FiledOffer struct {
	Offer         string      `json:"offer" doc:"Id of the offer"`
	Reference     string      `json:"reference" doc:"Reference for people"`
	Type          string      `json:"offer_publication_type" doc:"PUBLIC, DIRECT or PRIVATE"`
	ProjectCode   string      `json:"project_code" doc:"Code of the project"`
	ProjectName   string      `json:"project_name" doc:"Name of the project"`
	Participation string      `json:"participation_identifier" doc:"Participation of the shares"`
	Shares        int64       `json:"shares" doc:"Number of shares on offer"`
	Price         value.Cents `json:"price_per_share" doc:"Price of a share in euros"`
	Date          value.Day   `json:"date" doc:"First day on which it can be bought"`
	BuyerEmail    string      `json:"buyer_email_address,omitempty" doc:"E-mail address of the only buyer; absent: none was named"`
}

// placeOffer stores an offer, makes its shares offered (ledger.ErrShares when not as many are free) and files the change that staff decide.
// It returns errSent when there is an offer with its idempotency key.
func (s *service) placeOffer(ctx context.Context, tx module.Tx, row *offer.Offer) error {
	if row.ChangeID == "" {
		row.ChangeID = value.NewID()
	}
	if err := offer.Insert(ctx, tx, row, errSent); err != nil {
		return err
	}
	err := ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID})
	if err != nil {
		return err
	}
	if err := s.fileOffer(ctx, tx, row); err != nil {
		return err
	}
	return offer.Publish(ctx, tx, row)
}

// fileOffer files the change by which staff approve the offer.
func (s *service) fileOffer(ctx context.Context, tx module.Tx, row *offer.Offer) error {
	parts, err := participation.ByID(ctx, tx, []string{row.ParticipationID})
	if err != nil {
		return err
	}
	data, err := json.Marshal(FiledOffer{Offer: row.ID, Reference: row.Reference, Type: row.Type, ProjectCode: row.ProjectCode, ProjectName: row.ProjectName,
		Participation: parts[row.ParticipationID].ParticipationIdentifier, Shares: row.Left, Price: row.Price, Date: row.Date, BuyerEmail: row.BuyerEmail})
	if err != nil {
		return err
	}
	_, err = tx.File(ctx, module.Change{ID: row.ChangeID, Relation: row.RelationID, Kind: kindOffer, Key: row.ID, Effective: row.Date, Data: data})
	return err
}

type retractInput struct{ Body offer.Retraction }

// retractOffer retracts shares from an offer of the member (7.6-retract-shares).
func (s *service) retractOffer(ctx context.Context, in *retractInput) (*offerAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var out offer.Offer
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row := offer.Offer{}
		err := rows.SelectForUpdate(tx, &row).Where("reference = ?", strings.TrimSpace(in.Body.Reference)).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return problem.ErrNotFound
		}
		if err != nil {
			return err
		}
		if !state.Allows(offer.Transitions, row.Status, offer.Revoked) || row.Left == 0 {
			return state.ErrTransition
		}
		n := row.Left
		if in.Body.Shares != "" {
			var code string
			if n, code = offer.SharesWithin(in.Body.Shares, row.Left); code != "" {
				return problem.Refuse(problem.FieldError{Field: "shares", Code: codeSharesRange})
			}
		}
		out = row
		return s.retract(ctx, tx, &out, n)
	})
	if err != nil {
		return nil, err
	}
	return s.shownOffer(ctx, rows.Relation(), out)
}

// retract retracts n shares of an offer, which is locked.
func (s *service) retract(ctx context.Context, tx module.Tx, row *offer.Offer, n int64) error {
	to := row.Retracted(n)
	if to != row.Status {
		if err := state.Next(offer.Transitions, row.Status, to); err != nil {
			return err
		}
	}
	if row.Status == offer.Created { // the change of what was offered is decided; a new one follows below for what is left
		if _, err := tx.Decide(ctx, module.Decision{ID: row.ChangeID, State: module.Rejected, By: "customer", Reason: string(offer.Revoked)}); err != nil {
			return err
		}
	}
	if row.Left -= n; to != offer.Revoked { // an offer that has ended keeps its number of shares
		row.Shares -= n
	}
	row.UpdatedAt = state.StoredTime(s.host.Now())
	if to == offer.Created {
		row.ChangeID = value.NewID()
		if err := s.fileOffer(ctx, tx, row); err != nil {
			return err
		}
	}
	if err := offer.Save(ctx, tx, row, to); err != nil {
		return err
	}
	if err := ledger.Retract(ctx, tx, row.UpdatedAt, ledger.Lot{Participation: row.ParticipationID, Shares: n, Ref: row.ID}); err != nil {
		return err
	}
	return offer.Publish(ctx, tx, row)
}

// decide decides a change of this module. It judges an offer again first: one that no longer meets the rules is rejected, whatever staff
// decided (4-rejection-triggers).
func (s *service) decide(ctx context.Context, in *module.DecideInput) (*module.DecideOutput, error) {
	out := &module.DecideOutput{}
	err := s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		d := module.Decision{ID: in.ID, State: in.Body.State, By: in.Body.By, Reason: in.Body.Reason}
		row, err := offer.LockByChange(ctx, tx, in.ID)
		if err != nil && !errors.Is(err, problem.ErrNotFound) {
			return err
		}
		if err == nil && row.Status == offer.Created {
			if d, err = s.judged(ctx, tx, row, d); err != nil {
				return err
			}
		}
		out.Body, err = module.Decide(ctx, tx, d, s.decided)
		return err
	})
	return out, err
}

func (s *service) judged(ctx context.Context, tx module.Tx, row offer.Offer, d module.Decision) (module.Decision, error) {
	if d.State == module.Rejected {
		return d, problem.Refuse(offer.CheckReason(d.Reason)...)
	}
	projects, err := projectsBy(ctx, tx, []string{row.ProjectCode})
	if err != nil {
		return d, err
	}
	parts, err := participation.ByID(ctx, tx, []string{row.ParticipationID})
	if err != nil {
		return d, err
	}
	known := 0
	p := parts[row.ParticipationID]
	if p.RelationID == row.RelationID {
		known = 1
	}
	if reason := offer.Judge(known, p.Offered >= row.Left, offer.Selling(projects[row.ProjectCode].Settings, s.today(ctx))); reason != "" {
		d.State, d.Reason = module.Rejected, reason
	}
	return d, nil
}

// offerDecided stores the decision of staff on an offer. A retraction decides the change itself, so there is nothing left to do then.
func (s *service) offerDecided(ctx context.Context, tx module.Tx, c module.Change) error {
	row, err := offer.Lock(ctx, tx, c.Key)
	if err != nil {
		return err
	}
	row.UpdatedAt = state.StoredTime(s.host.Now())
	tell0 := notice.Notice{Kind: notice.OfferApproved, Relation: row.RelationID, Type: row.Type, Reference: row.Reference, Project: row.ProjectName, Shares: row.Left,
		Price: row.Price, Day: row.Date}
	if c.State == module.Rejected {
		n := row.Left
		row.RejectionReason, row.Left = c.Reason, 0
		if err := offer.Save(ctx, tx, &row, offer.Rejected); err != nil {
			return err
		}
		err := ledger.Retract(ctx, tx, row.UpdatedAt, ledger.Lot{Participation: row.ParticipationID, Shares: n, Ref: row.ID, Reason: c.Reason})
		if err != nil {
			return err
		}
		tell0.Kind, tell0.Reason = notice.OfferRejected, c.Reason
		return errors.Join(offer.Publish(ctx, tx, &row), notice.Send(ctx, tx, tell0))
	}
	if err := offer.Save(ctx, tx, &row, offer.Approved); err != nil {
		return err
	}
	if err := errors.Join(offer.Publish(ctx, tx, &row), notice.Send(ctx, tx, tell0)); err != nil {
		return err
	}
	if row.Type == offer.Direct {
		err := notice.Send(ctx, tx, notice.Notice{Kind: notice.OfferCode, Offer: row.ID, Project: row.ProjectName, Shares: row.Left, Price: row.Price})
		if err != nil {
			return err
		}
	}
	if !row.Date.After(s.today(ctx)) {
		return s.activate(ctx, tx, &row)
	}
	data, err := json.Marshal(marketplaceapi.OfferDue{Offer: row.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventOfferDue, Key: row.ID, Due: row.Date.In(state.Zone(ctx)), Data: data})
}

// activate makes an APPROVED offer, which is locked, ACTIVE. The shares of a transfer are then transferred.
func (s *service) activate(ctx context.Context, tx module.Tx, row *offer.Offer) error {
	row.UpdatedAt = state.StoredTime(s.host.Now())
	if err := offer.Save(ctx, tx, row, offer.Active); err != nil {
		return err
	}
	if err := offer.Publish(ctx, tx, row); err != nil {
		return err
	}
	if row.Type == offer.Private {
		return module.Publish(ctx, tx, marketplaceapi.EventTransferDue, row.ID, marketplaceapi.OfferDue{Offer: row.ID})
	}
	return nil
}

// offerDue activates an offer on its date.
func (s *service) offerDue(ctx context.Context, e module.Event) error {
	var due marketplaceapi.OfferDue
	if err := json.Unmarshal(e.Data, &due); err != nil {
		return err
	}
	return s.activateDue(ctx, due.Offer)
}

func (s *service) activateDue(ctx context.Context, id string) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		row, err := offer.Lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if row.Status != offer.Approved || row.Date.After(s.today(ctx)) { // activated before, retracted, or the clock was set back
			return nil
		}
		return s.activate(ctx, tx, &row)
	})
}

// sweepOffers activates the offers whose event was lost.
func (s *service) sweepOffers(ctx context.Context) error {
	rows := module.Label(ctx, "a job opens the offers of all members")
	var due []offer.Offer
	if err := s.host.DB.Find(ctx, rows, &due, "AND status = ? AND date <= ? ORDER BY date, id LIMIT 500", string(offer.Approved), s.today(ctx).String()); err != nil {
		return err
	}
	var failed error
	for _, row := range due {
		failed = errors.Join(failed, s.activateDue(ctx, row.ID))
	}
	return failed
}

// today returns the day in the label's zone.
func (s *service) today(ctx context.Context) value.Day { return module.Today(ctx, s.host.Now()) }
