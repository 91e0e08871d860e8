package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readAll returns one string for each record or error of a reader.
func readAll(t *testing.T, f Format, in string) (out []string) {
	t.Helper()
	r := NewReader(strings.NewReader(in), f)
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if bad, ok := errors.AsType[*BadRow](err); ok {
			out = append(out, fmt.Sprintf("%d %s", bad.Line, bad.Code))
			continue
		}
		if err != nil {
			return append(out, err.Error())
		}
		out = append(out, fmt.Sprintf("%d %s", row.Line, row.Data))
	}
}

func TestNDJSON(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", MaxLine) + `"}`
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":     {"", nil},
		"only a mark": {"\uFEFF", nil},
		"lines":       {"\uFEFF{\"a\":1}\r\n\r\n  {\"b\":2}  \n{\"c\":3}", []string{`1 {"a":1}`, `3 {"b":2}`, `4 {"c":3}`}},
		"not JSON": {"{\"a\":1\n[1]\n\"x\"\nnull\n{}\n{} {}\n", []string{"1 malformed", "2 malformed", "3 malformed", "4 malformed",
			"5 {}", "6 malformed"}},
		"not UTF-8":            {"{\"a\":\"\xff\"}\n{\"a\":\"é\"}\n", []string{"1 invalid_encoding", `2 {"a":"é"}`}},
		"too long, then right": {long + "\n{\"a\":1}\n", []string{"1 too_large", `2 {"a":1}`}},
		"too long at the end":  {"{\"a\":1}\n" + long, []string{`1 {"a":1}`, "2 too_large"}},
		"blanks too long":      {strings.Repeat(" ", MaxLine+1) + "\n{\"a\":1}\n", []string{"1 too_large", `2 {"a":1}`}},
		"just short enough": {`{"a":"` + strings.Repeat("x", MaxLine-9) + "\"}\n",
			[]string{`1 {"a":"` + strings.Repeat("x", MaxLine-9) + `"}`}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, readAll(t, NDJSON, c.in)) })
	}
}

func TestCSV(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":       {"", nil},
		"only a header": {"a,b\n", nil},
		"comma":         {"a,b\n1,2\n", []string{`2 {"a":"1","b":"2"}`}},
		"semicolon":     {"\uFEFFa;b\r\n1;2,5\r\n", []string{`2 {"a":"1","b":"2,5"}`}},
		"empty fields":  {"a,b\n,x\n\n1,\n", []string{`2 {"b":"x"}`, `4 {"a":"1"}`}},
		"quotes":        {"a;b\n\"x;y\";\"he said \"\"no\"\"\"\n", []string{`2 {"a":"x;y","b":"he said \"no\""}`}},
		"line ends":     {"a,b\n\"one\ntwo\",2\n3,4\n", []string{`2 {"a":"one\ntwo","b":"2"}`, `4 {"a":"3","b":"4"}`}},
		"groups": {"id,address.street,address.city\n1,Dam,Amsterdam\n",
			[]string{`2 {"id":"1","address":{"street":"Dam","city":"Amsterdam"}}`}},
		"fields missing":  {"a,b\n1\n1,2,3\n4,5\n", []string{"2 field_count", "3 field_count", `4 {"a":"4","b":"5"}`}},
		"open quote":      {"a,b\n\"1,2\n3,4\n5,6\n", []string{"2 unclosed_quote", `3 {"a":"3","b":"4"}`, `4 {"a":"5","b":"6"}`}},
		"stray quotes":    {"a,b\n1\"\"x,2\n3,4\n", []string{"2 unclosed_quote", `3 {"a":"3","b":"4"}`}},
		"not UTF-8":       {"a,b\n\xff,2\n3,4\n", []string{"2 invalid_encoding", `3 {"a":"3","b":"4"}`}},
		"twice the same":  {"a,a\n1,2\n", []string{ErrHeader.Error()}},
		"no name":         {"a,\n1,2\n", []string{ErrHeader.Error()}},
		"field and group": {"a,a.b\n1,2\n", []string{ErrHeader.Error()}},
		"too long":        {"a,b\n" + strings.Repeat("x", MaxLine+1) + ",2\n3,4\n", []string{"2 too_large", `3 {"a":"3","b":"4"}`}},
		"open to the end of what is read": {"a,b\n\"" + strings.Repeat("x\n", MaxLine), append([]string{"2 unclosed_quote"},
			fieldCounts(3, MaxLine+1)...)},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && len(c.in) > MaxLine {
				t.Skip("make test-all: a line that is too long")
			}
			require.Equal(t, c.want, readAll(t, CSV, c.in))
		})
	}
}

func fieldCounts(from, to int) (out []string) {
	for i := from; i <= to; i++ {
		out = append(out, fmt.Sprintf("%d field_count", i))
	}
	return out
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n"), false)
	f.Add([]byte("\uFEFFa;b\n\"1\n\";2\n"), true)
	f.Add([]byte("a,b\n\"\n\"\"\n,\n"), true)
	f.Add([]byte("a.b,a.c\n1,2"), true)
	f.Fuzz(func(t *testing.T, in []byte, isCSV bool) {
		format := NDJSON
		if isCSV {
			format = CSV
		}
		r, last := NewReader(bytes.NewReader(in), format), 0
		for range len(in) + 2 {
			row, err := r.Next()
			line := row.Line
			if bad, ok := errors.AsType[*BadRow](err); ok {
				line, err = bad.Line, nil
			} else if err == nil {
				var object map[string]any
				if json.Unmarshal(row.Data, &object) != nil {
					t.Fatalf("line %d is not an object: %q", row.Line, row.Data)
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, ErrHeader) {
					t.Fatal(err)
				}
				return
			}
			if line <= last {
				t.Fatalf("line %d after line %d", line, last)
			}
			last = line
		}
		t.Fatal("more records than bytes")
	})
}
