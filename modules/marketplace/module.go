// Package marketplace lets members of a cooperative buy and sell shares of its projects. It connects its internal packages, one for each
// noun, to the portal. README.md explains the terms.
package marketplace

import (
	"context"
	"embed"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/audit"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/history"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/market"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/move"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sandbox"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/settlement"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/share"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/transfer"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
)

// Settings are the settings of a label under modules: marketplace. Their source is label.cue. Each package reads those that it needs.
type Settings struct {
	Offer    offer.Settings         `json:"offer" browser:"true" doc:"Settings of offers"`
	Transfer order.TransferSettings `json:"transfer" browser:"true" doc:"Settings of transfers"`
	Order    order.OrderSettings    `json:"order" browser:"true" doc:"Settings of orders"`
	// 9-withdrawal-period
	WithdrawalDays int              `json:"withdrawal_days" browser:"true" doc:"Number of days after the payment in which a purchase can be undone"`
	Payment        payment.Settings `json:"payment"`
	Access         access.Settings  `json:"access" browser:"true" doc:"Settings of access to the market"`
	// 9-market-page-size
	PageSize   int  `json:"page_size" browser:"true" doc:"Number of offers on a page of the market"`
	SingleLink bool `json:"participation_single_link" browser:"true" doc:"Whether the menu omits the item for moving shares"`
}

var manifest = module.Manifest{
	Key:        "marketplace",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account"},
	Uses:       []string{"billing", "production"},
	Handles:    handled,
	Publishes:  marketplaceapi.Events,
	Changes:    []string{offer.ChangeKind, access.ChangeKind},
	Imports:    []string{project.ImportKind, participation.ImportKind, offer.ImportKind, order.ImportKind, access.ImportKind}, // in this order
	Records:    []record.Kind{project.RecordKind, participation.RecordKind, offer.RecordKind, order.RecordKind, access.RecordKind},
	Schedule:   schedule,
	Commands:   audit.Commands,
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
	Texts:      notice.Texts,
	Problems:   problems,
}

// Module is the marketplace module, for the program and for the plugin.
var Module = module.New(manifest, newService)

// service is the running module. Its maps contain the handlers.
type service struct {
	module.Router
	host    module.Host
	events  map[string]handle // key: event type
	records map[string]store  // key: record kind
	changes map[string]apply  // key: change kind

	offers      *offer.Service
	transfers   *transfer.Service
	settlements *settlement.Service
	moves       *move.Service
}

type (
	handle func(context.Context, module.Event) error
	store  func(context.Context, []record.Row) ([]record.Refusal, error)
	apply  func(context.Context, module.Tx, module.Change) error
)

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

// newService creates the services of the packages and registers their handlers. A service gets the earlier ones that it needs.
func newService(h module.Host) module.Instance {
	projects := project.New(h, offer.CountByProject)
	participations := participation.New(h, projects)
	accesses := access.New(h)
	notices := notice.New(h, offer.BuyerOf)
	offers := offer.New(h, accesses)
	transfers := transfer.New(h, offers)
	orders := order.New(h, accesses)
	provider := sandbox.NewProvider(h.DB, h.Now)
	settlements := settlement.New(h, payment.NewProviders(h, provider))
	moves := move.New(h)
	audits := audit.New(h)

	s := &service{Router: module.NewRouter(manifest), host: h, offers: offers, transfers: transfers, settlements: settlements, moves: moves}
	module.ShowSettings[Settings](s.API)
	for _, routes := range []func(huma.API){
		projects.Routes, accesses.Routes, offers.Routes, transfers.Routes, market.New(h, offers).Routes, orders.Routes,
		settlements.Routes, sandbox.New(h, provider, settlements.PaymentChanged).Routes, moves.Routes, history.New(h).Routes,
		share.New(h).Routes, audits.Routes, s.routes,
	} {
		routes(s.API)
	}
	s.events = map[string]handle{
		marketplaceapi.EventOfferDue:       offers.HandleDue,
		marketplaceapi.EventTransferDue:    transfers.HandleDue,
		marketplaceapi.EventMoveDue:        moves.HandleDue,
		marketplaceapi.EventNotice:         notices.Handle,
		marketplaceapi.EventOrdersPlaced:   settlements.HandlePlaced,
		marketplaceapi.EventOrdersRemind:   settlements.HandleRemind,
		marketplaceapi.EventOrdersExpire:   settlements.HandleExpire,
		marketplaceapi.EventOrdersTransfer: settlements.HandleTransfer,
		marketplaceapi.EventRefund:         settlements.HandleRefund,
		marketplaceapi.EventSwept:          s.sweep,
		marketplaceapi.EventAudit:          audits.HandleDue,
	}
	s.records = map[string]store{
		project.ImportKind:       projects.Import,
		participation.ImportKind: participations.Import,
		offer.ImportKind:         offers.Import,
		order.ImportKind:         orders.Import,
		access.ImportKind:        accesses.Import,
	}
	s.changes = map[string]apply{offer.ChangeKind: offers.ApplyDecision, access.ChangeKind: accesses.ApplyDecision}
	return s
}

// Handle handles the event types in handled. Each handler is idempotent.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	if handle, ok := s.events[e.Type]; ok {
		return handle(ctx, e)
	}
	return fmt.Errorf("marketplace: does not handle %s", e.Type)
}

// Import stores records of a kind. Of two records with the same natural key the later one wins; trade since the first import is kept.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	if store, ok := s.records[kind]; ok {
		return store(ctx, rows)
	}
	return nil, fmt.Errorf("marketplace: does not import %q", kind)
}
