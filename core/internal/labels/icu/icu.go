// Package icu parses and formats ICU messages in the syntax of the front end: placeholders, plural, select, quoting and tags.
package icu

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var (
	errBraces = errors.New("has braces that do not match")
	errName   = errors.New("has a placeholder without a name")
)

// Message is a parsed ICU message.
type Message struct {
	nodes []node
	names []string
}

// node is a part of a message: literal text, a placeholder, or the # of a plural.
type node struct {
	text   string
	name   string // name of a placeholder
	format string // "", "plural", "select" or a format that only the front end supports
	forms  []form
	number bool // whether the node is the # of a plural
}

// form is one form of a plural or select.
type form struct {
	selector string
	nodes    []node
}

// Parse parses an ICU message.
func Parse(text string) (*Message, error) {
	p := parser{text: text}
	nodes, err := p.message(0, false)
	if err != nil {
		return nil, err
	}
	slices.Sort(p.names)
	return &Message{nodes, slices.Compact(p.names)}, nil
}

// Names returns the arguments and tags of the message, sorted and without duplicates: "Hallo {name}, <b>{count, plural, one {# deel} other
// {# delen}}</b>" has b, count and name.
func (m *Message) Names() []string { return m.names }

// Format returns the text of the message on one line. A plural takes a whole number; its # is written with dots between thousands. It
// returns an error when a placeholder of the message, in any of its forms, has no value.
func (m *Message) Format(values map[string]string) (string, error) {
	w, err := m.write(values)
	if err != nil {
		return "", err
	}
	parts := make([]string, len(w.lines))
	for i, l := range w.lines {
		parts[i] = l.text.String()
	}
	return strings.Join(parts, " "), nil
}

// Lines returns the lines of the message, which its newlines separate; a newline in a value does not start a line. Lines without text, and
// lines with a placeholder whose value is empty, are omitted.
func (m *Message) Lines(values map[string]string) ([]string, error) {
	w, err := m.write(values)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, l := range w.lines {
		if text := l.text.String(); !l.lacks && strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	return out, nil
}

type line struct {
	text  strings.Builder
	lacks bool // whether the line has a placeholder with an empty value
}

type writer struct {
	values map[string]string
	lines  []*line
}

func (m *Message) write(values map[string]string) (*writer, error) {
	for _, name := range m.names {
		if _, ok := values[name]; !ok {
			return nil, fmt.Errorf("icu: the placeholder {%s} has no value", name)
		}
	}
	w := &writer{values: values, lines: []*line{{}}}
	return w, w.nodes(m.nodes, "")
}

func (w *writer) nodes(nodes []node, number string) error {
	for _, n := range nodes {
		at := w.lines[len(w.lines)-1]
		value := w.values[n.name]
		switch {
		case n.number:
			at.text.WriteString(number)
		case n.name == "":
			for i, text := range strings.Split(n.text, "\n") {
				if i > 0 {
					at = &line{}
					w.lines = append(w.lines, at)
				}
				at.text.WriteString(text)
			}
		case n.format == "":
			at.lacks = at.lacks || value == ""
			at.text.WriteString(value)
		case n.format == "plural":
			count, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return fmt.Errorf("icu: the plural {%s} takes a whole number", n.name)
			}
			kind := "other"
			if count == 1 { // the form "one" of Dutch and English
				kind = "one"
			}
			if err := w.form(n, "="+value, kind, grouped(count)); err != nil {
				return err
			}
		case n.format == "select":
			if err := w.form(n, value, value, number); err != nil {
				return err
			}
		default:
			return fmt.Errorf("icu: the format %s of {%s} is not supported", n.format, n.name)
		}
	}
	return nil
}

// form writes the form that matches exact or kind, or otherwise the form "other".
func (w *writer) form(n node, exact, kind, number string) error {
	for _, selector := range []string{exact, kind, "other"} {
		for _, f := range n.forms {
			if f.selector == selector {
				return w.nodes(f.nodes, number)
			}
		}
	}
	return fmt.Errorf("icu: {%s} has no form other", n.name)
}

// grouped formats a number with dots between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "." + s[i:]
	}
	return s
}
