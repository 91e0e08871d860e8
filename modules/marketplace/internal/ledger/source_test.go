package ledger

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	table   = regexp.MustCompile(`marketplace_(entries|participations)\b`)
	reads   = regexp.MustCompile(`(?i)\b(FROM|JOIN)\s+marketplace_(entries|participations)\b`)
	deletes = regexp.MustCompile(`(?i)\bDELETE\s+FROM\s+marketplace_(entries|participations)\b`)
	writes  = regexp.MustCompile(`(?i)\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE(\s+TABLE)?)\s+marketplace_(entries|participations)\b`)
)

// onlyReads reports whether a string uses the ledger tables only to read them.
func onlyReads(text string) bool {
	return len(table.FindAllString(text, -1)) == len(reads.FindAllString(text, -1)) && !deletes.MatchString(text)
}

// literals returns the string literals of a Go file, including struct tags.
func literals(t *testing.T, file string) (out []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			out = append(out, text)
		}
		return true
	})
	return out
}
