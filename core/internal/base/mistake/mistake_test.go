package mistake

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	known := []string{"account", "billing", "density", "logo", "primary_color", "trusted_proxies", "nl", "en"}
	for name, want := range map[string]string{
		"acount": "account", "acconut": "account", "Account": "account", "biling": "billing", "dencity": "density", "lgo": "logo",
		"primary_colour": "primary_color", "primaryColor": "primary_color", "primary-color": "primary_color",
		"proxies": "trusted_proxies", "trustedProxy": "trusted_proxies", "de": "", "xx": "", "nonsense": "", "": "", "log": "logo", "lo": "",
		"density_of_rows": "density",
	} {
		require.Equal(t, want, Nearest(name, known), name)
	}
	require.Equal(t, "; did you mean logo?", Suggest("lgo", known))
	require.Empty(t, Suggest("nonsense", known))
	require.Empty(t, Nearest("a", nil))
	require.Empty(t, Nearest(strings.Repeat("x", 1000), []string{strings.Repeat("x", 999)}), "long texts are not compared")
	for pair, want := range map[[2]string]int{{"", ""}: 0, {"a", ""}: 1, {"ab", "ba"}: 1, {"kitten", "sitting"}: 3, {"abc", "abc"}: 0} {
		require.Equal(t, want, Distance(pair[0], pair[1]), pair)
	}
}

func TestWhereItIsNotJSON(t *testing.T) {
	t.Run("11-vet-json", func(t *testing.T) {
		for text, want := range map[string]InText{
			"":                              {1, 1, "it is empty"},
			" \n":                           {2, 1, "it is empty"},
			"{\n  \"a\": \"b\",\n}\n":       {3, 1, "there is a comma after the last entry"},
			"[1,2,]":                        {1, 6, "there is a comma after the last entry"},
			"{\"a\": \"b\"\n \"c\": \"d\"}": {2, 2, "a comma is missing before it"},
			"[1 2]":                         {1, 4, "a comma is missing before it"},
			"{\"a\" \"b\"}":                 {1, 6, "a colon is missing after the name"},
			"{a: 1}":                        {1, 2, "a name stands in double quotes"},
			"{'a': 1}":                      {1, 2, "a text stands in double quotes"},
			"{\"a\": yes}":                  {1, 7, "a text stands in double quotes"},
			"{\"a\": }":                     {1, 7, "a value is missing before it"},
			"{\"a\": nul}":                  {1, 10, "only true, false and null stand without quotes"},
			"{\"a\": 1. }":                  {1, 9, "it is not a number"},
			"{\"a\": \"b\nc\"}":             {1, 9, `a line end or tab in a text is written as \n or \t`},
			"{\"a\": \"\\x\"}":              {1, 9, `a backslash in a text is written as \\`},
			"{\"a\": \"\\u12x4\"}":          {1, 12, `a backslash in a text is written as \\`},
			"{} {}":                         {1, 4, "there is more text after the end"},
			"{ // a\n}":                     {1, 3, "JSON has no comments"},
			"{\"é\": \"ü\" x}":              {1, 11, "a comma is missing before it"},
			"{\"a\": {\"b\": 1":             {1, 14, "it ends before } closes it"},
			"[\"a\"":                        {1, 5, "it ends before ] closes it"},
			"{\"a\": \"b":                   {1, 9, `it ends in a text that is not closed with "`},
			"\uFEFF{}":                      {1, 1, "it begins with a byte order mark; save it as UTF-8 without one"},
		} {
			got := JSON([]byte(text))
			require.NotNil(t, got, text)
			require.Equal(t, want, *got, text)
		}
	})
	require.Nil(t, JSON([]byte(` {"a": [1, "b", null]} `)))
	require.NotContains(t, JSON([]byte(`{"a": hunter2}`)).Why, "hunter2")
}

// Whatever a text is, it is JSON or has a place and a reason.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{"", "{", "{\"a\": ", "[1,]", "\xff", "\"\\u", "{}}", "\uFEFF", "nul", "-", "\n\n{\"a\"\n:1,}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		at := JSON(text)
		if (at == nil) != json.Valid(text) {
			t.Fatalf("%q: %v", text, at)
		}
		if at != nil && (at.Line < 1 || at.Column < 1 || at.Why == "" || at.Line > strings.Count(string(text), "\n")+1) {
			t.Fatalf("%q: %+v", text, at)
		}
	})
}
