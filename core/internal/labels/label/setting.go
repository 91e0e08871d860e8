package label

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/cuecontext"
	cueerrors "cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"
)

// Setting describes one setting of a module in words.
type Setting struct {
	Path     string // such as "order.link_days"
	Words    string // allowed values: "a whole number, at least 1 and at most 7"
	Default  string // value as in a label, or the setting that provides it; empty: none
	Optional bool   // a label may omit the setting
	Doc      string // its comment in the schema, or else that of its struct; empty: none
}

// Settings describes the settings of a module, in the order of its schema. source is the CUE of a Fragment. Settings that exist only for
// some values of other settings are omitted.
func Settings(source string) ([]Setting, error) {
	v := cuecontext.New().CompileString(source)
	if v.Err() != nil {
		return nil, errors.New(cueerrors.Details(v.Err(), nil))
	}
	settings := v.LookupPath(cue.MakePath(cue.Def("Settings")))
	if err := settings.Err(); err != nil {
		return nil, errors.New(cueerrors.Details(err, nil))
	}
	var out []Setting
	return out, describe(settings, "", false, "", &out)
}

// describe appends the settings below v. A struct with fields is not a setting itself.
func describe(v cue.Value, path string, optional bool, doc string, out *[]Setting) error {
	it, err := v.Fields(cue.Optional(true))
	if err != nil {
		return fmt.Errorf("label: %w", err)
	}
	for it.Next() {
		field, name := it.Value(), strings.TrimRight(it.Selector().String(), "?!")
		if path != "" {
			name = path + "." + name
		}
		said := cmp.Or(comment(field), doc)
		open := optional || it.IsOptional()
		if field.IncompleteKind() == cue.StructKind {
			if err := describeStruct(field, name, open, said, out); err != nil {
				return err
			}
			continue
		}
		s := Setting{Path: name, Words: words(field), Optional: open, Doc: said}
		if d, ok := field.Default(); ok && d.Validate(cue.Concrete(true)) == nil {
			s.Default, s.Optional = fmt.Sprint(d), true
		} else if other := defaultSetting(field); other != "" {
			s.Default, s.Optional = other, true
		}
		*out = append(*out, s)
	}
	return nil
}

// describeStruct appends the settings below a struct: those of its fields, or one for names that the label may choose.
func describeStruct(v cue.Value, path string, optional bool, doc string, out *[]Setting) error {
	named := v.LookupPath(cue.MakePath(cue.AnyString))
	if !named.Exists() {
		if hasFields(v) {
			return describe(v, path, optional, doc, out)
		}
		*out = append(*out, Setting{Path: path, Words: kindWords[cue.StructKind], Optional: true, Doc: doc}) // {} in the schema
		return nil
	}
	if named.IncompleteKind() == cue.StructKind && hasFields(named) {
		return describe(named, path+".<name>", true, doc, out)
	}
	*out = append(*out, Setting{Path: path + ".<name>", Words: words(named), Optional: true, Doc: doc})
	return nil
}

// defaultSetting returns the sibling setting that provides the default of v, as written in the schema; empty when there is none.
func defaultSetting(v cue.Value) (other string) {
	source := v.Source()
	if source == nil {
		return ""
	}
	ast.Walk(source, func(n ast.Node) bool {
		if marked, ok := n.(*ast.UnaryExpr); ok && marked.Op == token.MUL {
			if name, ok := marked.X.(*ast.Ident); ok {
				other = name.Name
			}
		}
		return other == ""
	}, nil)
	return other
}

// settingOf returns the path of the setting that a value refers to; empty when it refers to no setting.
func settingOf(v cue.Value) string {
	_, ref := v.ReferencePath()
	if s := ref.Selectors(); len(s) > 1 && s[0].IsDefinition() { // below #Settings
		return cue.MakePath(s[1:]...).String()
	}
	return ""
}

func hasFields(v cue.Value) bool {
	it, err := v.Fields(cue.Optional(true))
	return err == nil && it.Next()
}

func comment(v cue.Value) string {
	var lines []string
	for _, g := range v.Doc() {
		lines = append(lines, strings.Fields(g.Text())...)
	}
	return strings.Join(lines, " ")
}

// kindWords maps the kind of a value without further conditions to its description.
var kindWords = map[cue.Kind]string{
	cue.BoolKind: "true or false", cue.IntKind: "a whole number", cue.FloatKind: "a number", cue.NumberKind: "a number",
	cue.StringKind: "a text", cue.ListKind: "a list", cue.StructKind: "fields by name", cue.NullKind: "nothing",
}

// expression returns the parts of a value, after resolving references and defaults.
func expression(v cue.Value) (cue.Op, []cue.Value) {
	op, parts := cue.Dereference(v).Expr()
	if op == cue.NoOp && len(parts) == 1 {
		return parts[0].Expr()
	}
	return op, parts
}

// words describes the allowed values.
func words(v cue.Value) string {
	op, parts := expression(v)
	kind := kindWords[v.IncompleteKind()]
	for _, p := range parts { // the bound is another setting, which may be absent
		if kind == "" && op == cue.AndOp {
			kind = kindWords[p.IncompleteKind()]
		}
	}
	if kind == "" {
		kind = "what the schema says"
	}
	if op == cue.OrOp {
		var choices []string
		seen := map[string]bool{}
		for _, p := range parts {
			if settingOf(p) != "" { // p is the default
				continue
			}
			choice := words(p)
			if p.IsConcrete() {
				choice = fmt.Sprint(p)
				if len(parts) > 1 && !allConcrete(parts) { // p is a default next to the type
					continue
				}
			}
			if !seen[choice] {
				seen[choice] = true
				choices = append(choices, choice)
			}
		}
		switch n := len(choices); {
		case v.IncompleteKind() == cue.BoolKind:
			return kind
		case n > 1:
			return strings.Join(choices[:n-1], ", ") + " or " + choices[n-1]
		case n == 1:
			return choices[0]
		}
	}
	if v.IncompleteKind() == cue.ListKind {
		if of := v.LookupPath(cue.MakePath(cue.AnyIndex)); of.Exists() && of.IncompleteKind() != cue.TopKind {
			return "a list, each item " + words(of)
		}
	}
	if conditions := conditions(v); len(conditions) > 0 {
		return kind + ", " + strings.Join(conditions, " and ")
	}
	return kind
}

func allConcrete(parts []cue.Value) bool {
	for _, p := range parts {
		if !p.IsConcrete() {
			return false
		}
	}
	return true
}

// comparisons maps the operator of a bound to its description.
var comparisons = map[cue.Op]string{
	cue.GreaterThanEqualOp: "at least ", cue.GreaterThanOp: "more than ", cue.LessThanEqualOp: "at most ", cue.LessThanOp: "less than ",
	cue.NotEqualOp: "not ", cue.RegexMatchOp: "of the form ", cue.NotRegexMatchOp: "not of the form ",
}

// conditions returns the conditions of a value in addition to its kind.
func conditions(v cue.Value) (out []string) {
	op, parts := expression(v)
	if word, ok := comparisons[op]; ok && len(parts) == 1 {
		if other := settingOf(parts[0]); other != "" {
			return []string{word + other}
		}
		return []string{word + fmt.Sprint(parts[0])}
	}
	if op == cue.AndOp {
		for _, p := range parts {
			out = append(out, conditions(p)...)
		}
	}
	return out
}
