package marketplace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The module writes projects and moves of shares; every other table has a package that alone writes its rows.
func TestTheModuleWritesProjectsAndMovesOnly(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var writers []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 { // rows.Insert(tx, model)
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Insert", "Update", "Delete"}, f.Sel.Name) && !slices.Contains(writers, file) {
				writers = append(writers, file)
			}
			return true
		})
	}
	require.Equal(t, []string{"import.go", "store_move.go"}, writers)
}
