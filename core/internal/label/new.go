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

	"cuelang.org/go/cue/format"

	"github.com/wattle-portal/wattle/core/internal/theme"
)

// Sketch is what New needs to know.
type Sketch struct {
	Key   string // also the folder's name
	Name  string
	Kind  Kind   // KindCustomer when empty
	Color string // primary colour as #rrggbb; the rest is derived
	Host  string // live host; empty: <key>.localhost only
}

var keyForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// New writes the folder of a new label that passes Vet, with a plain logo of its own to replace. It returns the files written,
// relative to dir. It fails when the folder is there, and writes nothing when a part of the sketch does not fit.
func New(dir string, s Sketch, fragments []Fragment) ([]string, error) {
	s.Kind, s.Name = cmp.Or(s.Kind, KindCustomer), strings.TrimSpace(s.Name)
	text := theme.TextOn(s.Color)
	switch {
	case !keyForm.MatchString(s.Key):
		return nil, errors.New("label: a key has lower case letters, digits and hyphens, at most 32")
	case s.Name == "" || len(s.Name) > 80 || strings.ContainsAny(s.Name, "\n\r\t"):
		return nil, errors.New("label: a name is one line of at most 80 characters")
	case s.Kind != KindCustomer && s.Kind != KindParticipant:
		return nil, errors.New("label: a kind is customer or participant")
	case text == "":
		return nil, fmt.Errorf("label: %q is no colour such as #0b7a3b that text can be read on", s.Color)
	case s.Host != "" && NormalHost(s.Host) != s.Host:
		return nil, fmt.Errorf("label: %q is no host name in lower case without a port", s.Host)
	}
	hasAccount := slices.ContainsFunc(fragments, func(f Fragment) bool { return f.Module == "account" })
	files := map[string][]byte{}
	for name, t := range map[string]*template.Template{"label.cue": labelTemplate, "assets/logo.svg": logoTemplate, "assets/favicon.svg": faviconTemplate} {
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
	for _, name := range []string{"assets/logo.svg", "assets/favicon.svg", "label.cue"} { // a label goes live with its label.cue
		if err := os.WriteFile(filepath.Join(home, name), files[name], 0o644); err != nil {
			return written, fmt.Errorf("label: %w", err)
		}
		written = append(written, s.Key+"/"+name)
	}
	return written, nil
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
