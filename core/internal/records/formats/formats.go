// Package formats converts meter data in external formats to records: Green Button, NEM12, P1 telegrams, and the files of Fluvius and
// SolarEdge (docs/decisions/0055). It is pure: it turns a file and settings into records and refusals.
package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/records/formats/dsmr"
	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
	"github.com/wattle-portal/wattle/core/internal/records/formats/espi"
	"github.com/wattle-portal/wattle/core/internal/records/formats/fluvius"
	"github.com/wattle-portal/wattle/core/internal/records/formats/nem12"
	"github.com/wattle-portal/wattle/core/internal/records/formats/solaredge"
)

// Record kinds that formats are converted to.
const (
	kindInterval   = "interval"
	kindReading    = "reading"
	kindProduction = "production"
)

// format is a file format.
type format struct {
	kind string
	open func(in io.ReadSeeker, zone *time.Location) reader
	zone *time.Location // time zone of the file, unless --set zone gives another offset; nil: the label's
}

// reader reads the intervals or the readings of a file. Errors are those of Source.Next.
type reader interface{ Offset() int64 }

type (
	intervals interface {
		reader
		Next() (energy.Interval, error)
	}
	readings interface {
		reader
		Next() (energy.Reading, error)
	}
)

var all = map[string]format{
	"green-button": {kindInterval, func(in io.ReadSeeker, _ *time.Location) reader { return espi.New(in) }, nil},
	"nem12":        {kindInterval, func(in io.ReadSeeker, zone *time.Location) reader { return nem12.New(in, zone) }, nem12.Market},
	"dsmr":         {kindReading, func(in io.ReadSeeker, _ *time.Location) reader { return dsmr.New(in) }, nil},
	"fluvius":      {kindInterval, func(in io.ReadSeeker, _ *time.Location) reader { return fluvius.New(in) }, nil},
	"solaredge":    {kindProduction, func(in io.ReadSeeker, zone *time.Location) reader { return solaredge.New(in, zone) }, nil},
}

// Names returns the names of the formats.
func Names() []string { return slices.Sorted(maps.Keys(all)) }

// Kind returns the record kind of a format, or an error that lists the formats.
func Kind(name string) (string, error) {
	if f, known := all[name]; known {
		return f.kind, nil
	}
	return "", fmt.Errorf("there is no format %q; there are: %s", name, strings.Join(Names(), ", "))
}

// Record is a record of a file.
type Record struct {
	Line int    // line number in the file
	Key  string // natural key, which must be unique in a batch
	Data json.RawMessage
}

// Source reads the records of a file in constant memory.
type Source struct {
	in       reader
	kind     string
	zone     *time.Location
	settings map[string]string
	meters   map[string]string // by setting: the meter that uses it
	buckets  map[register]*bucket
	order    []register
	rest     map[register]energy.Amount // rounding remainder, which is added to the next interval
	window   map[string]*record
	queue    []*record
	days     map[string]bool // days with a reading, by meter
	ended    bool
	count    counts
}

type counts struct{ records, estimated, incomplete, elsewhere int }

// register is a register of a meter.
type register struct {
	meter string
	of    energy.Register
}

// bucket is an interval that is the sum of shorter intervals.
type bucket struct {
	line      int
	start     time.Time
	seconds   int
	measured  int // seconds for which there is a value
	last      time.Time
	amount    energy.Amount
	estimated bool
}

type record struct {
	line    int
	key     string
	ean     string
	start   time.Time
	seconds int
	values  map[energy.Register]energy.Amount
	raw     map[energy.Register]energy.Amount
}

// maxWindow is the number of records that wait for more registers. Files list the registers of an interval one after another, or all
// intervals of one register first.
const maxWindow = 1000

// Open returns the records of a file. zone is the label's time zone. settings contains the values of --set: a connection under
// "electricity", "gas" or the meter's number in the file, "project" for production, and "zone" for the UTC offset of NEM12 days.
func Open(name string, in io.ReadSeeker, zone *time.Location, settings map[string]string) (*Source, error) {
	f, known := all[name]
	if !known {
		_, err := Kind(name)
		return nil, err
	}
	if f.kind == kindProduction && settings["project"] == "" {
		return nil, errors.New("it needs --set project=…, the code of the project")
	}
	read := zone
	if f.zone != nil {
		if read = f.zone; settings["zone"] != "" {
			at, err := time.Parse("-07:00", settings["zone"])
			if err != nil {
				return nil, fmt.Errorf("--set zone=%s is not an offset from UTC, such as +08:00", settings["zone"])
			}
			read = at.Location()
		}
		settings = maps.Clone(settings)
		delete(settings, "zone")
	}
	return &Source{in: f.open(in, read), kind: f.kind, zone: zone, settings: settings, meters: map[string]string{},
		buckets: map[register]*bucket{},
		rest:    map[register]energy.Amount{}, window: map[string]*record{}, days: map[string]bool{}}, nil
}

// Offset returns the number of bytes read.
func (s *Source) Offset() int64 { return s.in.Offset() }

// Next returns the next record. It returns an *energy.ParseError for a part that cannot be read, after which the caller may continue. Any
// other error, including io.EOF, is final.
func (s *Source) Next() (Record, error) {
	for {
		if len(s.queue) > maxWindow || s.ended && len(s.queue) > 0 {
			return s.pop(), nil
		}
		if s.ended {
			return Record{}, io.EOF
		}
		if err := s.read(); err != nil {
			return Record{}, err
		}
	}
}

func (s *Source) read() error {
	var err error
	switch in := s.in.(type) {
	case intervals:
		var i energy.Interval
		if i, err = in.Next(); err == nil {
			return s.interval(i)
		}
	case readings:
		var r energy.Reading
		if r, err = in.Next(); err == nil {
			return s.reading(r)
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	s.ended = true
	for _, key := range s.order {
		if err := s.finish(key); err != nil {
			return err
		}
	}
	if s.kind == kindReading && s.count.records+len(s.queue) == 0 && s.count.elsewhere > 0 {
		return errors.New("no telegram is of the first 15 minutes of a day: a reading is the position of the meter at the start of its day")
	}
	return nil
}

// target returns the length in seconds of the stored interval to which an interval belongs: 15 minutes, an hour or a day; 0 if there is
// none.
func (s *Source) target(i energy.Interval) int {
	switch {
	case s.kind == kindProduction && 3600%i.Seconds == 0:
		return 3600
	case s.kind == kindProduction:
		return 0
	case 900%i.Seconds == 0:
		return 900
	case 3600%i.Seconds == 0:
		return 3600
	}
	start := i.Start.In(s.zone)
	if y, m, d := start.Date(); start.Equal(time.Date(y, m, d, 0, 0, 0, 0, s.zone)) &&
		(i.Seconds == 86400 || start.AddDate(0, 0, 1).Equal(start.Add(time.Duration(i.Seconds)*time.Second))) {
		return 86400
	}
	return 0
}

// interval adds an interval to its bucket.
func (s *Source) interval(i energy.Interval) error {
	if i.Seconds <= 0 {
		i.Seconds = 1 // gives target 0
	}
	target := s.target(i)
	if target == 0 {
		return &energy.ParseError{Line: i.Line, Code: "interval_length",
			Hint: fmt.Sprintf("an interval of %d seconds from %s does not fit into quarters of an hour, hours or days", i.Seconds,
				i.Start.In(s.zone).Format(time.RFC3339))}
	}
	start := i.Start
	if target != 86400 {
		_, offset := start.In(s.zone).Zone()
		local := start.Unix() + int64(offset)
		start = time.Unix(local-modulo(local, int64(target))-int64(offset), 0)
		if i.Start.Add(time.Duration(i.Seconds) * time.Second).After(start.Add(time.Duration(target) * time.Second)) {
			return &energy.ParseError{Line: i.Line, Code: "not_aligned", Hint: fmt.Sprintf("an interval of %d seconds cannot begin at %s", i.Seconds,
				i.Start.In(s.zone).Format(time.RFC3339))}
		}
	}
	key := register{i.Meter, i.Register}
	b := s.buckets[key]
	if b != nil && (!b.start.Equal(start) || b.seconds != target) {
		if err := s.finish(key); err != nil {
			return err
		}
		b = nil
	}
	if b == nil {
		b = &bucket{line: i.Line, start: start, seconds: target}
		if _, known := s.buckets[key]; !known {
			s.order = append(s.order, key)
		}
		s.buckets[key] = b
	} else if !i.Start.After(b.last) {
		return &energy.ParseError{Line: i.Line, Code: "duplicate",
			Hint: fmt.Sprintf("the interval of %s comes twice, or the file is not in order of time", i.Start.In(s.zone).Format(time.RFC3339))}
	}
	b.amount, b.last, b.estimated = b.amount+i.Amount, i.Start, b.estimated || i.Estimated
	if b.measured += i.Seconds; target == 86400 {
		b.measured = target
	}
	if b.measured == target {
		return s.finish(key)
	}
	return nil
}

func modulo(a, n int64) int64 { return (a%n + n) % n }

// finish converts a bucket to a record if all its parts are present.
func (s *Source) finish(key register) error {
	b := s.buckets[key]
	s.buckets[key] = nil
	if b == nil {
		return nil
	}
	if b.measured < b.seconds {
		s.count.incomplete++
		return nil
	}
	ean, err := s.connection(key)
	if err != nil || ean == "" {
		return err
	}
	if b.estimated {
		s.count.estimated++
	}
	id := ean + " " + strconv.FormatInt(b.start.Unix(), 10)
	r := s.window[id]
	if r != nil && r.seconds == b.seconds {
		if had, twice := r.raw[key.of]; twice {
			if had == b.amount {
				return nil
			}
			return &energy.ParseError{Line: b.line, Code: "duplicate", Hint: fmt.Sprintf("the interval of %s comes twice, with different amounts",
				b.start.In(s.zone).Format(time.RFC3339))}
		}
	} else {
		r = &record{line: b.line, key: id, ean: ean, start: b.start, seconds: b.seconds, values: map[energy.Register]energy.Amount{},
			raw: map[energy.Register]energy.Amount{}}
		s.window[id], s.queue = r, append(s.queue, r)
	}
	r.raw[key.of] = b.amount
	exact := b.amount + s.rest[key]
	r.values[key.of] = exact / smallest * smallest
	s.rest[key] = exact - r.values[key.of]
	return nil
}

// smallest is the smallest amount of a record: a Wh or a cubic decimeter.
const smallest = energy.One / 1000

// connection returns the EAN code of the connection of a meter, or the code of the project; empty: the meter is omitted.
func (s *Source) connection(key register) (string, error) {
	if s.kind == kindProduction {
		return s.settings["project"], nil
	}
	if ean, ok := s.settings[key.meter]; ok {
		s.meters[key.meter] = key.meter
		return ean, nil
	}
	commodity := "electricity"
	if key.of == energy.Gas {
		commodity = "gas"
	}
	if ean, ok := s.settings[commodity]; ok {
		other, used := s.meters[commodity]
		if used && other != key.meter && ean != "" {
			return "", fmt.Errorf("the file has %s of %q and of %q: give each its connection, --set %s=EAN --set %s=EAN", commodity, other,
				key.meter, other, key.meter)
		}
		s.meters[commodity] = key.meter
		return ean, nil
	}
	if len(key.meter) == 18 && strings.Trim(key.meter, "0123456789") == "" {
		return key.meter, nil
	}
	hint := fmt.Sprintf("the file does not say of which connection its %s is: --set %s=EAN, or --set %s= to leave it out", commodity,
		commodity, commodity)
	if key.meter != "" {
		hint += fmt.Sprintf("; for a file of several meters --set %s=EAN", key.meter)
	}
	return "", errors.New(hint)
}

// pop returns the oldest record.
func (s *Source) pop() Record {
	r := s.queue[0]
	s.queue = s.queue[1:]
	if s.window[r.key] == r {
		delete(s.window, r.key)
	}
	s.count.records++
	data := []byte(`{`)
	add := func(name, value string) {
		data = append(append(append(strconv.AppendQuote(data, name), ':'), value...), ',')
	}
	switch s.kind {
	case kindProduction:
		add("project_code", quoted(r.ean))
		add("start", quoted(r.start.In(s.zone).Format(time.RFC3339)))
		add("kwh", decimal(r.values[energy.Normal]))
	case kindReading:
		add("ean_code", quoted(r.ean))
		add("measurement_date", quoted(r.start.In(s.zone).Format(time.DateOnly)))
		for of, name := range []string{"consumption_normal", "consumption_low", "feedin_normal", "feedin_low", "consumption"} {
			if a, exists := r.values[energy.Register(of)]; exists {
				add(name, decimal(a))
			}
		}
	default:
		add("ean_code", quoted(r.ean))
		add("start", quoted(r.start.In(s.zone).Format(time.RFC3339)))
		add("seconds", strconv.Itoa(r.seconds))
		for of, name := range []string{"normal", "low", "feedin_normal", "feedin_low", "consumption"} {
			if a, exists := r.values[energy.Register(of)]; exists {
				add(name, decimal(a))
			}
		}
	}
	data[len(data)-1] = '}'
	return Record{Line: r.line, Key: r.key, Data: data}
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string can always be encoded
	return string(b)
}

// decimal returns an amount with three decimals.
func decimal(a energy.Amount) string {
	a /= smallest
	return fmt.Sprintf("%d.%03d", a/1000, a%1000)
}

// atBegin is the time after midnight in which a reading counts as the reading at the start of the day.
const atBegin = 15 * time.Minute

// reading converts the first reading of a day to a record.
func (s *Source) reading(r energy.Reading) error {
	of := energy.Normal
	if _, gas := r.Values[energy.Gas]; gas {
		of = energy.Gas
	}
	at := r.At.In(s.zone)
	y, m, d := at.Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, s.zone)
	if at.Sub(day) >= atBegin {
		s.count.elsewhere++
		return nil
	}
	ean, err := s.connection(register{r.Meter, of})
	if err != nil || ean == "" {
		return err
	}
	id := ean + " " + day.Format(time.DateOnly)
	if s.days[id] {
		s.count.elsewhere++
		return nil
	}
	s.days[id] = true
	s.queue = append(s.queue, &record{line: r.Line, key: id, ean: ean, start: day, values: r.Values})
	return nil
}

// Notes returns notes for the operator about the records read so far, in sentences.
func (s *Source) Notes() (notes []string) {
	if n := s.count.estimated; n > 0 {
		notes = append(notes, words.Count(n, "value of an interval is", "values of intervals are")+
			" estimated according to the file; "+s.kind+" records do not keep that")
	}
	if n := s.count.incomplete; n > 0 {
		notes = append(notes, words.Count(n, "quarter of an hour or hour is", "quarters of an hour or hours are")+
			" left out as incomplete")
	}
	if n := s.count.elsewhere; n > 0 {
		notes = append(notes, words.Count(n, "reading that is not the first of a day is", "readings that are not the first of a day are")+" left out")
	}
	if in, ok := s.in.(*nem12.Reader); ok && in.Skipped > 0 {
		notes = append(notes, words.Count(in.Skipped, "day of registers without energy, such as reactive power, is",
			"days of registers without energy, such as reactive power, are")+" left out")
	}
	if s.kind == kindProduction {
		return notes
	}
	for _, name := range slices.Sorted(maps.Keys(s.settings)) {
		if _, used := s.meters[name]; !used {
			notes = append(notes, fmt.Sprintf("the file has nothing for --set %s=…", name))
		}
	}
	return notes
}
