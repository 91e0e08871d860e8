package label

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // a container without zone files must know Europe/Amsterdam

	"cuelang.org/go/cue"
	cuejson "cuelang.org/go/encoding/json"

	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/internal/theme"
)

// maxSource bounds label.cue and each file of messages/.
const maxSource = 1 << 20

// candidate is a label on its way from a folder to a Label.
type candidate struct {
	*compiler
	key, dir string
	own      cue.Value // what the label's own files say, for positions
	label    *Label    // nil when there are problems
	problems []Problem
}

// compile reads one folder. own keeps the compiler's context alive: drop the candidate when its label is taken.
func (c *compiler) compile(root, key string) *candidate {
	k := &candidate{compiler: c, key: key, dir: filepath.Join(root, key)}
	l, err := k.read()
	if err != nil {
		var many problemList
		if errors.As(err, &many) {
			k.problems = many
		} else {
			k.problems = k.explain(err)
		}
		return k
	}
	if k.problems = k.complete(l); len(k.problems) == 0 {
		k.label = l
	}
	return k
}

type problemList []Problem

func (problemList) Error() string { return "label: has problems" }

func (c *candidate) read() (*Label, error) {
	source, err := readSource(filepath.Join(c.dir, "label.cue"))
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
	v := c.def.Unify(c.own)
	if err := v.Validate(cue.Concrete(true), cue.Final()); err != nil {
		return nil, err
	}
	data, err := v.MarshalJSON()
	if err != nil {
		return nil, err
	}
	l := &Label{Dir: c.dir, Settings: map[string]*scope.Settings{}}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, err
	}
	return l, nil
}

// readMessages adds messages/nl.json and messages/en.json, flat objects of texts by message id, to what label.cue says.
func (c *candidate) readMessages() error {
	entries, err := os.ReadDir(filepath.Join(c.dir, "messages"))
	if err != nil {
		return nil // most labels have none
	}
	for _, e := range entries {
		locale, isJSON := strings.CutSuffix(e.Name(), ".json")
		if !isJSON || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := c.key + "/messages/" + e.Name()
		source, err := readSource(filepath.Join(c.dir, "messages", e.Name()))
		if err != nil {
			return problemList{{Label: c.key, File: name, Message: reason(err)}}
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

// complete checks what CUE cannot and fills in what is not written down.
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
			add(fmt.Sprintf("hosts.%d.name", i), "%q is no host name", h.Name)
		case own[normal]:
			add(fmt.Sprintf("hosts.%d.name", i), "%s is listed twice", h.Name)
		}
		own[normal], h.Name = true, normal
		at := c.at([]string{"hosts", strconv.Itoa(i), "name"}, "")
		l.hostAt = append(l.hostAt, place{at.Line, at.Column})
	}
	var err error
	if l.Location, err = time.LoadLocation(l.Zone); err != nil || l.Zone == "" || l.Zone == "Local" {
		add("zone", "%q is no time zone such as Europe/Amsterdam", l.Zone)
	}
	for i, h := range l.Info.Opening {
		if (h.From == "") != (h.To == "") || h.From != "" && h.From >= h.To {
			add(fmt.Sprintf("info.opening_hours.%d", i), "needs a from that comes before its to, or neither when closed")
		}
	}
	for _, m := range slices.Sorted(maps.Keys(l.Modules)) {
		l.Settings[m] = &scope.Settings{Raw: l.Modules[m]}
		for _, need := range c.schema.needs[m] {
			if _, on := l.Modules[need]; !on {
				add("modules."+m, "needs the module %s, which this label does not switch on", need)
			}
		}
	}
	moduleOn := func(id string) bool { m, _, _ := strings.Cut(id, "."); _, on := l.Modules[m]; return on }
	for _, kind := range slices.Sorted(maps.Keys(l.Changes.Auto)) {
		if !moduleOn(kind) {
			ps = append(ps, c.at([]string{"changes", "auto", strconv.Quote(kind)},
				"changes.auto: %s is of a module that this label does not switch on", kind))
		} else if _, err := time.ParseDuration(l.Changes.Auto[kind]); err != nil {
			add("changes.auto", "%s is no duration", l.Changes.Auto[kind])
		}
	}
	for i, op := range l.Impersonation.Allow {
		if !moduleOn(op) {
			add(fmt.Sprintf("impersonation.allow.%d", i), "%s is of a module that this label does not switch on", op)
		}
	}
	ps = append(ps, c.loadAssets(l)...)
	font := l.Assets[l.Style.FontFile].Font
	font.URL = l.AssetURL("font")
	if l.Theme, err = theme.Compute(l.Style, font); err != nil {
		add("style", "%v", err)
	}
	l.Revision = revision(l)
	return ps
}

// revision is a hash of all that the label consists of: what it says, defaults and module settings included, and its assets.
func revision(l *Label) string {
	h := sha256.New()
	_ = json.NewEncoder(h).Encode(l) // a Label is plain data; a hash does not fail
	for _, name := range slices.Sorted(maps.Keys(l.Assets)) {
		fmt.Fprintln(h, name, l.Assets[name].Hash)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func readSource(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSource {
		return nil, errors.New("is larger than 1 MB")
	}
	return os.ReadFile(path)
}

// reason is why a file cannot be read, without the path of this machine.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
