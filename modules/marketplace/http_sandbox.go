package marketplace

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// sandboxChoices are the outcomes to choose from on the page. A failed or cancelled payment is followed by a new one, as with a real provider.
var sandboxChoices = map[string]payment.State{"pay": payment.Paid, "fail": payment.Failed, "cancel": payment.Cancelled, "expire": payment.Expired}

//go:embed sandbox.html
var sandboxHTML string

//go:embed sandbox.css
var sandboxCSS string

var sandboxPage = template.Must(template.New("sandbox").Parse(sandboxHTML))

// sandboxPolicy is the Content-Security-Policy of the page: its own style and its form, nothing else.
var sandboxPolicy = func() string {
	sum := sha256.Sum256([]byte(sandboxCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()

// sandboxView is the data of the page.
type sandboxView struct {
	Lang      string
	Other     string // the other language
	Label     string
	Reference string
	Shares    string
	Amount    string
	State     string          // empty: open
	Back      []sandboxChoice // choices for a paid payment
	Done      string          // URL to continue at
	CSS       template.CSS
	Text      sandboxText
}

// sandboxChoice is a button of the page.
type sandboxChoice struct{ Value, Text string }

// sandboxBack are the choices by which money of a paid payment comes back, as at a bank or a provider.
var sandboxBack = map[string][]sandboxChoice{
	"nl": {{"charge_back", "Laten terugboeken"}, {"refund_part", "Deel laten terugbetalen"}, {"reverse", "Terugboeking intrekken"}, {"fail_refund", "Terugbetaling laten mislukken"}},
	"en": {{"charge_back", "Charge back"}, {"refund_part", "Refund a part"}, {"reverse", "Reverse the chargeback"}, {"fail_refund", "Let the refund fail"}},
}

// show sets the chosen outcome of a payment, and the choices that are left.
func (v *sandboxView) show(row payment.SandboxRow, amount value.Cents) {
	is := row.State
	switch {
	case is == payment.Open:
		return
	case is == payment.Paid && row.ChargedBack > 0:
		is = payment.ChargedBack
	case is == payment.Paid && row.Refunded >= amount:
		is = payment.Refunded
	}
	v.State = sandboxEnded[v.Lang][is]
	if row.State != payment.Paid {
		return
	}
	for _, c := range sandboxBack[v.Lang] {
		switch c.Value {
		case "charge_back":
			if row.ChargedBack > 0 {
				continue
			}
		case "refund_part":
			if amount-row.Refunded-row.ChargedBack < 2 {
				continue
			}
		case "reverse":
			if row.ChargedBack == 0 {
				continue
			}
		case "fail_refund":
			if row.Refunded == 0 {
				continue
			}
		}
		v.Back = append(v.Back, c)
	}
}

type sandboxText struct{ Title, Warning, Explain, Order, Shares, Amount, Pay, Fail, Cancel, Expire, Ended, Back, Language string }

var sandboxTexts = map[string]sandboxText{
	"nl": {Title: "Betalen", Warning: "Proefbetaling: er gaat geen geld om", Explain: "Dit is geen bank. Kies wat er met de betaling moet gebeuren, dan zie je hoe het portaal daarop reageert.",
		Order: "Bestelling", Shares: "Aantal delen", Amount: "Te betalen", Pay: "Betalen", Fail: "Laten mislukken", Cancel: "Annuleren", Expire: "Laten verlopen",
		Back: "Terug naar mijn bestellingen", Language: "English"},
	"en": {Title: "Payment", Warning: "Test payment: no money moves", Explain: "This is not a bank. Choose what should become of the payment and see how the portal responds.",
		Order: "Order", Shares: "Number of shares", Amount: "To be paid", Pay: "Pay", Fail: "Let it fail", Cancel: "Cancel", Expire: "Let it expire",
		Back: "Back to my orders", Language: "Nederlands"},
}

var sandboxEnded = map[string]map[payment.State]string{
	"nl": {payment.Paid: "Deze betaling is voldaan.", payment.Failed: "Deze betaling is mislukt.", payment.Cancelled: "Deze betaling is geannuleerd.",
		payment.Expired: "Deze betaling is verlopen.", payment.Refunded: "Deze betaling is teruggegeven.", payment.ChargedBack: "Deze betaling is teruggeboekt."},
	"en": {payment.Paid: "This payment has been made.", payment.Failed: "This payment has failed.", payment.Cancelled: "This payment has been cancelled.",
		payment.Expired: "This payment has expired.", payment.Refunded: "This payment has been given back.", payment.ChargedBack: "This payment has been charged back."},
}

type sandboxInput struct {
	Payment string `path:"payment" maxLength:"64" doc:"Id of the payment"`
	Lang    string `query:"lang" enum:"nl,en" required:"false" doc:"Language of the page; by default that of the call"`
}

type sandboxForm struct {
	Payment string `path:"payment" maxLength:"64" doc:"Id of the payment"`
	Lang    string `query:"lang" enum:"nl,en" required:"false" doc:"Language of the page; by default that of the call"`
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

type sandboxAnswer struct {
	Status   int
	Type     string `header:"Content-Type"`
	Policy   string `header:"Content-Security-Policy"`
	Location string `header:"Location"`
	Body     []byte
}

// sandbox returns the provider of the sandbox.
func (s *service) sandbox() *payment.Sandbox {
	return payment.NewSandbox(s.host.DB, s.host.Now, "/api/v0"+base+"/sandbox/")
}

// sandboxOf reads a payment of the sandbox. It returns 404 for a payment of another provider, and where the label has another provider or
// none (9-sandbox-demo-only).
func (s *service) sandboxOf(ctx context.Context, id string) (p payment.Payment, o order.Row, err error) {
	all := module.Label(ctx, "the page of the sandbox is public: its link is the secret")
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return p, o, err
	}
	if set.Payment.Provider != payment.ProviderSandbox {
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
func (s *service) showSandbox(ctx context.Context, in *sandboxInput) (*sandboxAnswer, error) {
	p, o, err := s.sandboxOf(ctx, in.Payment)
	if err != nil {
		return nil, err
	}
	row, err := s.sandbox().Row(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	lang := in.Lang
	if lang == "" {
		lang = module.ScopeOf(ctx).Locale
	}
	view := sandboxView{Lang: "nl", Other: "en", Reference: o.Reference, Shares: notice.Grouped(o.Shares), Amount: notice.MoneyText(p.Amount),
		Done: "/my-orders", CSS: template.CSS(sandboxCSS)} //nolint:gosec // a file of this module
	if lang == "en" {
		view.Lang, view.Other = "en", "nl"
	}
	view.Text = sandboxTexts[view.Lang]
	view.show(row, p.Amount)
	info, err := s.core().LabelInfo(ctx, module.ScopeOf(ctx).Label)
	if err == nil {
		view.Label = info.Name
	}
	var page bytes.Buffer
	if err := sandboxPage.Execute(&page, view); err != nil {
		return nil, err
	}
	return &sandboxAnswer{Status: http.StatusOK, Type: "text/html; charset=utf-8", Policy: sandboxPolicy, Body: page.Bytes()}, nil
}

// useSandbox applies a choice of the page as a webhook would, and redirects as a provider would.
func (s *service) useSandbox(ctx context.Context, in *sandboxForm) (*sandboxAnswer, error) {
	p, o, err := s.sandboxOf(ctx, in.Payment)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(in.RawBody))
	what := form.Get("do")
	to, known := sandboxChoices[what]
	back := slices.ContainsFunc(sandboxBack["nl"], func(c sandboxChoice) bool { return c.Value == what })
	if err != nil || !known && !back {
		return nil, problem.Fail(http.StatusBadRequest, problem.CodeInvalid)
	}
	here := base + "/sandbox/" + p.ID
	if back {
		err = s.sandbox().ReturnMoney(ctx, p.ID, what)
	} else {
		err = s.sandbox().Choose(ctx, p.ID, to, payment.Open)
	}
	if err != nil && !errors.Is(err, state.ErrTransition) { // a second click changes nothing and shows the page
		return nil, err
	}
	if err == nil {
		if err := s.paymentChanged(ctx, p.ID); err != nil {
			return nil, err
		}
	}
	out := &sandboxAnswer{Status: http.StatusSeeOther, Location: "/api/v0" + here + "?lang=" + in.Lang}
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
