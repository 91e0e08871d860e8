package offer

import (
	"context"
	"errors"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// newOffer checks the request of a seller and returns its offer. It reads the participation, its free shares and the price limits from the
// database.
func (s *Service) newOffer(ctx context.Context, rows module.Rows, in NewOffer) (*Offer, error) {
	settings, err := module.Settings[moduleSettings](ctx)
	if err != nil {
		return nil, err
	}
	if in.BuyerEmail = strings.TrimSpace(in.BuyerEmail); in.Type == "" { // 7.6-post-offers-type-reconcile
		in.Type = FormPublic
		if in.BuyerEmail != "" {
			in.Type = FormPersonal
		}
	}
	p, d, err := s.OfferedFrom(ctx, rows, in.Participation)
	if err != nil {
		return nil, err
	}
	today := module.Today(ctx, s.host.Now())
	fieldErrors := in.Check(Bounds{Free: p.Free(), Settings: d.Settings, Days: settings.Offer.MaxDaysAhead}, today)
	if in.ProjectCode != "" && p.ID != "" && in.ProjectCode != p.ProjectCode {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "project_code", Code: participation.CodeOtherProject})
	}
	if err := problem.Refuse(fieldErrors...); err != nil {
		return nil, err
	}
	price, _ := FloorPrice(in.Price)
	shares, _ := SharesWithin(in.Shares, p.Free())
	on, _ := DateWithin(in.Date, today, settings.Offer.MaxDaysAhead)
	row := s.Begin(ctx, rows, p, d)
	row.Type, row.Price, row.Shares, row.Left, row.Date = Public, price, shares, shares, on
	if in.Type == FormPersonal { // 3-publication-type-mapping
		row.Type, row.BuyerEmail, row.Code = Direct, in.BuyerEmail, RandomString(CodeLength)
		if hash, ok := CodeHash(row.Code); ok {
			row.CodeHash = &hash
		}
	}
	return row, nil
}

// OfferedFrom reads the participation whose shares are offered, and its project; both are empty when name is empty, which Check refuses.
func (s *Service) OfferedFrom(ctx context.Context, rows module.Rows, name string) (p ledger.Participation, d project.Document, err error) {
	if name == "" {
		return p, d, nil
	}
	p, err = participation.Named(ctx, s.host.DB, rows, name)
	if errors.Is(err, problem.ErrNotFound) {
		err = problem.Refuse(problem.FieldError{Field: "participation_identifier", Code: participation.CodeUnknown})
	}
	if err == nil {
		d, err = project.Find(ctx, s.host.DB, p.ProjectCode)
	}
	return p, d, err
}

// Begin returns a new offer of a participation. The caller sets Type, Price, Shares, Left and Date; place stores the offer.
func (s *Service) Begin(ctx context.Context, rows module.Rows, p ledger.Participation, d project.Document) *Offer {
	now := state.StoredTime(s.host.Now())
	return &Offer{LabelKey: rows.Key(), ID: value.NewID(), Reference: RandomString(8), RelationID: p.RelationID, ProjectCode: p.ProjectCode,
		ProjectName: d.Name, ParticipationID: p.ID, Status: Created, Locale: module.ScopeOf(ctx).Locale, CreatedAt: now, UpdatedAt: now}
}

// place stores an offer, makes its shares offered (ledger.ErrShares when fewer are free) and files the change that staff decide. It
// returns operation.ErrSent when an offer with its idempotency key exists.
func (s *Service) place(ctx context.Context, tx module.Tx, row *Offer) error {
	if row.ChangeID == "" {
		row.ChangeID = value.NewID()
	}
	if err := insert(ctx, tx, row); err != nil {
		return err
	}
	err := ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID})
	if err != nil {
		return err
	}
	if err := s.file(ctx, tx, row); err != nil {
		return err
	}
	return Publish(ctx, tx, row)
}
