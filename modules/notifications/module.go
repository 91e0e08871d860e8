// Package notifications sends messages to customers: notices, which are dated content of the label at the top of pages, and notifications,
// which staff or a back office send to all customers, to the participants of a project or to a selection. README.md explains the terms.
package notifications

import (
	"context"
	"embed"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/notifications/notificationsapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
	//go:embed messages
	messages embed.FS
)

// texts contains the module's email texts.
var texts = module.MustTexts(messages)

// Settings contains the settings of a label under modules: notifications, as defined in label.cue.
type Settings struct {
	Notices        map[string]NoticeSettings `json:"notices"`
	Inbox          bool                      `json:"inbox"`
	MarketMessages bool                      `json:"market_messages"`
	Mail           []Kind                    `json:"mail"`
}

// NoticeSettings is a notice in the settings of a label.
type NoticeSettings struct {
	Kind    NoticeKind `json:"kind"`
	From    value.Day  `json:"from"`
	Until   value.Day  `json:"until,omitzero"`
	Title   Text       `json:"title"`
	Message Text       `json:"message"`
	Pages   []string   `json:"pages"`
}

// browserSettings contains the settings that the browser receives.
type browserSettings struct {
	Inbox bool `json:"inbox" browser:"true"`
	// NoticePages contains the pages with notices, or "*" for all. The browser does not request notices on other pages.
	NoticePages []string `json:"notice_pages" browser:"true"`
}

// UnmarshalJSON decodes Settings and derives the browser settings.
func (b *browserSettings) UnmarshalJSON(raw []byte) error {
	var s Settings
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	b.Inbox, b.NoticePages = s.Inbox, []string{}
	for _, n := range s.Notices {
		if len(n.Pages) == 0 {
			b.NoticePages = append(b.NoticePages, "*")
		}
		b.NoticePages = append(b.NoticePages, n.Pages...)
	}
	slices.Sort(b.NoticePages)
	b.NoticePages = slices.Compact(b.NoticePages)
	return nil
}

var manifest = module.Manifest{
	Key:        "notifications",
	Version:    "0.1.0",
	Settings:   settings,
	Uses:       []string{"account", "marketplace"}, // account: start of the relation; marketplace: participants of projects
	Handles:    handled,
	Publishes:  notificationsapi.Events,
	Imports:    []string{kindNotification},
	Records:    recordKinds,
	Browser:    module.BrowserSettings[browserSettings](),
	Migrations: migrations,
	Texts:      texts,
	Problems:   problems,
}

// Module is the notifications module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host  module.Host
	clean *cleaner
}

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h, clean: newCleaner()}
	s.routes()
	return s
}

// withInbox returns the settings of a label with notifications for customers (2.1-notifications-labels), or 404 module_not_enabled.
func withInbox(ctx context.Context) (*Settings, error) {
	set, err := module.Settings[Settings](ctx)
	if err == nil && !set.Inbox {
		err = problem.Fail(http.StatusNotFound, problem.CodeModuleOff)
	}
	return set, err
}
