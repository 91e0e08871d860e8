package portaltest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
)

// Label kinds.
const (
	Customers    = string(label.KindCustomer)
	Participants = string(label.KindParticipant)
)

// Label is a label that a test writes. Its host is <key>.localhost.
type Label struct {
	Key  string
	Kind string // Customers when empty
	// Files contains additional files of the label, by path in its folder, such as pages/terms.nl.md.
	Files map[string]string
	CUE   string // CUE that is added to a minimal label with every module: `modules: acme: greeting: "Moi"`
}

// twoLabels are the labels of a test whose options contain none.
var twoLabels = []Label{{Key: "alpha"}, {Key: "beta", Kind: Participants}}

// WriteLabel writes a label with the given modules to a labels folder. Writing it again replaces it. A portal that reads the folder at the
// same time finds only complete files, and label.cue after all others.
func WriteLabel(t testing.TB, dir string, l Label, modules []module.Module) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, smallLabel, l.Key, cmp.Or(l.Kind, Customers), strings.ToUpper(l.Key[:1])+l.Key[1:])
	for _, m := range modules {
		fmt.Fprintf(&text, "modules: %s: {}\n", m.Key)
	}
	text.WriteString(l.CUE + "\n")
	files := map[string]string{"assets/logo.svg": svg, "assets/favicon.svg": svg}
	maps.Copy(files, l.Files)
	home, fresh := filepath.Join(dir, l.Key), filepath.Join(dir, "."+l.Key) // hidden folders are not labels
	names := append(slices.Sorted(maps.Keys(files)), "label.cue")
	files["label.cue"] = text.String()
	for _, name := range names {
		file := filepath.Join(fresh, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(files[name]), 0o600))
	}
	if err := os.Rename(fresh, home); err == nil {
		return
	}
	for _, name := range names {
		file := filepath.Join(home, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.Rename(filepath.Join(fresh, filepath.FromSlash(name)), file))
	}
	require.NoError(t, os.RemoveAll(fresh))
	require.NoError(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, _ := filepath.Rel(home, path); !slices.Contains(names, filepath.ToSlash(name)) {
			return os.Remove(path)
		}
		return nil
	}))
}

// LabelURL returns the URL of a label in emails.
func (p *Portal) LabelURL(key string) string {
	p.t.Helper()
	l := p.app.Labels.ByKey(key)
	require.NotNil(p.t, l, key)
	return l.URL
}

// LabelKeys returns the keys of the active labels.
func (p *Portal) LabelKeys() (out []string) {
	for _, l := range p.app.Labels.All() {
		out = append(out, l.Key)
	}
	return out
}

// LabelSettings decodes the settings of a label for a module; on reports whether the label has the module.
func (p *Portal) LabelSettings(key, module string, settings any) (on bool) {
	p.t.Helper()
	l := p.app.Labels.ByKey(key)
	require.NotNil(p.t, l, key)
	raw, on := l.Modules[module]
	if on {
		require.NoError(p.t, json.Unmarshal(raw, settings))
	}
	return on
}

// LabelProblems returns the errors in the labels on disk, in file order: "alpha/label.cue:7:3: …".
func (p *Portal) LabelProblems() (out []string) {
	for _, x := range p.app.Labels.Problems() {
		out = append(out, fmt.Sprintf("%s:%d:%d: %s", x.File, x.Line, x.Column, x.Message))
	}
	return out
}

const (
	svg        = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#0b7a3b"/></svg>`
	smallLabel = `
label_key: %[1]q
url: "http://%[1]s.localhost:8080"
hosts: [{name: "%[1]s.localhost"}, {name: "test.%[1]s.localhost", test: true}]
kind: %[2]q
style: {page_title: "Mijn %[3]s", primary_color: "#0b7a3b"}
info: {
	name: "%[3]s Energie"
	email: "service@%[1]s.example"
	phone_number: "088 123 45 67"
	opening_hours: [{text: "Maandag tot en met vrijdag", from: "08:30", to: "17:00", days: [1, 2, 3, 4, 5]}]
}
modules: {}
`
)
