package label

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"cuelang.org/go/cue"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/schemas"
)

// onlyImports is the schema of a file that has the mappings of a label and nothing else.
const onlyImports = `
#Composed: imports: [=~"^[a-z][a-z0-9-]{0,39}$"]: #Mapping
`

// Mappings reads a file with mappings, written as in a label.cue, which `wattle import plan` writes and an operator corrects. kinds are the
// possible kinds of records. Problems are those that Vet would report; the mappings are nil if there are any. file is its name in them.
func Mappings(file string, source []byte, kinds map[string]record.Kind) (map[string]*mapping.Mapping, []Problem, error) {
	s := &schema{text: schemas.Label + onlyImports, records: kinds, kinds: map[string]string{}}
	for kind := range kinds {
		s.kinds[kind] = ""
	}
	if err := s.index(); err != nil {
		return nil, nil, err
	}
	c := &candidate{compiler: s.compiler(), key: "mappings", label: &Label{}}
	problems := func(ps []Problem) (map[string]*mapping.Mapping, []Problem, error) {
		for i := range ps {
			ps[i].Label, ps[i].File = "", file
		}
		return nil, sortProblems(ps), nil
	}
	c.own = c.ctx.CompileBytes(source, cue.Filename(c.key+"/label.cue"))
	if err := c.own.Err(); err != nil {
		return problems(c.explain(err))
	}
	v := c.def.Unify(c.own)
	if err := v.Validate(cue.Concrete(true), cue.Final()); err != nil {
		return problems(c.explain(err))
	}
	data, err := v.MarshalJSON()
	if err != nil {
		return nil, nil, fmt.Errorf("label: mappings: %w", err)
	}
	if err := json.Unmarshal(data, c.label); err != nil {
		return nil, nil, fmt.Errorf("label: mappings: %w", err)
	}
	var ps []Problem
	for _, name := range slices.Sorted(maps.Keys(c.label.Imports)) {
		ps = append(ps, c.vetImport(name)...)
	}
	if len(ps) > 0 {
		return problems(ps)
	}
	return c.label.Imports, nil, nil
}
