package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

func TestRender(t *testing.T) {
	t.Run("9-label-pages-safe", func(t *testing.T) {
		d, problems := Render([]byte("Zie [bedenktijd](#bedenktijd) en [hulp](/pages/hulp?a=1#b).\n\n## Bedenktijd\n\n1. **14** dagen\n2. [mail](mailto:a@b.example), " +
			"[web](https://voorbeeld.example/a)\n\n| Wat | Prijs |\n| --- | ---: |\n| Stroom | € 0,25 |\n\n### Bedenktijd\n\n> Let op\n"))
		require.Empty(t, problems)
		require.Equal(t, []Link{{"/pages/hulp", "b", 1}}, d.Links)
		require.Equal(t, map[string]bool{"bedenktijd": true, "bedenktijd-2": true}, d.Headings)
		require.Equal(t, `<p>Zie <a href="#p-bedenktijd">bedenktijd</a> en <a href="/pages/hulp?a=1#p-b">hulp</a>.</p>
<h2 id="p-bedenktijd">Bedenktijd</h2>
<ol>
<li><strong>14</strong> dagen</li>
<li><a href="mailto:a@b.example">mail</a>, <a href="https://voorbeeld.example/a" rel="nofollow noreferrer noopener" target="_blank">web</a></li>
</ol>
<table>
<thead>
<tr>
<th>Wat</th>
<th align="right">Prijs</th>
</tr>
</thead>
<tbody>
<tr>
<td>Stroom</td>
<td align="right">€ 0,25</td>
</tr>
</tbody>
</table>
<h3 id="p-bedenktijd-2">Bedenktijd</h3>
<blockquote>
<p>Let op</p>
</blockquote>`, d.HTML)
	})
	t.Run("9-label-pages-safe", func(t *testing.T) {
		for source, want := range map[string]string{
			"*nu* en **ja**":            "<p><em>nu</em> en <strong>ja</strong></p>",
			"- een\n- twee":             "<ul>\n<li>een</li>\n<li>twee</li>\n</ul>",
			"`code`":                    "<p><code>code</code></p>",
			"```\n<b>\n```":             "<pre><code>&lt;b&gt;\n</code></pre>",
			"[bel](tel:0201234567)":     `<p><a href="tel:0201234567">bel</a></p>`,
			"#### Root\n":               `<h4 id="p-root">Root</h4>`,
			"## 2 €-uur!\n":             `<h2 id="p-2-uur">2 €-uur!</h2>`,
			"## ½ ²\n":                  `<h2 id="p-heading">½ ²</h2>`,
			"## A\n\n## A\n\n## A\n":    "<h2 id=\"p-a\">A</h2>\n<h2 id=\"p-a-2\">A</h2>\n<h2 id=\"p-a-3\">A</h2>",
			"<https://x.example/p>":     `<p><a href="https://x.example/p" rel="nofollow noreferrer noopener" target="_blank">https://x.example/p</a></p>`,
			"<a@b.example>":             `<p><a href="mailto:a@b.example">a@b.example</a></p>`,
			"[a](https://x.example/#p)": `<p><a href="https://x.example/#p" rel="nofollow noreferrer noopener" target="_blank">a</a></p>`,
		} {
			d, problems := Render([]byte(source))
			require.Empty(t, problems, source)
			require.Equal(t, want, d.HTML, source)
		}
	})
	t.Run("9-label-pages-vet", func(t *testing.T) {
		for source, want := range map[string]Problem{
			"":                                 {1, "is empty"},
			"a\x00b":                           {1, "is not plain text in UTF-8"},
			"a\xff":                            {1, "is not plain text in UTF-8"},
			"a\n\n# Titel\n":                   {3, "a heading begins with ##: the title of the page is in label.cue"},
			"##### Klein\n":                    {1, "a heading begins with ##, ### or ####"},
			"a\n\n<script>alert(1)</script>\n": {3, "HTML is not allowed; write Markdown"},
			"a <b onclick=x>b</b>\n":           {1, "HTML is not allowed; write Markdown"},
			"a\n\n![p](https://voorbeeld.example/p.png)": {3, "a picture is not allowed"},
			"[a](javascript:alert(1))":                   {1, `the link to "javascript:alert(1)" ` + errTarget.Error()},
			"[a](http://voorbeeld.example)":              {1, `the link to "http://voorbeeld.example" ` + errTarget.Error()},
			"[a](//voorbeeld.example)":                   {1, `the link to "//voorbeeld.example" ` + errTarget.Error()},
			"[a](hulp)":                                  {1, `the link to "hulp" ` + errTarget.Error()},
			"a\nb\n\n## Een\n\n[a](#twee)":               {6, `the link to "#twee" names a heading that is not in the text`},
			"[a](mailto:anna)":                           {1, `the link to "mailto:anna" ` + errTarget.Error()},
			"[a](other:b@c.example)":                     {1, `the link to "other:b@c.example" ` + errTarget.Error()},
			"[a](ftp:/pad)":                              {1, `the link to "ftp:/pad" ` + errTarget.Error()},
			`[a](</a\b>)`:                                {1, `the link to "/a\\b" is not an address`},
			"[a][b]\n\n[b]: data:text/html,x":            {1, `the link to "data:text/html,x" ` + errTarget.Error()},
			"<http://voorbeeld.example>":                 {1, `the link to "http://voorbeeld.example" ` + errTarget.Error()},
			"[a](https://iemand:geheim@voorbeeld.example/pad)": {1, `the link to "https://iemand:geheim@voorbeeld.example/pad" ` +
				errTarget.Error()},
		} {
			d, problems := Render([]byte(source))
			require.NotEmpty(t, problems, source)
			require.Equal(t, want, problems[0], source)
			require.Empty(t, d.HTML, source)
		}
	})
}

// allowed lists the elements that a page may contain, with their attributes.
var allowed = map[string]string{"h2": "id", "h3": "id", "h4": "id", "ol": "start", "th": "align", "td": "align", "a": "href rel target",
	"p": "", "br": "", "hr": "", "strong": "", "em": "", "ul": "", "li": "", "blockquote": "", "code": "", "pre": "", "table": "", "thead": "",
	"tbody": "", "tr": ""}

// requireSafe fails when HTML contains elements or attributes that a page may not contain.
func requireSafe(t *testing.T, source, got string) {
	t.Helper()
	for z := html.NewTokenizer(strings.NewReader(got)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			attributes, ok := allowed[token.Data]
			require.True(t, ok, "%q gives <%s>: %q", source, token.Data, got)
			full := false
			for _, a := range token.Attr {
				require.Contains(t, strings.Fields(attributes), a.Key, "%q gives %q", source, got)
				switch a.Key {
				case "id":
					require.True(t, strings.HasPrefix(a.Val, anchor), "%q gives %q", source, got)
				case "href":
					full = strings.HasPrefix(strings.ToLower(a.Val), "https:")
					scheme, _, has := strings.Cut(a.Val, ":")
					if has && !strings.ContainsAny(scheme, "/?#") {
						require.Contains(t, []string{"https", "mailto", "tel"}, strings.ToLower(strings.TrimSpace(scheme)), "%q gives %q", source, got)
					}
				}
			}
			if token.Data == "a" && full {
				for _, want := range []string{`rel="nofollow noreferrer noopener"`, `target="_blank"`} {
					require.Contains(t, token.String(), want, "%q", source)
				}
			}
		}
	}
}

var attacks = []string{"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))",
	"[a](java&#x73;cript:alert(1))",
	"[a](JaVaScRiPt:alert(1))", "[a](data:text/html;base64,PHNjcmlwdD4=)", "<a href=\"vbscript:x\">a</a>", "<style>*{}</style>",
	"<svg onload=alert(1)>",
	"<iframe srcdoc=x></iframe>", "<form action=/x><input name=y></form>", "![a](x)",
	"<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
	"## <b id=root>x</b>", "<p style=\"position:fixed\">", "[a](https://a.example \"t\\\" onclick=alert(1)\")", "<!--><script>",
	"`</code><script>`",
	"| a |\n| --- |\n| <td onclick=x> |", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "[x](/a\"onclick=\"b)",
	"[a]: /x 'y'\n\n[a]"}

func FuzzRender(f *testing.F) {
	for _, a := range attacks {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, source string) {
		d, problems := Render([]byte(source))
		if len(problems) > 0 {
			require.Empty(t, d.HTML, "a text with problems is not served")
		}
		requireSafe(t, source, d.HTML)
		requireSafe(t, source, Sanitize(source))
		require.Equal(t, Sanitize(d.HTML), Sanitize(Sanitize(d.HTML)), "%q", source)
	})
}

func TestSafe(t *testing.T) {
	t.Run("9-label-pages-safe", func(t *testing.T) {
		for _, source := range attacks {
			requireSafe(t, source, Sanitize(source))
			d, _ := Render([]byte(source))
			requireSafe(t, source, d.HTML)
			require.NotContains(t, Sanitize(source)+d.HTML, "<script", source)
		}
	})
}
