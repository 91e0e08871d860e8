// Package marketplace is where members of a cooperative buy and sell shares of its projects. It wires the packages of internal, each of which
// writes its own tables, to HTTP, events, records and siblings. README.md explains its terms.
package marketplace

import (
	"embed"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
)

// Settings are the settings of a label under modules: marketplace. Their source is label.cue.
type Settings struct {
	Offer          OfferSettings          `json:"offer" browser:"true" doc:"Settings of offers"`
	Transfer       order.TransferSettings `json:"transfer" browser:"true" doc:"Settings of transfers"`
	Order          order.OrderSettings    `json:"order" browser:"true" doc:"Settings of orders"`
	WithdrawalDays int                    `json:"withdrawal_days" browser:"true" doc:"Number of days after the payment in which a purchase can be undone"` // 9-withdrawal-period
	Payment        PaymentSettings        `json:"payment"`
	Access         AccessSettings         `json:"access" browser:"true" doc:"Settings of access to the market"`
	PageSize       int                    `json:"page_size" browser:"true" doc:"Number of offers on a page of the market"` // 9-market-page-size
	SingleLink     bool                   `json:"participation_single_link" browser:"true" doc:"Whether the menu leads to the participations only, without moving shares"`
}

// OfferSettings bound the date of an offer (5.7-offer-date-horizon).
type OfferSettings struct {
	MaxDaysAhead int `json:"max_days_ahead" browser:"true" doc:"Number of days ahead at most that an offer may begin to be sold"`
}

// PaymentSettings name the payment provider. Key is the name of a secret.
type PaymentSettings struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`
	URL      string `json:"url,omitempty"`
}

// AccessSettings decide whether members need approval to trade (6-market-access-approval).
type AccessSettings struct {
	Approval bool `json:"approval" browser:"true" doc:"Whether staff must approve a member before buying and selling"`
}

var manifest = module.Manifest{
	Key:        "marketplace",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account"},
	Uses:       []string{"billing", "production"},
	Handles:    handled,
	Publishes:  marketplaceapi.Events,
	Changes:    []string{kindOffer, kindAccess},
	Imports:    []string{importProject, importParticipation, importOffer, importOrder, importAccess},
	Records:    recordKinds,
	Schedule:   schedule,
	Commands:   commands,
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
	Texts:      notice.Texts,
}

// Module is the marketplace module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host      module.Host
	placer    *order.Placer
	providers providers
	yields    yields
}

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h}
	s.placer = order.NewPlacer(h.DB, h.Now, s.charges)
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
