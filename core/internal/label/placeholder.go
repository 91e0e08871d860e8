package label

import (
	"errors"
	"slices"
	"strings"
)

var errBraces = errors.New("has braces that do not match")

// placeholders returns the arguments and tags of an ICU message, sorted and without duplicates: "Hallo {name}, <b>{count, plural, one {#
// deel} other {# delen}}</b>" has b, count and name. It supports quoting with ' and nested plural and select.
func placeholders(text string) ([]string, error) {
	p := icu{text: text}
	if err := p.message(0); err != nil {
		return nil, err
	}
	slices.Sort(p.names)
	return slices.Compact(p.names), nil
}

type icu struct {
	text  string
	at    int
	names []string
}

// message parses a message until the end or, inside braces, until the closing brace.
func (p *icu) message(depth int) error {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case '\'':
			p.quoted()
		case '{':
			p.at++
			if err := p.argument(depth + 1); err != nil {
				return err
			}
		case '}':
			if depth == 0 {
				return errBraces
			}
			return nil
		case '<':
			p.tag()
		default:
			p.at++
		}
	}
	if depth > 0 {
		return errBraces
	}
	return nil
}

// quoted skips ” (one quote) and '{…' (literal text).
func (p *icu) quoted() {
	p.at++
	if p.at >= len(p.text) || !strings.ContainsRune("{}<>#|'", rune(p.text[p.at])) {
		return
	}
	if p.text[p.at] == '\'' {
		p.at++
		return
	}
	if end := strings.IndexByte(p.text[p.at:], '\''); end >= 0 {
		p.at += end + 1
		return
	}
	p.at = len(p.text)
}

func (p *icu) tag() {
	p.at++
	end := p.at
	for end < len(p.text) && isName(p.text[end]) {
		end++
	}
	if end > p.at && end < len(p.text) && (p.text[end] == '>' || p.text[end] == '/') {
		p.names = append(p.names, p.text[p.at:end])
	}
	p.at = end
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// argument parses the content of braces: a name, and optionally a format with nested messages.
func (p *icu) argument(depth int) error {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != ',' && p.text[p.at] != '}' && p.text[p.at] != '{' {
		p.at++
	}
	name := strings.TrimSpace(p.text[start:p.at])
	if name == "" || strings.ContainsAny(name, " \t\n'") {
		return errors.New("has a placeholder without a name")
	}
	p.names = append(p.names, name)
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '}':
			p.at++
			return nil
		case '{': // one form of a plural or select
			p.at++
			if err := p.message(depth + 1); err != nil {
				return err
			}
			p.at++ // its closing brace
		default:
			p.at++
		}
	}
	return errBraces
}
