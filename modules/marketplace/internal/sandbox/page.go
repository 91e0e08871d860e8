// Package sandbox is a payment provider that moves no money: users choose the outcome of a payment on its page. It is for demonstrations
// and tests.
package sandbox

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// choices maps the buttons of the page to outcomes. A failed or cancelled payment is followed by a new one, as with a real provider.
var choices = map[string]payment.State{"pay": payment.Paid, "fail": payment.Failed, "cancel": payment.Cancelled, "expire": payment.Expired}

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("sandbox").Parse(pageHTML))

// policy is the Content-Security-Policy of the page: it allows only the page's own style and form.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()

// view is the data of the page.
type view struct {
	Lang      string
	Other     string // the other language
	Label     string
	Reference string
	Shares    string
	Amount    string
	State     string   // empty: open
	Back      []choice // choices for a paid payment
	Done      string   // URL to continue to
	CSS       template.CSS
	Text      text
}

// choice is a button of the page.
type choice struct{ Value, Text string }

// moneyBack lists the choices for a paid payment: refunds and chargebacks, as a provider or a bank makes them.
var moneyBack = map[string][]choice{
	"nl": {{"charge_back", "Laten terugboeken"}, {"refund_part", "Deel laten terugbetalen"}, {"reverse", "Terugboeking intrekken"},
		{"fail_refund", "Terugbetaling laten mislukken"}},
	"en": {{"charge_back", "Charge back"}, {"refund_part", "Refund a part"}, {"reverse", "Reverse the chargeback"},
		{"fail_refund", "Let the refund fail"}},
}

// show sets the chosen outcome of a payment and the remaining choices.
func (v *view) show(row Row, amount value.Cents) {
	is := row.State
	switch {
	case is == payment.Open:
		return
	case is == payment.Paid && row.ChargedBack > 0:
		is = payment.ChargedBack
	case is == payment.Paid && row.Refunded >= amount:
		is = payment.Refunded
	}
	v.State = ended[v.Lang][is]
	if row.State != payment.Paid {
		return
	}
	for _, c := range moneyBack[v.Lang] {
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

type text struct{ Title, Warning, Explain, Order, Shares, Amount, Pay, Fail, Cancel, Expire, Ended, Back, Language string }

var texts = map[string]text{
	"nl": {Title: "Betalen", Warning: "Proefbetaling: er gaat geen geld om",
		Explain: "Dit is geen bank. Kies wat er met de betaling moet gebeuren, dan zie je hoe het portaal daarop reageert.",
		Order:   "Bestelling", Shares: "Aantal delen", Amount: "Te betalen", Pay: "Betalen", Fail: "Laten mislukken", Cancel: "Annuleren",
		Expire: "Laten verlopen", Back: "Terug naar mijn bestellingen", Language: "English"},
	"en": {Title: "Payment", Warning: "Test payment: no money moves",
		Explain: "This is not a bank. Choose what should become of the payment and see how the portal responds.",
		Order:   "Order", Shares: "Number of shares", Amount: "To be paid", Pay: "Pay", Fail: "Let it fail", Cancel: "Cancel",
		Expire: "Let it expire", Back: "Back to my orders", Language: "Nederlands"},
}

var ended = map[string]map[payment.State]string{
	"nl": {payment.Paid: "Deze betaling is voldaan.", payment.Failed: "Deze betaling is mislukt.",
		payment.Cancelled: "Deze betaling is geannuleerd.", payment.Expired: "Deze betaling is verlopen.",
		payment.Refunded: "Deze betaling is teruggegeven.", payment.ChargedBack: "Deze betaling is teruggeboekt."},
	"en": {payment.Paid: "This payment has been made.", payment.Failed: "This payment has failed.",
		payment.Cancelled: "This payment has been cancelled.",
		payment.Expired:   "This payment has expired.", payment.Refunded: "This payment has been given back.",
		payment.ChargedBack: "This payment has been charged back."},
}
