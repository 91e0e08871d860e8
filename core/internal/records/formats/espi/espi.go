// Package espi reads Green Button files: usage in the XML of the Energy Services Provider Interface (NAESB REQ.21).
package espi

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

// ErrNone is returned for a file without a ReadingType, which every Green Button file with usage contains.
var ErrNone = errors.New("not a Green Button file: it has no ReadingType")

// maxEntries is the maximum number of descriptions that are kept in memory while a file is read.
const maxEntries = 100_000

// readingType describes the readings of a block.
type readingType struct {
	Accumulation string `xml:"accumulationBehaviour"`
	Commodity    string `xml:"commodity"`
	Direction    string `xml:"flowDirection"`
	Length       string `xml:"intervalLength"`
	Power        string `xml:"powerOfTenMultiplier"`
	Unit         string `xml:"uom"`
}

type reading struct {
	Quality []string `xml:"ReadingQuality>quality"`
	Period  struct {
		Duration string `xml:"duration"`
		Start    string `xml:"start"`
	} `xml:"timePeriod"`
	Value string `xml:"value"`
}

// entry is the head of an Atom entry.
type entry struct {
	self, up string
	related  []string
}

// Reader reads the intervals of a file.
type Reader struct {
	in       io.ReadSeeker
	d        *xml.Decoder
	types    map[string]readingType // by the link of the entry
	related  map[string][]string    // links by meter reading
	points   map[string]string      // meter reading -> usage point
	only     *readingType           // the only type in the file
	entry    entry
	block    *energy.Interval // the common fields of all readings of the block
	shift    int
	length   string
	blockErr *energy.ParseError // reported once per block
}

// New returns a reader of a file. The file is read twice, because readings may precede their type.
func New(in io.ReadSeeker) *Reader { return &Reader{in: in} }

// Offset returns the number of bytes read.
func (r *Reader) Offset() int64 {
	if r.d == nil {
		return 0
	}
	return r.d.InputOffset()
}

// Next returns the next interval, an *energy.ParseError for readings that cannot be read, or io.EOF.
func (r *Reader) Next() (energy.Interval, error) {
	if r.types == nil {
		if err := r.describe(); err != nil {
			return energy.Interval{}, err
		}
	}
	for {
		t, err := r.d.Token()
		if err != nil {
			return energy.Interval{}, notXML(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "entry":
				r.entry = entry{}
			case "link":
				r.entry.link(t)
			case "IntervalBlock":
				r.open()
			case "IntervalReading":
				line, _ := r.d.InputPos()
				var x reading
				if err := r.d.DecodeElement(&x, &t); err != nil {
					return energy.Interval{}, notXML(err)
				}
				if r.blockErr != nil {
					if bad := r.blockErr; bad.Line == 0 {
						bad.Line = line
						return energy.Interval{}, bad
					}
					continue
				}
				return r.interval(x, line)
			}
		case xml.EndElement:
			if t.Name.Local == "IntervalBlock" {
				r.block, r.blockErr = nil, nil
			}
		}
	}
}

// describe reads everything except the readings.
func (r *Reader) describe() error {
	r.types, r.related, r.points = map[string]readingType{}, map[string][]string{}, map[string]string{}
	d := xml.NewDecoder(r.in)
	var at entry
	n := 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return notXML(err)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "entry":
			at = entry{}
			if n++; n > maxEntries {
				return fmt.Errorf("the file has more than %d entries", maxEntries)
			}
		case "link":
			at.link(start)
		case "ReadingType":
			var x readingType
			if err := d.DecodeElement(&x, &start); err != nil {
				return notXML(err)
			}
			r.types[at.self] = x
			r.only = &x
		case "MeterReading":
			r.related[at.self] = at.related
			r.points[at.self] = at.up
		case "IntervalReading":
			if err := d.Skip(); err != nil {
				return notXML(err)
			}
		}
	}
	if len(r.types) == 0 {
		return ErrNone
	}
	if len(r.types) > 1 {
		r.only = nil
	}
	if _, err := r.in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r.d = xml.NewDecoder(r.in)
	return nil
}

func (e *entry) link(t xml.StartElement) {
	var rel, href string
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "rel":
			rel = a.Value
		case "href":
			href = a.Value
		}
	}
	switch rel {
	case "self":
		e.self = href
	case "up":
		e.up = href
	case "related":
		e.related = append(e.related, href)
	}
}

// typeOf returns the type of the readings of the current block, and the usage point.
func (r *Reader) typeOf() (x readingType, point string, found bool) {
	reading := path.Dir(r.entry.up) // …/MeterReading/1/IntervalBlock belongs to …/MeterReading/1
	for _, link := range r.related[reading] {
		if t, ok := r.types[link]; ok {
			return t, usagePoint(r.points[reading]), true
		}
	}
	if r.only != nil {
		return *r.only, usagePoint(r.points[reading]), true
	}
	return x, "", false
}

// usagePoint returns the id of a usage point in a link: "1" in …/UsagePoint/1/MeterReading.
func usagePoint(link string) string {
	_, rest, _ := strings.Cut(link, "/UsagePoint/")
	id, _, _ := strings.Cut(rest, "/")
	return id
}

// open starts a block of readings.
func (r *Reader) open() {
	bad := func(code, hint string, args ...any) {
		r.blockErr = &energy.ParseError{Code: code, Hint: fmt.Sprintf(hint, args...)}
	}
	r.block, r.blockErr = nil, nil
	x, point, found := r.typeOf()
	power := 0
	if _, err := fmt.Sscanf(x.Power, "%d", &power); err != nil && x.Power != "" || power < -12 || power > 12 {
		bad(energy.CodeValue, "powerOfTenMultiplier %q is not a number from -12 to 12", x.Power)
		return
	}
	b := &energy.Interval{Meter: point}
	switch {
	case !found:
		bad(energy.CodeValue, "its entry does not lead to a MeterReading with a ReadingType")
		return
	case x.Accumulation == "1" || x.Accumulation == "3" || x.Accumulation == "12":
		bad(energy.CodeValue, "accumulationBehaviour %s is a position or a moment, not the usage of an interval", x.Accumulation)
		return
	case x.Unit == "72": // Wh
		power -= 3
	case x.Unit == "42": // cubic meters
		b.Register = energy.Gas
	default:
		bad(energy.CodeUnit, "uom %q is neither 72 (Wh) nor 42 (cubic meters)", x.Unit)
		return
	}
	switch x.Direction {
	case "", "0", "1":
	case "19":
		if b.Register == energy.Gas {
			bad(energy.CodeValue, "gas is not fed in (flowDirection 19)")
			return
		}
		b.Register = energy.FeedinNormal
	default:
		bad(energy.CodeValue, "flowDirection %q is neither 1 (delivered) nor 19 (fed in)", x.Direction)
		return
	}
	r.block, r.shift, r.length = b, power, x.Length
}

func (r *Reader) interval(x reading, line int) (energy.Interval, error) {
	bad := func(code, hint string, args ...any) (energy.Interval, error) {
		return energy.Interval{}, &energy.ParseError{Line: line, Code: code, Hint: fmt.Sprintf(hint, args...)}
	}
	if r.block == nil {
		return bad(energy.CodeValue, "an IntervalReading belongs into an IntervalBlock")
	}
	out := *r.block
	out.Line = line
	start, ok := parseWhole(x.Period.Start)
	if !ok || start <= 0 {
		return bad(energy.CodeTime, "start %q is not a number of seconds since 1970", x.Period.Start)
	}
	if x.Period.Duration == "" {
		x.Period.Duration = r.length
	}
	seconds, ok := parseWhole(x.Period.Duration)
	if !ok || seconds <= 0 || seconds > 400*86400 {
		return bad(energy.CodeNumber, "duration %q is not a number of seconds", x.Period.Duration)
	}
	if out.Amount, ok = energy.Parse(x.Value, '.', r.shift); !ok || out.Amount < 0 {
		return bad(energy.CodeNumber, "value %q is not an amount", x.Value)
	}
	out.Start, out.Seconds = time.Unix(start, 0).UTC(), int(seconds)
	for _, q := range x.Quality {
		switch strings.TrimSpace(q) {
		case "8", "9", "12": // estimated from a reference day, estimated by interpolation, projected
			out.Estimated = true
		}
	}
	return out, nil
}

// parseWhole parses a number of at most twelve digits.
func parseWhole(text string) (n int64, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 12 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	for _, d := range text {
		n = n*10 + int64(d-'0')
	}
	return n, true
}

// notXML returns an error with the position where a file is not well-formed. It returns io.EOF unchanged.
func notXML(err error) error {
	if syntaxErr, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fmt.Errorf("the XML ends or is broken at line %d: %s", syntaxErr.Line, syntaxErr.Msg)
	}
	return err
}
