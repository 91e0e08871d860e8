package move

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G, W any](t *testing.T, row string, check func(input G, today value.Day) []W) {
	t.Helper()
	t.Run(row, func(t *testing.T) { cases(t, row, check) })
}

func cases[G, W any](t *testing.T, row string, check func(input G, today value.Day) []W) {
	t.Helper()
	moduletest.RunCases(t, "../../schemas/rules/"+row+".json", func(input G, today value.Day,
		_ struct{}) []W {
		return append([]W{}, check(input, today)...)
	})
}

func day(t testing.TB, s string) value.Day {
	d, err := value.ParseDay(s)
	require.NoError(t, err)
	return d
}

func TestDates(t *testing.T) {
	for _, row := range []string{"5.2-start-required", "5.2-date-invalid", "5.2-date-past", "5.2-start-min-two-days",
		"5.2-past-precedence-reconcile",
		"5.2-start-before-stop", "5.2-stop-optional"} {
		vectors(t, row, func(d Dates, today value.Day) []problem.FieldError {
			_, _, fieldErrors := d.Check(today)
			return fieldErrors
		})
	}
	t.Run("accepted days are in the future and in order", func(t *testing.T) {
		today := value.Day{Year: 2026, Month: 11, Day: 20}
		rapid.Check(t, func(t *rapid.T) {
			start := today.AddDays(rapid.IntRange(-5, 5).Draw(t, "start"))
			stop := today.AddDays(rapid.IntRange(-5, 5).Draw(t, "stop"))
			s, e, fieldErrors := Dates{start.String(), stop.String()}.Check(today)
			fine := !start.Before(today.AddDays(2)) && !stop.Before(start)
			if fine != (fieldErrors == nil) || s != start || *e != stop {
				t.Fatalf("%s to %s: %v", start, stop, fieldErrors)
			}
		})
	})
}

func TestRequest(t *testing.T) {
	for _, row := range []string{"5.2-old-address-required", "5.2-new-address-required", "3-move-extra-addresses"} {
		vectors(t, row, func(input map[string]any, _ value.Day) []problem.FieldError {
			valid := map[string]any{"old_address": map[string]string{"zip_code": "9861GT", "house_number": "18"}}
			if row != "3-move-extra-addresses" {
				delete(valid, "old_address")
			}
			for k, v := range input {
				valid[k] = v
			}
			data, err := json.Marshal(valid)
			require.NoError(t, err)
			var in Request
			require.NoError(t, json.Unmarshal(data, &in))
			in.Start = "2026-12-01"
			return in.CheckForm(day(t, "2026-11-20"))
		})
	}
	from := Agreement{ID: "A1-1", Status: "ACTIVE",
		Addresses: []DeliveryAddress{{Address: Address{"Molenweg", "18", "", "9861GT", "Grootegast"},
			Connections: []Connection{{"871600000000000024", gas}, {"871600000000000017", electricity}}}}}
	to := Address{"Lindelaan", "7", "", "9731AB", "Groningen"}
	moveOf := func(r Request) Move {
		r.Old, r.Dates = from.Addresses[0].Address, Dates{Start: "2026-12-01"}
		return r.Move(from, to, false, day(t, "2026-11-20"))
	}
	vectors(t, "3-move-residential-default", func(r Request, _ value.Day) []bool { return []bool{moveOf(r).Residential} })
	vectors(t, "3-move-commodities", func(c []Connection, _ value.Day) []Commodity { return CommoditiesOf(c) })
	t.Run("3-move-commodities", func(t *testing.T) {
		assert.Equal(t, []Commodity{electricity, gas}, moveOf(Request{Commodities: []Commodity{electricity}}).Commodities,
			"commodities of the request are ignored")
	})
	t.Run("3-move-extra-addresses", func(t *testing.T) {
		m := moveOf(Request{NewInvoice: &Address{}, NewPostal: &Address{}})
		assert.Equal(t, &to, m.NewInvoice)
		assert.Equal(t, &to, m.NewPostal)
		m = moveOf(Request{})
		assert.Nil(t, m.NewInvoice)
		assert.Nil(t, m.NewPostal)
	})
}

func TestAgreements(t *testing.T) {
	check := func(a Agreement, _ value.Day) []string { return CheckAgreement(a) }
	vectors(t, "2.2-exclude-ended", check)
	t.Run("rules that the browser also applies", func(t *testing.T) { // browser tests cover these rows
		cases(t, "2.2-exclude-daughter", check)
		cases(t, "2.2-offline-multi-address", check)
	})
	vectors(t, "2.2-offline-existing-agreement", func(g struct {
		Address    Address     `json:"new_address"`
		Agreements []Agreement `json:"agreements"`
	}, _ value.Day) []string {
		return CheckNewAddress(g.Address.Key(), g.Agreements)
	})
	at := func(zip string) []DeliveryAddress {
		return []DeliveryAddress{{Address: Address{ZipCode: zip, Number: "1"}}}
	}
	all := []Agreement{{ID: "ended", Status: "TERMINATED", Addresses: at("9861GT")}, {ID: "gas", Status: "ACTIVE", Addresses: at("9861GT")},
		{ID: "power", Status: "ACTIVE", Addresses: at("9861GT")}, {ID: "home", Status: "FUTURE", Addresses: at("9731AB")},
		{ID: "shop", Status: "ACTIVE", CompanyName: "B.V.", Addresses: at("3512KL")}}
	for _, c := range []struct{ id, old, want, field, code string }{
		{"gas", "9861GT 1 ", "gas", "", ""},
		{"gas", "9731AB 1 ", "", "old_address", codeAgreementUnknown},
		{"unknown", "9861GT 1 ", "", "agreement_identifier_with_sequence", codeAgreementUnknown},
		{"ended", "9861GT 1 ", "", "agreement_identifier_with_sequence", codeAgreementEnded},
		{"shop", "3512KL 1 ", "", "agreement_identifier_with_sequence", codeAgreementDaughter},
		{"", "9731AB 1 ", "home", "", ""},
		{"", "9861GT 1 ", "", "agreement_identifier_with_sequence", codeRequired},
		{"", "3512KL 1 ", "", "old_address", codeAgreementDaughter},
		{"", "1000AA 1 ", "", "old_address", codeAgreementUnknown},
	} {
		got, field, code := Choose(all, c.id, c.old)
		id := ""
		if got != nil {
			id = got.ID
		}
		assert.Equal(t, []string{c.want, c.field, c.code}, []string{id, field, code}, c)
	}
}

func TestConnections(t *testing.T) {
	vectors(t, "4-move-connections-match", func(g struct {
		At  EANs        `json:"eansPerCommodity"`
		Old []Commodity `json:"old"`
	}, _ value.Day) []string {
		return CheckConnections(g.At, g.Old)
	})
	t.Run("3-address-lookup-eans-shape", func(t *testing.T) {
		got, err := json.Marshal(EANsOf([]Connection{{"871600000000000024", gas}, {"871600000000000031", electricity},
			{"871600000000000017", electricity},
			{"871600000000000017", electricity}, {"871600000000000048", "HEAT"}}))
		require.NoError(t, err)
		assert.JSONEq(t, `{"GAS":["871600000000000024"],"ELECTRICITY":["871600000000000017","871600000000000031"]}`, string(got))
		got, err = json.Marshal(EANsOf(nil))
		require.NoError(t, err)
		assert.JSONEq(t, `{"GAS":[],"ELECTRICITY":[]}`, string(got))
	})
}

func TestAddresses(t *testing.T) {
	vectors(t, "5.2-zip-normalise", func(s string, _ value.Day) []string { return []string{value.NormalizeZipCode(s)} })
}

func TestAddressByHand(t *testing.T) {
	t.Run("4-addr-lookup-down", func(t *testing.T) {
		a, fieldErrors := CheckManual(Address{Street: "  Burgemeester\tde   Vlugtlaan\u200b ", Number: " 7", Extension: " bis ",
			ZipCode: "1063 bh", City: "Amsterdam"})
		assert.Empty(t, fieldErrors)
		assert.Equal(t, Address{"Burgemeester de Vlugtlaan", "7", "bis", "1063BH", "Amsterdam"}, a)
		_, fieldErrors = CheckManual(Address{Street: " ", Number: "7", ZipCode: "1063BH", City: "\u200b"})
		assert.Equal(t, []problem.FieldError{{Field: "new_address.street", Code: codeRequired}, {Field: "new_address.city", Code: codeRequired}},
			fieldErrors)
		_, fieldErrors = CheckManual(Address{Street: strings.Repeat("é", 81), Number: "7", ZipCode: "10633", City: strings.Repeat("é", 80),
			Extension: strings.Repeat("1", 21)})
		assert.Equal(t, []problem.FieldError{{Field: "new_address.zip_code", Code: codeAddressUnknown},
			{Field: "new_address.house_number_extension", Code: problem.CodeTooLong}, {Field: "new_address.street", Code: problem.CodeTooLong}},
			fieldErrors)
	})
}

// The embedded file covers every case, and its connections have the format of a service's response.
func TestEmbedded(t *testing.T) {
	e := loadEmbedded()
	both := []Commodity{electricity, gas}
	for _, c := range []struct {
		zip, number string
		want        []string
	}{{"9731AB", "7", nil}, {"9746TE", "21", []string{codeDifferentConnections}}, {"9723HG", "3", []string{codeMultipleConnections}},
		{"9734XA", "1", []string{codeDifferentConnections}}} {
		connections, err := e.Connections(t.Context(), Address{ZipCode: c.zip, Number: Number(c.number)})
		require.NoError(t, err)
		assert.Equal(t, c.want, CheckConnections(EANsOf(connections), both), c)
	}
	seen := map[string]bool{}
	for _, connections := range e {
		for _, c := range connections {
			assert.Regexp(t, ean, c.EAN)
			assert.False(t, seen[c.EAN], "%s is at two addresses", c.EAN)
			seen[c.EAN] = true
		}
	}
}
