package label

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/labels/markdown"
)

// Page is a legal or help page of the label (9-label-pages): pages/<slug>.<locale>.md, shown at /pages/<slug>.
type Page struct {
	Slug   string            `json:"slug"`
	Title  map[string]string `json:"title"`  // by locale
	Public bool              `json:"public"` // readable without a session
	Place  string            `json:"place"`  // "footer", "menu", "help" (the list at /pages) or "link" (only where a text links to it)

	HTML map[string]PageText `json:"-"` // by locale
}

// PageText is the text of a page in one language.
type PageText struct {
	HTML string // sanitized
	Hash string // hash of title and source
}

const (
	maxPage = 64 << 10 // maximum size in bytes of a page in one language
)

// errMissing is the problem of a page whose file is missing.
var errMissing = errors.New("is not there")

var pageLocales = []string{"nl", "en"}

func pageFile(slug, locale string) string { return "pages/" + slug + "." + locale + ".md" }

// Page returns the page with that name, or nil.
func (l *Label) Page(slug string) *Page {
	if i := slices.IndexFunc(l.Pages, func(p Page) bool { return p.Slug == slug }); i >= 0 {
		return &l.Pages[i]
	}
	return nil
}

// Absolute returns the URL of a portal path. It returns a URL with a scheme, and the empty string, unchanged.
func (l *Label) Absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return strings.TrimSuffix(l.URL, "/") + address
	}
	return address
}

// loadPages renders the pages of the label, and returns the problems that it finds (9-label-pages-vet).
func (c *candidate) loadPages(l *Label) (ps []Problem) {
	seen, headings := map[string]bool{}, map[string]map[string]bool{}
	var links []pageLink
	for i := range l.Pages {
		p := &l.Pages[i]
		at := []string{"pages", strconv.Itoa(i), "slug"}
		if seen[p.Slug] {
			ps = append(ps, c.at(at, "pages.%d.slug: %s is listed twice", i, p.Slug))
		}
		seen[p.Slug] = true
		p.HTML = map[string]PageText{}
		for _, locale := range pageLocales {
			source, err := c.page(pageFile(p.Slug, locale))
			if err != nil {
				ps = append(ps, c.at(at, "pages.%d: %s %v", i, pageFile(p.Slug, locale), err))
				continue
			}
			d, problems := markdown.Render(source)
			for _, found := range problems {
				ps = append(ps, c.inPage(p.Slug, locale, found.Line, found.Message))
			}
			headings[pageFile(p.Slug, locale)] = d.Headings
			for _, link := range d.Links {
				links = append(links, pageLink{p.Slug, locale, link})
			}
			sum := sha256.Sum256(append([]byte(p.Title[locale]+"\n"), source...))
			p.HTML[locale] = PageText{d.HTML, hex.EncodeToString(sum[:8])}
		}
	}
	for _, link := range links {
		slug, isPage := strings.CutPrefix(strings.TrimSuffix(link.Path, "/"), markdown.PagePath)
		has, isRead := headings[pageFile(slug, link.locale)]
		switch {
		case !isPage:
			c.links = append(c.links, link)
		case l.Page(slug) == nil:
			ps = append(ps, c.inPage(link.slug, link.locale, link.Line, fmt.Sprintf("the label has no page %s", slug)))
		case link.Heading != "" && isRead && !has[link.Heading]:
			ps = append(ps, c.inPage(link.slug, link.locale, link.Line, fmt.Sprintf("%s has no heading %q", pageFile(slug, link.locale),
				link.Heading)))
		}
	}
	if slug, own := strings.CutPrefix(l.PrivacyURL, markdown.PagePath); own {
		if p := l.Page(slug); p == nil {
			ps = append(ps, c.at([]string{"privacy_and_cookie_url"}, "privacy_and_cookie_url: the label has no page %s", slug))
		} else if !p.Public {
			ps = append(ps, c.at([]string{"privacy_and_cookie_url"}, "privacy_and_cookie_url: the page %s must be public", slug))
		}
	}
	return ps
}

// page returns the source of a page in one language.
func (c *candidate) page(name string) ([]byte, error) {
	source, err := c.source(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errMissing
	case err != nil:
		return nil, fmt.Errorf("cannot be read: %s", reason(err))
	case len(source) > maxPage:
		return nil, fmt.Errorf("is larger than %d KB", maxPage>>10)
	}
	return source, nil
}

func (c *candidate) inPage(slug, locale string, line int, message string) Problem {
	name := pageFile(slug, locale)
	return Problem{Label: c.key, File: c.key + "/" + name, Line: line, Column: 1, Message: name + ": " + message}
}

// pageLink is a link on a page to a portal path.
type pageLink struct {
	slug, locale string
	markdown.Link
}

// vetPages reports files that belong to no page, and links to pages that the portal does not have.
func (c *candidate) vetPages(face *FrontEnd) (ps []Problem) {
	known := map[string]bool{}
	for _, p := range c.label.Pages {
		for _, locale := range pageLocales {
			known[pageFile(p.Slug, locale)] = true
		}
	}
	for _, file := range c.from.list("pages") {
		if name := "pages/" + file; !known[name] && !strings.HasPrefix(file, ".") {
			ps = append(ps, Problem{Label: c.key, File: c.key + "/" + name, Line: 1, Column: 1,
				Message: name + ": is not a page of label.cue; a page is pages/<slug>.nl.md and pages/<slug>.en.md"})
		}
	}
	if face == nil {
		return ps
	}
	paths := slices.Clone(face.Routes[shell])
	overlays := slices.Clone(face.Overlays[shell])
	for _, module := range slices.Sorted(maps.Keys(c.label.Modules)) {
		paths = append(paths, face.Routes[module]...)
		overlays = append(overlays, face.Overlays[module]...)
	}
	for _, link := range c.links {
		at := strings.TrimSuffix(link.Path, "/")
		if base, name := at[:max(0, strings.LastIndexByte(at, '/'))], at[strings.LastIndexByte(at, '/')+1:]; slices.Contains(overlays, name) &&
			hasPath(paths, base) {
			continue
		}
		if !hasPath(paths, at) {
			ps = append(ps, c.inPage(link.slug, link.locale, link.Line, fmt.Sprintf("the portal of this label has no page %s", link.Path)))
		}
	}
	return ps
}

// hasPath reports whether a path is one of the routes, in which ":name" is any segment.
func hasPath(routes []string, path string) bool {
	segments := strings.Split(path, "/")
	return slices.ContainsFunc(routes, func(route string) bool {
		wanted := strings.Split(strings.TrimSuffix(route, "/"), "/")
		return slices.EqualFunc(wanted, segments, func(w, g string) bool { return strings.HasPrefix(w, ":") && g != "" || w == g })
	})
}
