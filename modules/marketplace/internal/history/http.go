package history

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

const (
	historyPage = 50
	maxReceipt  = 5000 // maximum number of entries in a receipt
)

// Service serves the ledger history of participations.
type Service struct{ host module.Host }

// New returns the service for a host.
func New(h module.Host) *Service { return &Service{h} }

// Routes registers the history operations.
func (s *Service) Routes(api huma.API) {
	const get = http.MethodGet
	module.Route(api, operation.New(get, "/participations/{id}/history", "participationHistory", "List the ledger entries of a participation",
		"For customers. Newest first, 50 on a page. Problem: 404 unless the participation is the member's."),
		module.Customer, module.Read, s.history)
	files.Download(api, operation.New(get, "/participations/{id}/receipt", "participationReceipt",
		"Download the history of a participation as PDF",
		"For customers. Holds the newest 5,000 entries. Problem: 404 unless the participation is the member's."), module.Customer, s.receipt)
}

type participationID struct {
	ID string `path:"id" maxLength:"100" doc:"participation_identifier"`
}

type historyInput struct {
	ID     string `path:"id" maxLength:"100" doc:"participation_identifier"`
	Before int64  `query:"before" minimum:"0" doc:"Only entries with a lower sequence: the value of next on the previous page"`
}

// History is a page of the entries of a participation.
type History struct {
	Entries []Entry `json:"entries" nullable:"false" doc:"Newest first"`
	Next    int64   `json:"next,omitempty" doc:"Value of before for the next page; absent on the last page"`
}

type historyAnswer struct{ Body History }

// history lists the entries of a participation of the calling member.
func (s *Service) history(ctx context.Context, in *historyInput) (*historyAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	of, err := participation.Named(ctx, s.host.DB, rows, in.ID)
	if err != nil {
		return nil, err
	}
	found, after, err := ledger.Newest(ctx, s.host.DB, of, in.Before, historyPage+1)
	if err != nil {
		return nil, err
	}
	out := &historyAnswer{History{Entries: entriesAfter(found, after)}}
	if len(found) > historyPage {
		out.Body.Entries = out.Body.Entries[:historyPage]
		out.Body.Next = out.Body.Entries[historyPage-1].Sequence
	}
	return out, nil
}

// receipt returns the entries as a PDF for the member to keep.
func (s *Service) receipt(ctx context.Context, in *participationID) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	of, err := participation.Named(ctx, s.host.DB, rows, in.ID)
	if err != nil {
		return nil, err
	}
	found, after, err := ledger.Newest(ctx, s.host.DB, of, 0, maxReceipt+1)
	if err != nil {
		return nil, err
	}
	r := Receipt{Locale: module.ScopeOf(ctx).Locale, Zone: state.Zone(ctx), Made: s.host.Now(), Participation: of.ParticipationIdentifier,
		Shares: of.Share, Entries: entriesAfter(found, after)}
	if r.Cut = len(found) > maxReceipt; r.Cut {
		r.Entries = r.Entries[:maxReceipt]
	}
	d, err := participation.DocumentOf(of)
	if err != nil {
		return nil, err
	}
	r.Address = d.Address.Line()
	if r.Project, err = project.Name(ctx, s.host.DB, of.ProjectCode); err != nil {
		return nil, err
	}
	if r.Holder, err = s.holder(ctx); err != nil {
		return nil, err
	}
	if r.Label, err = sibling.LabelName(ctx, s.host.Client); err != nil {
		return nil, err
	}
	return files.Stream(r.say("deelname-", "participation-")+of.ParticipationIdentifier+".pdf", "application/pdf",
		func(w io.Writer) error { return r.Write(w) }), nil
}
