package imports

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSample(t *testing.T) {
	for text, want := range map[string]Table{
		"a,b\n1,2\n":                          {',', []string{"a", "b"}, [][]string{{"1", "2"}}},
		"\uFEFFa;b;c\r\n1;2,5;=\"06\"\r\n":    {';', []string{"a", "b", "c"}, [][]string{{"1", "2,5", "06"}}},
		"a\tb\n1\t2\nbad\n3\t4\n5\t6\n":       {'\t', []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}},
		"a|b\n\"x\ny\"|2":                     {'|', []string{"a", "b"}, [][]string{{"x\ny", "2"}}},
		"a\n":                                 {',', []string{"a"}, nil},
		"a;" + reasonColumn + "\n1;too big\n": {';', []string{"a"}, [][]string{{"1"}}},
	} {
		got, err := Sample(strings.NewReader(text), 2)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"%PDF-1.7": "is a PDF", "": "has no column names", "\n1,2": "has no column names", "Naam\nRen\xe9\n": "is not UTF-8: save it as CSV (UTF-8)",
		"{}": "contains JSON", "a,\"b\n": "has a first line that cannot be read",
	} {
		_, err := Sample(strings.NewReader(text), 2)
		require.ErrorIs(t, err, ErrNotCSV, text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := Sample(strings.NewReader("a\n"+strings.Repeat("x", sample-3)+"é\n"), 2)
	require.NoError(t, err, "a character at the end of the part that is looked at")
	r := NewReader(strings.NewReader("Ren\xe9,b\n1,2\n"), CSV)
	_, err = r.Next()
	require.ErrorIs(t, err, ErrHeader)
	require.ErrorContains(t, err, "it is not UTF-8: save the file as CSV (UTF-8)")
}

// Whatever a file contains, it is a table of rows as long as its header, or a sentence.
func FuzzSample(f *testing.F) {
	f.Add([]byte("a;b\n1;2\n"))
	f.Add([]byte("\"a\n\";b\n\"1;2\n"))
	f.Add([]byte("\uFEFF|\n\xff|é"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Sample(strings.NewReader(string(text)), 3)
		if err != nil {
			if !errors.Is(err, ErrNotCSV) || err.Error() == "" {
				t.Fatal(err)
			}
			return
		}
		for _, row := range got.Rows {
			if len(row) != len(got.Columns) {
				t.Fatalf("%q has other columns than %q", row, got.Columns)
			}
		}
	})
}
