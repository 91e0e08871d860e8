package marketplace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// allNotices are the kinds with what each has; a kind without a text would stop a delivery.
func allNotices(t *testing.T) []notice {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	full := notice{Relation: "r", From: "f", Offer: "o", Type: typePublic, Reference: "AB12CD34", Project: "Windpark Molenbocht", Shares: 1200, Price: 4900, Amount: 5880000,
		Refund: 5880000, Day: value.Day{Year: 2026, Month: 12, Day: 21}, Until: time.Date(2026, 12, 4, 14, 5, 0, 0, zone), At: time.Date(2026, 11, 20, 9, 30, 0, 0, zone),
		Reason: rejectShares, Address: "Molenweg 2 bis, 9861GT Grootegast"}
	var out []notice
	for kind := range letters {
		n := full
		n.Kind = kind
		out = append(out, n)
		if kind == noticeOfferApproved || kind == noticeOfferRejected {
			for _, other := range []string{typeDirect, typePrivate} {
				n.Type = other
				out = append(out, n)
			}
		}
		if kind == noticeSaleUndone {
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
	nl := reader{Email: "lid@leden.example", Locale: "nl", Zone: zone, Code: "ABCDEFGHJK2", From: "Fenna de Boer"}
	en := nl
	en.Locale = "en"
	text := func(m module.Mail) string {
		return strings.Join(append(append([]string{m.Subject, m.Title}, m.Lines...), m.After...), "\n")
	}
	for _, n := range allNotices(t) {
		t.Run(fmt.Sprint(n.Kind, n.Type, n.Shares, n.Free), func(t *testing.T) {
			for _, r := range []reader{nl, en} {
				m, ok := mailOf(r, n)
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
			d, _ := mailOf(nl, n)
			e, _ := mailOf(en, n)
			assert.NotEqual(t, d.Title, e.Title)
			assert.NotEqual(t, d.Button.Text, e.Button.Text)
			assert.Len(t, e.Lines, len(d.Lines))
			assert.Len(t, e.After, len(d.After))
		})
	}
	t.Run("what they say", func(t *testing.T) {
		by := map[noticeKind]string{}
		for _, n := range allNotices(t) {
			if n.Shares > 1 && n.Type == typePublic {
				m, _ := mailOf(nl, n)
				by[n.Kind] = text(m) + "\n" + m.Code + "\n" + m.Button.Path
			}
		}
		for kind, words := range map[noticeKind][]string{
			noticeOfferApproved:    {"goedgekeurd", "21-12-2026", "1.200 delen", "€ 49,00"},
			noticeOfferRejected:    {"niet goedgekeurd", "niet genoeg delen"},
			noticeCode:             {"ABCDEFGHJK2", "/personal-offers?code=ABCDEFGHJK2", "€ 49,00"},
			noticeOrderPlaced:      {"04-12-2026 om 14:05 uur", "€ 58.800,00", "/my-orders"},
			noticeOrderPaid:        {"21-12-2026", "bedenktijd tot en met 04-12-2026"},
			noticeOrderExpiresSoon: {"04-12-2026 om 14:05 uur", "/my-orders"},
			noticeWithdrawal:       {"AB12CD34", "20-11-2026 om 09:30 uur", "€ 58.800,00", "bewijs"},
			noticeRefunded:         {"€ 58.800,00", "AB12CD34"},
			noticeTransferReceived: {"Fenna de Boer", "1.200 delen", "niets voor te betalen"},
			noticeMoved:            {"Molenweg 2 bis, 9861GT Grootegast"},
		} {
			for _, w := range words {
				assert.Contains(t, by[kind], w, kind)
			}
		}
		assert.NotContains(t, by[noticeWithdrawal], "21-12-2026", "nothing is transferred")
		assert.Contains(t, text(mailSaleUndone(nl, notice{Shares: 2})), "weer te koop")
		assert.Contains(t, text(mailSaleUndone(nl, notice{Shares: 2, Free: true})), "niet meer te koop")
	})
	t.Run("a notice survives its event, and holds no code", func(t *testing.T) {
		for _, n := range allNotices(t) {
			data, err := json.Marshal(n)
			require.NoError(t, err)
			var back notice
			require.NoError(t, json.Unmarshal(data, &back))
			back.Until, back.At = n.Until, n.At
			assert.Equal(t, n, back)
		}
	})
	t.Run("an unknown kind has no text", func(t *testing.T) {
		_, ok := mailOf(nl, notice{Kind: "something"})
		assert.False(t, ok)
	})
}

func TestTextsOfEntries(t *testing.T) {
	for kind, both := range entryTexts {
		assert.NotEqual(t, both[0], both[1])
		assert.Equal(t, both[1], kind.text("en"))
		assert.Equal(t, both[0], kind.text("nl"))
	}
	assert.Equal(t, "SOMETHING", entryKind("SOMETHING").text("nl"))
	assert.Len(t, entryTexts, 15, "each kind of the ledger")
}
