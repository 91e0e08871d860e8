package notice

import (
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// question ends a mail about money that its reader may not have expected.
func question(r Reader) []string {
	return []string{r.Say("Heb je hier een vraag over? Neem dan contact met ons op.", "Do you have a question about this? Then get in touch with us.")}
}

// MailPurchaseReversed notifies the buyer that a paid order was cancelled, and why.
func MailPurchaseReversed(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je bestelling "+n.Reference+" is geannuleerd", "Your order "+n.Reference+" has been cancelled")
	why := r.Say("We hebben je bestelling geannuleerd.", "We have cancelled your order.")
	switch n.Reason {
	case payment.NoteChargedBack:
		why = r.Say("Je bank heeft je betaling teruggeboekt. Daarom hebben we de bestelling geannuleerd.", "Your bank has reversed your payment. We have therefore cancelled the order.")
	case payment.NoteOutside:
		why = r.Say("Je hebt je geld terug. Daarom hebben we de bestelling geannuleerd.", "You have your money back. We have therefore cancelled the order.")
	}
	m.Lines = []string{why + r.Say(" Je krijgt de delen niet.", " You do not get the shares.")}
	if n.Refund > 0 {
		m.Lines = append(m.Lines, r.Say("We betalen "+MoneyText(n.Refund)+" aan je terug.", "We pay "+MoneyText(n.Refund)+" back to you."))
	}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.After = question(r)
	m.Button = toOrders(r)
	return m
}

// MailMoneyReturned notifies the buyer that money came back or was paid again, and that the order stays as it is.
func MailMoneyReturned(r Reader, n Notice) module.Mail {
	refund := MoneyText(n.Refund)
	var m module.Mail
	switch n.Reason {
	case payment.NoteChargedLate:
		m = mailTo(r, "Je betaling is teruggeboekt", "Your payment has been reversed")
		m.Lines = []string{r.Say("Je bank heeft "+refund+" teruggeboekt, maar de delen staan al op je naam. We zoeken dit uit. Was het niet je bedoeling? Neem dan contact met ons op.",
			"Your bank has taken back "+refund+", but the shares are already in your name. We are looking into it. Did you not intend this? Then get in touch with us.")}
	case payment.NoteFailed:
		m = mailTo(r, "Terugbetalen is niet gelukt", "We could not pay you back")
		m.Lines = []string{r.Say("We hebben "+refund+" aan je teruggestuurd, maar het geld is niet aangekomen. We kijken hoe je het toch krijgt.",
			"We sent "+refund+" back to you, but the money did not arrive. We are finding out how to get it to you.")}
	case payment.NoteRestored:
		m = mailTo(r, "Je betaling is weer binnen", "Your payment has come in again")
		m.Lines = []string{r.Say("Het bedrag van "+refund+" dat was teruggegaan, hebben we weer ontvangen. Je bestelling blijft zoals die was.",
			"We have received the amount of "+refund+" that had gone back again. Your order stays as it was.")}
	default: // NotePart, NoteOutside
		m = mailTo(r, "We hebben je "+refund+" terugbetaald", "We have paid you back "+refund)
		m.Lines = []string{r.Say("Dit bedrag hoort bij je bestelling. De bestelling zelf blijft zoals die was.", "This amount belongs to your order. The order itself stays as it was.")}
	}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.After = question(r)
	m.Button = toOrders(r)
	return m
}

// mailSaleMoney notifies a seller that money of a sale went back to the buyer or was paid again, and that the sale stands.
func mailSaleMoney(r Reader, n Notice) module.Mail {
	var m module.Mail
	switch n.Reason {
	case payment.NoteChargedLate, payment.NoteOutside:
		m = mailTo(r, "De betaling van je verkoop is teruggegaan", "The payment for your sale has gone back")
		m.Lines = []string{r.Say("De delen waren al overgedragen toen het geld naar de koper terugging. We zoeken dit uit en laten je weten wat het voor jou betekent.",
			"The shares had already been transferred when the money went back to the buyer. We are looking into it and will let you know what it means for you.")}
	case payment.NoteRestored:
		m = mailTo(r, "De betaling van je verkoop is weer binnen", "The payment for your sale has come in again")
		m.Lines = []string{r.Say("Het geld dat was teruggegaan, hebben we weer ontvangen. Je verkoop blijft zoals die was.", "We have received the money that had gone back again. Your sale stays as it was.")}
	default: // NotePart
		m = mailTo(r, "De koper kreeg een deel van het geld terug", "The buyer got part of the money back")
		m.Lines = []string{r.Say("Je verkoop gaat door. Verandert er toch iets, dan laten we het je weten.", "Your sale goes ahead. If anything changes after all, we will let you know.")}
	}
	m.Lines = append(m.Lines, offerFacts(r, n)...)
	m.After = question(r)
	m.Button = button(r, "Bekijk mijn aanbod", "View my offers", "/my-offers")
	return m
}
