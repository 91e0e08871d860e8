package notice

import (
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

func orderFacts(r Reader, n Notice) []string {
	amount := ""
	if n.Amount > 0 {
		amount = MoneyText(n.Amount)
	}
	return facts(r.Say("Bestelling", "Order"), n.Reference, r.Say("Aantal", "Number"), SharesText(r, n.Shares), r.Say("Bedrag", "Amount"), amount,
		r.Say("Overdrachtsdatum", "Transfer date"), DayText(n.Day))
}

func toOrders(r Reader) *module.Button {
	return button(r, "Bekijk mijn bestellingen", "View my orders", "/my-orders")
}

func mailOrderPlaced(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je bestelling "+n.Reference+" staat klaar om te betalen", "Your order "+n.Reference+" is ready to be paid")
	until := MomentText(r, n.Until)
	m.Lines = []string{r.Say("We houden de delen voor je vast tot "+until+". Betaal voor die tijd, dan zijn ze van jou.",
		"We hold the shares for you until "+until+". Pay before then and they are yours.")}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.Button = button(r, "Nu betalen", "Pay now", "/my-orders")
	m.After = []string{r.Say("Werkt de betaallink niet meer? Dan krijg je bij Mijn bestellingen een nieuwe.", "Does the payment link no longer work? Then you get a new one at My orders.")}
	return m
}

func mailOrderPaid(r Reader, n Notice) module.Mail {
	m := mailTo(r, "We hebben je betaling ontvangen", "We have received your payment")
	on := DayText(n.Day)
	m.Lines = []string{r.Say("Bedankt. Op "+on+" dragen we de delen aan je over.", "Thank you. On "+on+" we transfer the shares to you.")}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	if !n.Until.IsZero() {
		last := DayText(value.DayOf(n.Until.In(r.Zone)))
		m.After = []string{r.Say("Je hebt bedenktijd tot en met "+last+". Wil je toch niet kopen? Dat regel je bij Mijn bestellingen.",
			"Your cooling-off period runs until "+last+" inclusive. Have you changed your mind? You arrange that at My orders.")}
	}
	m.Button = toOrders(r)
	return m
}

func mailOrderExpiresSoon(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Vergeet je bestelling "+n.Reference+" niet", "Do not forget your order "+n.Reference)
	until := MomentText(r, n.Until)
	m.Lines = []string{r.Say("Je bestelling is nog niet betaald. Na "+until+" vervalt zij en gaan de delen weer in de verkoop.",
		"Your order has not been paid yet. After "+until+" it expires and the shares are for sale again.")}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.Button = button(r, "Nu betalen", "Pay now", "/my-orders")
	m.After = []string{r.Say("Heb je net betaald? Dan kun je dit bericht negeren.", "Have you just paid? Then please ignore this message.")}
	return m
}

func mailOrderExpired(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je bestelling "+n.Reference+" is verlopen", "Your order "+n.Reference+" has expired")
	m.Lines = []string{r.Say("We hebben op tijd geen betaling ontvangen. De delen zijn weer te koop; je hoeft niets te betalen.",
		"We received no payment in time. The shares are for sale again; you do not owe anything.")}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.Button = button(r, "Bekijk het aanbod", "View the offers", "/offers")
	return m
}

func mailOrderCancelled(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je bestelling "+n.Reference+" is geannuleerd", "Your order "+n.Reference+" has been cancelled")
	m.Lines = []string{r.Say("Je krijgt de delen niet en je hoeft niets te betalen.", "You do not get the shares and you do not owe anything.")}
	if n.Refund > 0 {
		m.Lines = []string{r.Say("Je krijgt de delen niet. We betalen "+MoneyText(n.Refund)+" aan je terug.", "You do not get the shares. We pay "+MoneyText(n.Refund)+" back to you.")}
	}
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.Button = toOrders(r)
	return m
}

func mailOrderCompleted(r Reader, n Notice) module.Mail {
	m := mailTo(r, "De delen zijn van jou", "The shares are yours")
	m.Lines = append([]string{r.Say("De delen van je bestelling zijn aan je overgedragen.", "The shares of your order have been transferred to you.")}, orderFacts(r, n)...)
	m.Button = button(r, "Bekijk je deelname", "View your participation", "/participation")
	return m
}

// mailWithdrawal is the receipt of a withdrawal (9-withdrawal-function).
func mailWithdrawal(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Bewijs dat je van de koop afziet: bestelling "+n.Reference, "Receipt of your withdrawal: order "+n.Reference)
	m.Title = r.Say("Je ziet van de koop af", "You have withdrawn from the purchase")
	m.Lines = []string{r.Say("We hebben je herroeping ontvangen. Bewaar deze mail als bewijs.", "We have received your withdrawal. Keep this email as proof.")}
	n.Day = value.Day{} // nothing is transferred
	m.Lines = append(m.Lines, facts(r.Say("Ontvangen op", "Received on"), MomentText(r, n.At))...)
	m.Lines = append(m.Lines, orderFacts(r, n)...)
	m.Lines = append(m.Lines, facts(r.Say("Je krijgt terug", "You get back"), MoneyText(n.Refund))...)
	m.After = []string{r.Say("We betalen het bedrag terug zoals je het hebt betaald, binnen 14 dagen.", "We pay the amount back the way you paid it, within 14 days.")}
	m.Button = toOrders(r)
	return m
}

func mailRefunded(r Reader, n Notice) module.Mail {
	m := mailTo(r, "We betalen je "+MoneyText(n.Refund)+" terug", "We are paying you back "+MoneyText(n.Refund))
	m.Lines = []string{r.Say("Je betaling kwam binnen, maar de bestelling was al verlopen, geannuleerd of betaald. Je krijgt het bedrag terug zoals je het hebt betaald.",
		"Your payment came in, but the order had already expired, been cancelled or been paid. You get the amount back the way you paid it.")}
	m.Lines = append(m.Lines, facts(r.Say("Bestelling", "Order"), n.Reference, r.Say("Bedrag", "Amount"), MoneyText(n.Refund))...)
	m.Button = toOrders(r)
	return m
}
