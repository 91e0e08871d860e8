package history

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// cell is a string on a page with its position in points; y is measured from the bottom.
type cell struct {
	x, y float64
	text string
}

var (
	pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	pdfText   = regexp.MustCompile(`(?s)BT (\d+\.\d+) (\d+\.\d+) Td \((.*?)\) ?Tj ET`)
)

// pagesOf returns the strings of a printed receipt, one list for each page.
func pagesOf(t *testing.T, r Receipt) (pages [][]cell) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, r.Write(&out))
	require.True(t, strings.HasPrefix(out.String(), "%PDF-"))
	for _, found := range pdfStream.FindAllSubmatch(out.Bytes(), -1) {
		packed, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue // not a page
		}
		content, _ := io.ReadAll(packed) // a read error shows as missing strings
		var page []cell
		for _, s := range pdfText.FindAllSubmatch(content, -1) {
			raw := []byte(strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r").Replace(string(s[3])))
			units := make([]uint16, len(raw)/2)
			for i := range units {
				units[i] = binary.BigEndian.Uint16(raw[2*i:])
			}
			x, err := strconv.ParseFloat(string(s[1]), 64)
			require.NoError(t, err)
			y, err := strconv.ParseFloat(string(s[2]), 64)
			require.NoError(t, err)
			page = append(page, cell{x, y, string(utf16.Decode(units))})
		}
		if page != nil {
			pages = append(pages, page)
		}
	}
	return pages
}

// printed returns the lines of a page as text.
func printed(page []cell) (lines []string) {
	for i, c := range page {
		if i > 0 && page[i-1].y == c.y {
			lines[len(lines)-1] += "|" + c.text
			continue
		}
		lines = append(lines, c.text)
	}
	return lines
}

func testReceipt(t *testing.T, locale string) Receipt {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	day := func(month, d int) value.Day { return value.Day{Year: 2026, Month: time.Month(month), Day: d} }
	return Receipt{Locale: locale, Zone: zone, Made: time.Date(2026, 11, 20, 23, 5, 0, 0, time.UTC), Label: "Coöperatie De Proef",
		Holder: "J. de Vries", Participation: "P-1", Project: "Windpark (Noord)", Address: "Molenweg 2 bis, 9861GT Grootegast", Shares: 1212,
		Entries: []Entry{
			{Kind: ledger.Returned, Reason: payment.NoteChargedBack, By: "system", Change: ledger.Balance{Held: -3, Offered: 3},
				After: ledger.Balance{Share: 1212, Offered: 3, Reserved: 1, Held: 2}, Effective: day(11, 20), Hash: "c0ffee"},
			{Kind: ledger.Offered, By: "customer", Change: ledger.Balance{Offered: 6}, After: ledger.Balance{Share: 1212, Offered: 6},
				Effective: day(3, 2)},
			{Kind: ledger.TransferredOut, By: "staff", Change: ledger.Balance{Share: -8}, After: ledger.Balance{Share: 1212}, Effective: day(2, 1)},
			{Kind: ledger.Corrected, By: "staff", Change: ledger.Balance{Share: 20}, After: ledger.Balance{Share: 1220}, Effective: day(1, 9)},
			{Kind: ledger.Issued, By: "key", Change: ledger.Balance{Share: 1200}, After: ledger.Balance{Share: 1200}, Effective: day(1, 2)},
		}}
}

// A receipt lists the oldest entry first, because it is read from top to bottom.
func TestReceipt(t *testing.T) {
	t.Run("9-money-back-agree", func(t *testing.T) {
		for locale, want := range map[string][]string{
			"nl": {"Coöperatie De Proef", "Verloop van je delen", "Project|Windpark (Noord)", "Nummer|P-1", "Op naam van|J. de Vries",
				"Adres|Molenweg 2 bis, 9861GT Grootegast",
				"Aantal delen nu|1.212", "Wanneer|Wat|Door|Delen|Te koop|Totaal", "02-01-2026|Delen toegekend|administratie|+1.200|0|1.200",
				"09-01-2026|Gecorrigeerd|administratie|+20|0|1.220",
				"01-02-2026|Overgedragen aan een ander lid|een medewerker|-8|0|1.212", "02-03-2026|Te koop gezet|een lid|6|1.212",
				"20-11-2026|Betaling van de koper teruggeboekt|het portaal|6|1.212", // with the reason
				"Kenmerk van de laatste regel: c0ffee", "Aan dit kenmerk is te controleren dat er in het verloop niets is veranderd.",
				"P-1, gemaakt op 21-11-2026 00:05, bladzijde 1 van 1"},
			"en": {"Coöperatie De Proef", "History of your shares", "Project|Windpark (Noord)", "Number|P-1",
				"In the name of|J. de Vries", "Address|Molenweg 2 bis, 9861GT Grootegast",
				"Number of shares now|1.212", "When|What|By|Shares|On offer|Total", "02-01-2026|Shares issued|back office|+1.200|0|1.200",
				"09-01-2026|Corrected|back office|+20|0|1.220",
				"01-02-2026|Transferred to another member|staff|-8|0|1.212", "02-03-2026|Put on offer|a member|6|1.212",
				"20-11-2026|Buyer's payment was reversed|the portal|6|1.212",
				"Mark of the last line: c0ffee", "This mark shows that nothing in the history has been changed.",
				"P-1, made on 21-11-2026 00:05, page 1 of 1"},
		} {
			pages := pagesOf(t, testReceipt(t, locale))
			require.Len(t, pages, 1)
			assert.Equal(t, want, printed(pages[0]), locale)
		}
	})
	t.Run("without entries there is nothing to mark, and what is not known has no line", func(t *testing.T) {
		r := testReceipt(t, "nl")
		r.Entries, r.Holder, r.Shares = nil, "", 0
		pages := pagesOf(t, r)
		require.Len(t, pages, 1)
		assert.Equal(t, []string{"Coöperatie De Proef", "Verloop van je delen", "Project|Windpark (Noord)", "Nummer|P-1",
			"Adres|Molenweg 2 bis, 9861GT Grootegast", "Aantal delen nu|0",
			"Wanneer|Wat|Door|Delen|Te koop|Totaal", "P-1, gemaakt op 21-11-2026 00:05, bladzijde 1 van 1"}, printed(pages[0]))
	})
	t.Run("words stand at the left and numbers at the right", func(t *testing.T) {
		columns := map[string]float64{}
		for _, c := range pagesOf(t, testReceipt(t, "nl"))[0] {
			columns[c.text] = c.x
		}
		assert.Equal(t, columns["Wat"], columns["Gecorrigeerd"])
		assert.Equal(t, columns["Door"], columns["het portaal"])
		assert.Greater(t, columns["-8"], columns["+1.200"])
		assert.Greater(t, columns["+20"], columns["+1.200"])
		assert.Greater(t, columns["0"], columns["Te koop"])
	})
}

// Each page of a long receipt repeats the column headings, and each but the last is full.
func TestLongReceipt(t *testing.T) {
	const head = "When|What|By|Shares|On offer|Total"
	long := func(entries int, cut bool) (tables [][]string, last []string) {
		r := testReceipt(t, "en")
		r.Cut, r.Entries = cut, nil
		for n := entries; n > 0; n-- { // newest first
			r.Entries = append(r.Entries, Entry{Kind: ledger.Corrected, Change: ledger.Balance{Share: 1}, After: ledger.Balance{Share: int64(n)},
				Effective: value.Day{Year: 2026, Month: 1, Day: 2}})
		}
		pages := pagesOf(t, r)
		for n, page := range pages {
			lines := printed(page)
			assert.Equal(t, fmt.Sprintf("P-1, made on 21-11-2026 00:05, page %d of %d", n+1, len(pages)), lines[len(lines)-1])
			var table []string
			for _, line := range lines {
				if line == head || table != nil && strings.HasPrefix(line, "02-01-2026|") || strings.HasPrefix(line, "…") {
					table = append(table, line)
				}
			}
			tables, last = append(tables, table), lines
			for _, c := range page[:len(page)-1] {
				assert.GreaterOrEqual(t, c.y, pageMargin*72/25.4, "%v stands in the margin", c)
			}
		}
		return tables, last
	}
	tables, _ := long(100, false)
	require.Len(t, tables, 3)
	n := 0
	for i, fit := range []int{32, 41, 27} {
		require.Len(t, tables[i], fit+1)
		assert.Equal(t, head, tables[i][0])
		for _, line := range tables[i][1:] {
			n++
			assert.Equal(t, fmt.Sprintf("02-01-2026|Corrected|back office|+1|0|%d", n), line)
		}
	}
	tables, last := long(73, false)
	require.Len(t, tables, 3)
	assert.Nil(t, tables[2], "the last page holds the mark, and no table")
	assert.Contains(t, last[0], "Mark of the last line:")
	tables, _ = long(3, true)
	assert.Equal(t, []string{head, "…|Older lines are not shown here."}, tables[0][:2])
	assert.Len(t, tables[0], 5)
}

func TestSigned(t *testing.T) {
	for n, want := range map[int64]string{0: "", 1: "+1", -1: "-1", 12000: "+12.000", -12000: "-12.000"} {
		assert.Equal(t, want, signed(n))
	}
}

func TestWhoDidIt(t *testing.T) {
	for _, c := range []struct {
		Entry
		want string
	}{
		{Entry{Kind: ledger.Issued, By: "staff"}, "back office"}, {Entry{Kind: ledger.Corrected, By: "customer"}, "back office"},
		{Entry{Kind: ledger.Offered, By: "key"}, "back office"},
		{Entry{Kind: ledger.Offered, By: "customer"}, "a member"}, {Entry{Kind: ledger.Retracted, By: "staff"}, "staff"},
		{Entry{Kind: ledger.Expired, By: "system"}, "the portal"},
	} {
		assert.Equal(t, c.want, Receipt{Locale: "en"}.by(c.Entry), "%+v", c.Entry)
	}
}
