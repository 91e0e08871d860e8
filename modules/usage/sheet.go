package usage

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"time"
)

// layoutExcel asks for the file as a Dutch Excel opens it; the default, csv, is version 1 (csv.go).
const layoutExcel = "excel"

// sheetName is the name under which the file for Excel is saved.
func sheetName(ean string) string { return "historical-data-" + ean + "-excel.csv" }

// byteOrderMark tells Excel that the file is UTF-8.
const byteOrderMark = "\ufeff"

// sheetTime is a time as a Dutch Excel reads it: as a date with a time, not as a text.
const sheetTime = "02-01-2006 15:04"

var eanGroups = regexp.MustCompile(`^(\d{2})(\d{4})(\d{4})(\d{4})(\d{4})$`)

// sheetEAN is an EAN in groups, as on the bill: Excel reads 18 digits as a number and drops the last three.
func sheetEAN(ean string) string { return cell(eanGroups.ReplaceAllString(ean, "$1 $2 $3 $4 $5")) }

// writeSheet writes what was measured for a Dutch Excel: a byte order mark, Dutch headers with the unit, semicolons, decimal commas
// and times of the label's clock (9-usage-csv-excel). Registers that measured nothing have no column, so that a file without
// measurements stays below the 80 bytes from which the portal offers one (7.2-csv-min-size).
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
		of    func(Amounts) *Amount
	}{
		{"Normaal", func(a Amounts) *Amount { return a.Normal }},
		{"Dal", func(a Amounts) *Amount { return a.Low }},
		{"Teruglevering normaal", func(a Amounts) *Amount { return a.FeedinNormal }},
		{"Teruglevering dal", func(a Amounts) *Amount { return a.FeedinLow }},
		{"Verbruik", func(a Amounts) *Amount { return a.Consumption }},
	}
	var total Amounts
	for _, d := range days {
		total.plus(amountsOf(d.profile.totals()))
	}
	columns, line := all[:0:0], []string{"EAN", "Begin", "Einde", "Klok"}
	for _, column := range all {
		if column.of(total) != nil {
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
			if a := d.profile.at(slot); !a.none() {
				line = append(line[:0], ean, begin.Format(sheetTime), end.Format(sheetTime), sheetClock(begin))
				for _, column := range columns {
					line = append(line, strings.Replace(number(column.of(a)), ".", ",", 1))
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

// sheetClock tells the two hours apart that come twice when summer time ends.
func sheetClock(t time.Time) string {
	if t.IsDST() {
		return "zomertijd"
	}
	return "wintertijd"
}
