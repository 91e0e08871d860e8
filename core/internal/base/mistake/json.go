package mistake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// InText is a place in a text that is not JSON.
type InText struct {
	Line, Column int    // from 1; the column counts characters
	Why          string // such as "a comma is missing before it"
}

// JSON returns the first place at which a text is not JSON, or nil for JSON. It does not repeat the text, which may be a secret.
func JSON(text []byte) *InText {
	if json.Valid(text) {
		return nil
	}
	var parsed any
	err := json.Unmarshal(text, &parsed)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return &InText{1, 1, "it cannot be read"}
	}
	at := min(max(int(syntax.Offset)-1, 0), len(text))
	if strings.HasPrefix(err.Error(), "unexpected end") {
		at = len(text)
	}
	before := text[:at]
	line := bytes.LastIndexByte(before, '\n') + 1
	return &InText{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[line:]) + 1, whyNot(text, at, err.Error())}
}

// whyNot returns why a text is not JSON from the byte at on. message is the error of encoding/json.
func whyNot(text []byte, at int, message string) string {
	last := byte(0) // the last byte before it that is not a space
	if before := bytes.TrimSpace(text[:at]); len(before) > 0 {
		last = before[len(before)-1]
	}
	if at == len(text) {
		return endsEarly(text)
	}
	here := text[at]
	says := func(part string) bool { return strings.Contains(message, part) }
	switch {
	case bytes.HasPrefix(text, []byte("\uFEFF")):
		return "it begins with a byte order mark; save it as UTF-8 without one"
	case last == ',' && (here == '}' || here == ']'):
		return "there is a comma after the last entry"
	case here == '\'':
		return "a text stands in double quotes"
	case here == '/' || here == '#':
		return "JSON has no comments"
	case says("after object key:value pair"), says("after array element"):
		return "a comma is missing before it"
	case says("after object key"):
		return "a colon is missing after the name"
	case says("object key string"):
		return "a name stands in double quotes"
	case says("in string literal"):
		return `a line end or tab in a text is written as \n or \t`
	case says("in string escape code"), says("hexadecimal character escape"):
		return `a backslash in a text is written as \\`
	case says("after top-level value"):
		return "there is more text after the end"
	case says("looking for beginning of value") && (here == ',' || here == '}' || here == ']' || here == ':'):
		return "a value is missing before it"
	case says("looking for beginning of value"):
		return "a text stands in double quotes"
	case says("numeric literal"):
		return "it is not a number"
	case says("in literal"):
		return "only true, false and null stand without quotes"
	}
	return "it is not expected here"
}

// endsEarly returns what is missing at the end of a text.
func endsEarly(text []byte) string {
	if len(bytes.TrimSpace(text)) == 0 {
		return "it is empty"
	}
	var open []byte
	inText, escaped := false, false
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
		case inText && b == '\\':
			escaped = true
		case b == '"':
			inText = !inText
		case inText:
		case b == '{':
			open = append(open, '}')
		case b == '[':
			open = append(open, ']')
		case (b == '}' || b == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	switch {
	case inText:
		return `it ends in a text that is not closed with "`
	case len(open) > 0:
		return fmt.Sprintf("it ends before %c closes it", open[len(open)-1])
	}
	return "it ends too early"
}
