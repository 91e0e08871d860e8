// Package fluvius reads the consumption history that customers download from Mijn Fluvius: a CSV file with a line for each interval and
// register, in local time.
package fluvius

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

// ErrHeader is returned for a file that lacks the columns of Fluvius.
var ErrHeader = errors.New(`not a file of Fluvius: its first line names the columns "Van (datum)", "Van (tijdstip)", "Tot (datum)", "Tot (tijdstip)", "EAN-code", "Register", "Volume" and "Eenheid"`)

// Columns of a file.
const (
	fromDay = iota
	fromTime
	toDay
	toTime
	ean
	register
	volume
	unit
	status
)

var names = []string{"Van (datum)", "Van (tijdstip)", "Tot (datum)", "Tot (tijdstip)", "EAN-code", "Register", "Volume", "Eenheid",
	"Validatiestatus"}

var registers = map[string]energy.Register{"afname dag": energy.Normal, "afname nacht": energy.Low, "injectie dag": energy.FeedinNormal,
	"injectie nacht": energy.FeedinLow, "afname": energy.Normal, "injectie": energy.FeedinNormal, "afname actief": energy.Normal,
	"injectie actief": energy.FeedinNormal}

// Reader reads the intervals of a file.
type Reader struct {
	in    *csv.Reader
	clock energy.Clock
	at    []int // index of each column, -1: none
}

// zone is the time zone of the files.
var zone = func() *time.Location {
	z, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		panic(err) // the program contains all time zones
	}
	return z
}()

// New returns a reader.
func New(in io.Reader) *Reader {
	r := csv.NewReader(in)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord, r.LazyQuotes = ';', -1, true, true
	return &Reader{in: r, clock: energy.Clock{Zone: zone}}
}

// Offset returns the number of bytes read.
func (r *Reader) Offset() int64 { return r.in.InputOffset() }

// Next returns the next interval, an *energy.ParseError for a line that cannot be read, or io.EOF. Lines without a volume are skipped.
func (r *Reader) Next() (energy.Interval, error) {
	if r.at == nil {
		if err := r.header(); err != nil {
			return energy.Interval{}, err
		}
	}
	for {
		fields, err := r.in.Read()
		if err != nil {
			return energy.Interval{}, err
		}
		line, _ := r.in.FieldPos(0)
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" {
			continue
		}
		if len(fields) <= slices.Max(r.at) {
			return energy.Interval{}, &energy.ParseError{Line: line, Code: energy.CodeFields, Hint: "the line has fewer fields than the first line",
				Text: strings.Join(fields, ";")}
		}
		if r.cell(fields, volume) == "" {
			continue
		}
		out, bad := r.interval(fields)
		if bad != nil {
			bad.Line, bad.Text = line, strings.Join(fields, ";")
			return out, bad
		}
		out.Line = line
		return out, nil
	}
}

func (r *Reader) header() error {
	fields, err := r.in.Read()
	if err != nil {
		return ErrHeader
	}
	columns := slices.Clone(fields)
	for i := range columns {
		columns[i] = strings.TrimSpace(string(bytes.TrimPrefix([]byte(columns[i]), []byte("\uFEFF"))))
	}
	at := make([]int, len(names))
	for i, name := range names {
		if at[i] = slices.Index(columns, name); at[i] < 0 && i != status {
			return ErrHeader
		}
	}
	r.at = at
	return nil
}

// cell returns the value of a column, without the characters that prevent spreadsheets from converting it to a number.
func (r *Reader) cell(fields []string, column int) string {
	if r.at[column] < 0 {
		return ""
	}
	return strings.Trim(strings.TrimSpace(fields[r.at[column]]), `="'`)
}

func (r *Reader) interval(fields []string) (out energy.Interval, _ *energy.ParseError) {
	bad := func(code, hint string, args ...any) (energy.Interval, *energy.ParseError) {
		return out, &energy.ParseError{Code: code, Hint: fmt.Sprintf(hint, args...)}
	}
	var known bool
	name := strings.ToLower(r.cell(fields, register))
	if out.Register, known = registers[name]; !known {
		return bad(energy.CodeValue, "the register %q is none of Afname Dag, Afname Nacht, Injectie Dag, Injectie Nacht, Afname and Injectie",
			r.cell(fields, register))
	}
	switch of := strings.ToLower(r.cell(fields, unit)); of {
	case "kwh":
	case "m3", "m³":
		if out.Register != energy.Normal {
			return bad(energy.CodeUnit, "gas has only the register Afname")
		}
		out.Register = energy.Gas
	default:
		return bad(energy.CodeUnit, "the unit %q is neither kWh nor m³", r.cell(fields, unit))
	}
	var ok bool
	if out.Amount, ok = energy.Parse(r.cell(fields, volume), ',', 0); !ok || out.Amount < 0 {
		return bad(energy.CodeNumber, "%q is not an amount with a decimal comma", r.cell(fields, volume))
	}
	out.Meter = r.cell(fields, ean)
	from, err1 := local(r.cell(fields, fromDay), r.cell(fields, fromTime))
	to, err2 := local(r.cell(fields, toDay), r.cell(fields, toTime))
	if err1 != nil || err2 != nil {
		return bad(energy.CodeTime, "a time is written as DD-MM-YYYY and HH:mm:ss")
	}
	if out.Start, ok = r.clock.At(from, out.Meter+name+r.cell(fields, unit)); !ok {
		return bad(energy.CodeTime, "%s does not exist, or comes more often than the clock shows it", from.Format("02-01-2006 15:04"))
	}
	out.Seconds = int(to.Sub(from) / time.Second)
	if out.Seconds <= 0 || out.Seconds > 4*60*60 { // the interval is a day, or the clock changes in it
		end := time.Date(to.Year(), to.Month(), to.Day(), to.Hour(), to.Minute(), to.Second(), 0, zone)
		if out.Seconds = int(end.Sub(out.Start) / time.Second); out.Start.In(zone).AddDate(0, 0, 1).Equal(end) {
			out.Seconds = 24 * 60 * 60 // a civil day of any length
		} else if out.Seconds <= 0 || out.Seconds > 4*60*60 {
			out.Seconds = 15 * 60 // from 02:45 to 02:00
		}
	} else if out.Seconds == 75*60 { // from 01:45 to 03:00
		out.Seconds = 15 * 60
	} else if out.Seconds == 2*60*60 { // from 01:00 to 03:00
		out.Seconds = 60 * 60
	}
	out.Estimated = strings.EqualFold(r.cell(fields, status), "geschat")
	return out, nil
}

func local(day, clock string) (time.Time, error) {
	return time.Parse("02-01-2006 15:04:05", day+" "+clock)
}
