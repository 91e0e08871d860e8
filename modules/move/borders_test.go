package move

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNumbersAndTexts(t *testing.T) {
	for in, want := range map[string]string{`0`: "0", `9`: "9", `12`: "12", `-1`: "-1", `"12 A"`: "12 A", `null`: ""} {
		got, err := loose([]byte(in))
		require.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{`true`, `{}`, `[]`, `/`, `:`} {
		_, err := loose([]byte(in))
		assert.Error(t, err, in)
	}
}

// Half an old address is none, and who says no kind of address means where energy is delivered.
func TestOldAddress(t *testing.T) {
	today := day(t, "2026-11-20")
	codes := func(old Address) string {
		out := []string{}
		for _, w := range (Request{Old: old, New: asked("9731AB", "7"), Dates: Dates{Start: "2026-12-01"}}).CheckForm(today) {
			out = append(out, w.Field+" "+w.Code)
		}
		return strings.Join(out, ", ")
	}
	assert.Empty(t, codes(Address{ZipCode: "9861GT", Number: "18"}))
	for _, half := range []Address{{ZipCode: "9861GT"}, {Number: "18"}, {}} {
		assert.Equal(t, "old_address "+codeRequired, codes(half))
	}
	home := Address{"Molenweg", "18", "", "9861GT", "Grootegast"}
	from := Agreement{ID: "A", Addresses: []DeliveryAddress{{Address: home}}}
	assert.Equal(t, "SHIPPING", Request{Old: home}.Move(from, Address{}, false, today).Type)
	assert.Equal(t, "INVOICE", Request{Old: home, Type: "INVOICE"}.Move(from, Address{}, false, today).Type)
}

// asked is a new address as a request has it.
func asked(zip, number string) (r NewAddress) {
	data, _ := json.Marshal(map[string]string{"zip_code": zip, "house_number": number}) // texts
	_ = json.Unmarshal(data, &r)
	return r
}

// The days are compared with each other only when both are days.
func TestStopWithoutStart(t *testing.T) {
	_, _, wrong := Dates{Start: "soon", Stop: "2026-12-01"}.Check(day(t, "2026-11-20"))
	require.Len(t, wrong, 1)
	assert.Equal(t, fieldStart, wrong[0].Field)
}

// Mails and calendar are in the language of their reader, and tell the last day where there is one.
func TestWordsOfAMove(t *testing.T) {
	f := aMove(t)
	for locale, words := range map[string][]string{"en": {"Last day of delivery at your old address", "received your move", "processed your move", "could not process"},
		"nl": {"Laatste dag levering op je oude adres", "hebben je verhuizing ontvangen", "hebben je verhuizing verwerkt", "konden de verhuizing"}} {
		all := ""
		for _, write := range []letter{mailAsked, mailProcessed, mailRejected} {
			m := write(locale, f.Move, "")
			all += m.Subject + strings.Join(m.Lines, " ")
		}
		for _, w := range words {
			assert.Contains(t, all, w)
		}
	}
	assert.Len(t, facts("nl", f.Move), 4)
	f.Stop = nil
	assert.Len(t, facts("nl", f.Move), 3)
	pending := f
	pending.State = "PENDING"
	told, err := Calendar(pending, "nl")
	require.NoError(t, err)
	assert.Contains(t, string(told), "aangevraagd")
	f.State = "PROCESSED"
	told, err = Calendar(f, "nl")
	require.NoError(t, err)
	assert.NotContains(t, string(told), "aangevraagd")
}
