package label

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	cueerrors "cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
)

// Values of State for a problem of a label that is served from disk, without the plugin or with another version of it.
const (
	StateWithoutModule = "without_module" // the plugin of a module does not run
	StateOtherVersion  = "other_version"  // a chosen plugin version is missing, so another one is used
)

// Problem is an error in a label, described for its operator. It never contains a secret.
type Problem struct {
	Label   string `json:"label"` // its folder; empty when the problem does not concern a single label
	File    string `json:"file"`  // relative to the labels folder: "acme/label.cue"
	Line    int    `json:"line"`  // from 1; 0 when the problem has no line
	Column  int    `json:"column"`
	Message string `json:"message"`
	State   string `json:"state,omitempty"` // short code; empty: the label is broken
}

// String returns "file:line:column: message", which editors and terminals turn into a link.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Message
	case p.Line == 0:
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

func sortProblems(ps []Problem) []Problem {
	slices.SortFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(ps)
}

// at returns a problem at a path in the label's own file, or at its closest parent in the file.
func (c *candidate) at(path []string, format string, args ...any) Problem {
	p := Problem{Label: c.key, File: c.key + "/label.cue", Message: fmt.Sprintf(format, args...)}
	path = c.written(path)
	for n := len(path); n >= 0; n-- {
		v := c.own
		for _, s := range path[:n] {
			v = v.LookupPath(cue.MakePath(selector(s)))
		}
		if pos := v.Pos(); v.Exists() && c.owns(pos) {
			p.File, p.Line, p.Column = pos.Filename(), pos.Line(), pos.Column()
			return p
		}
	}
	p.Line, p.Column = 1, 1
	return p
}

func (c *candidate) owns(p token.Pos) bool {
	return p.IsValid() && strings.HasPrefix(p.Filename(), c.key+"/")
}

func selector(s string) cue.Selector {
	if u, err := strconv.Unquote(s); err == nil {
		return cue.Str(u)
	}
	if n, err := strconv.Atoi(s); err == nil {
		return cue.Index(n)
	}
	return cue.Str(s)
}

// secretName matches fields whose value must not appear in a message.
var secretName = regexp.MustCompile(`(?i)secret|password|token|private|credential`)

// finding is a problem with the path of its field.
type finding struct {
	Problem
	path      []string
	isUnknown bool // the schema has no such field
}

// explain converts CUE errors to problems in the label's own files: one per field, at the last position in those files, without positions
// in the schema.
func (c *candidate) explain(err error) (out []Problem) {
	for _, f := range c.findings(err) {
		out = append(out, f.Problem)
	}
	return out
}

func (c *candidate) findings(err error) []finding {
	type group struct {
		path []string
		errs []cueerrors.Error
	}
	var groups []*group
	for _, e := range cueerrors.Errors(err) {
		path := e.Path()
		if len(path) > 0 && strings.HasPrefix(path[0], "#") {
			path = path[1:]
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return slices.Equal(g.path, path) })
		if i < 0 || len(path) == 0 {
			groups = append(groups, &group{path: path})
			i = len(groups) - 1
		}
		groups[i].errs = append(groups[i].errs, e)
	}
	var out []finding
	for _, g := range groups {
		var positions []token.Pos
		for _, e := range g.errs {
			positions = append(positions, append(e.InputPositions(), e.Position())...)
		}
		last := g.errs[len(g.errs)-1] // the last error of a disjunction is the error of the constraint itself
		p := c.at(g.path, "%s", c.sentence(g.path, last, positions))
		for _, pos := range append(last.InputPositions(), last.Position()) {
			if c.owns(pos) {
				p.File, p.Line, p.Column = pos.Filename(), pos.Line(), pos.Column()
			}
		}
		format, _ := last.Msg()
		out = append(out, finding{p, g.path, format == notAllowed})
	}
	return out
}

// notAllowed is the format of CUE's error for a field that a struct does not have.
const notAllowed = "field not allowed"

func (c *candidate) sentence(path []string, e cueerrors.Error, positions []token.Pos) string {
	name := strings.Join(path, ".")
	format, args := e.Msg()
	switch {
	case format == notAllowed && len(path) == 2 && path[0] == "modules":
		return fmt.Sprintf("%s: there is no module %s%s", name, path[1], orList(path[1], c.schema.modules))
	case format == notAllowed:
		return fmt.Sprintf("%s: there is no such field%s", name, orList(unquote(path[len(path)-1]), c.knownFields(path[:len(path)-1])))
	case format == "field is required but not present":
		return name + ": is missing"
	}
	quoted := c.quotes(path)
	if say := c.schema.say(positions); say != "" && name != "" {
		return fmt.Sprintf("%s: must be %s%s%s", name, say, quoted, c.meant(path))
	}
	if len(path) > 0 && secretName.MatchString(path[len(path)-1]) {
		return name + ": does not fit" + quoted
	}
	text := fmt.Sprintf(format, args...)
	ofSchema := func(p token.Pos) bool { return p.Filename() == schemaFile }
	switch choices := c.choices(path); {
	case strings.Contains(format, "reference") && strings.Contains(format, "not found"), strings.Contains(format, "illegal integer"):
		text += "; a text stands in quotes"
	case len(choices) > 1 && slices.ContainsFunc(positions, ofSchema):
		last := len(choices) - 1
		text = "must be " + strings.Join(choices[:last], ", ") + " or " + choices[last] + c.meant(path)
	case strings.Contains(format, "mismatched types") && len(args) == 4:
		text = c.kindOf(path, fmt.Sprint(args[2]), fmt.Sprint(args[3])) + quoted
	}
	if name == "" {
		return text
	}
	return name + ": " + text
}

// orList returns the known name that name resembles, for the end of a sentence, or else all known names.
func orList(name string, known []string) string {
	if near := mistake.Suggest(name, known); near != "" || len(known) == 0 {
		return near
	}
	return "; there are: " + strings.Join(known, ", ")
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s
}

// ownValue returns the value at a path in the label's own files.
func (c *candidate) ownValue(path []string) cue.Value {
	v := c.own
	for _, s := range c.written(path) {
		v = v.LookupPath(cue.MakePath(selector(s)))
	}
	return v
}

// quotes returns how to write a number, true or false where the schema has only strings, for the end of a sentence.
func (c *candidate) quotes(path []string) string {
	const plain = cue.IntKind | cue.FloatKind | cue.BoolKind
	v := c.ownValue(path)
	if kind := v.IncompleteKind(); len(path) == 0 || kind == cue.BottomKind || kind&^plain != 0 ||
		c.schemaAt(path).IncompleteKind() != cue.StringKind {
		return ""
	}
	written, err := v.MarshalJSON()
	if err != nil || secretName.MatchString(path[len(path)-1]) {
		return "; put it in quotes"
	}
	return fmt.Sprintf("; put it in quotes: %q", written)
}

// choices returns the values of a field that has only some strings as values, or nil.
func (c *candidate) choices(path []string) (out []string) {
	v := c.schemaAt(path)
	if len(path) == 0 || !v.Exists() {
		return nil
	}
	op, parts := expression(v)
	if op != cue.OrOp {
		return nil
	}
	for _, p := range parts {
		text, err := p.String()
		if err != nil || !p.IsConcrete() {
			return nil
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// meant returns the value that the string at a path resembles, of a field that has only some strings as values.
func (c *candidate) meant(path []string) string {
	text, err := c.ownValue(path).String()
	if err != nil {
		return ""
	}
	return mistake.Suggest(text, c.choices(path))
}

var kinds = map[string]string{"bool": "true or false", "string": "text in quotes", "int": "a whole number", "float": "a number",
	"number": "a number", "list": "a list: […]", "struct": "a group of fields: {…}"}

// kindOf describes the required kind of a value, given its actual kind and the required one in either order.
func (c *candidate) kindOf(path []string, a, b string) string {
	if c.ownValue(path).IncompleteKind().String() == b {
		a, b = b, a
	}
	return "must be " + cmp.Or(kinds[b], b)
}

// schemaAt returns the schema of a field.
func (c *candidate) schemaAt(path []string) cue.Value {
	v := c.def
	for _, s := range path {
		if _, err := strconv.Atoi(s); err == nil {
			v = v.LookupPath(cue.MakePath(cue.AnyIndex))
			continue
		}
		next := v.LookupPath(cue.MakePath(selector(s).Optional()))
		if !next.Exists() {
			next = v.LookupPath(cue.MakePath(selector(s)))
		}
		if !next.Exists() {
			next = v.LookupPath(cue.MakePath(cue.AnyString))
		}
		v = next
	}
	return v
}

// knownFields lists the fields of a struct in the schema.
func (c *candidate) knownFields(path []string) (names []string) {
	if len(path) == 1 && path[0] == "slots" {
		return slices.Sorted(slices.Values(slices.Concat(c.schema.core, c.schema.slots)))
	}
	fields, err := c.schemaAt(path).Fields(cue.Optional(true))
	if err != nil {
		return nil
	}
	for fields.Next() {
		names = append(names, fields.Selector().Unquoted())
	}
	slices.Sort(names)
	return names
}
