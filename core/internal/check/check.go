// Package check is the analyzer of modules: it finds what the types of core/module cannot refuse. Tests may do all of it.
package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer checks the packages of modules.
var Analyzer = &analysis.Analyzer{
	Name: "wattle",
	Doc: "wattle checks modules: every query is scoped and says so, time is injected, " +
		"siblings are called and not imported, and no label is named in code",
	Run: run,
}

// labels is the folder of -labels.
var labels string

func init() {
	Analyzer.Flags.StringVar(&labels, "labels", "", "folder of labels, whose keys are then looked for in the code")
}

const (
	modulePath = "github.com/wattle-portal/wattle/core/module"
	bunPath    = "github.com/uptrace/bun"
)

// checker is the check of one package.
type checker struct {
	*analysis.Pass
	labels []string
	tables map[string]*regexp.Regexp // scoped ones that the package has models of: where SQL text uses them
}

func run(pass *analysis.Pass) (any, error) {
	if strings.HasSuffix(pass.Pkg.Path(), ".test") { // the main that go test makes
		return nil, nil
	}
	c := &checker{Pass: pass, tables: map[string]*regexp.Regexp{}}
	if labels != "" {
		entries, err := os.ReadDir(labels)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() {
				c.labels = append(c.labels, e.Name())
			}
		}
	}
	var files []*ast.File
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.Position(f.FileStart).Filename, "_test.go") {
			files = append(files, f)
		}
	}
	for _, f := range files {
		ast.Inspect(f, c.model)
	}
	for _, f := range files {
		c.imports(f)
		ast.Inspect(f, c.node)
	}
	return nil, nil
}

// model notes the table of a bun model that has a label.
func (c *checker) model(n ast.Node) bool {
	spec, ok := n.(*ast.TypeSpec)
	if !ok {
		return true
	}
	s, ok := c.TypesInfo.Defs[spec.Name].Type().Underlying().(*types.Struct)
	if !ok {
		return true
	}
	table, scoped := "", false
	for i := range s.NumFields() {
		tag := reflect.StructTag(s.Tag(i)).Get("bun")
		for part := range strings.SplitSeq(tag, ",") {
			if name, ok := strings.CutPrefix(part, "table:"); ok {
				table = name
			}
		}
		column, _, _ := strings.Cut(tag, ",")
		scoped = scoped || column == "label_key" || column == "" && s.Field(i).Name() == "LabelKey"
	}
	if table != "" && scoped {
		c.tables[table] = regexp.MustCompile(`(?i)\b(from|join|into|update)\s+` + regexp.QuoteMeta(table) + `\b`)
	}
	return true
}

// imports refuses the packages of siblings, but for those that they make for others.
func (c *checker) imports(f *ast.File) {
	own := moduleOf(c.Pkg.Path())
	if own == "" && strings.HasSuffix(c.Pkg.Path(), "/modules") { // the list of the modules of a program
		return
	}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		theirs := moduleOf(path)
		if theirs == "" || theirs == own || strings.HasSuffix(path, "/"+theirs+"api") {
			continue
		}
		c.Reportf(i.Pos(), "a module imports of a sibling only %sapi: call it with Host.Client", theirs)
	}
}

// moduleOf is the key of the module that a package belongs to: …/modules/<key>/….
func moduleOf(path string) string {
	_, rest, ok := strings.Cut("/"+path, "/modules/")
	if !ok {
		return ""
	}
	key, _, _ := strings.Cut(rest, "/")
	return key
}

func (c *checker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil { // its tag is no text of the program
			ast.Inspect(n.Type, c.node)
			return false
		}
	case *ast.CallExpr:
		c.reason(n)
	case *ast.SelectorExpr:
		c.selector(n)
	case ast.Expr:
		if v := c.TypesInfo.Types[n].Value; v != nil && v.Kind() == constant.String {
			if text, ok := n.(*ast.BasicLit); ok || isConcatenation(n) {
				c.text(n.Pos(), constant.StringVal(v), text != nil)
				return false
			}
		}
	}
	return true
}

func isConcatenation(n ast.Expr) bool {
	b, ok := n.(*ast.BinaryExpr)
	return ok && b.Op == token.ADD
}

// reason wants a text in the call of module.Label itself, where a reader of the query sees it.
func (c *checker) reason(call *ast.CallExpr) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !c.is(selector.Sel, modulePath, "Label") || len(call.Args) != 2 {
		return
	}
	if text, ok := call.Args[1].(*ast.BasicLit); !ok || len(strings.Trim(text.Value, "`\" ")) == 0 {
		c.Reportf(call.Args[1].Pos(), "the reason of module.Label is a text literal that says why the query is not narrowed to a relation")
	}
}

// is reports whether a name stands for a function or method of a package with one of some names.
func (c *checker) is(name *ast.Ident, path string, names ...string) bool {
	f, ok := c.TypesInfo.Uses[name].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == path && slices.Contains(names, f.Name())
}

// opens are what of bun leads past the scope of a query.
var opens = []string{"NewDB", "DB", "Conn", "NewSelect", "NewInsert", "NewUpdate", "NewDelete", "NewMerge", "NewRaw", "NewValues", "NewCreateTable",
	"NewDropTable", "NewCreateIndex", "NewDropIndex", "NewTruncateTable", "NewAddColumn", "NewDropColumn", "NewSelectQuery", "NewInsertQuery",
	"NewUpdateQuery", "NewDeleteQuery", "NewMergeQuery", "NewRawQuery", "NewValuesQuery", "ExecContext", "QueryContext", "QueryRowContext"}

func (c *checker) selector(n *ast.SelectorExpr) {
	if c.is(n.Sel, bunPath, opens...) {
		c.Reportf(n.Sel.Pos(), "%s leads past the scope: a query begins with the rows of module.Mine or module.Label", n.Sel.Name)
	}
	if c.is(n.Sel, "time", "Now", "Since", "Until") {
		c.Reportf(n.Sel.Pos(), "time.%s: the time of a module is Host.Now", n.Sel.Name)
	}
}

// text judges a constant text: SQL, or the key of a label.
func (c *checker) text(at token.Pos, text string, literal bool) {
	uses := 0
	for _, table := range c.tables {
		uses += len(table.FindAllString(text, -1))
	}
	if uses > strings.Count(text, "label_key") {
		c.Reportf(at, "a table with label_key is used in SQL without a condition on it: %s", short(text))
	}
	if literal && slices.Contains(c.labels, text) {
		c.Reportf(at, "%q is the key of a label: what differs between labels is a setting", text)
	}
}

func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		text = text[:60] + "…"
	}
	return text
}
