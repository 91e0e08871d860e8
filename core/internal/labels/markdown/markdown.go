// Package markdown converts the Markdown of a label's pages to HTML that is safe to show in a browser.
package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Document is a rendered page.
type Document struct {
	HTML     string
	Links    []Link // links to portal pages
	Headings map[string]bool
}

// Link is a link to a portal path.
type Link struct {
	Path    string // without query and fragment
	Heading string // on a page of the label: the name of a heading, as in Headings; empty: the page
	Line    int    // in the source, from 1
}

// Problem is a forbidden element of a page, with its position in the source.
type Problem struct {
	Line    int // from 1
	Message string
}

// PagePath is the path below which a label's pages are.
const PagePath = "/pages/"

// anchor is the prefix of the ids of headings: ids on a page can never be ids that the portal uses.
const anchor = "p-"

// policy is the HTML that a page may contain (9-label-pages-safe). The parser already omits HTML in the source; the policy guards against
// defects in the parser.
var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h2", "h3", "h4", "p", "br", "hr", "strong", "em", "ul", "ol", "li", "blockquote", "code", "pre",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^`+anchor+`[\p{L}\p{N}-]+$`)).OnElements("h2", "h3", "h4")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "mailto", "tel")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnFullyQualifiedLinks(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
}

var converter = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// Sanitize returns HTML without elements and attributes that a page may not contain.
func Sanitize(html string) string { return policy.Sanitize(html) }

// Render converts the Markdown of a page. It returns all problems of the source, and a document only if there are none.
func Render(source []byte) (d Document, problems []Problem) {
	if !utf8.Valid(source) || bytes.ContainsFunc(source, isControl) {
		return d, []Problem{{1, "is not plain text in UTF-8"}}
	}
	if len(bytes.TrimSpace(source)) == 0 {
		return d, []Problem{{1, "is empty"}}
	}
	names := &headingIDs{used: map[string]bool{}}
	root := converter.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(names))))
	c := checker{source: source, names: names, document: &d}
	_ = ast.Walk(root, c.visit) // visit returns no error
	if len(c.problems) > 0 {
		return Document{}, c.problems
	}
	var b bytes.Buffer
	if err := converter.Renderer().Render(&b, source, root); err != nil {
		return Document{}, []Problem{{1, err.Error()}}
	}
	d.HTML, d.Headings = strings.TrimSpace(Sanitize(b.String())), map[string]bool{}
	for id := range names.used {
		d.Headings[strings.TrimPrefix(id, anchor)] = true
	}
	return d, nil
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// checker collects problems and links, and points links within the page to the ids of its headings.
type checker struct {
	source   []byte
	names    *headingIDs
	document *Document
	problems []Problem
	line     int // line of the current block
}

func (c *checker) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		c.line = 1 + bytes.Count(c.source[:n.Lines().At(0).Start], []byte("\n"))
	}
	switch n := n.(type) {
	case *ast.Heading:
		if n.Level == 1 {
			c.add("a heading begins with ##: the title of the page is in label.cue")
		}
		if n.Level > 4 {
			c.add("a heading begins with ##, ### or ####")
		}
	case *ast.HTMLBlock, *ast.RawHTML:
		c.add("HTML is not allowed; write Markdown")
	case *ast.Image:
		c.add("a picture is not allowed")
	case *ast.Link:
		to, err := c.target(string(n.Destination))
		if err != nil {
			c.add(fmt.Sprintf("the link to %s %v", strconv.Quote(string(n.Destination)), err))
		}
		n.Destination = []byte(to)
	case *ast.AutoLink:
		if to := string(n.URL(c.source)); n.AutoLinkType == ast.AutoLinkURL && !strings.HasPrefix(to, "https://") {
			c.add(fmt.Sprintf("the link to %s %v", strconv.Quote(to), errTarget))
		}
	}
	return ast.WalkContinue, nil
}

func (c *checker) add(message string) {
	c.problems = append(c.problems, Problem{max(1, c.line), message})
}

var errTarget = errors.New("must begin with https://, mailto:, tel:, / (a page of the portal) or # (a heading of this page)")

// target checks the target of a link, and returns the target for the HTML.
func (c *checker) target(to string) (string, error) {
	u, err := url.Parse(to)
	switch {
	case err != nil || strings.Contains(to, `\`):
		return to, errors.New("is not an address")
	case strings.HasPrefix(to, "#"):
		id := anchor + strings.TrimPrefix(to, "#")
		if !c.names.used[id] {
			return to, errors.New("names a heading that is not in the text")
		}
		return "#" + id, nil
	case u.Scheme == "https" && u.Host != "" && u.User == nil:
		return to, nil
	case u.Scheme == "mailto" && strings.Contains(u.Opaque, "@"), u.Scheme == "tel" && u.Opaque != "":
		return to, nil
	case u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(u.Path, "//"):
		link := Link{Path: u.Path, Line: max(1, c.line)}
		if strings.HasPrefix(u.Path, PagePath) && u.Fragment != "" {
			link.Heading = u.Fragment
			u.Fragment, u.RawFragment = anchor+u.Fragment, ""
			to = u.String()
		}
		c.document.Links = append(c.document.Links, link)
		return to, nil
	}
	return to, errTarget
}

// headingIDs gives each heading an id: its text in lower case with hyphens.
type headingIDs struct{ used map[string]bool }

func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(string(util.TrimLeftSpace(value))) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) && unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := anchor + strings.Trim(b.String(), "-")
	if name == anchor {
		name += "heading"
	}
	id := name
	for n := 2; h.used[id]; n++ {
		id = name + "-" + strconv.Itoa(n)
	}
	h.used[id] = true
	return []byte(id)
}

// Put implements parser.IDs. Headings cannot choose their own ids.
func (h *headingIDs) Put([]byte) {}
