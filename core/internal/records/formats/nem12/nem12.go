// Package nem12 reads interval meter data of the Australian market (AEMO, Meter Data File Format NEM12).
package nem12

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

// Market is the time zone of the market, which has no summer time. Western Australia has its own market, at UTC+8.
var Market = time.FixedZone("AEST", 10*60*60)

// maxLine is the maximum length of a line. A day of five-minute intervals has less than 10 kB.
const maxLine = 64 << 10

// ErrHeader is returned for a file that does not begin with a NEM12 header.
var ErrHeader = errors.New("not a NEM12 file: its first line must begin with 100,NEM12")

// Reader reads the intervals of a file, day by day.
type Reader struct {
	in      *bufio.Reader
	zone    *time.Location
	line    int
	offset  int64
	begun   bool
	stream  stream
	day     *day
	queue   []energy.Interval
	held    []string // fields of the line that was read ahead
	Skipped int      // days of registers that do not measure energy, such as reactive power
}

// stream is a 200 record, which describes the following days.
type stream struct {
	nmi      string
	register energy.Register
	minutes  int
	shift    int // power of ten from the unit to kWh
	skip     bool
	valid    bool
}

// day is a 300 record, which 400 records with qualities may follow.
type day struct {
	line    int
	text    string
	date    time.Time
	values  []string
	quality []byte // quality flag of each interval
}

// New returns a reader. zone is the time zone of the file's days, which has no summer time.
func New(in io.Reader, zone *time.Location) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, maxLine), zone: zone}
}

// Offset returns the number of bytes read.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next interval, an *energy.ParseError for a line that cannot be read, or io.EOF. Intervals without a value are skipped.
func (r *Reader) Next() (energy.Interval, error) {
	for len(r.queue) == 0 {
		if err := r.read(); err != nil {
			return energy.Interval{}, err
		}
	}
	next := r.queue[0]
	r.queue = r.queue[1:]
	return next, nil
}

// read reads one record. A day is complete when a record other than 400 follows.
func (r *Reader) read() error {
	fields, text, err := r.fields()
	if errors.Is(err, io.EOF) && r.day != nil {
		return r.complete()
	}
	if err != nil {
		return err
	}
	if fields[0] != "400" && r.day != nil {
		r.held = fields
		return r.complete()
	}
	switch fields[0] {
	case "200":
		return r.open(fields, text)
	case "300":
		return r.begin(fields, text)
	case "400":
		return r.qualify(fields, text)
	case "100", "500", "900":
		return nil
	}
	return &energy.ParseError{Line: r.line, Code: energy.CodeValue, Hint: "a line begins with 100, 200, 300, 400, 500 or 900", Text: text}
}

func (r *Reader) fields() (fields []string, text string, err error) {
	if r.held != nil {
		fields, r.held = r.held, nil
		return fields, strings.Join(fields, ","), nil
	}
	for {
		slice, err := r.in.ReadSlice('\n')
		r.offset += int64(len(slice))
		if len(slice) > 0 {
			r.line++
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			for errors.Is(err, bufio.ErrBufferFull) {
				slice, err = r.in.ReadSlice('\n')
				r.offset += int64(len(slice))
			}
			if err == nil || errors.Is(err, io.EOF) {
				return nil, "", &energy.ParseError{Line: r.line, Code: energy.CodeTooLarge, Hint: "the line is longer than 64 kB"}
			}
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(slice) == 0) {
			return nil, "", err
		}
		text = strings.TrimSpace(strings.TrimPrefix(string(slice), "\uFEFF"))
		if text == "" {
			continue
		}
		fields = strings.Split(text, ",")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if !r.begun {
			if r.begun = true; fields[0] != "100" || len(fields) < 2 || fields[1] != "NEM12" {
				return nil, "", ErrHeader
			}
		}
		return fields, text, nil
	}
}

// open reads a 200 record.
func (r *Reader) open(fields []string, text string) error {
	r.stream = stream{}
	if len(fields) < 9 {
		return &energy.ParseError{Line: r.line, Code: energy.CodeFields, Hint: "a line 200 has ten fields", Text: text}
	}
	s := stream{nmi: fields[1], valid: true}
	var err error
	if s.minutes, err = strconv.Atoi(fields[8]); err != nil || s.minutes != 5 && s.minutes != 15 && s.minutes != 30 {
		return &energy.ParseError{Line: r.line, Code: energy.CodeValue,
			Hint: fmt.Sprintf("the interval length %q is none of 5, 15 and 30", fields[8]),
			Text: text}
	}
	switch strings.ToUpper(fields[7]) {
	case "KWH":
	case "WH":
		s.shift = -3
	case "MWH":
		s.shift = 3
	default:
		s.skip = true // reactive energy, power or voltage
	}
	switch {
	case strings.HasPrefix(fields[4], "E"):
		s.register = energy.Normal
	case strings.HasPrefix(fields[4], "B"):
		s.register = energy.FeedinNormal
	default:
		s.skip = true
	}
	r.stream = s
	return nil
}

// begin reads a 300 record.
func (r *Reader) begin(fields []string, text string) error {
	switch {
	case !r.stream.valid:
		return &energy.ParseError{Line: r.line, Code: energy.CodeValue, Hint: "the line 200 of this day is missing or was refused", Text: text}
	case r.stream.skip:
		r.Skipped++
		return nil
	}
	n := 24 * 60 / r.stream.minutes
	if len(fields) < n+3 {
		return &energy.ParseError{Line: r.line, Code: energy.CodeFields,
			Hint: fmt.Sprintf("a day of %d-minute intervals has %d values and a quality", r.stream.minutes, n), Text: text}
	}
	date, err := time.ParseInLocation("20060102", fields[1], r.zone)
	if err != nil {
		return &energy.ParseError{Line: r.line, Code: energy.CodeTime,
			Hint: fmt.Sprintf("%q is not a day written as YYYYMMDD", fields[1]), Text: text}
	}
	quality := byte(0)
	if fields[n+2] != "" {
		quality = fields[n+2][0]
	}
	if !strings.ContainsRune("AEFSNV", rune(quality)) {
		return &energy.ParseError{Line: r.line, Code: energy.CodeValue,
			Hint: fmt.Sprintf("the quality %q begins with none of A, E, F, S, N and V", fields[n+2]), Text: text}
	}
	d := &day{line: r.line, text: text, date: date, values: fields[2 : n+2], quality: make([]byte, n)}
	for i := range d.quality {
		d.quality[i] = quality
	}
	r.day = d
	return nil
}

// qualify reads a 400 record: the quality of some intervals of the preceding day.
func (r *Reader) qualify(fields []string, text string) error {
	if r.day == nil {
		if r.stream.skip {
			return nil
		}
		return &energy.ParseError{Line: r.line, Code: energy.CodeValue, Hint: "a line 400 follows the line 300 of its day", Text: text}
	}
	if len(fields) < 4 || fields[3] == "" {
		return &energy.ParseError{Line: r.line, Code: energy.CodeFields,
			Hint: "a line 400 has two numbers of intervals and a quality", Text: text}
	}
	from, err1 := strconv.Atoi(fields[1])
	to, err2 := strconv.Atoi(fields[2])
	if err1 != nil || err2 != nil || from < 1 || to < from || to > len(r.day.quality) || !strings.ContainsRune("AEFSN", rune(fields[3][0])) {
		return &energy.ParseError{Line: r.line, Code: energy.CodeValue,
			Hint: fmt.Sprintf("intervals are numbered 1 to %d, with a quality A, E, F, S or N", len(r.day.quality)), Text: text}
	}
	for i := from - 1; i < to; i++ {
		r.day.quality[i] = fields[3][0]
	}
	return nil
}

// complete returns the intervals of the day.
func (r *Reader) complete() error {
	d := r.day
	r.day = nil
	var out []energy.Interval
	for i, text := range d.values {
		if d.quality[i] == 'N' || text == "" {
			continue
		}
		amount, ok := energy.Parse(text, '.', r.stream.shift)
		if !ok || amount < 0 {
			return &energy.ParseError{Line: d.line, Code: energy.CodeNumber,
				Hint: fmt.Sprintf("interval %d: %q is not an amount", i+1, text), Text: d.text}
		}
		out = append(out, energy.Interval{Line: d.line, Meter: r.stream.nmi, Register: r.stream.register, Seconds: r.stream.minutes * 60,
			Amount: amount, Start: d.date.Add(time.Duration(i*r.stream.minutes) * time.Minute), Estimated: d.quality[i] != 'A'})
	}
	r.queue = out
	return nil
}
