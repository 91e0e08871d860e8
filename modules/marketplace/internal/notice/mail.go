package notice

import (
	"embed"
	"strconv"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

//go:embed messages
var messages embed.FS

// Texts are the email texts: marketplace.mail.<kind>.<part>.
var Texts = module.MustTexts(messages)

// buttonPaths maps each notice kind to the page that the button of its email opens.
var buttonPaths = map[Kind]string{
	OfferApproved: "/my-offers", OfferRejected: "/my-offers", OfferSold: "/my-offers", SaleUndone: "/my-offers", SaleMoney: "/my-offers",
	OfferCode:   "/personal-offers",
	OrderPlaced: "/my-orders", OrderPaid: "/my-orders", OrderExpiresSoon: "/my-orders", OrderCancelled: "/my-orders", Withdrawal: "/my-orders",
	Refunded: "/my-orders", PurchaseReversed: "/my-orders", MoneyReturned: "/my-orders",
	OrderExpired: "/offers", AccessApproved: "/offers", AccessRejected: "/contact",
	OrderCompleted: "/participation", TransferReceived: "/participation", TransferDone: "/participation", TransferFailed: "/participation",
	Moved: "/participation",
}

// Mail writes the email of a notice; ok is false for a kind without a text. The code of an offer is a field of the email and not a text
// value. Its recipient may not be a member yet; anybody who can read the mailbox can use the code.
func Mail(r Reader, n Notice) (m module.Mail, ok bool) {
	path, ok := buttonPaths[n.Kind]
	if !ok {
		return m, false
	}
	m = Texts.Mail(r.Locale, "marketplace.mail."+string(n.Kind), values(r, n))
	m.To, m.Button.Path = r.Email, path
	if n.Kind == OfferCode {
		m.Code, m.Button.Path = r.Code, path+"?code="+r.Code
	}
	return m, true
}

// values returns the text values; "" for what the notice does not have, except refund, which may be € 0,00.
func values(r Reader, n Notice) module.Values {
	v := module.Values{"reference": n.Reference, "project": n.Project, "shares": strconv.FormatInt(n.Shares, 10), "price": "", "amount": "",
		"refund": MoneyText(n.Refund), "has_refund": module.Flag(n.Refund > 0), "day": DayText(n.Day), "until_day": "", "until_time": "",
		"received_day": "", "received_time": "", "type": n.Type, "free": module.Flag(n.Free), "reason": n.Reason,
		"has_reason": module.Flag(n.Reason != ""), "address": n.Address, "from": r.From, "has_from": module.Flag(r.From != "")}
	if n.Price > 0 {
		v["price"] = MoneyText(n.Price)
	}
	if n.Amount > 0 {
		v["amount"] = MoneyText(n.Amount)
	}
	const clock = "15:04"
	if !n.Until.IsZero() {
		until := n.Until.In(r.Zone)
		v["until_day"], v["until_time"] = DayText(value.DayOf(until)), until.Format(clock)
	}
	if !n.At.IsZero() {
		at := n.At.In(r.Zone)
		v["received_day"], v["received_time"] = DayText(value.DayOf(at)), at.Format(clock)
	}
	return v
}
