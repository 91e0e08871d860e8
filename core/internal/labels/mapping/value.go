package mapping

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// convert appends the value of a column to b as JSON; the value is not empty.
type convert func(b []byte, text string) ([]byte, *Refusal)

// converter returns the conversion of the field's column.
func (f Field) converter(zone *time.Location) convert {
	switch {
	case f.Number != "":
		by, _ := shift(f.Scale) // Check has validated the scale
		return func(b []byte, text string) ([]byte, *Refusal) {
			plain, either, ok := f.withoutThousands(text)
			if either {
				return b, &Refusal{Code: CodeThousands, Hint: f.ambiguous(text)}
			}
			if ok {
				b, ok = appendNumber(b, plain, f.Number[0], by, f.Negate)
			}
			if !ok {
				return b, &Refusal{Code: CodeNumber, Hint: fmt.Sprintf("%s is not a number with a decimal %s", quote(text), markNames[f.Number])}
			}
			return b, nil
		}
	case f.Date != "":
		layout := goLayout(f.Date)
		return func(b []byte, text string) ([]byte, *Refusal) {
			t, err := time.Parse(layout, text)
			if err != nil {
				return b, &Refusal{Code: CodeDate, Hint: fmt.Sprintf("%s is not a day written as %s", quote(text), f.Date)}
			}
			return t.AppendFormat(b, `"2006-01-02"`), nil
		}
	case f.Time != "":
		return timeConverter(f.Time, zone)
	case f.Values != nil:
		return f.translate
	}
	return func(b []byte, text string) ([]byte, *Refusal) { return appendText(b, text), nil }
}

// translate appends the value that text maps to, or the default.
func (f Field) translate(b []byte, text string) ([]byte, *Refusal) {
	if value, ok := f.Values[text]; ok {
		return append(b, value...), nil
	}
	if f.Default != nil {
		return append(b, f.Default...), nil
	}
	options := slices.Sorted(maps.Keys(f.Values))
	for i := range options {
		options[i] = quote(options[i])
	}
	return b, &Refusal{Code: CodeValue, Hint: fmt.Sprintf("%s is none of the values of the mapping: %s", quote(text),
		strings.Join(options, ", "))}
}

func timeConverter(written string, zone *time.Location) convert {
	layout := goLayout(written)
	return func(b []byte, text string) ([]byte, *Refusal) {
		t, err := time.ParseInLocation(layout, text, zone)
		if err != nil || t.Nanosecond() != 0 { // Go accepts fractions of a second that no layout contains
			return b, &Refusal{Code: CodeTime, Hint: fmt.Sprintf("%s is not a time written as %s", quote(text), written)}
		}
		if !strings.Contains(written, "Z") {
			if t.Format(layout) != text && !sameClock(layout, text, t) {
				return b, &Refusal{Code: CodeTime, Hint: fmt.Sprintf("%s is skipped when the clock goes forward", quote(text))}
			}
			if isRepeated(t) {
				return b, &Refusal{Code: CodeAmbiguous, Hint: fmt.Sprintf("%s comes twice when the clock goes back: a time with its offset is needed",
					quote(text))}
			}
		}
		return t.AppendFormat(b, `"2006-01-02T15:04:05Z07:00"`), nil
	}
}

// sameClock reports whether t formatted with the layout equals the string. The result is false for an hour that the clock skips.
func sameClock(layout, text string, t time.Time) bool {
	plain, err := time.Parse(layout, text)
	return err == nil && plain.Format(clock) == t.Format(clock)
}

const clock = "2006-01-02 15:04:05"

// isRepeated reports whether the local clock shows the time of t at another instant too. No time zone changes its offset by more than three
// hours.
func isRepeated(t time.Time) bool {
	_, now := t.Zone()
	for _, d := range []time.Duration{-3 * time.Hour, 3 * time.Hour} {
		_, other := t.Add(d).Zone()
		if other != now && t.Add(time.Duration(now-other)*time.Second).Format(clock) == t.Format(clock) {
			return true
		}
	}
	return false
}

var layouts = strings.NewReplacer("YYYY", "2006", "MM", "01", "M", "1", "DD", "02", "D", "2", "HH", "15", "H", "15", "mm", "04", "ss", "05",
	"Z", "Z07:00")

func goLayout(written string) string { return layouts.Replace(written) }

// shift returns the number of digits by which a scale moves the decimal separator: 1 for "10" and -1 for "0.1".
func shift(scale json.Number) (digits int, ok bool) {
	small, isSmall := strings.CutPrefix(scale.String(), "0.")
	switch {
	case scale == "":
		return 0, true
	case isSmall && strings.HasSuffix(small, "1") && strings.Trim(small[:len(small)-1], "0") == "" && len(small) <= maxShift:
		return -len(small), true
	case !isSmall && strings.HasPrefix(small, "1") && strings.Trim(small[1:], "0") == "" && len(small) <= maxShift+1:
		return len(small) - 1, true
	}
	return 0, false
}

// maxDigits is the maximum number of digits of a number, maxShift the maximum shift of its decimal separator.
const maxDigits, maxShift = 30, 6

// separators are the possible separators of thousands.
var separators = []string{".", ",", "'", " "}

// markNames are the names of the decimal marks of Field.Number.
var markNames = map[string]string{".": "point", ",": "comma"}

// otherSpaces are the spaces and the apostrophe with which spreadsheets separate thousands.
var otherSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2019", "'")

// withoutThousands removes the separators of thousands: 1.234,56 becomes 1234,56. either reports that a number can be read in two ways:
// with the wrong mark configured, 1.234 would become a thousand times too large, so one point without a decimal comma is accepted only if
// the mapping says that it separates thousands. ok is false for a separator that does not separate thousands.
func (f Field) withoutThousands(text string) (plain string, either, ok bool) {
	if strings.Trim(text, "-0123456789"+f.Number) == "" { // most numbers
		return text, false, true
	}
	text = otherSpaces.Replace(text)
	digits, negative := strings.CutPrefix(text, "-")
	whole, decimals, marked := strings.Cut(digits, f.Number)
	mark := ""
	for _, s := range separators {
		if s == f.Number || !strings.Contains(whole, s) {
			continue
		}
		if mark != "" || f.Thousands != "" && f.Thousands != s {
			return text, false, false
		}
		mark = s
	}
	if mark == "" {
		return text, false, true
	}
	groups := strings.Split(whole, mark)
	if first := groups[0]; first == "" || len(first) > 3 || first[0] == '0' {
		return text, false, false
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return text, false, false
		}
	}
	if strings.Trim(whole, "0123456789"+mark) != "" {
		return text, false, false
	}
	isPoint := mark == "." || mark == ","
	if isPoint && f.Thousands == "" && !marked && len(groups) == 2 {
		return text, true, true
	}
	plain = strings.Join(groups, "")
	if marked {
		plain += f.Number + decimals
	}
	if negative {
		plain = "-" + plain
	}
	return plain, false, true
}

// ambiguous describes a number with a separator that may be the decimal mark, such as 1.234 where the decimal mark is a comma.
func (f Field) ambiguous(text string) string {
	mark := "."
	if f.Number == "." {
		mark = ","
	}
	return fmt.Sprintf("%s is %s or %s: in the mapping, add thousands: %q to the field if the %s separates thousands, or write number: %q if it is the decimal %s",
		quote(text), strings.ReplaceAll(text, mark, ""), strings.ReplaceAll(text, mark, "."), mark, markNames[mark], mark, markNames[mark])
}

// appendNumber appends a number digit for digit, with its decimal separator moved and, with negate, the other sign.
func appendNumber(b []byte, text string, mark byte, shift int, negate bool) ([]byte, bool) {
	text, negative := strings.CutPrefix(text, "-")
	whole, decimals, marked := strings.Cut(text, string(mark))
	digits := whole + decimals
	if digits == "" || marked && decimals == "" || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return b, false
	}
	point := len(whole) + shift
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if short := point - len(digits); short > 0 {
		digits += strings.Repeat("0", short)
	}
	whole, decimals = strings.TrimLeft(digits[:point], "0"), digits[point:]
	if negative != negate && strings.Trim(digits, "0") != "" {
		b = append(b, '-')
	}
	if whole == "" {
		whole = "0"
	}
	if b = append(b, whole...); decimals != "" {
		b = append(append(b, '.'), decimals...)
	}
	return b, true
}

// appendText appends a string as JSON. Nearly all strings need no escape.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			escaped, _ := json.Marshal(text) // a string can always be encoded
			return append(b, escaped...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// quote returns the content of a column in quotes, shortened to fit on a line.
func quote(text string) string {
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return strconv.Quote(text)
}
