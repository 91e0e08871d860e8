package guess

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/record"
)

// Guess is a mapping of a file, with remarks for the person who corrects it.
type Guess struct {
	Kind    string // empty: not recognized
	Comma   string // empty: an import detects it
	Order   mapping.Order
	Fields  []Field  // in the order of the kind
	Missing []Field  // required fields that no column was found for
	Unused  []string // columns that are not read
}

// Field is a field of the records with its source.
type Field struct {
	Name   string
	From   mapping.Field
	Remark string
}

// minFields is the number of columns from which a kind can be recognized.
const minFields = 2

// named is the weight of the name of a file, compared with that of a column.
const named = 8

// Of guesses the mapping of a file. kinds are the possible kinds in the order of their import; now is for their examples.
func Of(file string, t imports.Table, kinds []record.Kind, now time.Time) Guess {
	g := Guess{}
	for _, c := range t.Columns {
		g.Unused = append(g.Unused, printed(c))
	}
	if t.Comma != ',' && t.Comma != ';' {
		g.Comma = string(t.Comma)
	}
	byName := kindInName(file, kinds)
	var best *reading
	bestScore := 0
	for _, k := range kinds {
		r := read(k, t, now)
		score, required, found := len(r.columns), 0, 0
		for _, name := range k.Required {
			if strings.Contains(name, ".") {
				continue
			}
			required++
			if _, ok := r.columns[name]; ok {
				score, found = score+2, found+1
			}
		}
		if k.Name == byName {
			score += named
		}
		if len(r.columns) >= minFields && (k.Name == byName || 2*found >= required && found > 0) && score > bestScore {
			best, bestScore = r, score
		}
	}
	if best != nil {
		best.fill(&g)
	}
	return g
}

// Names returns the names of the mappings of files: the names of the files in the form of a mapping's name, each of them once.
func Names(files []string) (names []string) {
	for _, file := range files {
		name := nameOf(file)
		for n := 2; slices.Contains(names, name); n++ {
			own := nameOf(file)
			name = fmt.Sprintf("%s-%d", strings.TrimRight(own[:min(len(own), 36)], "-"), n)
		}
		names = append(names, name)
	}
	return names
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// nameOf returns the name of a file in the form of a mapping's name: `^[a-z][a-z0-9-]{0,39}$`.
func nameOf(file string) string {
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	ascii := strings.Map(func(r rune) rune {
		if r > '~' {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(stem)))
	name := strings.Trim(notInName.ReplaceAllString(ascii, "-"), "-")
	name = strings.TrimLeft(name, "0123456789-")
	name = strings.TrimRight(name[:min(len(name), 40)], "-")
	return cmp.Or(name, "file")
}

// kindInName returns the kind whose longest word is in the name of a file.
func kindInName(file string, kinds []record.Kind) (kind string) {
	name, longest := fold(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), 3
	for _, k := range kinds {
		for _, w := range append([]string{fold(k.Name)}, words.kinds[k.Name]...) {
			if len(w) > longest && strings.Contains(name, w) {
				kind, longest = k.Name, len(w)
			}
		}
	}
	return kind
}

// reading is a file as records of one kind.
type reading struct {
	kind    record.Kind
	table   imports.Table
	now     time.Time
	columns map[string]int    // index of the column by field
	guessed map[string]string // constants by field
	why     map[string]string // by column: why it is not read
}

// pair is a column that may be the source of a field.
type pair struct{ rank, field, column int }

// read finds the fields of a kind in the columns of a file.
func read(k record.Kind, t imports.Table, now time.Time) *reading {
	r := &reading{k, t, now, map[string]int{}, map[string]string{}, map[string]string{}}
	paths := k.Paths()
	folded := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if slices.Index(t.Columns, c) == i && !slices.Contains(t.Columns[i+1:], c) && !strings.ContainsAny(c, "\r\n") {
			folded[i] = fold(c)
		}
	}
	var pairs []pair
	for f, path := range paths {
		if strings.HasSuffix(path, ".0") { // a list of values
			continue
		}
		known := words.wordsOf(path)
		for c, name := range folded {
			if rank := slices.Index(known, name); rank >= 0 && name != "" {
				pairs = append(pairs, pair{rank, f, c})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Or(a.rank-b.rank, a.field-b.field, a.column-b.column) })
	used := map[int]bool{}
	for _, p := range pairs {
		if _, taken := r.columns[paths[p.field]]; !taken && !used[p.column] {
			r.columns[paths[p.field]], used[p.column] = p.column, true
		}
	}
	for _, p := range pairs { // a required field may share its column with another one
		name := paths[p.field]
		if _, taken := r.columns[name]; !taken && slices.Contains(k.Required, name) && !strings.Contains(name, ".") {
			r.columns[name] = p.column
		}
	}
	r.completeGroups()
	return r
}

// completeGroups gives a group that has a column the constants that it requires, or leaves the group out.
func (r *reading) completeGroups() {
	paths := r.kind.Paths()
	for again := true; again; {
		again = false
		for _, group := range r.groups() {
			lacks := ""
			for _, name := range paths {
				if parent(name) != group || r.has(name) {
					continue
				}
				sample := r.kind.Sample(name, r.now)
				switch isRequired := slices.Contains(r.kind.Required, name); {
				case r.kind.Allowed(name) != nil && sample != "":
					r.guessed[name] = sample
				case isRequired && lacks == "" && !r.isAlways(group):
					lacks = name
				}
			}
			if lacks == "" {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(r.columns)) {
				if strings.HasPrefix(name, group+".") {
					r.why[r.table.Columns[r.columns[name]]] = "needs " + lacks + " too"
					delete(r.columns, name)
				}
			}
			maps.DeleteFunc(r.guessed, func(name, _ string) bool { return strings.HasPrefix(name, group+".") })
			again = true
			break
		}
	}
}

// groups returns the groups of the fields that have a column, such as "addresses.0".
func (r *reading) groups() []string {
	found := map[string]bool{}
	for name := range r.columns {
		for g := parent(name); g != ""; g = parent(g) {
			found[g] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (r *reading) has(name string) bool {
	_, column := r.columns[name]
	return column || r.guessed[name] != ""
}

// isAlways reports whether every record has a group.
func (r *reading) isAlways(group string) bool { return slices.Contains(r.kind.Required, group) }

func parent(name string) string {
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		return name[:at]
	}
	return ""
}

// fill writes the result of a reading into a guess.
func (r *reading) fill(g *Guess) {
	g.Kind = r.kind.Name
	used := map[int]bool{}
	comma := r.hasDecimalComma()
	for _, name := range r.kind.Paths() {
		at, ok := r.columns[name]
		switch {
		case ok:
			used[at] = true
			f := Field{Name: name, From: mapping.Field{Column: r.table.Columns[at]}}
			r.form(&f, at, comma)
			g.Fields = append(g.Fields, f)
		case r.guessed[name] != "":
			g.Fields = append(g.Fields, Field{Name: name, From: mapping.Field{Value: quoted(r.guessed[name])},
				Remark: "a guess: one of " + strings.Join(r.kind.Allowed(name), ", ")})
		case r.isMissing(name):
			f := Field{Name: name, Remark: "required"}
			if allowed := r.kind.Allowed(name); allowed != nil {
				f.From.Value, f.Remark = quoted(allowed[0]), "required: one of "+strings.Join(allowed, ", ")
			}
			g.Missing = append(g.Missing, f)
		}
	}
	g.Order = mapping.OldestFirst
	if r.isNewestFirst() {
		g.Order = mapping.NewestFirst
	}
	g.Unused = nil
	for i, c := range r.table.Columns {
		if !used[i] {
			text := printed(c)
			if why := r.why[c]; why != "" {
				text += " (" + why + ")"
			}
			g.Unused = append(g.Unused, text)
		}
	}
}

// isMissing reports whether every record needs the field.
func (r *reading) isMissing(name string) bool {
	if !slices.Contains(r.kind.Required, name) {
		return false
	}
	group := parent(name)
	return group == "" && !slices.ContainsFunc(r.kind.Required, func(n string) bool { return strings.HasPrefix(n, name+".") }) ||
		group != "" && r.isAlways(group)
}

// values returns the values of a column in the sample that are not empty.
func (r *reading) values(column int) (out []string) {
	for _, row := range r.table.Rows {
		if v := strings.TrimSpace(row[column]); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (r *reading) formOf(name string) form { return words.formOf(name, r.kind.Sample(name, r.now)) }

// hasDecimalComma reports whether numbers of the file have a decimal comma.
func (r *reading) hasDecimalComma() bool {
	for name, at := range r.columns {
		if r.formOf(name) != isNumber {
			continue
		}
		for _, v := range r.values(at) {
			whole, decimals, marked := strings.Cut(strings.TrimPrefix(v, "-"), ",")
			if marked && !strings.ContainsAny(decimals, ",.") && (r.table.Comma == ';' || len(decimals) != 3 || whole == "0" || len(whole) > 3) {
				return true
			}
		}
	}
	return false
}

// form sets how a column is read.
func (r *reading) form(f *Field, column int, hasComma bool) {
	samples := r.values(column)
	if allowed := r.kind.Allowed(f.Name); allowed != nil {
		r.translate(f, samples, allowed)
		return
	}
	switch r.formOf(f.Name) {
	case isNumber:
		numberForm(f, samples, hasComma)
	case isDay:
		f.From.Date = layoutOf(samples, dayLayouts)
	case isTime:
		f.From.Time = layoutOf(samples, timeLayouts)
	}
}

// maxValues is the maximum number of different values of a column that is translated.
const maxValues = 40

// translate maps the values of a column to the allowed values of a field.
func (r *reading) translate(f *Field, samples, allowed []string) {
	slices.Sort(samples)
	samples = slices.Compact(samples)
	if len(samples) > maxValues {
		f.Remark = "must be one of " + strings.Join(allowed, ", ")
		return
	}
	values, unknown, same := map[string]string{}, []string(nil), true
	for _, s := range samples {
		to := words.value(s, allowed)
		if to == "" || strings.ContainsAny(s, "\r\n") {
			unknown = append(unknown, printed(s))
			continue
		}
		values[s], same = to, same && to == s
	}
	if len(unknown) > 0 {
		f.Remark = "add " + strings.Join(unknown, ", ") + ": one of " + strings.Join(allowed, ", ")
	}
	if same && len(unknown) == 0 {
		return
	}
	f.From.Values = rawValues(values)
}

// groupOfThree matches a number with one point that may separate thousands.
var groupOfThree = regexp.MustCompile(`^-?[1-9][0-9]{0,2}\.[0-9]{3}$`)

func numberForm(f *Field, samples []string, hasComma bool) {
	commas, points, ambiguous := false, 0, 0
	for _, s := range samples {
		switch {
		case strings.Contains(s, ","):
			commas = true
		case strings.Contains(s, "."):
			points++
			if groupOfThree.MatchString(s) {
				ambiguous++
			}
		}
	}
	switch {
	case hasComma && (commas || ambiguous == points):
		f.From.Number = ","
		if ambiguous > 0 {
			f.From.Thousands, f.Remark = ".", "a guess: 1.234 is 1234, because other numbers have a decimal comma"
		}
	case points > 0 && ambiguous == points && !commas:
		f.From.Number, f.Remark = ".", `a guess: 1.234 is 1.234; write number: ",", thousands: "." if it is 1234`
	case points > 0 || commas:
		f.From.Number = "."
	}
}

// layout is a way to write days or times: in a mapping, and in Go.
type layout struct{ written, parsed string }

var dayLayouts = []layout{{"", time.DateOnly}, {"DD-MM-YYYY", "02-01-2006"}, {"D-M-YYYY", "2-1-2006"}, {"DD/MM/YYYY", "02/01/2006"},
	{"D/M/YYYY", "2/1/2006"}, {"DD.MM.YYYY", "02.01.2006"}, {"D.M.YYYY", "2.1.2006"}, {"YYYYMMDD", "20060102"}, {"YYYY/MM/DD", "2006/01/02"},
	{"MM/DD/YYYY", "01/02/2006"}, {"M/D/YYYY", "1/2/2006"}}

var timeLayouts = []layout{{"", time.RFC3339}, {"DD-MM-YYYY HH:mm", "02-01-2006 15:04"}, {"DD-MM-YYYY HH:mm:ss", "02-01-2006 15:04:05"},
	{"D-M-YYYY H:mm", "2-1-2006 15:04"}, {"YYYY-MM-DD HH:mm", "2006-01-02 15:04"}, {"YYYY-MM-DD HH:mm:ss", "2006-01-02 15:04:05"},
	{"YYYY-MM-DDTHH:mm", "2006-01-02T15:04"}, {"YYYY-MM-DDTHH:mm:ss", "2006-01-02T15:04:05"}, {"DD/MM/YYYY HH:mm", "02/01/2006 15:04"}}

// layoutOf returns the layout that most samples have, the first one of several, as it is written in a mapping.
func layoutOf(samples []string, layouts []layout) (written string) {
	most := 0
	for _, l := range layouts {
		n := 0
		for _, s := range samples {
			if _, err := time.Parse(l.parsed, s); err == nil {
				n++
			}
		}
		if n > most {
			written, most = l.written, n
		}
	}
	return written
}

// isNewestFirst reports whether the days or times of a file descend.
func (r *reading) isNewestFirst() bool {
	for _, name := range r.kind.Required {
		at, ok := r.columns[name]
		layouts := map[form][]layout{isDay: dayLayouts, isTime: timeLayouts}[r.formOf(name)]
		if !ok || layouts == nil {
			continue
		}
		samples := r.values(at)
		written := layoutOf(samples, layouts)
		i := slices.IndexFunc(layouts, func(l layout) bool { return l.written == written })
		var previous time.Time
		descends := false
		for n, s := range samples {
			t, err := time.Parse(layouts[i].parsed, s)
			if err != nil || n > 0 && t.After(previous) {
				return false
			}
			descends = descends || n > 0 && t.Before(previous)
			previous = t
		}
		return descends
	}
	return false
}
