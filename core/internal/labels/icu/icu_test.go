package icu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFormat(t *testing.T) {
	values := map[string]string{"name": "Anna {x}", "count": "1200", "one": "1", "kind": "wind", "none": "", "two": "a\nb", "millions": "1234567",
		"negative": "-123456", "hundreds": "999"}
	for text, want := range map[string]string{
		"Dag":        "Dag",
		"Dag {name}": "Dag Anna {x}",
		"{count, plural, one {# deel} other {# delen}}":          "1.200 delen",
		"{one, plural, =1 {precies # deel} other {# delen}}":     "precies 1 deel",
		"{one,plural,one{# deel}other{# delen}} van {name}":      "1 deel van Anna {x}",
		"{kind, select, sun {Zon} wind {Wind {name}} other {?}}": "Wind Anna {x}",
		"{name, select, sun {Zon} other {Anders: #}}":            "Anders: #",
		"'{name}' van foto''s, don't":                            "{name} van foto's, don't",
		"een\ntwee":                                              "een twee",
		"a < b":                                                  "a < b",
		"'{it''s}'":                                              "{it's}",
		"'{open":                                                 "{open",
		"einde '":                                                "einde '",
		"{millions, plural, other {#}} {negative, plural, other {#}} {hundreds, plural, other {#}}": "1.234.567 -123.456 999",
	} {
		m, err := Parse(text)
		require.NoError(t, err, text)
		got, err := m.Format(values)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"Dag {missing}": "icu: the placeholder {missing} has no value",
		"{kind, select, wind {a} other {{missing}}}": "icu: the placeholder {missing} has no value",
		"{name, plural, one {a} other {b}}":          "icu: the plural {name} takes a whole number",
		"{kind, select, sun {a}}":                    "icu: {kind} has no form other",
		"{count, number}":                            "icu: the format number of {count} is not supported",
	} {
		m, err := Parse(text)
		require.NoError(t, err, text)
		_, err = m.Format(values)
		require.EqualError(t, err, want, text)
	}
}

func TestLines(t *testing.T) {
	m, err := Parse("Dag {name}\n\nDe reden: {reason}\n{late, select, true {Te laat, {name}} other {}}\nTwee: {lines}")
	require.NoError(t, err)
	require.Equal(t, []string{"late", "lines", "name", "reason"}, m.Names())
	got, err := m.Lines(map[string]string{"name": "Anna", "reason": "ziek", "late": "true", "lines": "a\nb"})
	require.NoError(t, err)
	require.Equal(t, []string{"Dag Anna", "De reden: ziek", "Te laat, Anna", "Twee: a\nb"}, got)
	got, err = m.Lines(map[string]string{"name": "Anna", "reason": "", "late": "false", "lines": ""})
	require.NoError(t, err)
	require.Equal(t, []string{"Dag Anna"}, got)
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "", "{a}": "a", "{a} {a} { b }": "a b", "{n, number}": "n", "<b>x</b>": "b", "a < b": "", "<br/>": "br",
		"<azAZ09_->": "azAZ09_-", "<a.b>": "", "<b": "", "<": "",
		"{n, plural, =0 {none} one {# {unit}} other {<i>#</i>}}": "i n unit", "it''s '{x}' {y}": "y", "'t is {z}": "z", "5 o'clock {h}": "h",
	} {
		m, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, strings.Join(m.Names(), " "), text)
	}
	for _, text := range []string{"{", "}", "{a", "{}", "{a b}", "{n, plural, one {x}", "{n, plural, one {x}}}"} {
		_, err := Parse(text)
		require.Error(t, err, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"{a, plural, one {#} other {'{'}}", "<b>{c}</b>", "''{d}", "{", "}", "{a,select,other{{b}}}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		values := map[string]string{}
		for _, name := range m.Names() {
			values[name] = "1"
		}
		_, _ = m.Lines(values) // Lines may fail, but must not panic
	})
}
