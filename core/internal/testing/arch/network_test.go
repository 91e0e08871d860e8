package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readsAddress lists the files that read the address of a caller, and why they do not use it for counting. A person with an IPv6 network
// can use another address for each call, so counting uses Client.Network.
var readsAddress = map[string]string{
	"core/internal/base/scope/scope.go":        "Network itself",
	"core/internal/http/web/observe.go":        "the log of calls",
	"core/internal/people/identity/session.go": "shown to the owner of the session, shortened",
}

// addressReads returns how often a file reads a field named IP.
func addressReads(t *testing.T, file string, source any) (n int) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	require.NoError(t, err)
	ast.Inspect(parsed, func(node ast.Node) bool {
		if s, ok := node.(*ast.SelectorExpr); ok && s.Sel.Name == "IP" {
			if of, ok := s.X.(*ast.Ident); !ok || of.Name != "net" {
				n++
			}
		}
		return true
	})
	return n
}

func TestCallersAreCountedByNetwork(t *testing.T) {
	t.Run("8-id-attempt-limit", func(t *testing.T) {
		found := 0
		for _, s := range sources(t) {
			if strings.HasSuffix(s.file, "_test.go") || addressReads(t, filepath.Join(root, s.file), nil) == 0 {
				continue
			}
			if readsAddress[s.file] == "" {
				t.Errorf("%s reads the address of a caller: use Client.Network, or say in readsAddress why not", s.file)
			}
			found++
		}
		require.Len(t, readsAddress, found, "each file of readsAddress reads the address")
		require.Equal(t, 2, addressReads(t, "acme.go", `package acme
			func f(ip net.IP) { use(scope.ClientOf(ctx).IP, client.IP, ip) }`))
	})
}
