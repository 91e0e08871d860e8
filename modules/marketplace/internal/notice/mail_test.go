package notice_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// allNotices returns a notice of every kind with all fields set; a kind without a text would block its delivery.
func allNotices(t *testing.T) []notice.Notice {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	full := notice.Notice{Relation: "r", From: "f", Offer: "o", Type: offer.Public, Reference: "AB12CD34", Project: "Windpark Molenbocht",
		Shares: 1200, Price: 4900, Amount: 5880000,
		Refund: 5880000, Day: value.Day{Year: 2026, Month: 12, Day: 21}, Until: time.Date(2026, 12, 4, 14, 5, 0, 0, zone),
		At:     time.Date(2026, 11, 20, 9, 30, 0, 0, zone),
		Reason: offer.RejectShares, Address: "Molenweg 2 bis, 9861GT Grootegast"}
	var out []notice.Notice
	for _, kind := range notice.Kinds {
		n := full
		n.Kind = kind
		out = append(out, n)
		if kind == notice.OfferApproved || kind == notice.OfferRejected {
			for _, other := range []string{offer.Direct, offer.Private} {
				n.Type = other
				out = append(out, n)
			}
		}
		if kind == notice.SaleUndone {
			n.Free = true
			out = append(out, n)
			n.Free = false
		}
		n.Shares = 1
		out = append(out, n)
	}
	return out
}

func TestMails(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	nl := notice.Reader{Email: "lid@leden.example", Locale: "nl", Zone: zone, Code: "ABCDEFGHJK2", From: "Fenna de Boer"}
	en := nl
	en.Locale = "en"
	text := func(m module.Mail) string {
		return strings.Join(append(append([]string{m.Subject, m.Title}, m.Lines...), m.After...), "\n")
	}
	for _, n := range allNotices(t) {
		t.Run(fmt.Sprint(n.Kind, n.Type, n.Shares, n.Free), func(t *testing.T) {
			for _, r := range []notice.Reader{nl, en} {
				m, ok := notice.Mail(r, n)
				require.True(t, ok)
				assert.Equal(t, "lid@leden.example", m.To)
				assert.Equal(t, r.Locale, m.Locale)
				require.NotNil(t, m.Button)
				assert.NotEmpty(t, m.Button.Text)
				assert.True(t, strings.HasPrefix(m.Button.Path, "/"))
				assert.NotEmpty(t, m.Subject)
				assert.NotEmpty(t, m.Title)
				assert.NotEmpty(t, m.Lines)
				for _, line := range strings.Split(text(m), "\n") {
					assert.NotEmpty(t, line)
					assert.Equal(t, strings.Join(strings.Fields(line), " "), strings.ReplaceAll(line, "\u00a0", " "), "blanks")
					assert.NotContains(t, line, "!", "no exclamation marks")
					assert.NotContains(t, line, "%")
					assert.NotContains(t, strings.ToLower(line), " u ", "je, not u")
				}
			}
			d, _ := notice.Mail(nl, n)
			e, _ := notice.Mail(en, n)
			assert.NotEqual(t, d.Title, e.Title)
			assert.NotEqual(t, d.Button.Text, e.Button.Text)
			assert.Len(t, e.Lines, len(d.Lines))
			assert.Len(t, e.After, len(d.After))
		})
	}
	t.Run("what they say", func(t *testing.T) {
		by := map[notice.Kind]string{}
		for _, n := range allNotices(t) {
			if n.Shares > 1 && n.Type == offer.Public {
				m, _ := notice.Mail(nl, n)
				by[n.Kind] = text(m) + "\n" + m.Code + "\n" + m.Button.Path
			}
		}
		for kind, words := range map[notice.Kind][]string{
			notice.OfferApproved:    {"goedgekeurd", "21-12-2026", "1.200 delen", "€ 49,00"},
			notice.OfferRejected:    {"niet goedgekeurd", "niet genoeg delen"},
			notice.OfferCode:        {"ABCDEFGHJK2", "/personal-offers?code=ABCDEFGHJK2", "€ 49,00"},
			notice.OrderPlaced:      {"04-12-2026 om 14:05 uur", "€ 58.800,00", "/my-orders"},
			notice.OrderPaid:        {"21-12-2026", "bedenktijd tot en met 04-12-2026"},
			notice.OrderExpiresSoon: {"04-12-2026 om 14:05 uur", "/my-orders"},
			notice.Withdrawal:       {"AB12CD34", "20-11-2026 om 09:30 uur", "€ 58.800,00", "bewijs"},
			notice.Refunded:         {"€ 58.800,00", "AB12CD34"},
			notice.TransferReceived: {"Fenna de Boer", "1.200 delen", "niets voor te betalen"},
			notice.Moved:            {"Molenweg 2 bis, 9861GT Grootegast"},
		} {
			for _, w := range words {
				assert.Contains(t, by[kind], w, kind)
			}
		}
		assert.NotContains(t, by[notice.Withdrawal], "21-12-2026", "nothing is transferred")
		undone := func(n notice.Notice) module.Mail {
			n.Kind = notice.SaleUndone
			m, _ := notice.Mail(nl, n)
			return m
		}
		assert.Contains(t, text(undone(notice.Notice{Shares: 2})), "weer te koop")
		assert.Contains(t, text(undone(notice.Notice{Shares: 2, Free: true})), "niet meer te koop")
	})
	t.Run("a notice survives its event, and holds no code", func(t *testing.T) {
		for _, n := range allNotices(t) {
			data, err := json.Marshal(n)
			require.NoError(t, err)
			var back notice.Notice
			require.NoError(t, json.Unmarshal(data, &back))
			back.Until, back.At = n.Until, n.At
			assert.Equal(t, n, back)
		}
	})
	t.Run("an unknown kind has no text", func(t *testing.T) {
		_, ok := notice.Mail(nl, notice.Notice{Kind: "something"})
		assert.False(t, ok)
	})
}

// The text for buyer and seller depends on why money was refunded or charged back, or why a sale was undone.
func TestMailsByReason(t *testing.T) {
	nl, en := notice.Reader{Locale: "nl", Zone: time.UTC}, notice.Reader{Locale: "en", Zone: time.UTC}
	first := func(r notice.Reader, n notice.Notice) []string {
		m, ok := notice.Mail(r, n)
		require.True(t, ok)
		return []string{m.Title, m.Lines[0]}
	}
	t.Run("money that came back", func(t *testing.T) {
		for _, c := range []struct {
			notice.Notice
			nl, en []string
		}{
			{notice.Notice{Kind: notice.SaleUndone}, []string{"De koper ziet van de koop af",
				"De koper maakt gebruik van de bedenktijd. De delen blijven van jou en zijn weer te koop."},
				[]string{"The buyer has called off the purchase",
					"The buyer has used the cooling-off period. The shares remain yours and are for sale again."}},
			{notice.Notice{Kind: notice.SaleUndone, Reason: payment.NoteStaff, Free: true},
				[]string{"Je verkoop gaat niet door", "De verkoop is geannuleerd. De delen blijven van jou. Ze zijn niet meer te koop; wil je dat wel, maak dan een nieuw aanbod."},
				[]string{"Your sale is not going ahead",
					"The sale has been cancelled. The shares remain yours. They are no longer for sale; if you want that, create a new offer."}},
			{notice.Notice{Kind: notice.SaleUndone, Reason: payment.NoteChargedBack},
				[]string{"Je verkoop gaat niet door", "De betaling van de koper is teruggegaan. Daarom is de verkoop geannuleerd. De delen blijven van jou en zijn weer te koop."},
				[]string{"Your sale is not going ahead",
					"The buyer's payment has gone back. The sale has therefore been cancelled. The shares remain yours and are for sale again."}},
			{notice.Notice{Kind: notice.SaleUndone, Reason: payment.NoteOutside},
				[]string{"Je verkoop gaat niet door", "De betaling van de koper is teruggegaan. Daarom is de verkoop geannuleerd. De delen blijven van jou en zijn weer te koop."},
				[]string{"Your sale is not going ahead",
					"The buyer's payment has gone back. The sale has therefore been cancelled. The shares remain yours and are for sale again."}},
			{notice.Notice{Kind: notice.PurchaseReversed, Reference: "B-1", Reason: payment.NoteStaff},
				[]string{"Je bestelling B-1 is geannuleerd", "We hebben je bestelling geannuleerd. Je krijgt de delen niet."},
				[]string{"Your order B-1 has been cancelled", "We have cancelled your order. You do not get the shares."}},
			{notice.Notice{Kind: notice.PurchaseReversed, Reference: "B-1", Reason: payment.NoteChargedBack},
				[]string{"Je bestelling B-1 is geannuleerd",
					"Je bank heeft je betaling teruggeboekt. Daarom hebben we de bestelling geannuleerd. Je krijgt de delen niet."},
				[]string{"Your order B-1 has been cancelled",
					"Your bank has reversed your payment. We have therefore cancelled the order. You do not get the shares."}},
			{notice.Notice{Kind: notice.PurchaseReversed, Reference: "B-1", Reason: payment.NoteOutside},
				[]string{"Je bestelling B-1 is geannuleerd",
					"Je hebt je geld terug. Daarom hebben we de bestelling geannuleerd. Je krijgt de delen niet."},
				[]string{"Your order B-1 has been cancelled",
					"You have your money back. We have therefore cancelled the order. You do not get the shares."}},
			{notice.Notice{Kind: notice.MoneyReturned, Reason: payment.NotePart, Refund: 100},
				[]string{"We hebben je € 1,00 terugbetaald", "Dit bedrag hoort bij je bestelling. De bestelling zelf blijft zoals die was."},
				[]string{"We have paid you back € 1,00", "This amount belongs to your order. The order itself stays as it was."}},
			{notice.Notice{Kind: notice.MoneyReturned, Reason: payment.NoteFailed, Refund: 100},
				[]string{"Terugbetalen is niet gelukt", "We hebben € 1,00 aan je teruggestuurd, maar het geld is niet aangekomen. We kijken hoe je het toch krijgt."},
				[]string{"We could not pay you back", "We sent € 1,00 back to you, but the money did not arrive. We are finding out how to get it to you."}},
			{notice.Notice{Kind: notice.SaleMoney, Reason: payment.NotePart}, []string{"De koper kreeg een deel van het geld terug",
				"Je verkoop gaat door. Verandert er toch iets, dan laten we het je weten."},
				[]string{"The buyer got part of the money back", "Your sale goes ahead. If anything changes after all, we will let you know."}},
			{notice.Notice{Kind: notice.SaleMoney, Reason: payment.NoteRestored},
				[]string{"De betaling van je verkoop is weer binnen",
					"Het geld dat was teruggegaan, hebben we weer ontvangen. Je verkoop blijft zoals die was."},
				[]string{"The payment for your sale has come in again",
					"We have received the money that had gone back again. Your sale stays as it was."}},
		} {
			assert.Equal(t, c.nl, first(nl, c.Notice), "%+v", c.Notice)
			assert.Equal(t, c.en, first(en, c.Notice), "%+v", c.Notice)
		}
		for _, title := range []string{first(en, notice.Notice{Kind: notice.SaleMoney, Reason: payment.NoteChargedLate})[0],
			first(en, notice.Notice{Kind: notice.SaleMoney, Reason: payment.NoteOutside})[0]} {
			assert.Equal(t, "The payment for your sale has gone back", title)
		}
		assert.Equal(t, "Your payment has been reversed", first(en, notice.Notice{Kind: notice.MoneyReturned,
			Reason: payment.NoteChargedLate})[0])
		assert.Equal(t, "Your payment has come in again", first(en, notice.Notice{Kind: notice.MoneyReturned, Reason: payment.NoteRestored})[0])
	})
	t.Run("an offer that was rejected", func(t *testing.T) {
		assert.Equal(t, []string{"Je aanbod is niet goedgekeurd", "In dit project mag je nu niet verkopen."},
			first(nl, notice.Notice{Kind: notice.OfferRejected, Type: offer.Public, Reason: offer.RejectSelling}))
		assert.Equal(t, []string{"Your transfer was not approved", "You no longer have enough shares for this offer."},
			first(en, notice.Notice{Kind: notice.OfferRejected, Type: offer.Private, Reason: offer.RejectShares}))
		assert.Equal(t, "We looked at your offer and did not approve it.", first(en,
			notice.Notice{Kind: notice.OfferRejected, Type: offer.Public, Reason: "OTHER"})[1])
	})
}

// An amount of zero is omitted, not written as € 0,00.
func TestAmountsOfMails(t *testing.T) {
	en := notice.Reader{Locale: "en", Zone: time.UTC}
	lines := func(n notice.Notice) string {
		m, ok := notice.Mail(en, n)
		require.True(t, ok)
		return strings.Join(m.Lines, "\n")
	}
	for kind, with := range map[notice.Kind]struct {
		notice.Notice
		say string
	}{
		notice.OfferApproved:    {notice.Notice{Price: 1}, "Price per share: € 0,01"},
		notice.OrderPlaced:      {notice.Notice{Amount: 1}, "Amount: € 0,01"},
		notice.OrderCancelled:   {notice.Notice{Refund: 1}, "You do not get the shares. We pay € 0,01 back to you."},
		notice.PurchaseReversed: {notice.Notice{Refund: 1}, "We pay € 0,01 back to you."},
	} {
		with.Kind = kind
		assert.Contains(t, lines(with.Notice), with.say)
		assert.NotContains(t, lines(notice.Notice{Kind: kind}), "€", kind)
	}
	assert.Contains(t, lines(notice.Notice{Kind: notice.OrderCancelled}), "You do not get the shares and you do not owe anything.")
}

// Every kind of email in both languages, with and without optional fields. Texts repeat: the file only contains emails with a line that no
// earlier email has.
func TestMailGolden(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	reasons := slices.Concat([]string{"", "OTHER"}, offer.Rejections,
		[]string{payment.NoteStaff, payment.NoteChargedBack, payment.NoteChargedLate, payment.NoteOutside, payment.NotePart, payment.NoteFailed,
			payment.NoteRestored})
	seen, mails := map[string]bool{}, map[string]module.Mail{}
	add := func(r notice.Reader, n notice.Notice, name string) {
		m, ok := notice.Mail(r, n)
		require.True(t, ok)
		parts := slices.Concat(m.Lines, m.After, []string{"subject " + m.Subject, "title " + m.Title, "code " + m.Code,
			fmt.Sprint("button ", *m.Button)})
		for _, part := range parts {
			if !seen[r.Locale+part] {
				mails[fmt.Sprintf("%s %s %s %d %v %s %s %q", r.Locale, n.Kind, n.Type, n.Shares, n.Free, n.Reason, name, r.From)] = m
			}
			seen[r.Locale+part] = true
		}
	}
	for _, locale := range []string{"nl", "en"} {
		for _, from := range []string{"Fenna de Boer", ""} {
			r := notice.Reader{Email: "lid@leden.example", Locale: locale, Zone: zone, Code: "ABCDEFGHJK2", From: from}
			for _, full := range allNotices(t) {
				for _, reason := range reasons {
					if full.Kind == notice.AccessRejected && reason != "" && reason != "OTHER" {
						continue // the reason is text written by staff
					}
					full.Reason = reason
					add(r, full, "full")
					add(r, notice.Notice{Kind: full.Kind, Type: full.Type, Shares: full.Shares, Reason: reason, Free: full.Free}, "bare")
				}
			}
		}
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}
