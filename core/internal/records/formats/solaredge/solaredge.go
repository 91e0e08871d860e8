// Package solaredge reads energy from SolarEdge monitoring: the JSON of its API (site energy), and the CSV export of its website.
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

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

// ErrFormat is returned for a file that is neither of them.
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
	ahead   []row     // CSV lines that were read to find the interval length
	end     error     // error after the lines in ahead
	last    time.Time // local time of the previous line
	hourly  int       // consecutive lines an hour apart, in a file with shorter intervals
}

// row is a line of CSV.
type row struct {
	line   int
	fields []string
}

// New returns a reader. zone is the time zone of times without offset.
func New(in io.Reader, zone *time.Location) *Reader {
	return &Reader{in: in, clock: energy.Clock{Zone: zone}, offset: func() int64 { return 0 }}
}

// Offset returns the number of bytes read.
func (r *Reader) Offset() int64 { return r.offset() }

// Next returns the next interval, an *energy.ParseError for an interval that cannot be read, or io.EOF. Intervals without a value are
// skipped.
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
			_, _ = in.Discard(1) // cannot fail: the byte has just been peeked
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

// openJSON reads up to the first value. timeUnit and unit precede the values.
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
			if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				return energy.Interval{}, &energy.ParseError{Line: r.n, Code: energy.CodeValue,
					Hint: fmt.Sprintf("%s is not a %s", typeErr.Field, typeErr.Type)}
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
		return out, &energy.ParseError{Line: line, Code: code, Hint: fmt.Sprintf(hint, args...), Text: date + " " + value}
	}
	out = energy.Interval{Line: line, Seconds: r.seconds}
	if at := strings.LastIndexAny(date, "+-"); at > len(layout) { // an offset, after the name of the zone
		t, err := time.Parse(layout+"-0700", strings.TrimRight(date[:len(layout)], " ")+date[at:])
		if err != nil {
			return bad(energy.CodeTime, "%q is not a time", date)
		}
		out.Start = t
	} else {
		t, err := time.Parse(layout, strings.TrimSpace(date))
		if err != nil {
			return bad(energy.CodeTime, "%q is not a time", date)
		}
		var ok bool
		if out.Start, ok = r.clock.At(t, ""); !ok {
			return bad(energy.CodeTime, "%q does not exist, or comes more often than the clock shows it", date)
		}
	}
	var ok bool
	if out.Amount, ok = energy.Parse(value, '.', r.shift); !ok || out.Amount < 0 {
		return bad(energy.CodeNumber, "%q is not an amount", value)
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

// layouts of the website's export, with the day before the month. A file with American dates is refused at the first month above 12.
var layouts = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "02/01/2006 15:04", "02/01/2006 15:04:05"}

// maxAhead is the number of lines that determine the interval length: more than a day of 15-minute intervals.
const maxAhead = 100

// minHourly is the number of consecutive lines an hour apart after which a file of 15-minute intervals is treated as a file of hours.
const minHourly = 4

// nextCSV returns the next line with a value.
func (r *Reader) nextCSV() (energy.Interval, error) {
	for {
		next, err := r.row()
		if err != nil {
			return energy.Interval{}, err
		}
		if len(next.fields) <= r.column {
			return energy.Interval{}, &energy.ParseError{Line: next.line, Code: energy.CodeFields,
				Hint: "the line has fewer fields than the first line",
				Text: strings.Join(next.fields, ",")}
		}
		if err := r.follows(next); err != nil {
			return energy.Interval{}, err
		}
		value := strings.TrimSpace(next.fields[r.column])
		if value == "" {
			continue
		}
		return r.interval(next.line, next.fields[0], value, r.layout)
	}
}

// row returns the next line. Before the first line it reads ahead to determine the interval length.
func (r *Reader) row() (row, error) {
	if r.layout == "" {
		for len(r.ahead) < maxAhead && r.end == nil {
			fields, err := r.csv.Read()
			if r.end = err; err == nil {
				line, _ := r.csv.FieldPos(0)
				r.ahead = append(r.ahead, row{line, slices.Clone(fields)})
			}
		}
		if len(r.ahead) > 0 {
			if err := r.measure(); err != nil {
				return row{}, err
			}
		}
	}
	if len(r.ahead) > 0 {
		next := r.ahead[0]
		r.ahead = r.ahead[1:]
		return next, nil
	}
	if r.end != nil {
		return row{}, r.end
	}
	fields, err := r.csv.Read()
	if err != nil {
		return row{}, err
	}
	line, _ := r.csv.FieldPos(0)
	return row{line, fields}, nil
}

// measure finds the time format and the interval length, which is the smallest distance between two lines.
func (r *Reader) measure() error {
	first := r.ahead[0]
	for _, l := range layouts {
		if _, err := time.Parse(l, strings.TrimSpace(first.fields[0])); err == nil {
			r.layout = l
		}
	}
	if r.layout == "" {
		return fmt.Errorf("%q in line %d is not a time written as YYYY-MM-DD HH:mm or DD/MM/YYYY HH:mm", first.fields[0], first.line)
	}
	var last time.Time
	distance := time.Duration(0)
	for _, next := range r.ahead {
		at, err := time.Parse(r.layout, strings.TrimSpace(next.fields[0]))
		if err != nil {
			continue // row refuses this line later
		}
		if d := at.Sub(last); !last.IsZero() && d > 0 && (distance == 0 || d < distance) {
			distance = d
		}
		last = at
	}
	switch {
	case distance == 0:
		return errors.New("the file does not say how long its intervals are: it needs two lines at least, the oldest first")
	case distance >= 23*time.Hour:
		return errors.New("the energy of a day or more cannot be divided over hours: export quarters of an hour or hours")
	case distance%time.Minute != 0 || time.Hour%distance != 0:
		return fmt.Errorf("the lines are %s apart, which does not fit into hours: export quarters of an hour or hours", minutes(distance))
	}
	r.seconds = int(distance / time.Second)
	return nil
}

// follows returns an error for a line whose distance from the previous line means that the interval length has changed. Lines may be
// missing, and when the clock changes the distance is an hour longer or shorter.
func (r *Reader) follows(next row) error {
	at, err := time.Parse(r.layout, strings.TrimSpace(next.fields[0]))
	if err != nil {
		return nil // the line is refused anyway
	}
	last := r.last
	r.last = at
	if last.IsZero() {
		return nil
	}
	length := time.Duration(r.seconds) * time.Second
	if r.hourly++; at.Sub(last) != time.Hour || length == time.Hour {
		r.hourly = 0
	}
	if at.Sub(last)%length != 0 || r.hourly == minHourly {
		return fmt.Errorf("line %d is %s after the line before, and the lines at the start of the file are %s apart: export a file with intervals of one length",
			next.line, minutes(at.Sub(last)), minutes(length))
	}
	return nil
}

func minutes(d time.Duration) string { return fmt.Sprintf("%d minutes", int(d/time.Minute)) }
