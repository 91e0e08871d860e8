package notice

import (
	"cmp"

	"github.com/wattle-portal/wattle/core/module"
)

func shareFacts(r Reader, n Notice) []string {
	return facts(r.Say("Project", "Project"), n.Project, r.Say("Aantal", "Number"), SharesText(r, n.Shares), r.Say("Datum", "Date"), DayText(n.Day))
}

func toParticipation(r Reader) *module.Button {
	return button(r, "Bekijk je deelname", "View your participation", "/participation")
}

func mailTransferReceived(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je hebt delen gekregen", "You have been given shares")
	from := cmp.Or(r.From, r.Say("Een ander lid", "Another member"))
	m.Lines = append([]string{r.Say(from+" heeft "+SharesText(r, n.Shares)+" aan je overgedragen. Je hoeft er niets voor te betalen.",
		from+" has handed "+SharesText(r, n.Shares)+" over to you. You need not pay anything.")}, shareFacts(r, n)...)
	m.Button = toParticipation(r)
	return m
}

func mailTransferDone(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je delen zijn overgedragen", "Your shares have been handed over")
	m.Lines = append([]string{r.Say("De ontvanger heeft er nu "+SharesText(r, n.Shares)+" bij.", "The receiver now has "+SharesText(r, n.Shares)+" more.")}, shareFacts(r, n)...)
	m.Button = toParticipation(r)
	return m
}

func mailTransferFailed(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je overdracht gaat niet door", "Your transfer did not go through")
	m.Lines = append([]string{r.Say("De ontvanger heeft geen lopend stroomcontract meer. Daarom konden we de delen niet overdragen; ze zijn van jou gebleven.",
		"The receiver no longer has an active electricity contract. That is why we could not hand over the shares; they are still yours.")}, shareFacts(r, n)...)
	m.Button = toParticipation(r)
	return m
}

func mailMoved(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je delen zijn verhuisd", "Your shares have moved")
	m.Lines = append([]string{r.Say("De delen staan nu op het nieuwe adres.", "The shares are now at the new address.")}, shareFacts(r, n)...)
	m.Lines = append(m.Lines, facts(r.Say("Adres", "Address"), n.Address)...)
	m.Button = toParticipation(r)
	return m
}

func mailAccessApproved(r Reader, _ Notice) module.Mail {
	m := mailTo(r, "Je kunt nu kopen en verkopen", "You can now buy and sell")
	m.Lines = []string{r.Say("We hebben je toegang tot de markt goedgekeurd. Vanaf nu kun je delen kopen en aanbieden.",
		"We have approved your access to the market. From now on you can buy and offer shares.")}
	m.Button = button(r, "Bekijk het aanbod", "View the offers", "/offers")
	return m
}

func mailAccessRejected(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je krijgt geen toegang tot de markt", "You do not get access to the market")
	m.Lines = append([]string{r.Say("We hebben je aanvraag bekeken en kunnen die niet goedkeuren. Je deelnames blijven gewoon van jou.",
		"We looked at your request and cannot approve it. Your participations simply remain yours.")}, facts(r.Say("De reden", "The reason"), n.Reason)...)
	m.After = []string{r.Say("Heb je hier een vraag over? Neem dan contact met ons op.", "Do you have a question about this? Then get in touch with us.")}
	m.Button = button(r, "Neem contact op", "Contact us", "/contact")
	return m
}
