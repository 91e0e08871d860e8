package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// attributes lists the slog functions that create an attribute from a name. firstKey is the index of the first attribute name in the
// arguments of a logger method.
var (
	attributes = map[string]bool{"String": true, "Int": true, "Int64": true, "Bool": true, "Duration": true, "Time": true, "Any": true}
	firstKey   = map[string]int{"Debug": 1, "Info": 1, "Warn": 1, "Error": 1, "DebugContext": 2, "InfoContext": 2, "WarnContext": 2,
		"ErrorContext": 2, "With": 0}
)

// loggedKeys returns the attribute names in a call.
func loggedKeys(c *ast.CallExpr) (keys []string) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	text := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if key, err := strconv.Unquote(l.Value); err == nil {
				keys = append(keys, key)
			}
		}
	}
	if x, ok := s.X.(*ast.Ident); ok && x.Name == "http" { // http.Error
		return nil
	} else if ok && x.Name == "slog" && attributes[s.Sel.Name] {
		text(c.Args[0])
		return keys
	}
	first, ok := firstKey[s.Sel.Name]
	if !ok || s.Sel.Name == "Error" && len(c.Args) == 0 { // err.Error()
		return nil
	}
	for i := first; i+1 < len(c.Args); i += 2 {
		text(c.Args[i])
	}
	return keys
}

var fieldLine = regexp.MustCompile("(?m)^\\| `([@a-z_]+)` \\| [^|]+ \\|$")

// 11-log-fields: docs/monitoring.md lists every field that the program logs, and no others.
func TestLogFieldsAreDocumented(t *testing.T) {
	t.Run("11-log-fields", func(t *testing.T) {
		logged := map[string]string{"time": "", "level": "", "msg": ""} // the fields of slog itself
		for _, s := range sources(t) {
			inProgram := strings.HasPrefix(s.folder, "core/internal") || strings.HasPrefix(s.folder, "core/cmd") ||
				strings.HasPrefix(s.folder, "modules/")
			if !inProgram || strings.HasSuffix(s.file, "_test.go") || strings.Contains(s.file, "testdata") || strings.Contains(s.folder, "test") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, s.file), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					for _, key := range loggedKeys(c) {
						logged[key] = s.file
					}
				}
				return true
			})
		}
		require.Greater(t, len(logged), 30)
		text, err := os.ReadFile(filepath.Join(root, "docs/monitoring.md"))
		require.NoError(t, err)
		documented := map[string]bool{}
		_, fields, found := strings.Cut(string(text), "### Fields")
		require.True(t, found)
		fields, _, _ = strings.Cut(fields, "\n## ")
		for _, m := range fieldLine.FindAllStringSubmatch(fields, -1) {
			documented[m[1]] = true
			assert.Contains(t, logged, m[1], "nothing logs this field")
		}
		for key, file := range logged {
			assert.True(t, documented[key], "%s logs %s, which docs/monitoring.md does not explain", file, key)
		}
	})
}
