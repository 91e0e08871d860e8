// Package dsmr reads telegrams from the P1 port of Dutch and Belgian smart meters (DSMR 2.2 to 5, ESMR, eMUCS), one after another.
package dsmr

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

// ErrNone is returned for a file without a telegram.
var ErrNone = errors.New("not a file of P1 telegrams: a telegram begins with / and ends with ! on a line of its own")

// Maximum sizes in bytes of a telegram and a line. Real telegrams are smaller than 4 kB, and real lines than 1 kB.
const (
	maxTelegram = 64 << 10
	maxLine     = 16 << 10
)

// Reader returns the readings in telegrams. A telegram contains one reading of electricity, and one of each gas meter.
type Reader struct {
	in     *bufio.Reader
	line   int
	offset int64
	some   bool
	held   []byte // the first line of the next telegram
	queue  []energy.Reading
}

// New returns a reader.
func New(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, maxLine)} }

// Offset returns the number of bytes read.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next reading, an *energy.ParseError for a telegram that cannot be read, or io.EOF.
func (r *Reader) Next() (energy.Reading, error) {
	for len(r.queue) == 0 {
		if err := r.telegram(); err != nil {
			return energy.Reading{}, err
		}
	}
	next := r.queue[0]
	r.queue = r.queue[1:]
	return next, nil
}

// telegram reads the next telegram. It skips text between telegrams, such as the timestamps of a logger.
func (r *Reader) telegram() error {
	var text []byte
	first, bad := 0, false
	for {
		l, err := r.held, error(nil)
		if r.held = nil; l == nil {
			l, err = r.readLine()
		}
		if errors.Is(err, io.EOF) {
			if text != nil {
				return &energy.ParseError{Line: first, Code: energy.CodeFields, Hint: "the telegram has no end (!)"}
			}
			if !r.some {
				return ErrNone
			}
		}
		if err != nil {
			return err
		}
		if bytes.HasPrefix(l, []byte{'/'}) {
			if text != nil {
				r.held = bytes.Clone(l)
				r.some = true
				return &energy.ParseError{Line: first, Code: energy.CodeFields, Hint: "the telegram has no end (!)"}
			}
			text, first = bytes.Clone(l), r.line
			continue
		}
		if text == nil {
			continue
		}
		if bad = bad || len(text)+len(l) > maxTelegram; !bad {
			text = append(text, l...)
		}
		if !bytes.HasPrefix(l, []byte{'!'}) {
			continue
		}
		r.some = true
		if bad {
			return &energy.ParseError{Line: first, Code: energy.CodeTooLarge, Hint: "the telegram is longer than 64 kB"}
		}
		return r.parse(text, first)
	}
}

// readLine returns the next line including its line end. It truncates a line that is too long.
func (r *Reader) readLine() ([]byte, error) {
	l, err := r.in.ReadSlice('\n')
	r.offset += int64(len(l))
	r.line++
	if errors.Is(err, bufio.ErrBufferFull) {
		l = bytes.Clone(l)
		for errors.Is(err, bufio.ErrBufferFull) {
			var more []byte
			more, err = r.in.ReadSlice('\n')
			r.offset += int64(len(more))
		}
	}
	if len(l) == 0 || err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if r.line == 1 {
		l = bytes.TrimPrefix(l, []byte("\uFEFF"))
	}
	return l, nil
}

var (
	object = regexp.MustCompile(`^([0-9]+)-([0-9]+):([0-9]+\.[0-9]+\.[0-9]+)((?:\([^()]*\))+)`)
	value  = regexp.MustCompile(`\(([^()]*)\)`)
	stamp  = regexp.MustCompile(`^([0-9]{12})([SW])$`)
)

// registers maps the OBIS codes of electricity readings to registers. Tariff 1 is low and tariff 2 normal in the Netherlands.
var registers = map[string]energy.Register{"1.8.1": energy.Low, "1.8.2": energy.Normal, "2.8.1": energy.FeedinLow,
	"2.8.2": energy.FeedinNormal}

func (r *Reader) parse(text []byte, first int) error {
	bad := func(line int, code, hint string, args ...any) error {
		return &energy.ParseError{Line: line, Code: code, Hint: fmt.Sprintf(hint, args...)}
	}
	if end := bytes.LastIndexByte(text, '!'); !isChecksumValid(text[:end+1], strings.TrimSpace(string(text[end+1:]))) {
		return bad(first, energy.CodeValue, "the checksum after ! does not fit the telegram")
	}
	electricity := energy.Reading{Line: first, Values: map[energy.Register]energy.Amount{}}
	gas := map[string]*energy.Reading{}                    // by channel
	kind := map[string]string{}                            // device type by channel: 3 is gas
	number := map[string]string{}                          // device number by channel
	belgian := bytes.Contains(text, []byte("0-0:96.1.4(")) // this code contains the version of eMUCS, in which tariff 1 is the normal one
	for i, line := range bytes.Split(text, []byte("\n")) {
		m := object.FindSubmatch(line)
		if m == nil {
			continue
		}
		channel, code := string(m[2]), string(m[3])
		var values []string
		for _, v := range value.FindAllSubmatch(m[4], -1) {
			values = append(values, string(v[1]))
		}
		register, counts := registers[code]
		switch {
		case string(m[1]) == "0" && code == "1.0.0":
			at, err := moment(values[0])
			if err != nil {
				return bad(first+i, energy.CodeTime, "%v", err)
			}
			electricity.At = at
		case string(m[1]) == "0" && code == "96.1.1" && channel == "0":
			electricity.Meter = device(values[0])
		case string(m[1]) == "1" && counts:
			a, ok := amount(values[0], "kWh")
			if !ok {
				return bad(first+i, energy.CodeNumber, "%q is not a number of kWh", values[0])
			}
			if belgian {
				register = [...]energy.Register{energy.Low, energy.Normal, energy.FeedinLow, energy.FeedinNormal}[register]
			}
			electricity.Values[register] = a
		case string(m[1]) == "0" && code == "24.1.0":
			kind[channel] = strings.TrimLeft(values[0], "0")
		case string(m[1]) == "0" && (code == "96.1.0" || code == "96.1.1" || code == "96.1.2" && number[channel] == ""):
			number[channel] = device(values[0])
		case string(m[1]) == "0" && (code == "24.2.1" || code == "24.2.3") && len(values) == 2:
			a, ok := amount(values[1], "m3")
			if !ok {
				continue // heat or water, in other units
			}
			at, err := moment(values[0])
			if err != nil {
				return bad(first+i, energy.CodeTime, "%v", err)
			}
			gas[channel] = &energy.Reading{Line: first + i, At: at, Values: map[energy.Register]energy.Amount{energy.Gas: a}}
		}
	}
	if electricity.At.IsZero() {
		return bad(first, energy.CodeTime, "the telegram has no time (0-0:1.0.0): meters before DSMR 4 do not send it")
	}
	if len(electricity.Values) > 0 {
		r.queue = append(r.queue, electricity)
	}
	for _, channel := range []string{"1", "2", "3", "4"} {
		if g := gas[channel]; g != nil && kind[channel] == "3" {
			g.Meter = number[channel]
			r.queue = append(r.queue, *g)
		}
	}
	if len(r.queue) == 0 {
		return bad(first, energy.CodeFields, "the telegram has no electricity or gas reading")
	}
	return nil
}

// amount parses an amount such as "001234.567*kWh".
func amount(text, unit string) (energy.Amount, bool) {
	number, of, _ := strings.Cut(text, "*")
	if of != unit {
		return 0, false
	}
	a, ok := energy.Parse(number, '.', 0)
	return a, ok && a >= 0
}

// moment parses a local time such as "240701001500S"; S means summer time and W winter time.
func moment(text string) (time.Time, error) {
	m := stamp.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, fmt.Errorf("%q is not a time written as YYMMDDhhmmss with S or W", text)
	}
	offset := 60 * 60
	if m[2] == "S" {
		offset *= 2
	}
	t, err := time.ParseInLocation("060102150405", m[1], time.FixedZone("", offset))
	if err != nil {
		return t, fmt.Errorf("%q is not a time written as YYMMDDhhmmss with S or W", text)
	}
	return t, nil
}

// device returns the number of a meter, which telegrams contain in hexadecimal.
func device(text string) string {
	var out []byte
	for i := 0; i+1 < len(text); i += 2 {
		b, err := strconv.ParseUint(text[i:i+2], 16, 8)
		if err != nil || b < ' ' || b > '~' {
			return text
		}
		out = append(out, byte(b))
	}
	return string(out)
}

// isChecksumValid reports whether the checksum is correct or missing. It is the hexadecimal CRC16 of the telegram from / to !.
func isChecksumValid(text []byte, sum string) bool {
	if len(sum) != 4 {
		return true // DSMR 3 has no checksum
	}
	want, err := strconv.ParseUint(sum, 16, 16)
	if err != nil {
		return true
	}
	// a logger may have converted the line ends
	return crc16(text) == uint16(want) || crc16(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))) == uint16(want)
}

func crc16(text []byte) (crc uint16) {
	for _, b := range text {
		crc ^= uint16(b)
		for range 8 {
			if crc&1 == 1 {
				crc = crc>>1 ^ 0xA001
			} else {
				crc >>= 1
			}
		}
	}
	return crc
}
