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
		got, err := stringOrNumber([]byte(in))
		require.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{`true`, `{}`, `[]`, `/`, `:`} {
		_, err := stringOrNumber([]byte(in))
		assert.Error(t, err, in)
	}
}

// An incomplete old address is refused, and the default address type is SHIPPING.
func TestOldAddress(t *testing.T) {
	today := day(t, "2026-11-20")
	codes := func(old Address) string {
		out := []string{}
		for _, w := range (Request{Old: old, New: sentAddress("9731AB", "7"), Dates: Dates{Start: "2026-12-01"}}).CheckForm(today) {
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

// sentAddress returns a new address as decoded from a request.
func sentAddress(zip, number string) (r NewAddress) {
	data, _ := json.Marshal(map[string]string{"zip_code": zip, "house_number": number}) // strings cannot fail
	_ = json.Unmarshal(data, &r)
	return r
}

// The two days are compared only if both are valid.
func TestStopWithoutStart(t *testing.T) {
	_, _, fieldErrors := Dates{Start: "soon", Stop: "2026-12-01"}.Check(day(t, "2026-11-20"))
	require.Len(t, fieldErrors, 1)
	assert.Equal(t, fieldStart, fieldErrors[0].Field)
}

// Emails and calendar files are in the recipient's language, and contain the last day if there is one.
func TestTextsOfAMove(t *testing.T) {
	f := testMove(t)
	for locale, words := range map[string][]string{"en": {"Last day of delivery at your old address", "received your move",
		"processed your move", "could not process"},
		"nl": {"Laatste dag levering op je oude adres", "hebben je verhuizing ontvangen", "hebben je verhuizing verwerkt",
			"konden de verhuizing"}} {
		text := ""
		for _, write := range []mailFunc{mailRequested, mailProcessed, mailRejected} {
			m := write(locale, f.Move, "")
			text += m.Subject + strings.Join(m.Lines, " ")
		}
		for _, w := range words {
			assert.Contains(t, text, w)
		}
	}
	assert.Len(t, mailProcessed("nl", f.Move, "").Lines, 1+4)
	f.Stop = nil
	assert.Len(t, mailProcessed("nl", f.Move, "").Lines, 1+3)
	pending := f
	pending.State = "PENDING"
	file, err := Calendar(pending, "nl")
	require.NoError(t, err)
	assert.Contains(t, string(file), "aangevraagd")
	f.State = "PROCESSED"
	file, err = Calendar(f, "nl")
	require.NoError(t, err)
	assert.NotContains(t, string(file), "aangevraagd")
}
