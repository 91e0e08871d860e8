// Package guess guesses which records a CSV file of a back office contains, and writes a mapping for it that an operator corrects. It knows
// the words of back offices (words.tsv) and the description of each kind of record; it does not store anything.
package guess

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed words.tsv
var wordTable string

// words contains the words of the table by their use and their name in a record.
var words = parse(wordTable)

type dictionary struct {
	kinds, fields, values map[string][]string
	forms                 map[string]form // by the last part of a field's name
}

// form is the form of a field's values.
type form string

// Forms.
const (
	isText   form = ""
	isNumber form = "number"
	isDay    form = "day"
	isTime   form = "time"
)

// parse reads the table. The words of kinds, fields and values are folded.
func parse(table string) dictionary {
	d := dictionary{map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string]form{}}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(cells) != 3 {
			continue
		}
		all := strings.Split(cells[2], ", ")
		if cells[0] == "form" {
			for _, field := range all {
				d.forms[field] = form(cells[1])
			}
			continue
		}
		for i := range all {
			all[i] = fold(all[i])
		}
		in := map[string]map[string][]string{"kind": d.kinds, "field": d.fields, "value": d.values}[cells[0]]
		if in != nil {
			in[cells[1]] = all
		}
	}
	return d
}

// fold returns a text without case, accents, spaces and punctuation.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(text))
}

var element = regexp.MustCompile(`\.[0-9]+(\.|$)`)

// wordsOf returns the folded words of a field: its own name, and those of the table for the longest end of its name.
func (d dictionary) wordsOf(field string) []string {
	plain := strings.TrimSuffix(element.ReplaceAllString(field, "."), ".")
	parts := strings.Split(plain, ".")
	out := []string{fold(plain)}
	if last := fold(parts[len(parts)-1]); last != out[0] {
		out = append(out, last)
	}
	if len(parts) > 1 {
		out = append(out, fold(parts[len(parts)-2]+parts[len(parts)-1]))
	}
	for i := range parts {
		if found, ok := d.fields[strings.Join(parts[i:], ".")]; ok {
			return append(out, found...)
		}
	}
	return out
}

// formOf returns the form of a field. sample is the field's value in the example of its kind, which may be empty.
func (d dictionary) formOf(field, sample string) form {
	parts := strings.Split(field, ".")
	if f, ok := d.forms[parts[len(parts)-1]]; ok {
		return f
	}
	switch {
	case decimal.MatchString(sample):
		return isNumber
	case day.MatchString(sample):
		return isDay
	case strings.HasPrefix(sample, "20") && strings.Contains(sample, "T"):
		return isTime
	}
	return isText
}

var (
	decimal = regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`)
	day     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// value returns the allowed value that a value of a file means, or an empty string.
func (d dictionary) value(text string, allowed []string) string {
	folded := fold(text)
	if folded == "" {
		return ""
	}
	for _, a := range allowed {
		if fold(a) == folded {
			return a
		}
	}
	for _, a := range allowed {
		if slices.Contains(d.values[a], folded) {
			return a
		}
	}
	return ""
}
