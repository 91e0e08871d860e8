package label

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"cuelang.org/go/cue/format"

	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// Sketch contains the parameters of New.
type Sketch struct {
	Key   string // also the name of the folder
	Name  string // name of the company; empty: the key
	Kind  Kind   // KindCustomer when empty
	Color string // primary color as #rrggbb; the other colors are derived from it
	Host  string // live host, in any form; empty or <key>.localhost: none
}

var keyForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// maxName is the maximum length of a name in characters, which leaves room for the page title "Mijn <name>".
const maxName = 75

// New writes the folder of a new label that passes Vet (9-labels-new), with a placeholder logo. It returns the written files, relative to
// dir. It writes nothing and returns an error when the folder exists, when a host belongs to another label or when a field of the sketch is
// invalid.
func New(dir string, s Sketch, fragments []Fragment) ([]string, error) {
	s.Kind, s.Name = cmp.Or(s.Kind, KindCustomer), strings.TrimSpace(s.Name)
	if s.Name == "" && s.Key != "" {
		s.Name = strings.ToUpper(s.Key[:1]) + s.Key[1:]
	}
	text := theme.TextOn(s.Color)
	entered := s.Host
	if strings.Contains(entered, ":") { // a URL or a port is not part of a host name
		s.Host = ""
	} else if s.Host = NormalHost(entered); s.Host == s.Key+".localhost" {
		entered, s.Host = "", "" // the label already has this host as its test host
	}
	switch {
	case !keyForm.MatchString(s.Key):
		return nil, errors.New("label: a key has lower case letters, digits and hyphens, at most 32")
	case s.Name == "" || utf8.RuneCountInString(s.Name) > maxName || strings.ContainsFunc(s.Name, unicode.IsControl) ||
		!utf8.ValidString(s.Name):
		return nil, fmt.Errorf("label: a name is one line of at most %d characters", maxName)
	case s.Kind != KindCustomer && s.Kind != KindParticipant:
		return nil, errors.New("label: a kind is customer or participant")
	case text == "":
		return nil, fmt.Errorf("label: %q is not a colour such as #0b7a3b that text can be read on", s.Color)
	case entered != "" && s.Host == "":
		return nil, fmt.Errorf("label: %q is not a host name without https:// and without a port", entered)
	}
	if err := checkHostsFree(dir, s, fragments); err != nil {
		return nil, err
	}
	hasAccount := slices.ContainsFunc(fragments, func(f Fragment) bool { return f.Module == "account" })
	files := map[string][]byte{}
	for name, t := range map[string]*template.Template{"label.cue": labelTemplate, "assets/logo.svg": logoTemplate,
		"assets/favicon.svg": faviconTemplate} {
		var b bytes.Buffer
		if err := t.Execute(&b, map[string]any{"S": s, "Text": text, "Account": hasAccount}); err != nil {
			return nil, fmt.Errorf("label: %w", err)
		}
		files[name] = b.Bytes()
	}
	tidy, err := format.Source(files["label.cue"])
	if err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	files["label.cue"] = tidy

	home := filepath.Join(dir, s.Key)
	if _, err := os.Lstat(home); err == nil {
		return nil, fmt.Errorf("label: there is a folder %s already", s.Key)
	}
	if err := os.MkdirAll(filepath.Join(home, "assets"), 0o755); err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	var written []string
	for _, name := range []string{"assets/logo.svg", "assets/favicon.svg", "label.cue"} { // label.cue last: it activates the label
		if err := os.WriteFile(filepath.Join(home, name), files[name], 0o644); err != nil {
			return written, fmt.Errorf("label: %w", err)
		}
		written = append(written, s.Key+"/"+name)
	}
	return written, nil
}

// checkHostsFree returns an error when a label in the folder already has a host of the sketch.
func checkHostsFree(dir string, s Sketch, fragments []Fragment) error {
	existing, err := Open(dir, func() []Fragment { return fragments })
	if err != nil {
		return err
	}
	for _, host := range []string{s.Key + ".localhost", s.Host} {
		if l := existing.ByHost(host); l != nil && l.Key != s.Key {
			return fmt.Errorf("label: %s belongs to label %s already", host, l.Key)
		}
	}
	return nil
}

func parsed(text string) *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(text))
}

var labelTemplate = parsed(`// {{.S.Name}}. Every field is explained in docs/labels.md; "wattle labels vet {{.S.Key}}" says what does not fit.
label_key: {{quote .S.Key}}
{{- if .S.Host}}
url: {{quote (printf "https://%s" .S.Host)}}
hosts: [{name: {{quote .S.Host}}}, {name: {{quote (printf "%s.localhost" .S.Key)}}, test: true}]
{{- else}}
url: {{quote (printf "http://%s.localhost:8080" .S.Key)}}
hosts: [{name: {{quote (printf "%s.localhost" .S.Key)}}, test: true}]
{{- end}}
kind: {{printf "%q" .S.Kind}}

style: {
	page_title: {{quote (printf "Mijn %s" .S.Name)}}
	primary_color: {{quote .S.Color}}
	primary_color_text_color: {{quote .Text}}
}

info: {
	name: {{quote .S.Name}}
	// Replace what follows by how customers reach you.
	email: "klantenservice@example.nl"
	phone_number: "000 000 00 00"
	opening_hours: [
		{text: "Maandag tot en met vrijdag", from: "09:00", to: "17:00", days: [1, 2, 3, 4, 5]},
		{text: "Zaterdag en zondag", days: [6, 7]},
	]
}

modules: {
{{- if .Account}}
	account: {}
{{- end}}
}
`)

var (
	logoTemplate = parsed(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><g fill="{{.S.Color}}"><circle cx="20" cy="16" r="9"/>` +
		`<path d="M36 7h44a4 4 0 0 1 0 8H36z"/><path d="M36 18h28a3.5 3.5 0 0 1 0 7H36z" opacity=".5"/></g></svg>
`)
	faviconTemplate = parsed(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="{{.S.Color}}"/>` +
		`<circle cx="16" cy="16" r="7" fill="{{.Text}}"/></svg>
`)
)
