package marketplace

import "github.com/wattle-portal/wattle/core/module"

// question ends a mail about money that somebody may not have expected.
func question(r reader) []string {
	return []string{r.say("Heb je hier een vraag over? Neem dan contact met ons op.", "Do you have a question about this? Then get in touch with us.")}
}

// mailPurchaseReversed tells the buyer that a paid order has been cancelled, and why.
func mailPurchaseReversed(r reader, n notice) module.Mail {
	m := mailTo(r, "Je bestelling "+n.Reference+" is geannuleerd", "Your order "+n.Reference+" has been cancelled")
	why := r.say("We hebben je bestelling geannuleerd.", "We have cancelled your order.")
	switch n.Reason {
	case noteChargedBack:
		why = r.say("Je bank heeft je betaling teruggeboekt. Daarom hebben we de bestelling geannuleerd.", "Your bank has reversed your payment. We have therefore cancelled the order.")
	case noteOutside:
		why = r.say("Je hebt je geld terug. Daarom hebben we de bestelling geannuleerd.", "You have your money back. We have therefore cancelled the order.")
	}
	m.Lines = []string{why + r.say(" Je krijgt de delen niet.", " You do not get the shares.")}
	if n.Refund > 0 {
		m.Lines = append(m.Lines, r.say("We betalen "+moneyText(n.Refund)+" aan je terug.", "We pay "+moneyText(n.Refund)+" back to you."))
	}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.After = question(r)
	m.Button = toOrders(r)
	return m
}

// mailMoneyReturned tells the buyer that money came back, or is here again, and that the order stays as it is.
func mailMoneyReturned(r reader, n notice) module.Mail {
	refund := moneyText(n.Refund)
	var m module.Mail
	switch n.Reason {
	case noteChargedLate:
		m = mailTo(r, "Je betaling is teruggeboekt", "Your payment has been reversed")
		m.Lines = []string{r.say("Je bank heeft "+refund+" teruggeboekt, maar de delen staan al op je naam. We zoeken dit uit. Was het niet je bedoeling? Neem dan contact met ons op.",
			"Your bank has taken back "+refund+", but the shares are already in your name. We are looking into it. Did you not intend this? Then get in touch with us.")}
	case noteFailed:
		m = mailTo(r, "Terugbetalen is niet gelukt", "We could not pay you back")
		m.Lines = []string{r.say("We hebben "+refund+" aan je teruggestuurd, maar het geld is niet aangekomen. We kijken hoe je het toch krijgt.",
			"We sent "+refund+" back to you, but the money did not arrive. We are finding out how to get it to you.")}
	case noteRestored:
		m = mailTo(r, "Je betaling is weer binnen", "Your payment has come in again")
		m.Lines = []string{r.say("Het bedrag van "+refund+" dat was teruggegaan, hebben we weer ontvangen. Je bestelling blijft zoals die was.",
			"We have received the amount of "+refund+" that had gone back again. Your order stays as it was.")}
	default: // notePart, noteOutside
		m = mailTo(r, "We hebben je "+refund+" terugbetaald", "We have paid you back "+refund)
		m.Lines = []string{r.say("Dit bedrag hoort bij je bestelling. De bestelling zelf blijft zoals die was.", "This amount belongs to your order. The order itself stays as it was.")}
	}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.After = question(r)
	m.Button = toOrders(r)
	return m
}

// mailSaleMoney tells a seller that money of a sale went back to the buyer, or is here again, and that the sale stands.
func mailSaleMoney(r reader, n notice) module.Mail {
	var m module.Mail
	switch n.Reason {
	case noteChargedLate, noteOutside:
		m = mailTo(r, "De betaling van je verkoop is teruggegaan", "The payment for your sale has gone back")
		m.Lines = []string{r.say("De delen waren al overgedragen toen het geld naar de koper terugging. We zoeken dit uit en laten je weten wat het voor jou betekent.",
			"The shares had already been transferred when the money went back to the buyer. We are looking into it and will let you know what it means for you.")}
	case noteRestored:
		m = mailTo(r, "De betaling van je verkoop is weer binnen", "The payment for your sale has come in again")
		m.Lines = []string{r.say("Het geld dat was teruggegaan, hebben we weer ontvangen. Je verkoop blijft zoals die was.", "We have received the money that had gone back again. Your sale stays as it was.")}
	default: // notePart
		m = mailTo(r, "De koper kreeg een deel van het geld terug", "The buyer got part of the money back")
		m.Lines = []string{r.say("Je verkoop gaat door. Verandert er toch iets, dan laten we het je weten.", "Your sale goes ahead. If anything changes after all, we will let you know.")}
	}
	m.Lines = append(m.Lines, offerFacts(r, n)...)
	m.After = question(r)
	m.Button = button(r, "Bekijk mijn aanbod", "View my offers", "/my-offers")
	return m
}
