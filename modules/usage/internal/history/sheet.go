package history

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// LayoutExcel is the layout of the file for a Dutch version of Excel. The default layout, csv, is version 1 (csv.go).
const LayoutExcel = "excel"

// SheetName returns the name of the downloaded file for Excel.
func SheetName(ean string) string { return "historical-data-" + ean + "-excel.csv" }

// byteOrderMark makes Excel read the file as UTF-8.
const byteOrderMark = "\ufeff"

// sheetTime is a layout that a Dutch version of Excel parses as a date with a time.
const sheetTime = "02-01-2006 15:04"

// eanGroups matches the groups of an EAN code.
var eanGroups = regexp.MustCompile(`^(\d{2})(\d{4})(\d{4})(\d{4})(\d{4})$`)

// sheetEAN returns an EAN code in groups, as on an invoice, because Excel would parse 18 digits as a number and lose the last three.
func sheetEAN(ean string) string {
	return escapeCell(eanGroups.ReplaceAllString(ean, "$1 $2 $3 $4 $5"))
}

// WriteSheet writes the measured intervals for a Dutch version of Excel: a byte order mark, Dutch headers with the unit, semicolons,
// decimal commas and local times (9-usage-csv-excel). Registers without measurements have no column, so that a file without measurements is
// shorter than 80 bytes, the minimum size of a file that the portal offers (7.2-csv-min-size).
func WriteSheet(w io.Writer, c meter.Connection, days []interval.Measured, loc *time.Location) error {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	unit := " (kWh)"
	if meter.UnitOf(c.Commodity) == meter.M3N {
		unit = " (m³)"
	}
	all := [...]struct {
		title string
		value func(meter.Amounts) *meter.Amount
	}{
		{"Normaal", func(a meter.Amounts) *meter.Amount { return a.Normal }},
		{"Dal", func(a meter.Amounts) *meter.Amount { return a.Low }},
		{"Teruglevering normaal", func(a meter.Amounts) *meter.Amount { return a.FeedinNormal }},
		{"Teruglevering dal", func(a meter.Amounts) *meter.Amount { return a.FeedinLow }},
		{"Verbruik", func(a meter.Amounts) *meter.Amount { return a.Consumption }},
	}
	var total meter.Amounts
	for _, d := range days {
		total.Add(d.Profile.Sum())
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
		begin := d.Day.In(loc)
		for slot := range d.Profile.Slots {
			end := interval.SlotEnd(d.Day, d.Profile.Seconds, slot, loc)
			if a := d.Profile.At(slot); !a.IsEmpty() {
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
