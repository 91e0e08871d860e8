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

// explain converts CUE errors to problems in the label's own files: one per field, at the last position in those files, without positions
// in the schema.
func (c *candidate) explain(err error) []Problem {
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
	var out []Problem
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
		out = append(out, p)
	}
	return out
}

func (c *candidate) sentence(path []string, e cueerrors.Error, positions []token.Pos) string {
	name := strings.Join(path, ".")
	format, args := e.Msg()
	switch {
	case format == "field not allowed" && len(path) == 2 && path[0] == "modules":
		return fmt.Sprintf("%s: there is no module %s; there are: %s", name, path[1], strings.Join(c.schema.modules, ", "))
	case format == "field not allowed" && len(path) == 2 && path[0] == "slots":
		return fmt.Sprintf("%s: there is no such field; there are: %s", name,
			strings.Join(slices.Sorted(slices.Values(slices.Concat(c.schema.core, c.schema.slots))), ", "))
	case format == "field not allowed":
		return fmt.Sprintf("%s: there is no such field%s", name, c.knownFields(path[:len(path)-1]))
	case format == "field is required but not present":
		return name + ": is missing"
	}
	if say := c.schema.say(positions); say != "" && name != "" {
		return fmt.Sprintf("%s: must be %s", name, say)
	}
	if len(path) > 0 && secretName.MatchString(path[len(path)-1]) {
		return name + ": does not fit"
	}
	text := fmt.Sprintf(format, args...)
	if strings.Contains(format, "mismatched types") && len(args) == 4 {
		text = c.kindOf(path, fmt.Sprint(args[2]), fmt.Sprint(args[3]))
	}
	if name == "" {
		return text
	}
	return name + ": " + text
}

var kinds = map[string]string{"bool": "true or false", "string": "text in quotes", "int": "a whole number", "float": "a number",
	"number": "a number", "list": "a list: […]", "struct": "a group of fields: {…}"}

// kindOf describes the required kind of a value, given its actual kind and the required one in either order.
func (c *candidate) kindOf(path []string, a, b string) string {
	v := c.own
	for _, s := range path {
		v = v.LookupPath(cue.MakePath(selector(s)))
	}
	if v.IncompleteKind().String() == b {
		a, b = b, a
	}
	return "must be " + cmp.Or(kinds[b], b)
}

// knownFields lists the fields of a struct in the schema.
func (c *candidate) knownFields(path []string) string {
	v := c.schema.compiler().def
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
	fields, err := v.Fields(cue.Optional(true))
	if err != nil {
		return ""
	}
	var names []string
	for fields.Next() {
		names = append(names, fields.Selector().Unquoted())
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "; there are: " + strings.Join(names, ", ")
}
