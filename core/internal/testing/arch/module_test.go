package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keysInCore lists the strings in core that begin with a word that is also a module key, by file (docs/decisions/0032). A folder ends with
// a slash.
var keysInCore = map[string]struct {
	keys   []string
	reason string
}{
	"core/internal/people/identity/": {[]string{"account", "staff", "address"},
		"words of identity: an account, the role of staff, a network address; and the events of module account that rename a login"},
	"core/internal/operate/app/core.go":        {[]string{"account"}, "the kind of record of identity"},
	"core/internal/records/formats/formats.go": {[]string{"production"}, "the kind of record that files of solar sites become"},
	"core/internal/operate/demo/people.go":     {[]string{"account"}, "the kind of record of identity"},
	"core/internal/labels/label/new.go":        {[]string{"account"}, "a new label begins with the module that customers sign in for"},
	"core/internal/operate/app/start.go":       {[]string{"address"}, "where the listener listens"},
	"core/coreapi/events.go": {[]string{"account"},
		"the events of module account that rename a login, which identity handles"},
	"core/internal/http/assets/offer.go":   {[]string{"marketplace"}, "a group of the menu that the portal itself has; labels name it"},
	"core/internal/operate/app/apptest/":   {[]string{"marketplace"}, "a helper of tests: settings without a default"},
	"core/internal/storage/audit/audit.go": {[]string{"staff"}, "the role"},
	"core/internal/testing/storetest/stored/": {[]string{"account", "staff", "address", "marketplace"},
		"what people do at a portal, with the operations of its modules"},
	"core/internal/base/scope/scope.go":        {[]string{"staff"}, "the role"},
	"core/internal/http/portal/compose.go":     {[]string{"staff"}, "who may see a page"},
	"core/module/route.go":                     {[]string{"staff"}, "who may call an operation"},
	"core/cmd/wattle/staff.go":                 {[]string{"staff"}, "core's own command for accounts of staff"},
	"core/internal/teams/scaffold/parts.go":    {[]string{"staff"}, "a part of a new module: its operation and page for staff"},
	"core/internal/teams/scaffold/scaffold.go": {[]string{"staff"}, "the path of the portal's pages for staff"},
}

// modulesOf returns the keys of the modules.
func modulesOf(t *testing.T) (keys []string) {
	folders, err := os.ReadDir(filepath.Join(root, "modules"))
	require.NoError(t, err)
	for _, f := range folders {
		if f.IsDir() {
			keys = append(keys, f.Name())
		}
	}
	require.Greater(t, len(keys), 5)
	return keys
}

// keyedBy matches a string that refers to a module: its key, or a key as a prefix of an event, a code or an operation path.
func keyedBy(keys []string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:https?://)?(` + strings.Join(keys, "|") + `)(?:[./:]\S*)?$`)
}

// Core works with any modules: everything specific to a module comes from its manifest.
func TestCoreKnowsNoModule(t *testing.T) {
	t.Run("9-core-knows-no-module", func(t *testing.T) {
		form, used := keyedBy(modulesOf(t)), map[string]bool{}
		for _, s := range sources(t) {
			if !strings.HasPrefix(s.file, "core/") || strings.HasSuffix(s.file, "_test.go") || strings.Contains(s.file, "/testdata/") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, filepath.Join(root, s.file), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec, *ast.Field: // struct tags contain field names, not modules
					if f, is := n.(*ast.Field); is && f.Tag == nil {
						return true
					}
					return false
				case *ast.BasicLit:
					text, err := strconv.Unquote(n.Value)
					if n.Kind != token.STRING || err != nil {
						return true
					}
					if m := form.FindStringSubmatch(text); m != nil && !excused(s.file, m[1], used) {
						t.Errorf("%s: %q is of module %s: let it bring that (docs/decisions/0032)", set.Position(n.Pos()), text, m[1])
					}
				}
				return true
			})
		}
		for name, e := range keysInCore {
			require.NotEmpty(t, e.reason, name)
			for _, key := range e.keys {
				if !used[name+" "+key] {
					t.Errorf("%s holds no %q any more: take it off the list", name, key)
				}
			}
		}
	})
	form := keyedBy([]string{"billing", "move"})
	for _, yes := range []string{"billing", "billing.paid", "http://billing/agreements", "move:read"} {
		require.Regexp(t, form, yes)
	}
	for _, no := range []string{"moved", "bill", "move the house", "/billing", "the billing"} {
		require.NotRegexp(t, form, no)
	}
}

func excused(file, key string, used map[string]bool) bool {
	for name, e := range keysInCore {
		if (name == file || strings.HasSuffix(name, "/") && strings.HasPrefix(file, name)) && slices.Contains(e.keys, key) {
			used[name+" "+key] = true
			return true
		}
	}
	return false
}
