package label

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a container may lack time zone files

	"cuelang.org/go/cue"
	cuejson "cuelang.org/go/encoding/json"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// candidate is a label during compilation.
type candidate struct {
	*compiler
	key, dir string
	from     content
	sources  Files     // contents of the files that were read
	own      cue.Value // the label's own files without the schema, for positions
	label    *Label    // nil when there are problems
	problems []Problem
	invalid  error                      // errors of CUE
	draft    *Label                     // the label after evaluation, also if it has problems
	renamed  map[string][]string        // paths as they are written, by the path in a repaired copy; see repair
	broken   []Problem                  // files that cannot be read
	warnings []Problem                  // problems that do not prevent serving the label
	data     []byte                     // the evaluated label
	modules  map[string]json.RawMessage // the modules in data, after moving settings
	links    []pageLink
}

// compile compiles the label in the folder root/key.
func (c *compiler) compile(root, key string) *candidate {
	dir := filepath.Join(root, key)
	return c.compileFrom(dir, key, labelFolder(dir))
}

// compileFrom compiles a label from its folder dir, or from the files of an earlier version. own keeps the compiler's context alive:
// release the candidate after taking its label.
func (c *compiler) compileFrom(dir, key string, from content) *candidate {
	k := &candidate{compiler: c, key: key, dir: dir, from: from, sources: Files{}}
	l, err := k.read()
	if err != nil {
		var many problemList
		if errors.As(err, &many) {
			k.problems = many
		} else {
			k.invalid, k.problems = err, k.explain(err)
		}
		k.problems = append(k.problems, k.broken...)
		return k
	}
	k.draft = l
	if k.problems = append(k.broken, k.complete(l)...); len(k.problems) > 0 {
		return k
	}
	k.label = l
	k.problems = k.warnings
	for _, m := range l.Missing {
		why := "is not running"
		if c.schema.disabled[m] {
			why = "is disabled"
		}
		p := k.at([]string{"modules", m}, "modules.%s: the plugin of this module %s; the label goes on without it", m, why)
		p.State = StateWithoutModule
		k.problems = append(k.problems, p)
	}
	return k
}

type problemList []Problem

func (problemList) Error() string { return "label: has problems" }

func (c *candidate) read() (*Label, error) {
	source, err := c.source("label.cue")
	if err != nil {
		return nil, problemList{{Label: c.key, File: c.key + "/label.cue", Message: reason(err)}}
	}
	c.own = c.ctx.CompileBytes(source, cue.Filename(c.key+"/label.cue"))
	if err := c.own.Err(); err != nil {
		return nil, err
	}
	if err := c.readMessages(); err != nil {
		return nil, err
	}
	c.enableNeeded()
	v := c.def.Unify(c.own)
	if err := v.Validate(cue.Concrete(true), cue.Final()); err != nil {
		return nil, err
	}
	data, err := v.MarshalJSON()
	if err != nil {
		return nil, err
	}
	l, err := c.decode(data)
	if err != nil {
		return nil, err
	}
	if err := c.moveSettings(l, v); err != nil {
		return nil, err
	}
	if err := c.removeDemoSettings(l, v); err != nil {
		return nil, err
	}
	c.data, c.modules = data, maps.Clone(l.Modules)
	return l, nil
}

// decode returns the label from its evaluated data. It does not set the values that complete sets.
func (c *candidate) decode(data []byte) (*Label, error) {
	l := &Label{Dir: c.dir, Settings: map[string]*scope.Settings{}, sources: c.sources}
	return l, json.Unmarshal(data, l)
}

// evaluated returns the part of a valid label that the cache stores.
func (c *candidate) evaluated() *evaluated {
	e := &evaluated{Data: c.data, Modules: c.modules, Problems: c.problems}
	for _, at := range c.label.hostAt {
		e.Hosts = append(e.Hosts, [2]int{at.line, at.column})
	}
	return e
}

// source reads a file and records its content, so that the archive stores exactly the compiled files.
func (c *candidate) source(name string) ([]byte, error) {
	b, err := c.from.source(name)
	if err == nil {
		c.sources[name] = b
	}
	return b, err
}

// readMessages adds messages/nl.json and messages/en.json, objects that map message ids to texts, to the value of label.cue.
func (c *candidate) readMessages() error {
	for _, file := range c.from.list("messages") {
		locale, ok := isLocale(file)
		if !ok {
			continue
		}
		name := c.key + "/messages/" + file
		source, err := c.source("messages/" + file)
		if err != nil {
			c.broken = append(c.broken, Problem{Label: c.key, File: name, Message: reason(err)})
			continue
		}
		if m := mistake.JSON(source); m != nil {
			c.broken = append(c.broken, Problem{Label: c.key, File: name, Line: m.Line, Column: m.Column, Message: "is not valid JSON: " + m.Why})
			continue
		}
		expr, err := cuejson.Extract(name, source)
		if err != nil {
			return err
		}
		c.own = c.own.FillPath(cue.MakePath(cue.Str("messages"), cue.Str(locale)), c.ctx.BuildExpr(expr))
		if err := c.own.Err(); err != nil {
			return err
		}
	}
	return nil
}

// complete checks the rules that CUE cannot express, and sets derived values.
func (c *candidate) complete(l *Label) (ps []Problem) {
	add := func(path string, format string, args ...any) {
		ps = append(ps, c.at(strings.Split(path, "."), path+": "+format, args...))
	}
	if l.Key != c.key {
		add("label_key", "is %q, but the folder is called %q", l.Key, c.key)
	}
	own := map[string]bool{}
	for i := range l.Hosts {
		h := &l.Hosts[i]
		normal := NormalHost(h.Name)
		switch {
		case normal == "":
			add(fmt.Sprintf("hosts.%d.name", i), "%q is not a host name", h.Name)
		case own[normal]:
			add(fmt.Sprintf("hosts.%d.name", i), "%s is listed twice", h.Name)
		}
		own[normal], h.Name = true, normal
		at := c.at([]string{"hosts", strconv.Itoa(i), "name"}, "")
		l.hostAt = append(l.hostAt, place{at.Line, at.Column})
	}
	var err error
	if l.Location, err = location(l.Zone); err != nil || l.Zone == "" || l.Zone == "Local" {
		add("zone", "%q is not a time zone such as Europe/Amsterdam", l.Zone)
	}
	for i, h := range l.Info.Opening {
		if (h.From == "") != (h.To == "") || h.From != "" && h.From >= h.To {
			add(fmt.Sprintf("info.opening_hours.%d", i), "needs a from that comes before its to, or neither when closed")
		}
	}
	named := maps.Clone(l.Modules)
	l.Schema = c.schema.version(named)
	for _, m := range slices.Sorted(maps.Keys(named)) {
		if !c.schema.has(m) { // the plugin does not run, so the label is served without it
			l.Missing = append(l.Missing, m)
			delete(l.Modules, m)
			continue
		}
		l.Settings[m] = &scope.Settings{Raw: l.Modules[m]}
		for _, need := range c.schema.needs[m] {
			if _, on := named[need]; !on {
				add("modules."+m, "needs the module %s, which is not there", need)
			}
		}
	}
	ps = append(ps, c.checkTogether(l)...)
	ps = append(ps, c.checkPlugins(l)...)
	moduleOn := func(id string) bool { m, _, _ := strings.Cut(id, "."); _, on := named[m]; return on }
	for _, kind := range slices.Sorted(maps.Keys(l.Changes.Auto)) {
		if !moduleOn(kind) {
			ps = append(ps, c.at([]string{"changes", "auto", strconv.Quote(kind)},
				"changes.auto: %s is of a module that this label does not switch on", kind))
		} else if _, err := time.ParseDuration(l.Changes.Auto[kind]); err != nil {
			add("changes.auto", "%s is not a duration", l.Changes.Auto[kind])
		}
	}
	for i, op := range l.Impersonation.Allow {
		if !moduleOn(op) {
			add(fmt.Sprintf("impersonation.allow.%d", i), "%s is of a module that this label does not switch on", op)
		}
	}
	ps = append(ps, c.loadAssets(l)...)
	ps = append(ps, c.loadPages(l)...)
	ps = append(ps, c.checkPromos(l)...)
	font := l.Assets[l.Style.FontFile].Font
	font.URL, font.Extended = l.AssetURL("font"), l.AssetURL("font-extended")
	heading := l.Assets[l.Style.HeadingFontFile].Font
	heading.URL = l.AssetURL("heading-font")
	if l.Theme, err = theme.Compute(l.Style, font, heading); err != nil {
		add("style", "%v", err)
	}
	l.BrowserMessages = map[string]map[string]string{}
	for locale, texts := range l.Messages {
		l.BrowserMessages[locale] = maps.Clone(texts)
		maps.DeleteFunc(l.BrowserMessages[locale], func(id, _ string) bool { return IsMailText(id) })
	}
	l.Revision = revision(l)
	return ps
}

// locations shares the time zones of labels, because each takes some kilobytes.
var locations sync.Map

// location returns a time zone from locations.
func location(name string) (*time.Location, error) {
	if cached, ok := locations.Load(name); ok {
		return cached.(*time.Location), nil
	}
	l, err := time.LoadLocation(name)
	if err == nil {
		locations.Store(name, l)
	}
	return l, err
}

// IsMailText reports whether a message id belongs to an email: <module>.mail.<mail>.<part>.
func IsMailText(id string) bool {
	_, rest, _ := strings.Cut(id, ".")
	return strings.HasPrefix(rest, "mail.")
}

// revision returns a hash of everything in the label: its settings, including defaults and module settings, its assets and its pages.
func revision(l *Label) string {
	h := sha256.New()
	_ = json.NewEncoder(h).Encode(l) // a Label contains only plain data, and writing to a hash does not fail
	for _, name := range slices.Sorted(maps.Keys(l.Assets)) {
		fmt.Fprintln(h, name, l.Assets[name].Hash)
	}
	for _, p := range l.Pages {
		for _, locale := range pageLocales {
			fmt.Fprintln(h, p.Slug, locale, p.HTML[locale].Hash)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// reason returns why a file cannot be read, without its absolute path.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
