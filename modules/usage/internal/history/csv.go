package history

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// csvColumns contains the columns of version 1 of the file with historical meter data, which README.md describes. Within version 1, columns
// may only be added at the end. A file without measurements contains only the header. It is then shorter than 80 bytes, the minimum size of
// a file that the portal offers (7.2-csv-min-size).
var csvColumns = []string{"ean", "start", "end", "normal", "low", "feedin_normal", "feedin_low", "consumption", "unit"}

// CSVName returns the name of the downloaded file (7.2-csv-name-reconcile).
func CSVName(ean string) string { return "historical-data-" + ean + ".csv" }

// WriteCSV writes a line for every measured interval.
func WriteCSV(w io.Writer, c meter.Connection, days []interval.Measured, loc *time.Location) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	ean, unit := escapeCell(c.EANCode), escapeCell(string(meter.UnitOf(c.Commodity)))
	for _, d := range days {
		begin := d.Day.In(loc)
		for slot := range d.Profile.Slots {
			end := interval.SlotEnd(d.Day, d.Profile.Seconds, slot, loc)
			if a := d.Profile.At(slot); !a.IsEmpty() {
				line := []string{ean, begin.Format(time.RFC3339), end.Format(time.RFC3339), formatAmount(a.Normal), formatAmount(a.Low),
					formatAmount(a.FeedinNormal), formatAmount(a.FeedinLow), formatAmount(a.Consumption), unit}
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

// formatAmount returns a number of kWh or m³ with three decimals, or "" if nothing was measured.
func formatAmount(a *meter.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// escapeCell prevents a spreadsheet from evaluating a string as a formula: it puts an apostrophe before a string that begins like a
// formula, unless it is a number.
func escapeCell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
