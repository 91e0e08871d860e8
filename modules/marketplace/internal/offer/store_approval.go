package offer

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// ChangeKind is the kind of the change with which staff approve or reject an offer. Its key is the offer.
const ChangeKind = "marketplace.offer"

// FiledOffer is the data of the change of an offer that waits for staff.
type FiledOffer struct {
	Offer         string      `json:"offer" doc:"Id of the offer"`
	Reference     string      `json:"reference" doc:"Human-readable reference"`
	Type          string      `json:"offer_publication_type" doc:"PUBLIC, DIRECT or PRIVATE"`
	ProjectCode   string      `json:"project_code" doc:"Code of the project"`
	ProjectName   string      `json:"project_name" doc:"Name of the project"`
	Participation string      `json:"participation_identifier" doc:"Participation of the shares"`
	Shares        int64       `json:"shares" doc:"Number of shares on offer"`
	Price         value.Cents `json:"price_per_share" doc:"Price of a share in euros"`
	Date          value.Day   `json:"date" doc:"First day on which the offer can be bought"`
	BuyerEmail    string      `json:"buyer_email_address,omitempty" doc:"E-mail address of the only buyer; absent: none was specified"`
}

// file files the change with which staff approve the offer.
func (s *Service) file(ctx context.Context, tx module.Tx, row *Offer) error {
	parts, err := participation.ByID(ctx, tx, []string{row.ParticipationID})
	if err != nil {
		return err
	}
	data, err := json.Marshal(FiledOffer{Offer: row.ID, Reference: row.Reference, Type: row.Type, ProjectCode: row.ProjectCode,
		ProjectName: row.ProjectName, Participation: parts[row.ParticipationID].ParticipationIdentifier, Shares: row.Left, Price: row.Price,
		Date: row.Date, BuyerEmail: row.BuyerEmail})
	if err != nil {
		return err
	}
	_, err = tx.File(ctx, module.Change{ID: row.ChangeID, Relation: row.RelationID, Kind: ChangeKind, Key: row.ID, Effective: row.Date,
		Data: data})
	return err
}

// Retract retracts n shares of a locked offer.
func (s *Service) Retract(ctx context.Context, tx module.Tx, row *Offer, n int64) error {
	to := row.Retracted(n)
	if to != row.Status {
		if err := state.Next(Transitions, row.Status, to); err != nil {
			return err
		}
	}
	if row.Status == Created { // the change of the original number of shares is decided; a new one follows below for the rest
		if _, err := tx.Decide(ctx, module.Decision{ID: row.ChangeID, State: module.Rejected, By: "customer",
			Reason: string(Revoked)}); err != nil {
			return err
		}
	}
	if row.Left -= n; to != Revoked { // an offer that has ended keeps its number of shares
		row.Shares -= n
	}
	row.UpdatedAt = state.StoredTime(s.host.Now())
	if to == Created {
		row.ChangeID = value.NewID()
		if err := s.file(ctx, tx, row); err != nil {
			return err
		}
	}
	if err := save(ctx, tx, row, to); err != nil {
		return err
	}
	if err := ledger.Retract(ctx, tx, row.UpdatedAt, ledger.Lot{Participation: row.ParticipationID, Shares: n, Ref: row.ID}); err != nil {
		return err
	}
	return Publish(ctx, tx, row)
}

// CheckDecision checks a decision of staff. It first checks the offer of the change again: one that no longer meets the rules is rejected,
// whatever staff decided (4-rejection-triggers). Decisions on other changes are not modified.
func (s *Service) CheckDecision(ctx context.Context, tx module.Tx, d module.Decision) (module.Decision, error) {
	row, err := lockByChange(ctx, tx, d.ID)
	if errors.Is(err, problem.ErrNotFound) {
		return d, nil
	}
	if err != nil || row.Status != Created {
		return d, err
	}
	return s.checkDecision(ctx, tx, row, d)
}

func (s *Service) checkDecision(ctx context.Context, tx module.Tx, row Offer, d module.Decision) (module.Decision, error) {
	if d.State == module.Rejected {
		return d, problem.Refuse(CheckReason(d.Reason)...)
	}
	projects, err := project.ByCode(ctx, tx, []string{row.ProjectCode})
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
	if reason := RejectionReason(known, p.Offered >= row.Left, project.Selling(projects[row.ProjectCode].Settings,
		module.Today(ctx, s.host.Now()))); reason != "" {
		d.State, d.Reason = module.Rejected, reason
	}
	return d, nil
}

// ApplyDecision stores the decision of staff on an offer. A retraction decides the change itself and needs nothing else.
func (s *Service) ApplyDecision(ctx context.Context, tx module.Tx, c module.Change) error {
	row, err := Lock(ctx, tx, c.Key)
	if err != nil {
		return err
	}
	row.UpdatedAt = state.StoredTime(s.host.Now())
	mail := notice.Notice{Kind: notice.OfferApproved, Relation: row.RelationID, Type: row.Type, Reference: row.Reference,
		Project: row.ProjectName, Shares: row.Left, Price: row.Price, Day: row.Date}
	if c.State == module.Rejected {
		n := row.Left
		row.RejectionReason, row.Left = c.Reason, 0
		if err := save(ctx, tx, &row, Rejected); err != nil {
			return err
		}
		err := ledger.Retract(ctx, tx, row.UpdatedAt, ledger.Lot{Participation: row.ParticipationID, Shares: n, Ref: row.ID, Reason: c.Reason})
		if err != nil {
			return err
		}
		mail.Kind, mail.Reason = notice.OfferRejected, c.Reason
		return errors.Join(Publish(ctx, tx, &row), notice.Send(ctx, tx, mail))
	}
	if err := save(ctx, tx, &row, Approved); err != nil {
		return err
	}
	if err := errors.Join(Publish(ctx, tx, &row), notice.Send(ctx, tx, mail)); err != nil {
		return err
	}
	if row.Type == Direct {
		err := notice.Send(ctx, tx, notice.Notice{Kind: notice.OfferCode, Offer: row.ID, Project: row.ProjectName, Shares: row.Left,
			Price: row.Price})
		if err != nil {
			return err
		}
	}
	if !row.Date.After(module.Today(ctx, s.host.Now())) {
		return s.activate(ctx, tx, &row)
	}
	data, err := json.Marshal(marketplaceapi.OfferDue{Offer: row.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventOfferDue, Key: row.ID, Due: row.Date.In(state.Zone(ctx)), Data: data})
}

// activate makes a locked APPROVED offer ACTIVE. The shares of a transfer are then transferred.
func (s *Service) activate(ctx context.Context, tx module.Tx, row *Offer) error {
	row.UpdatedAt = state.StoredTime(s.host.Now())
	if err := save(ctx, tx, row, Active); err != nil {
		return err
	}
	if err := Publish(ctx, tx, row); err != nil {
		return err
	}
	if row.Type == Private {
		return module.Publish(ctx, tx, marketplaceapi.EventTransferDue, row.ID, marketplaceapi.OfferDue{Offer: row.ID})
	}
	return nil
}
