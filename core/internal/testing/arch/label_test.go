package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// labelWide is a use of module.Label: queries for all relations of a label.
type labelWide struct{ function, reason string }

// labelWides returns the uses in a file. The reason is empty when it is not a string literal.
func labelWides(t *testing.T, file string, source any) (out []labelWide) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	require.NoError(t, err)
	for _, d := range parsed.Decls {
		function := "(no function)"
		if f, ok := d.(*ast.FuncDecl); ok {
			function = f.Name.Name
		}
		reasons := map[*ast.SelectorExpr]string{}
		ast.Inspect(d, func(n ast.Node) bool { // a call is visited before the name of its function
			switch n := n.(type) {
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 2 {
					if text, ok := n.Args[1].(*ast.BasicLit); ok && text.Kind == token.STRING {
						reasons[name], err = strconv.Unquote(text.Value)
						require.NoError(t, err)
					}
				}
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok && of.Name == "module" && n.Sel.Name == "Label" {
					out = append(out, labelWide{function, strings.TrimSpace(reasons[n])})
				}
			}
			return true
		})
	}
	return out
}

// Lists what modules read and write beyond the relation of the call, and the reasons: `go test -v -run TestLabelWide
// ./core/internal/testing/arch`.
func TestLabelWide(t *testing.T) {
	t.Run("9-label-wide-reasons", func(t *testing.T) {
		total := 0
		for _, s := range sources(t) {
			if moduleOf(s.folder) == "" || strings.HasSuffix(s.file, "_test.go") {
				continue
			}
			for _, l := range labelWides(t, filepath.Join(root, s.file), nil) {
				total++
				t.Logf("%-45s %-24s %s", s.file, l.function, l.reason)
				if l.reason == "" {
					t.Errorf("%s, %s: module.Label without a reason that is a text literal", s.file, l.function)
				}
			}
		}
		t.Logf("%d scopes of a whole label", total)
		require.Greater(t, total, 50, "the modules are where this test thinks")

		require.Equal(t, []labelWide{{"(no function)", ""}, {"given", "staff read them"}, {"given", ""}, {"given", ""}, {"given", ""}}, labelWides(t, "acme.go", `package acme
			var all = module.Label
			func given() {
				module.Label(ctx, "staff read them").Key()
				module.Label(ctx, why).Key()
				module.Label(ctx, "because "+why).Key()
				module.Label(ctx, " ").Key()
				other.Label(ctx, "")
			}`))
	})
}
