package icu

import "strings"

type parser struct {
	text  string
	at    int
	names []string
}

// message parses a message until the end or, inside braces, until the closing brace.
func (p *parser) message(depth int, plural bool) (nodes []node, err error) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			nodes = append(nodes, node{text: text.String()})
			text.Reset()
		}
	}
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '\'':
			text.WriteString(p.quoted())
		case c == '{':
			flush()
			p.at++
			n, err := p.argument(depth+1, plural)
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, n)
		case c == '}':
			if depth == 0 {
				return nil, errBraces
			}
			flush()
			return nodes, nil
		case c == '#' && plural:
			flush()
			nodes = append(nodes, node{number: true})
			p.at++
		case c == '<':
			text.WriteString(p.tag())
		default:
			text.WriteByte(c)
			p.at++
		}
	}
	if depth > 0 {
		return nil, errBraces
	}
	flush()
	return nodes, nil
}

// quoted returns the text of ” (one quote) and of '{…' (literal text).
func (p *parser) quoted() string {
	p.at++
	if p.at >= len(p.text) || !strings.ContainsRune("{}<>#|'", rune(p.text[p.at])) {
		return "'"
	}
	if p.text[p.at] == '\'' {
		p.at++
		return "'"
	}
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		if c != '\'' {
			b.WriteByte(c)
			continue
		}
		if p.at >= len(p.text) || p.text[p.at] != '\'' {
			break
		}
		b.WriteByte('\'')
		p.at++
	}
	return b.String()
}

// tag returns the beginning of a tag, and records its name.
func (p *parser) tag() string {
	start := p.at
	p.at++
	end := p.at
	for end < len(p.text) && isName(p.text[end]) {
		end++
	}
	if end > p.at && end < len(p.text) && (p.text[end] == '>' || p.text[end] == '/') {
		p.names = append(p.names, p.text[p.at:end])
	}
	p.at = end
	return p.text[start:end]
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// argument parses the content of braces: a name, and optionally a format with nested messages.
func (p *parser) argument(depth int, plural bool) (n node, err error) {
	n.name = strings.TrimSpace(p.until(",}{"))
	if n.name == "" || strings.ContainsAny(n.name, " \t\n'") {
		return n, errName
	}
	p.names = append(p.names, n.name)
	if p.at < len(p.text) && p.text[p.at] == ',' {
		p.at++
		n.format = strings.TrimSpace(p.until(",}{"))
	}
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '}':
			p.at++
			return n, nil
		case '{': // one form of a plural or select
			p.at++
			nodes, err := p.message(depth+1, plural || n.format == "plural")
			if err != nil {
				return n, err
			}
			p.at++ // its closing brace
			if len(n.forms) > 0 {
				n.forms[len(n.forms)-1].nodes = nodes
			}
		case ',':
			p.at++
		default:
			if words := strings.Fields(p.until(",}{")); len(words) > 0 {
				n.forms = append(n.forms, form{selector: words[len(words)-1]})
			}
		}
	}
	return n, errBraces
}

// until returns the text up to the first of the characters, or to the end.
func (p *parser) until(characters string) string {
	start := p.at
	for p.at < len(p.text) && !strings.ContainsRune(characters, rune(p.text[p.at])) {
		p.at++
	}
	return p.text[start:p.at]
}
