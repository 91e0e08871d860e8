package marketplace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/wattle-portal/wattle/modules/marketplace"

// sources are the type-checked packages of the module, without their tests. Packages outside of the module are empty, so that only the
// types of the module are known.
type sources struct {
	t        *testing.T
	set      *token.FileSet
	files    map[string][]*ast.File // key: package path
	packages map[string]*types.Package
	types    types.Info
}

func readSources(t *testing.T) *sources {
	s := &sources{t, token.NewFileSet(), map[string][]*ast.File{}, map[string]*types.Package{},
		types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(s.set, name, nil, parser.SkipObjectResolution)
		at := path.Join(modulePath, filepath.ToSlash(filepath.Dir(name)))
		s.files[at] = append(s.files[at], file)
		return err
	}))
	for at := range s.files {
		_, err := s.Import(at)
		require.NoError(t, err)
	}
	return s
}

// Import implements types.Importer.
func (s *sources) Import(at string) (*types.Package, error) {
	if p := s.packages[at]; p != nil {
		return p, nil
	}
	files, inside := s.files[at]
	if !inside {
		name := path.Base(at)
		if regexp.MustCompile(`^v\d+$`).MatchString(name) {
			name = path.Base(path.Dir(at))
		}
		s.packages[at] = types.NewPackage(at, name)
		s.packages[at].MarkComplete()
		return s.packages[at], nil
	}
	config := types.Config{Importer: s, Error: func(error) {}} // errors about types outside of the module are expected
	p, _ := config.Check(at, s.set, files, &s.types)
	s.packages[at] = p
	return p, nil
}

// modelOf returns the type of a model, which the argument may point to or list; nil when the type is not in the module.
func (s *sources) modelOf(arg ast.Expr) *types.Named {
	is := s.types.TypeOf(arg)
	for {
		switch of := is.(type) {
		case *types.Pointer:
			is = of.Elem()
		case *types.Slice:
			is = of.Elem()
		case *types.Named:
			return of
		default:
			return nil
		}
	}
}

// tableOf returns the table of a model; empty when it has none.
func tableOf(model *types.Named) string {
	fields, ok := model.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for i := range fields.NumFields() {
		for part := range strings.SplitSeq(reflect.StructTag(fields.Tag(i)).Get("bun"), ",") {
			if name, ok := strings.CutPrefix(part, "table:"); ok {
				return name
			}
		}
	}
	return ""
}

// Every table has one package that contains its model, and only that package writes its rows.
func TestOnlyItsPackageWritesATable(t *testing.T) {
	s := readSources(t)
	owners := map[string]string{}
	for at, p := range s.packages {
		if _, inside := s.files[at]; !inside {
			continue
		}
		for _, name := range p.Scope().Names() {
			if model, ok := p.Scope().Lookup(name).Type().(*types.Named); ok {
				if table := tableOf(model); table != "" {
					require.Empty(t, owners[table], "%s has two models", table)
					owners[table] = path.Base(at)
				}
			}
		}
	}
	require.Equal(t, map[string]string{
		"marketplace_projects": "project", "marketplace_participations": "ledger", "marketplace_entries": "ledger",
		"marketplace_access": "access",
		"marketplace_offers": "offer", "marketplace_baskets": "order", "marketplace_orders": "order", "marketplace_order_lines": "order",
		"marketplace_payments": "payment", "marketplace_sandbox": "sandbox", "marketplace_moves": "move",
	}, owners)

	writers := map[string]bool{}
	for at, files := range s.files {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 2 { // rows.Insert(tx, model)
					return true
				}
				f, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains([]string{"Insert", "Update", "Delete"}, f.Sel.Name) {
					return true
				}
				where, model := s.set.Position(n.Pos()), s.modelOf(call.Args[1])
				if assert.NotNil(t, model, "%s: what does it write?", where) {
					table := tableOf(model)
					assert.Equal(t, owners[table], path.Base(at), "%s: another package writes %s", where, table)
					writers[table] = true
				}
				return true
			})
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(owners)), slices.Sorted(maps.Keys(writers)), "the test finds the writes of every table")
}

var (
	readTable = regexp.MustCompile(`(?i)\b(FROM|JOIN)\s+marketplace_[a-z_]+`)
	writeSQL  = regexp.MustCompile(`(?i)\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE(\s+TABLE)?)\s+marketplace_[a-z_]+`)
)

// SQL in the module only reads: rows are written through models.
func TestNoTextWritesATable(t *testing.T) {
	s := readSources(t)
	seen := 0
	for _, files := range s.files {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				if strings.HasPrefix(text, `bun:"table:`) {
					return true
				}
				where := s.set.Position(n.Pos())
				seen += len(readTable.FindAllString(text, -1))
				assert.Empty(t, writeSQL.FindAllString(text, -1), where)
				return true
			})
		}
	}
	require.Positive(t, seen, "the test finds SQL")
}

// The table in README.md lists the packages in order: each imports only packages above it.
func TestPackagesImportThoseAboveThem(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| package | what it is for | tables |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var order []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(table, -1) {
		order = append(order, row[1])
	}
	s := readSources(t)
	var packages []string
	for at, files := range s.files {
		name, inside := strings.CutPrefix(at, modulePath+"/internal/")
		if !inside || strings.Contains(name, "/") { // packages for tests
			continue
		}
		packages = append(packages, name)
		for _, file := range files {
			for _, i := range file.Imports {
				to, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				if above, inside := strings.CutPrefix(to, modulePath+"/internal/"); inside {
					assert.Less(t, slices.Index(order, above), slices.Index(order, name), "%s imports %s, which is not above it", name, above)
				}
			}
		}
	}
	require.ElementsMatch(t, packages, order)
}
