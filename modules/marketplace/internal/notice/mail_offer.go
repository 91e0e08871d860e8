package notice

import (
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// rejectionTexts are the reasons why an offer was rejected, for its owner (4-rejection-reasons).
var rejectionTexts = map[string][2]string{
	"PARTICIPATION_UNKNOWN":           {"We kennen deze deelname niet meer.", "We no longer know this participation."},
	"MULTIPLE_PARTICIPATIONS_PROJECT": {"Je aanbod gaat over meer dan één deelname in dit project.", "Your offer concerns more than one participation in this project."},
	"INSUFFICIENT_SHARES":             {"Je hebt niet genoeg delen meer voor dit aanbod.", "You no longer have enough shares for this offer."},
	"SELLING_NOT_ALLOWED":             {"In dit project mag je nu niet verkopen.", "Selling is not allowed in this project at the moment."},
	"REJECTED_BY_PROVIDER":            {"We hebben je aanbod bekeken en niet goedgekeurd.", "We looked at your offer and did not approve it."},
}

func offerFacts(r Reader, n Notice) []string {
	price := ""
	if n.Price > 0 {
		price = MoneyText(n.Price)
	}
	return facts(r.Say("Aanbod", "Offer"), n.Reference, r.Say("Project", "Project"), n.Project, r.Say("Aantal", "Number"), SharesText(r, n.Shares),
		r.Say("Prijs per deel", "Price per share"), price)
}

func mailOfferApproved(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je aanbod is goedgekeurd", "Your offer has been approved")
	on := DayText(n.Day)
	switch n.Type {
	case "PRIVATE":
		m = mailTo(r, "Je overdracht is goedgekeurd", "Your transfer has been approved")
		m.Lines = []string{r.Say("Op "+on+" dragen we de delen over. Daar hoef je niets meer voor te doen.", "On "+on+" we hand over the shares. There is nothing more for you to do.")}
	case "DIRECT":
		m.Lines = []string{r.Say("Vanaf "+on+" kan de koper je persoonlijke aanbod kopen. De code hebben we per e-mail gestuurd.",
			"From "+on+" on the buyer can buy your personal offer. We have sent the code by email.")}
	default:
		m.Lines = []string{r.Say("Vanaf "+on+" kunnen andere leden je delen kopen.", "From "+on+" on other members can buy your shares.")}
	}
	m.Lines = append(m.Lines, offerFacts(r, n)...)
	m.Button = button(r, "Bekijk mijn aanbod", "View my offers", "/my-offers")
	return m
}

func mailOfferRejected(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je aanbod is niet goedgekeurd", "Your offer was not approved")
	if n.Type == "PRIVATE" {
		m = mailTo(r, "Je overdracht is niet goedgekeurd", "Your transfer was not approved")
	}
	why, known := rejectionTexts[n.Reason]
	if !known {
		why = rejectionTexts["REJECTED_BY_PROVIDER"]
	}
	m.Lines = append([]string{r.Say(why[0], why[1]), r.Say("De delen zijn van jou gebleven.", "The shares are still yours.")}, offerFacts(r, n)...)
	m.Button = button(r, "Bekijk mijn aanbod", "View my offers", "/my-offers")
	m.After = []string{r.Say("Heb je hier een vraag over? Neem dan contact met ons op.", "Do you have a question about this? Then get in touch with us.")}
	return m
}

func mailOfferSold(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Je hebt delen verkocht", "You have sold shares")
	m.Lines = []string{r.Say("Een ander lid heeft "+SharesText(r, n.Shares)+" van je gekocht en betaald.", "Another member has bought and paid for "+SharesText(r, n.Shares)+" of yours.")}
	m.Lines = append(m.Lines, facts(r.Say("Aanbod", "Offer"), n.Reference, r.Say("Project", "Project"), n.Project, r.Say("Bedrag", "Amount"), MoneyText(n.Amount),
		r.Say("Overdrachtsdatum", "Transfer date"), DayText(n.Day))...)
	m.After = []string{r.Say("Tot de overdrachtsdatum zijn de delen nog van jou.", "Until the transfer date the shares are still yours.")}
	m.Button = button(r, "Bekijk mijn aanbod", "View my offers", "/my-offers")
	return m
}

func MailSaleUndone(r Reader, n Notice) module.Mail {
	m := mailTo(r, "De koper ziet van de koop af", "The buyer has called off the purchase")
	why := r.Say("De koper maakt gebruik van de bedenktijd.", "The buyer has used the cooling-off period.")
	if n.Reason != "" {
		m = mailTo(r, "Je verkoop gaat niet door", "Your sale does not go through")
		why = r.Say("De verkoop is geannuleerd.", "The sale has been cancelled.")
		if n.Reason == payment.NoteChargedBack || n.Reason == payment.NoteOutside {
			why = r.Say("De betaling van de koper is teruggegaan. Daarom is de verkoop geannuleerd.", "The buyer's payment has gone back. The sale has therefore been cancelled.")
		}
	}
	m.Lines = []string{why + r.Say(" De delen blijven van jou en zijn weer te koop.", " The shares remain yours and are for sale again.")}
	if n.Free {
		m.Lines = []string{why + r.Say(" De delen blijven van jou. Ze zijn niet meer te koop; wil je dat wel, maak dan een nieuw aanbod.",
			" The shares remain yours. They are no longer for sale; if you want that, create a new offer.")}
	}
	m.Lines = append(m.Lines, offerFacts(r, n)...)
	m.Button = button(r, "Bekijk mijn aanbod", "View my offers", "/my-offers")
	return m
}

// mailCode has the code of a personal offer. Its reader may not be a member yet; anybody who can read the mailbox can use the code.
func mailCode(r Reader, n Notice) module.Mail {
	m := mailTo(r, "Er ligt een persoonlijk aanbod voor je klaar", "There is a personal offer for you")
	m.Lines = []string{r.Say("Een lid biedt je delen aan. Met deze code kun je ze kopen:", "A member offers you shares. With this code you can buy them:")}
	m.Code = r.Code
	m.After = append(facts(r.Say("Project", "Project"), n.Project, r.Say("Aantal", "Number"), SharesText(r, n.Shares), r.Say("Prijs per deel", "Price per share"), MoneyText(n.Price)),
		r.Say("Log in, kies Persoonlijk aanbod en vul de code in. De code werkt voor één lid.", "Sign in, choose Personal offers and enter the code. The code works for one member."),
		r.Say("Geen belangstelling? Dan hoef je niets te doen.", "Not interested? Then you need not do anything."))
	m.Button = button(r, "Code gebruiken", "Use the code", "/personal-offers?code="+r.Code)
	return m
}
