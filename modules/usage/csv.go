package usage

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// The file with historical meter data is a contract, version 1, that README.md describes: columns may be added at its end in the
// same version, and never change otherwise. Without measurements it is its header alone, less than the 80 bytes from which the
// portal offers a file (7.2-csv-min-size).
var csvColumns = []string{"ean", "start", "end", "normal", "low", "feedin_normal", "feedin_low", "consumption", "unit"}

// csvName is the name under which the file is saved (7.2-csv-name-reconcile).
func csvName(ean string) string { return "historical-data-" + ean + ".csv" }

// measuredDay is a day with its intervals.
type measuredDay struct {
	day     value.Day
	profile Profile
}

// writeCSV writes what was measured, a line for every interval; those that were not measured are left out.
func writeCSV(w io.Writer, c Connection, days []measuredDay, loc *time.Location) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	ean, unit := cell(c.EANCode), cell(string(UnitOf(c.Commodity)))
	for _, d := range days {
		begin := d.day.In(loc)
		for slot := range d.profile.Slots {
			end := slotEnd(d.day, d.profile.Seconds, slot, loc)
			if a := d.profile.at(slot); !a.none() {
				line := []string{ean, begin.Format(time.RFC3339), end.Format(time.RFC3339), number(a.Normal), number(a.Low),
					number(a.FeedinNormal), number(a.FeedinLow), number(a.Consumption), unit}
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

func number(a *Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// cell keeps a spreadsheet from reading a text as a formula: one that begins like a formula gets an apostrophe before it. A number
// is no danger and stays one.
func cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
