package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// licence is a file that contains a licence, or notices that belong to one.
type licence struct {
	file string
	text string
	ids  []string // SPDX; empty: notices only
}

// allowed lists the licences that libraries in the program may have: none of them affects the code of Wattle or of a label. MPL-2.0
// requires publishing changed files, but the libraries are unchanged. OFL-1.1 is for fonts.
var allowed = []string{"0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "MIT-0",
	"MPL-2.0", "OFL-1.1", "Unicode-3.0", "Unlicense", "Zlib"}

// reviewed lists files that licensecheck does not recognize, with the SPDX ids of each; nil for a file about something that is not in a
// program.
var reviewed = map[string][]string{
	"modernc.org/sqlite/LICENSE-SQLITE": {"blessing"}, // SQLite is in the public domain
	"modernc.org/memory/LICENSE-LOGO":   nil,          // for a picture in its README
}

func newLicence(file, text string) licence {
	l := licence{file: file, text: text}
	if l.isNotice() {
		return l
	}
	seen := licensecheck.Scan([]byte(text))
	for _, m := range seen.Match {
		if !m.IsURL && !slices.Contains(l.ids, m.ID) {
			l.ids = append(l.ids, m.ID)
		}
	}
	return l
}

// isNotice reports whether a file contains notices that belong to a licence.
func (l licence) isNotice() bool {
	name := strings.ToLower(l.file[strings.LastIndex(l.file, "/")+1:])
	return strings.HasPrefix(name, "notice") || strings.HasPrefix(name, "patents") || strings.HasPrefix(name, "copyright")
}

// ids returns the licences of a library, sorted.
func (p part) ids() []string {
	var ids []string
	for _, l := range p.licences {
		ids = append(ids, l.ids...)
		ids = append(ids, reviewed[p.name+"/"+l.file]...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// check returns an error for a library without a licence, or with one that is not allowed.
func (p part) check() error {
	has := false
	for _, l := range p.licences {
		if _, is := reviewed[p.name+"/"+l.file]; len(l.ids) == 0 && !l.isNotice() && !is {
			return fmt.Errorf("release: %s: %s is not a known licence", p, l.file)
		}
		for _, id := range l.ids {
			if !slices.Contains(allowed, id) {
				return fmt.Errorf("release: %s: %s of %s is not on the list of licences", p, id, l.file)
			}
			has = true
		}
	}
	if !has {
		return fmt.Errorf("release: %s has no licence file", p)
	}
	return nil
}

// licenceText returns the licences of all parts, each text once. It returns an error that names every part that must not be in the
// release.
func licenceText(parts []part) (string, error) {
	var errs []error
	var texts []string
	users := map[string][]string{} // by licence text
	for _, p := range parts {
		errs = append(errs, p.check())
		for _, l := range p.licences {
			text := strings.TrimSpace(strings.ReplaceAll(l.text, "\r\n", "\n"))
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			users[text] = append(users[text], fmt.Sprintf("%s (%s)", p, l.file))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Wattle is under the Apache License 2.0, see LICENSE. It contains %d libraries of others, unchanged. Their sources are\nat https://proxy.golang.org and https://registry.npmjs.org under the versions below.\n\n", len(parts))
	for _, p := range parts {
		fmt.Fprintf(&b, "%-60s %s\n", p, strings.Join(p.ids(), ", "))
	}
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 100), strings.Join(users[text], "\n"), strings.Repeat("-", 100), text)
	}
	return b.String(), nil
}
