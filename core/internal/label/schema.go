package label

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/cuecontext"
	cueerrors "cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/wattle-portal/wattle/schemas"
)

// schema is #Label composed with the fragments of the modules at hand.
type schema struct {
	text    string
	hints   []hint
	needs   map[string][]string // by module
	kinds   map[string]string   // of record: the module that takes it, "" for core
	modules []string
	core    []string          // slots of the portal itself
	slots   []string          // that modules offer, as far as they are known
	absent  map[string]bool   // plugins that are installed and do not run
	bodies  map[string]string // name of the definition of each module's fragment
	hashes  map[string]string // of each module's fragment, and of core's own schema under ""
	demo    bool              // settings whose value is for demonstrations count
	// lenient takes settings of modules that are not known too, for versions of labels that were kept when they were.
	lenient *schema
}

// knows reports whether the module is there, with its schema.
func (s *schema) knows(module string) bool {
	_, known := s.needs[module]
	return known
}

// version names the schema of a label that has these modules: core's and theirs. A module that the label does not have makes no
// difference, so that the versions kept of a label outlive its coming and going.
func (s *schema) version(modules map[string]json.RawMessage) string {
	h := sha256.New()
	fmt.Fprintln(h, s.hashes[""])
	for _, m := range slices.Sorted(maps.Keys(modules)) {
		fmt.Fprintln(h, m, s.hashes[m])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// hint is what @say tells of a field of the schema.
type hint struct {
	from, to int // offsets in the text
	say      string
}

const schemaFile = "#Label"

// compose checks every fragment by itself and makes one closed schema of all of them. A fragment can name nothing but what it
// defines, because it is compiled alone first; it may not import.
func compose(fragments []Fragment) (s *schema, err error) {
	s = &schema{needs: map[string][]string{}, kinds: map[string]string{}, hashes: map[string]string{"": hashOf(schemas.Label)},
		absent: map[string]bool{}, bodies: map[string]string{}}
	fragments = slices.SortedFunc(slices.Values(fragments), func(a, b Fragment) int { return cmp.Compare(a.Module, b.Module) })
	if s.core, err = coreSlots(); err != nil {
		return nil, err
	}
	offered := []string{"-"} // patterns; the first fits no name, so that there is always one
	var text, known strings.Builder
	text.WriteString(schemas.Label)
	for i, f := range fragments {
		if f.Demo {
			s.demo = true
			continue
		}
		if f.Core {
			for _, kind := range f.Kinds {
				s.kinds[kind] = ""
			}
			continue
		}
		if f.Slots == nil {
			offered = append(offered, regexp.QuoteMeta(f.Module)+`\.[a-z0-9-]+`)
		}
		for _, slot := range f.Slots {
			offered = append(offered, regexp.QuoteMeta(slot))
			s.slots = append(s.slots, slot)
		}
		if f.Absent {
			s.absent[f.Module] = true
			fmt.Fprintf(&known, "\t%s?: {...}\n", strconv.Quote(f.Module))
			continue
		}
		s.hashes[f.Module] = hashOf(f.Source)
		for _, kind := range f.Kinds {
			s.kinds[kind] = f.Module
		}
		if _, twice := s.needs[f.Module]; twice {
			return nil, fmt.Errorf("label: two modules are called %s", f.Module)
		}
		body, err := fragmentBody(f)
		if err != nil {
			return nil, fmt.Errorf("label: settings of module %s: %w", f.Module, err)
		}
		s.needs[f.Module] = f.Needs
		s.bodies[f.Module] = fmt.Sprintf("#M%d", i)
		s.modules = append(s.modules, f.Module)
		fmt.Fprintf(&text, "\n#M%d: {\n%s\n}\n", i, body)
		fmt.Fprintf(&known, "\t%s?: #M%d.#Settings\n", strconv.Quote(f.Module), i)
	}
	base := text.String()
	s.text = fmt.Sprintf("%s\n#OfferedSlot: =~%s\n#Composed: #Label & {modules: close({\n%s})}\n", base,
		strconv.Quote("^("+strings.Join(offered, "|")+")$"), known.String())
	open := *s
	open.text = fmt.Sprintf("%s\n#Composed: #Label & {modules: {\n%s...}}\n", base, known.String())
	s.lenient = &open

	file, err := parser.ParseFile(schemaFile, s.text)
	if err != nil {
		return nil, fmt.Errorf("label: schema: %w", err)
	}
	ast.Walk(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			for _, a := range f.Attrs {
				if key, body := a.Split(); key == "say" {
					if say, err := strconv.Unquote(body); err == nil {
						s.hints = append(s.hints, hint{f.Pos().Offset(), f.End().Offset(), say})
					}
				}
			}
		}
		return true
	}, nil)
	if c := s.compiler(); c.def.Err() != nil {
		return nil, fmt.Errorf("label: schema: %s", cueerrors.Details(c.def.Err(), nil))
	}
	return s, nil
}

// coreSlots are the slots of the portal itself, as schemas/label.cue lists them.
func coreSlots() ([]string, error) {
	v := cuecontext.New().CompileString(schemas.Label, cue.Filename(schemaFile)).LookupPath(cue.MakePath(cue.Def("CoreSlot")))
	_, alternatives := v.Expr()
	var out []string
	for _, a := range alternatives {
		name, err := a.String()
		if err != nil {
			return nil, fmt.Errorf("label: schema: #CoreSlot: %w", err)
		}
		out = append(out, name)
	}
	return out, nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func fragmentBody(f Fragment) (string, error) {
	file, err := parser.ParseFile(f.Module+"/label.cue", f.Source)
	if err != nil {
		return "", errors.New(cueerrors.Details(err, nil))
	}
	var decls []ast.Decl
	for _, d := range file.Decls {
		switch d.(type) {
		case *ast.Package:
		case *ast.ImportDecl:
			return "", errors.New("may not import anything")
		default:
			decls = append(decls, d)
		}
	}
	body, err := format.Node(&ast.File{Decls: decls})
	if err != nil {
		return "", err
	}
	v := cuecontext.New().CompileBytes(body, cue.Filename(f.Module+"/label.cue"))
	if v.Err() != nil {
		return "", errors.New(cueerrors.Details(v.Err(), nil))
	}
	if settings := v.LookupPath(cue.MakePath(cue.Def("Settings"))); settings.IncompleteKind() != cue.StructKind {
		return "", errors.New("defines no #Settings: {…}")
	}
	return string(body), nil
}

// say finds the hint of the innermost field of the schema that one of the positions lies in.
func (s *schema) say(positions []token.Pos) string {
	best, size := "", int(^uint(0)>>1)
	for _, p := range positions {
		if p.Filename() != schemaFile {
			continue
		}
		for _, h := range s.hints {
			if h.from <= p.Offset() && p.Offset() < h.to && h.to-h.from < size {
				best, size = h.say, h.to-h.from
			}
		}
	}
	return best
}

// compiler is a schema in a cue.Context of its own. A context only grows, so it is used for a bounded number of labels, by one
// goroutine.
type compiler struct {
	schema *schema
	ctx    *cue.Context
	root   cue.Value
	def    cue.Value
}

func (s *schema) compiler() *compiler {
	ctx := cuecontext.New()
	v := ctx.CompileString(s.text, cue.Filename(schemaFile))
	return &compiler{s, ctx, v, v.LookupPath(cue.MakePath(cue.Def("Composed")))}
}
