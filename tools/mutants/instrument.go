package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// changes lists the replacements for each operator: a shifted boundary, the opposite comparison, or the other operator of a pair.
var changes = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.INC: {token.DEC}, token.DEC: {token.INC}, token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
}

// chooser is the source of a file that is added to the package: it returns the active change and records the changes that a test reaches.
const chooser = `package %s

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

var mutantOn = func() int { n, _ := strconv.Atoi(os.Getenv("` + number + `")); return n }()

var (
	mutantReach = os.Getenv("` + reach + `")
	mutantLock  sync.Mutex
	mutantSeen  = map[int]bool{}
)

func mutantAt(first, count int) int {
	if mutantReach == "" {
		return mutantOn
	}
	mutantLock.Lock()
	defer mutantLock.Unlock()
	if mutantSeen[first] {
		return 0
	}
	mutantSeen[first] = true
	f, err := os.OpenFile(mutantReach, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for n := range count {
		fmt.Fprintln(f, first+n)
	}
	return 0
}
`

// instrument writes the rules of a package with all changes to a folder, with an overlay.json that replaces the sources.
func instrument(pkg, dir string) ([]*mutant, error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	sources := map[*ast.File]string{}
	for _, name := range names {
		match, err := build.Default.MatchFile(pkg, filepath.Base(name))
		if err != nil {
			return nil, err
		}
		if !match || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		sources[f] = name
	}
	exports, err := exportsOf(pkg)
	if err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	//nolint:gosec // files in the build cache
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser,
		error) {
		return os.Open(exports[path])
	})}
	checked, err := conf.Check(pkg, fset, files, info)
	if err != nil {
		return nil, err
	}
	w := &writer{fset: fset, info: info, pkg: checked}
	overlay := map[string]string{}
	lay := func(at string, text []byte) error {
		to := filepath.Join(dir, filepath.Base(at))
		from, err := filepath.Abs(at)
		if err != nil {
			return err
		}
		overlay[from] = to
		return os.WriteFile(to, text, 0o600)
	}
	for _, f := range files {
		name := sources[f]
		if isPlumbing(pkg, name, f) {
			continue
		}
		if w.text, err = os.ReadFile(name); err != nil { //nolint:gosec // a source file of this project
			return nil, err
		}
		w.file = f
		if err := lay(name, []byte(w.node(f))); err != nil {
			return nil, err
		}
	}
	if err := lay(filepath.Join(pkg, "mutants_chooser.go"), fmt.Appendf(nil, chooser, checked.Name())); err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	return w.mutants, os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o600)
}

// isPlumbing reports whether a file of a package contains no rules: plumbing of a module, and in core files for HTTP or waiting.
func isPlumbing(pkg, name string, f *ast.File) bool {
	if strings.HasPrefix(pkg, "modules/") {
		return plumbing.MatchString(filepath.Base(name))
	}
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"net/http"` || i.Path.Value == `"context"` })
}

// exportsOf returns the export data files of the dependencies of a package, by path.
func exportsOf(pkg string) (map[string]string, error) {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./"+pkg).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		out[path] = file
	}
	return out, nil
}

// writer writes a source file with its changes.
type writer struct {
	fset    *token.FileSet
	info    *types.Info
	pkg     *types.Package
	file    *ast.File
	text    []byte
	mutants []*mutant
}

func (w *writer) at(p token.Pos) int      { return w.fset.Position(p).Offset }
func (w *writer) slice(n ast.Node) string { return string(w.text[w.at(n.Pos()):w.at(n.End())]) }
func (w *writer) add(n ast.Node, was, is token.Token, pos token.Pos) int {
	line := w.fset.Position(pos)
	code := strings.Join(strings.Fields(w.slice(n)), " ")
	w.mutants = append(w.mutants, &mutant{ID: len(w.mutants) + 1, File: line.Filename, Line: line.Line, Was: was.String(), Is: is.String(),
		Code: code[:min(len(code), 90)]})
	return len(w.mutants)
}

// node returns the source of a node, including the changes of everything below it.
func (w *writer) node(n ast.Node) string {
	var parts []ast.Node
	ast.Inspect(n, func(x ast.Node) bool {
		if x == nil || x == n {
			return true
		}
		if w.hasChanges(x) {
			parts = append(parts, x)
			return false
		}
		switch d := x.(type) {
		case *ast.GenDecl:
			return d.Tok == token.VAR // constants and types cannot contain a choice
		case *ast.ArrayType:
			return false
		}
		return true
	})
	begin, end := n.Pos(), n.End()
	if f, ok := n.(*ast.File); ok {
		begin, end = f.FileStart, f.FileEnd
	}
	slices.SortFunc(parts, func(a, b ast.Node) int { return int(a.Pos() - b.Pos()) })
	var out bytes.Buffer
	from := w.at(begin)
	for _, p := range parts {
		out.Write(w.text[from:w.at(p.Pos())])
		out.WriteString(w.change(p))
		from = w.at(p.End())
	}
	out.Write(w.text[from:w.at(end)])
	return out.String()
}

// hasChanges reports whether a node has changes of its own.
func (w *writer) hasChanges(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.BinaryExpr:
		t := w.info.Types[x]
		return changes[x.Op] != nil && t.Value == nil && w.name(x) != ""
	case *ast.UnaryExpr:
		return x.Op == token.SUB && w.info.Types[x].Value == nil && w.name(x) != ""
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return changes[x.Tok] != nil && numeric(w.info.TypeOf(x.Lhs[0]))
	}
	return false
}

func numeric(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// name returns the type of an expression as the file can write it; empty when the file cannot, or when the operator has no counterpart.
func (w *writer) name(x ast.Expr) string {
	t := types.Default(w.info.TypeOf(x))
	if b, ok := x.(*ast.BinaryExpr); ok && !numeric(t) && (b.Op == token.ADD || b.Op == token.SUB) {
		return "" // strings cannot be subtracted
	}
	good := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		for _, i := range w.file.Imports {
			if strings.Trim(i.Path.Value, `"`) == p.Path() && i.Name == nil {
				return p.Name()
			}
		}
		good = false
		return ""
	})
	if !good {
		return ""
	}
	return name
}

// change returns the source of a node that selects between itself and its changes.
func (w *writer) change(n ast.Node) string {
	var out bytes.Buffer
	first := len(w.mutants) + 1
	switch x := n.(type) {
	case *ast.BinaryExpr:
		fmt.Fprintf(&out, "func() %s { switch mutantAt(%d, %d) { ", w.name(x), first, len(changes[x.Op]))
		for _, to := range changes[x.Op] {
			fmt.Fprintf(&out, "case %d: return (%s) %s (%s)\n", w.add(x, x.Op, to, x.OpPos), w.slice(x.X), to, w.slice(x.Y))
		}
		fmt.Fprintf(&out, "}; return (%s) %s (%s) }()", w.part(x.X), x.Op, w.part(x.Y))
	case *ast.UnaryExpr:
		fmt.Fprintf(&out, "func() %s { if mutantAt(%d, 1) == %d { return %s }; return -(%s) }()", w.name(x), first,
			w.add(x, x.Op, token.ADD, x.OpPos), w.slice(x.X), w.part(x.X))
	case *ast.IncDecStmt:
		to := changes[x.Tok][0]
		fmt.Fprintf(&out, "func() { if mutantAt(%d, 1) == %d { %s%s } else { %s%s } }()", first, w.add(x, x.Tok, to, x.TokPos), w.slice(x.X), to,
			w.slice(x.X), x.Tok)
	case *ast.AssignStmt:
		to := changes[x.Tok][0]
		fmt.Fprintf(&out, "func() { if mutantAt(%d, 1) == %d { %s %s %s } else { %s %s %s } }()", first, w.add(x, x.Tok, to, x.TokPos),
			w.slice(x.Lhs[0]), to, w.slice(x.Rhs[0]), w.slice(x.Lhs[0]), x.Tok, w.part(x.Rhs[0]))
	}
	return out.String()
}

// part returns the source of a part of a changed node, with its own changes.
func (w *writer) part(n ast.Node) string {
	if w.hasChanges(n) {
		return w.change(n)
	}
	return w.node(n)
}
