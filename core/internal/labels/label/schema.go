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

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/schemas"
)

// schema is #Label composed with the fragments of the available modules.
type schema struct {
	text     string
	hints    []hint
	needs    map[string][]string // required modules, by module
	kinds    map[string]string   // module by record kind; "" for core
	records  map[string]record.Kind
	modules  []string
	core     []string            // slots of the portal itself
	slots    []string            // known slots that modules offer
	absent   map[string]bool     // installed plugins that do not run
	disabled map[string]bool     // plugins in absent that the operator has disabled
	versions map[string][]string // running versions of each plugin, highest first
	bodies   map[string]string   // definition name of each module's fragment
	hashes   map[string]string   // hash of each module's fragment; "" is core's own schema
	demo     bool                // whether demo settings are allowed
	// lenient also accepts settings of unknown modules, for label versions that were stored while those modules were known.
	lenient *schema
}

// has reports whether the module is available with its schema.
func (s *schema) has(module string) bool {
	_, known := s.needs[module]
	return known
}

// version returns the hash of the schema of a label with these modules: the schemas of core and of the modules. Other modules do not affect
// it, so stored versions of the label stay valid when one of those is added or removed.
func (s *schema) version(modules map[string]json.RawMessage) string {
	h := sha256.New()
	fmt.Fprintln(h, s.hashes[""])
	for _, m := range slices.Sorted(maps.Keys(modules)) {
		fmt.Fprintln(h, m, s.hashes[m])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// hint is the @say attribute of a field of the schema.
type hint struct {
	from, to int // byte offsets of the field in the text of the schema
	say      string
}

const schemaFile = "#Label"

// compose validates every fragment and combines all of them into one closed schema. A fragment can refer only to its own definitions,
// because it is first compiled alone. It must not have imports.
func compose(fragments []Fragment) (s *schema, err error) {
	s = &schema{needs: map[string][]string{}, kinds: map[string]string{}, records: map[string]record.Kind{},
		hashes: map[string]string{"": hashOf(schemas.Label)},
		absent: map[string]bool{}, disabled: map[string]bool{}, versions: map[string][]string{}, bodies: map[string]string{}}
	fragments = slices.SortedFunc(slices.Values(fragments), func(a, b Fragment) int { return cmp.Compare(a.Module, b.Module) })
	if s.core, err = coreSlots(); err != nil {
		return nil, err
	}
	offered := []string{"-"} // patterns; the first one matches no name and keeps the list from being empty
	var text, known strings.Builder
	text.WriteString(schemas.Label)
	for i, f := range fragments {
		if f.Demo {
			s.demo = true
			continue
		}
		for _, k := range f.Records {
			s.records[k.Name] = k
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
			s.absent[f.Module], s.disabled[f.Module] = true, f.Disabled
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
		s.needs[f.Module], s.versions[f.Module] = f.Needs, f.Versions
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
	if err := s.index(); err != nil {
		return nil, err
	}
	return s, nil
}

// index parses the text of the schema, finds its hints, and checks that it compiles.
func (s *schema) index() error {
	file, err := parser.ParseFile(schemaFile, s.text)
	if err != nil {
		return fmt.Errorf("label: schema: %w", err)
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
		return fmt.Errorf("label: schema: %s", cueerrors.Details(c.def.Err(), nil))
	}
	return nil
}

// coreSlots returns the slots of the portal itself, as listed in schemas/label.cue.
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

// say returns the hint of the innermost field of the schema that contains one of the positions.
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

// compiler is a schema in its own cue.Context. A context never releases memory, so it is used for a limited number of labels, by one
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
