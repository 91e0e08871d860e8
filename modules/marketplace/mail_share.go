package marketplace

import (
	"cmp"

	"github.com/wattle-portal/wattle/core/module"
)

func shareFacts(r reader, n notice) []string {
	return facts(r.say("Project", "Project"), n.Project, r.say("Aantal", "Number"), sharesText(r, n.Shares), r.say("Datum", "Date"), dayText(n.Day))
}

func toParticipation(r reader) *module.Button {
	return button(r, "Bekijk je deelname", "View your participation", "/participation")
}

func mailTransferReceived(r reader, n notice) module.Mail {
	m := mailTo(r, "Je hebt delen gekregen", "You have been given shares")
	from := cmp.Or(r.From, r.say("Een ander lid", "Another member"))
	m.Lines = append([]string{r.say(from+" heeft "+sharesText(r, n.Shares)+" aan je overgedragen. Je hoeft er niets voor te betalen.",
		from+" has handed "+sharesText(r, n.Shares)+" over to you. You need not pay anything.")}, shareFacts(r, n)...)
	m.Button = toParticipation(r)
	return m
}

func mailTransferDone(r reader, n notice) module.Mail {
	m := mailTo(r, "Je delen zijn overgedragen", "Your shares have been handed over")
	m.Lines = append([]string{r.say("De ontvanger heeft er nu "+sharesText(r, n.Shares)+" bij.", "The receiver now has "+sharesText(r, n.Shares)+" more.")}, shareFacts(r, n)...)
	m.Button = toParticipation(r)
	return m
}

func mailTransferFailed(r reader, n notice) module.Mail {
	m := mailTo(r, "Je overdracht gaat niet door", "Your transfer did not go through")
	m.Lines = append([]string{r.say("De ontvanger heeft geen lopend stroomcontract meer. Daarom konden we de delen niet overdragen; ze zijn van jou gebleven.",
		"The receiver no longer has an active electricity contract. That is why we could not hand over the shares; they are still yours.")}, shareFacts(r, n)...)
	m.Button = toParticipation(r)
	return m
}

func mailMoved(r reader, n notice) module.Mail {
	m := mailTo(r, "Je delen zijn verhuisd", "Your shares have moved")
	m.Lines = append([]string{r.say("De delen staan nu op het nieuwe adres.", "The shares are now at the new address.")}, shareFacts(r, n)...)
	m.Lines = append(m.Lines, facts(r.say("Adres", "Address"), n.Address)...)
	m.Button = toParticipation(r)
	return m
}

func mailAccessApproved(r reader, _ notice) module.Mail {
	m := mailTo(r, "Je kunt nu kopen en verkopen", "You can now buy and sell")
	m.Lines = []string{r.say("We hebben je toegang tot de markt goedgekeurd. Vanaf nu kun je delen kopen en aanbieden.",
		"We have approved your access to the market. From now on you can buy and offer shares.")}
	m.Button = button(r, "Bekijk het aanbod", "View the offers", "/offers")
	return m
}

func mailAccessRejected(r reader, n notice) module.Mail {
	m := mailTo(r, "Je krijgt geen toegang tot de markt", "You do not get access to the market")
	m.Lines = append([]string{r.say("We hebben je aanvraag bekeken en kunnen die niet goedkeuren. Je deelnames blijven gewoon van jou.",
		"We looked at your request and cannot approve it. Your participations simply remain yours.")}, facts(r.say("De reden", "The reason"), n.Reason)...)
	m.After = []string{r.say("Heb je hier een vraag over? Neem dan contact met ons op.", "Do you have a question about this? Then get in touch with us.")}
	m.Button = button(r, "Neem contact op", "Contact us", "/contact")
	return m
}
