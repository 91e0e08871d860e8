// Package solaredge reads energy of the monitoring of SolarEdge: the JSON of its API (site energy), and the CSV that its site exports.
package solaredge

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/formats/energy"
)

// ErrFormat is returned for a file that is neither.
var ErrFormat = errors.New(`not a file of SolarEdge: it is JSON with {"energy": {"timeUnit", "unit", "values"}}, or CSV with the columns Time and "… (Wh)" or "… (kWh)"`)

// Reader reads the intervals of a file.
type Reader struct {
	in      io.Reader
	json    *json.Decoder
	csv     *csv.Reader
	clock   energy.Clock
	seconds int
	shift   int
	offset  func() int64
	n       int
	column  int
	layout  string
}

// New returns a reader. zone is the zone of times without offset.
func New(in io.Reader, zone *time.Location) *Reader {
	return &Reader{in: in, clock: energy.Clock{Zone: zone}, offset: func() int64 { return 0 }}
}

// Offset returns the number of bytes read.
func (r *Reader) Offset() int64 { return r.offset() }

// Next returns the next interval, an *energy.Bad for one that cannot be read, or io.EOF. Intervals without a value are left out.
func (r *Reader) Next() (energy.Interval, error) {
	if r.json == nil && r.csv == nil {
		if err := r.open(); err != nil {
			return energy.Interval{}, err
		}
	}
	if r.csv != nil {
		return r.nextCSV()
	}
	return r.nextJSON()
}

func (r *Reader) open() error {
	in := bufio.NewReader(r.in)
	for {
		b, err := in.Peek(1)
		if err != nil {
			return ErrFormat
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			_, _ = in.Discard(1) // has just been peeked at
			continue
		case '{':
			r.json = json.NewDecoder(in)
			r.offset = r.json.InputOffset
			return r.openJSON()
		}
		r.csv = csv.NewReader(in)
		r.csv.FieldsPerRecord, r.csv.ReuseRecord = -1, true
		r.offset = r.csv.InputOffset
		return r.openCSV()
	}
}

// openJSON reads up to the first value. timeUnit and unit come before the values.
func (r *Reader) openJSON() error {
	depth, key := 0, ""
	r.shift = -3
	for {
		t, err := r.json.Token()
		if err != nil {
			return ErrFormat
		}
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{':
				depth++
			case '[':
				if key != "values" || depth != 2 {
					return ErrFormat
				}
				if r.seconds == 0 {
					return ErrFormat
				}
				return nil
			default:
				return ErrFormat
			}
			if depth == 1 {
				key = ""
			}
			continue
		case string:
			if depth == 1 {
				if t != "energy" {
					return ErrFormat
				}
				continue
			}
			if key == "" {
				key = t
				if key == "values" {
					continue
				}
				var text any
				if err := r.json.Decode(&text); err != nil {
					return ErrFormat
				}
				if err := r.head(key, fmt.Sprint(text)); err != nil {
					return err
				}
				key = ""
				continue
			}
		}
		return ErrFormat
	}
}

func (r *Reader) head(key, text string) error {
	switch key {
	case "timeUnit":
		switch text {
		case "QUARTER_OF_AN_HOUR":
			r.seconds = 15 * 60
		case "HOUR":
			r.seconds = 60 * 60
		default:
			return fmt.Errorf("the energy of a %s cannot be divided over hours: export QUARTER_OF_AN_HOUR or HOUR", text)
		}
	case "unit":
		switch text {
		case "Wh":
			r.shift = -3
		case "kWh":
			r.shift = 0
		case "MWh":
			r.shift = 3
		default:
			return fmt.Errorf("the unit %q is none of Wh, kWh and MWh", text)
		}
	}
	return nil
}

func (r *Reader) nextJSON() (energy.Interval, error) {
	for r.json.More() {
		r.n++
		var x struct {
			Date  string       `json:"date"`
			Value *json.Number `json:"value"`
		}
		if err := r.json.Decode(&x); err != nil {
			if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				return energy.Interval{}, &energy.Bad{Line: r.n, Code: energy.CodeValue, Hint: fmt.Sprintf("%s is no %s", wrong.Field, wrong.Type)}
			}
			return energy.Interval{}, fmt.Errorf("the JSON is broken after value %d: %w", r.n-1, err)
		}
		if x.Value == nil {
			continue
		}
		return r.interval(r.n, x.Date, string(*x.Value), "2006-01-02 15:04:05")
	}
	if _, err := r.json.Token(); err != nil {
		return energy.Interval{}, fmt.Errorf("the JSON ends after value %d: %w", r.n, err)
	}
	return energy.Interval{}, io.EOF
}

// interval returns an interval that begins at a local time, or at "2024-06-01 00:00:00 CEST+0200".
func (r *Reader) interval(line int, date, value, layout string) (out energy.Interval, _ error) {
	bad := func(code, hint string, args ...any) (energy.Interval, error) {
		return out, &energy.Bad{Line: line, Code: code, Hint: fmt.Sprintf(hint, args...), Text: date + " " + value}
	}
	out = energy.Interval{Line: line, Seconds: r.seconds}
	if at := strings.LastIndexAny(date, "+-"); at > len(layout) { // an offset, after the name of the zone
		t, err := time.Parse(layout+"-0700", strings.TrimRight(date[:len(layout)], " ")+date[at:])
		if err != nil {
			return bad(energy.CodeTime, "%q is no time", date)
		}
		out.Start = t
	} else {
		t, err := time.Parse(layout, strings.TrimSpace(date))
		if err != nil {
			return bad(energy.CodeTime, "%q is no time", date)
		}
		var ok bool
		if out.Start, ok = r.clock.At(t, ""); !ok {
			return bad(energy.CodeTime, "%q does not exist, or comes more often than the clock shows it", date)
		}
	}
	var ok bool
	if out.Amount, ok = energy.Parse(value, '.', r.shift); !ok || out.Amount < 0 {
		return bad(energy.CodeNumber, "%q is no amount", value)
	}
	return out, nil
}

func (r *Reader) openCSV() error {
	fields, err := r.csv.Read()
	if err != nil || len(fields) < 2 || fields[0] != "Time" && fields[0] != "Date" {
		return ErrFormat
	}
	r.column = slices.IndexFunc(fields, func(name string) bool { return strings.HasSuffix(name, "(Wh)") || strings.HasSuffix(name, "(kWh)") })
	if r.column < 1 {
		return ErrFormat
	}
	if strings.HasSuffix(fields[r.column], "(Wh)") {
		r.shift = -3
	}
	return nil
}

// layouts of the site. Days come before months: with American settings the file is refused as soon as a month above 12 shows it.
var layouts = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "02/01/2006 15:04", "02/01/2006 15:04:05"}

// nextCSV returns the next line with a value. The site exports quarters of an hour.
func (r *Reader) nextCSV() (energy.Interval, error) {
	for {
		fields, err := r.csv.Read()
		if err != nil {
			return energy.Interval{}, err
		}
		line, _ := r.csv.FieldPos(0)
		if len(fields) <= r.column {
			return energy.Interval{}, &energy.Bad{Line: line, Code: energy.CodeFields, Hint: "the line has fewer fields than the first line", Text: strings.Join(fields, ",")}
		}
		if r.layout == "" {
			for _, l := range layouts {
				if _, err := time.Parse(l, strings.TrimSpace(fields[0])); err == nil {
					r.layout = l
				}
			}
			if r.layout == "" {
				return energy.Interval{}, fmt.Errorf("%q in line %d is no time written as YYYY-MM-DD HH:mm or DD/MM/YYYY HH:mm", fields[0], line)
			}
			r.seconds = 15 * 60
		}
		value := strings.TrimSpace(fields[r.column])
		if value == "" {
			continue
		}
		return r.interval(line, fields[0], value, r.layout)
	}
}
