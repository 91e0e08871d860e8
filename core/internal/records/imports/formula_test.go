package imports

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Spreadsheets use formulas to keep leading zeros and long numbers.
func TestCellsThatAreFormulas(t *testing.T) {
	t.Run("11-import-formula-cells", func(t *testing.T) {
		for line, want := range map[string]string{
			`="0612";b`:         `{"a":"0612","b":"b"}`,
			`a;="8716"`:         `{"a":"a","b":"8716"}`,
			`="0612";="8716"`:   `{"a":"0612","b":"8716"}`,
			`"=""0612""";b`:     `{"a":"0612","b":"b"}`,
			`="x;y";b`:          `{"a":"x;y","b":"b"}`,
			`="say ""hi""";b`:   `{"a":"say \"hi\"","b":"b"}`,
			`"=""";b`:           `{"a":"=\"","b":"b"}`,
			`"x=""1""";b`:       `{"a":"x=\"1\"","b":"b"}`,
			`=1+1;b`:            `{"a":"=1+1","b":"b"}`,
			`"a;=""1""";b`:      `{"a":"a;=\"1\"","b":"b"}`,
			"=\"two\nlines\";b": `{"a":"two\nlines","b":"b"}`,
			`="open;b`:          `!unclosed_quote`,
			`="0612"x;b`:        `!unclosed_quote`,
		} {
			r := NewReader(strings.NewReader("a;b\n"+line+"\nc;d\n"), CSV)
			row, err := r.Next()
			if bad, ok := errors.AsType[*BadRow](err); ok {
				require.Equal(t, want, "!"+bad.Code, line)
			} else {
				require.NoError(t, err)
				require.Equal(t, want, string(row.Data), line)
			}
			row, err = r.Next()
			require.NoError(t, err)
			require.Equal(t, `{"a":"c","b":"d"}`, string(row.Data), "the row after %s", line)
			_, err = r.Next()
			require.ErrorIs(t, err, io.EOF)
		}
	})
}
