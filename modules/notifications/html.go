package notifications

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// policy is what a message may hold (2.5-notifications-sanitise): words, paragraphs, lists, small headings and links. No scripts,
// handlers, styles, forms, frames or pictures: a remote picture tells its host who reads, and when.
var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "strong", "b", "em", "i", "u", "ul", "ol", "li", "h3", "h4", "blockquote")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "http", "mailto", "tel")
	p.AllowRelativeURLs(true) // pages of the portal
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
}

// clean is HTML without what policy does not allow. Cleaning it again changes nothing.
func clean(source string) string {
	source = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(source, ""))
	return strings.TrimSpace(policy.Sanitize(source))
}

// paragraphs are the words of clean HTML, a line for every paragraph and item. With links the address of a link follows its words.
func paragraphs(source string, links bool) (out []string) {
	var b strings.Builder
	end := func() {
		if s := line(b.String()); s != "" && s != "-" {
			out = append(out, s)
		}
		b.Reset()
	}
	href, from := "", 0
	for z := html.NewTokenizer(strings.NewReader(source)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken: // the end: it reads from memory
			end()
			return out
		case html.TextToken:
			b.WriteString(z.Token().Data)
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "p", "br", "li", "ul", "ol", "h3", "h4", "blockquote":
				end()
				href = ""
				if t.Data == "li" && kind == html.StartTagToken {
					b.WriteString("- ")
				}
			case "a":
				if kind == html.StartTagToken {
					href, from = attribute(t, "href"), b.Len()
					continue
				}
				said := b.String()[min(from, b.Len()):]
				if address := strings.TrimPrefix(strings.TrimPrefix(href, "mailto:"), "tel:"); links && strings.Contains(href, ":") && !strings.Contains(said, address) {
					b.WriteString(" (" + address + ")")
				}
				href = ""
			}
		}
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// maxPreview is the length of a preview in characters (2.5-notifications-list).
const maxPreview = 100

// preview is the beginning of clean HTML as plain text, at most maxPreview characters. What is cut ends in an ellipsis, after a whole
// word where there is one.
func preview(source string) string {
	return shorten(strings.Join(paragraphs(source, false), " "), maxPreview)
}

func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	cut, rest, n := "", s, 0
	for signs := graphemes.FromString(s); signs.Next(); { // a letter keeps its accents, and a family its children
		if n += utf8.RuneCountInString(signs.Value()); n >= most { // the ellipsis takes one
			break
		}
		cut, rest = s[:signs.End()], s[signs.End():]
	}
	if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsSpace(next) {
		if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
			cut = cut[:at]
		}
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:-", r) }) + "…"
}

// cleaned is a message as it leaves.
type cleaned struct{ html, preview string }

// maxCleaned bounds what a cleaner remembers.
const maxCleaned = 2000

// cleaner cleans what leaves (7.6-get-notifications): what is stored was cleaned, by the policy of that day. All readers of a
// notification get the same, so the answer is remembered by its source.
type cleaner struct {
	mu sync.RWMutex
	by map[string]cleaned
}

func newCleaner() *cleaner { return &cleaner{by: map[string]cleaned{}} }

func (c *cleaner) of(source string) cleaned {
	c.mu.RLock()
	out, ok := c.by[source]
	c.mu.RUnlock()
	if ok {
		return out
	}
	out.html = clean(source)
	out.preview = preview(out.html)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.by) >= maxCleaned {
		clear(c.by)
	}
	c.by[source] = out
	return out
}
