package move

import (
	"encoding/json"
	"fmt"
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

// An address of the register is taken with all that it must have, and no longer than it may be.
func TestReadPDOK(t *testing.T) {
	long := strings.Repeat("a", nameMax)
	read := func(doc string) []Address {
		at, more, err := readPDOK([]byte(`{"response":{"numFound":1,"docs":[`+doc+`]}}`), Place{"2513RZ", "12"})
		require.NoError(t, err, doc)
		assert.False(t, more)
		return at
	}
	doc := func(street, city, letter, addition, written string) string {
		return fmt.Sprintf(`{"type":"adres","straatnaam":%q,"woonplaatsnaam":%q,"postcode":"2513RZ","huisnummer":12,"huisletter":%q,"huisnummertoevoeging":%q,"huis_nlt":%q}`,
			street, city, letter, addition, written)
	}
	assert.Len(t, read(doc("Torenstraat", "Den Haag", "", "", "12")), 1)
	assert.Len(t, read(doc(long, long, "", "", "12")), 1)
	for _, none := range []string{doc("", "Den Haag", "", "", "12"), doc("Torenstraat", "", "", "", "12"), doc(long+"a", "Den Haag", "", "", "12"), doc("Torenstraat", long+"a", "", "", "12"),
		doc("T", "D", strings.Repeat("b", extensionMax+1), "", ""), "null", strings.Replace(doc("T", "D", "", "", "12"), "adres", "weg", 1),
		strings.Replace(doc("T", "D", "", "", "12"), "2513RZ", "2513RX", 1), strings.Replace(doc("T", "D", "", "", "12"), `"huisnummer":12`, `"huisnummer":13`, 1)} {
		assert.Empty(t, read(none), none)
	}
	assert.Len(t, read(doc("T", "D", strings.Repeat("b", extensionMax), "", "")), 1)
	for _, x := range []struct{ letter, addition, written, want string }{{"", "", "12-2", "2"}, {"A", "", "12 of iets", "A"}, {"", "2", "12 of iets", "2"}, {"A", "2", "", "A-2"}} {
		at := read(doc("T", "D", x.letter, x.addition, x.written))
		require.Len(t, at, 1)
		assert.Equal(t, x.want, at[0].Extension, "%+v", x)
	}
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
