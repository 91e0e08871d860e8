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

// policy defines the HTML that a message may contain (2.5-notifications-sanitise): text, paragraphs, lists, small headings and links. It
// does not allow scripts, handlers, styles, forms, frames or images, because a remote image reveals to its host who reads the message and
// when.
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

// clean returns the HTML without elements and attributes that policy does not allow. It is idempotent.
func clean(source string) string {
	source = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(source, ""))
	return strings.TrimSpace(policy.Sanitize(source))
}

// paragraphs returns the text of clean HTML, one string per paragraph and list item. If links is true, the address of a link follows its
// text.
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
		case html.ErrorToken: // the end; reading from memory has no other errors
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
				linkText := b.String()[min(from, b.Len()):]
				if address := strings.TrimPrefix(strings.TrimPrefix(href, "mailto:"), "tel:"); links && strings.Contains(href, ":") &&
					!strings.Contains(linkText, address) {
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

// preview returns the beginning of clean HTML as plain text, at most maxPreview characters, with commas between the items of a list. A
// shortened message ends with an ellipsis, if possible after a whole word.
func preview(source string) string {
	var b strings.Builder
	inList := false
	for _, p := range paragraphs(source, false) {
		text, isItem := strings.CutPrefix(p, "- ")
		if b.Len() > 0 {
			if inList && isItem && !strings.ContainsAny(b.String()[b.Len()-1:], ".,;:!?") {
				b.WriteByte(',')
			}
			b.WriteByte(' ')
		}
		b.WriteString(text)
		inList = isItem
	}
	return shorten(b.String(), maxPreview)
}

func shorten(s string, maxLength int) string {
	if utf8.RuneCountInString(s) <= maxLength {
		return s
	}
	cut, rest, n := "", s, 0
	for signs := graphemes.FromString(s); signs.Next(); { // grapheme clusters, such as accented letters and emoji, are not split
		if n += utf8.RuneCountInString(signs.Value()); n >= maxLength { // the ellipsis is one character
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

// cleaned is a sanitized message with its preview.
type cleaned struct{ html, preview string }

// maxCleaned is the maximum number of messages in the cache of a cleaner.
const maxCleaned = 2000

// cleaner sanitizes messages again before they are returned (7.6-get-notifications), because stored messages were sanitized with an older
// policy. It caches the result by source, because all readers of a notification get the same message.
type cleaner struct {
	mu sync.RWMutex
	by map[string]cleaned
}

func newCleaner() *cleaner { return &cleaner{by: map[string]cleaned{}} }

func (c *cleaner) clean(source string) cleaned {
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
