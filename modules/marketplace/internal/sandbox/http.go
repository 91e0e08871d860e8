package sandbox

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// page is the path of the payment page, without the payment id at its end.
const page = "/api/v0" + operation.Base + "/sandbox/"

// Service serves the payment page of the sandbox.
type Service struct {
	host           module.Host
	provider       *Provider
	paymentChanged Notify
}

// Notify reports that a payment has changed, as the webhook of a provider does.
type Notify func(ctx context.Context, payment string) error

// New returns the service for a provider. It calls changed when an outcome was chosen.
func New(h module.Host, provider *Provider, changed Notify) *Service {
	return &Service{h, provider, changed}
}

// Routes registers the operations of the payment page.
func (s *Service) Routes(api huma.API) {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(api, operation.New(get, "/sandbox/{payment}", "showSandbox", "Show the payment page of the sandbox",
		"For anybody with the link. No money moves. Problem: 404 for a payment of another provider."), module.Public, module.Read, s.showSandbox)
	module.Route(api, operation.FormBody(operation.New(post, "/sandbox/{payment}", "useSandbox", "Choose the outcome of a sandbox payment",
		"For anybody with the link. Redirects as a payment provider does; a choice that is no longer possible changes nothing. Problems: 400 for an unknown choice; 404 for a payment of another provider."),
		map[string]string{"do": "pay, cancel, fail or expire; for a paid payment charge_back, refund_part, reverse or fail_refund"}),
		module.Public, module.Write, s.useSandbox)
}

type pageInput struct {
	Payment string `path:"payment" maxLength:"64" doc:"Id of the payment"`
	Lang    string `query:"lang" enum:"nl,en" required:"false" doc:"Language of the page; by default that of the call"`
}

type pageForm struct {
	Payment string `path:"payment" maxLength:"64" doc:"Id of the payment"`
	Lang    string `query:"lang" enum:"nl,en" required:"false" doc:"Language of the page; by default that of the call"`
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

type pageAnswer struct {
	Status   int
	Type     string `header:"Content-Type"`
	Policy   string `header:"Content-Security-Policy"`
	Location string `header:"Location"`
	Body     []byte
}

// find reads a sandbox payment. It returns 404 for a payment of another provider, and if the label uses another provider or none
// (9-sandbox-demo-only).
func (s *Service) find(ctx context.Context, id string) (p payment.Payment, o order.Row, err error) {
	all := module.Label(ctx, "the page of the sandbox is public: its link is the secret")
	set, err := payment.SettingsOf(ctx)
	if err != nil {
		return p, o, err
	}
	if set.Provider != payment.ProviderSandbox {
		return p, o, problem.ErrNotFound
	}
	if p, err = payment.Find(ctx, s.host.DB, "id", id); err != nil {
		return p, o, err
	}
	if p.Provider != payment.ProviderSandbox {
		return p, o, problem.ErrNotFound
	}
	var rows []order.Row
	if err = s.host.DB.Find(ctx, all, &rows, "AND d.id = ?", p.OrderID); err != nil || len(rows) == 0 {
		return p, o, errors.Join(err, problem.ErrNotFound)
	}
	return p, rows[0], nil
}

// showSandbox returns the page of a payment.
func (s *Service) showSandbox(ctx context.Context, in *pageInput) (*pageAnswer, error) {
	p, o, err := s.find(ctx, in.Payment)
	if err != nil {
		return nil, err
	}
	row, err := s.provider.Row(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	lang := in.Lang
	if lang == "" {
		lang = module.ScopeOf(ctx).Locale
	}
	shown := view{Lang: "nl", Other: "en", Reference: o.Reference, Shares: notice.Grouped(o.Shares), Amount: notice.MoneyText(p.Amount),
		Done: "/my-orders", CSS: template.CSS(pageCSS)} //nolint:gosec // from an embedded file
	if lang == "en" {
		shown.Lang, shown.Other = "en", "nl"
	}
	shown.Text = texts[shown.Lang]
	shown.show(row, p.Amount)
	info, err := coreapi.New(s.host.Client).LabelInfo(ctx, module.ScopeOf(ctx).Label)
	if err == nil {
		shown.Label = info.Name
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, shown); err != nil {
		return nil, err
	}
	return &pageAnswer{Status: http.StatusOK, Type: "text/html; charset=utf-8", Policy: policy, Body: out.Bytes()}, nil
}

// useSandbox applies the choice made on the page as a webhook would, and redirects as a provider would.
func (s *Service) useSandbox(ctx context.Context, in *pageForm) (*pageAnswer, error) {
	p, o, err := s.find(ctx, in.Payment)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(in.RawBody))
	what := form.Get("do")
	to, known := choices[what]
	back := slices.ContainsFunc(moneyBack["nl"], func(c choice) bool { return c.Value == what })
	if err != nil || !known && !back {
		return nil, problem.Fail(http.StatusBadRequest, problem.CodeInvalid)
	}
	if back {
		err = s.provider.ReturnMoney(ctx, p.ID, what)
	} else {
		err = s.provider.Choose(ctx, p.ID, to, payment.Open)
	}
	if err != nil && !errors.Is(err, state.ErrTransition) { // a second click changes nothing, and the page is shown
		return nil, err
	}
	if err == nil {
		if err := s.paymentChanged(ctx, p.ID); err != nil {
			return nil, err
		}
	}
	out := &pageAnswer{Status: http.StatusSeeOther, Location: page + p.ID + "?lang=" + in.Lang}
	if in.Lang == "" {
		out.Location = strings.TrimSuffix(out.Location, "?lang=")
	}
	if err == nil {
		switch to {
		case payment.Paid:
			out.Location = "/thank-you?n=" + order.ThankYou(o.Reference, o.Due())
		case payment.Cancelled:
			out.Location = "/payment-cancelled"
		}
	}
	return out, nil
}
