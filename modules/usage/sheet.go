package usage

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"time"
)

// layoutExcel is the layout of the file for a Dutch Excel; the default layout, csv, is version 1 (csv.go).
const layoutExcel = "excel"

// sheetName returns the name of the downloaded file for Excel.
func sheetName(ean string) string { return "historical-data-" + ean + "-excel.csv" }

// byteOrderMark makes Excel read the file as UTF-8.
const byteOrderMark = "\ufeff"

// sheetTime is a layout that a Dutch Excel parses as a date with a time.
const sheetTime = "02-01-2006 15:04"

var eanGroups = regexp.MustCompile(`^(\d{2})(\d{4})(\d{4})(\d{4})(\d{4})$`)

// sheetEAN returns an EAN code in groups, as on an invoice: Excel would parse 18 digits as a number and lose the last three.
func sheetEAN(ean string) string {
	return escapeCell(eanGroups.ReplaceAllString(ean, "$1 $2 $3 $4 $5"))
}

// writeSheet writes the measured intervals for a Dutch Excel: a byte order mark, Dutch headers with the unit, semicolons, decimal commas and
// local times (9-usage-csv-excel). Registers without measurements have no column, so that a file without measurements is shorter than the 80
// bytes from which the portal offers one (7.2-csv-min-size).
func writeSheet(w io.Writer, c Connection, days []measuredDay, loc *time.Location) error {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	unit := " (kWh)"
	if UnitOf(c.Commodity) == M3N {
		unit = " (m³)"
	}
	all := [...]struct {
		title string
		value func(Amounts) *Amount
	}{
		{"Normaal", func(a Amounts) *Amount { return a.Normal }},
		{"Dal", func(a Amounts) *Amount { return a.Low }},
		{"Teruglevering normaal", func(a Amounts) *Amount { return a.FeedinNormal }},
		{"Teruglevering dal", func(a Amounts) *Amount { return a.FeedinLow }},
		{"Verbruik", func(a Amounts) *Amount { return a.Consumption }},
	}
	var total Amounts
	for _, d := range days {
		total.add(amountsOf(d.profile.totals()))
	}
	columns, line := all[:0:0], []string{"EAN", "Begin", "Einde", "Klok"}
	for _, column := range all {
		if column.value(total) != nil {
			columns, line = append(columns, column), append(line, column.title+unit)
		}
	}
	out := csv.NewWriter(w)
	out.Comma, out.UseCRLF = ';', true
	if err := out.Write(line); err != nil {
		return err
	}
	ean := sheetEAN(c.EANCode)
	for _, d := range days {
		begin := d.day.In(loc)
		for slot := range d.profile.Slots {
			end := slotEnd(d.day, d.profile.Seconds, slot, loc)
			if a := d.profile.at(slot); !a.isEmpty() {
				line = append(line[:0], ean, begin.Format(sheetTime), end.Format(sheetTime), sheetClock(begin))
				for _, column := range columns {
					line = append(line, strings.Replace(formatAmount(column.value(a)), ".", ",", 1))
				}
				if err := out.Write(line); err != nil {
					return err
				}
			}
			begin = end
		}
	}
	out.Flush()
	return out.Error()
}

// sheetClock returns "zomertijd" or "wintertijd", to distinguish the two hours that are repeated when summer time ends.
func sheetClock(t time.Time) string {
	if t.IsDST() {
		return "zomertijd"
	}
	return "wintertijd"
}
