package notifications

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// hostile contains messages that must be sanitized.
var hostile = []string{
	`<script>alert(1)</script>`, `<p onclick="alert(1)">a</p>`, `<a href="javascript:alert(1)">a</a>`, `<a href=" java	script:alert(1)">a</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">a</a>`, `<a href="vbscript:x">a</a>`,
	`<img src="https://elsewhere.example/pixel.png">`, `<img src=x onerror=alert(1)>`,
	`<form action="/api/v0/auth/sign-out"><input name="a"><button>b</button></form>`, `<iframe src="https://elsewhere.example"></iframe>`,
	`<object data="x"></object>`,
	`<svg onload=alert(1)><script>x</script></svg>`, `<math><mi xlink:href="javascript:x">a</mi></math>`, `<style>body{display:none}</style>`,
	`<p style="background:url(https://elsewhere.example)">a</p>`,
	`<link rel="stylesheet" href="https://elsewhere.example">`, `<meta http-equiv="refresh" content="0">`,
	`<base href="https://elsewhere.example">`, `<p id="root" class="x">a</p>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`, `<<script>alert(1);//<</script>`, `<a href="&#106;avascript:alert(1)">a</a>`,
	`<p><!--><img src=x onerror=alert(1)>--></p>`, "<p>a\x00b</p>",
	`<video src="https://elsewhere.example"></video>`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
}

// requireHarmless fails the test if the HTML contains elements or attributes that are not allowed.
func requireHarmless(t interface{ Errorf(string, ...any) }, source, out string) {
	z := html.NewTokenizer(strings.NewReader(out))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			tag := z.Token()
			if !strings.Contains(" p br strong b em i u ul ol li h3 h4 blockquote a ", " "+tag.Data+" ") {
				t.Errorf("%q was cleaned to %q, which has a <%s>", source, out, tag.Data)
			}
			for _, a := range tag.Attr {
				scheme, _, opaque := strings.Cut(strings.ToLower(a.Val), ":")
				switch {
				case a.Key == "href" && (!opaque || strings.ContainsAny(scheme, "/?#") || scheme == "https" || scheme == "http" || scheme == "mailto" ||
					scheme == "tel"):
				case a.Key == "rel", a.Key == "target" && a.Val == "_blank":
				default:
					t.Errorf("%q was cleaned to %q, which has %s=%q", source, out, a.Key, a.Val)
				}
			}
		case html.CommentToken, html.DoctypeToken:
			t.Errorf("%q was cleaned to %q, which has a comment", source, out)
		}
	}
}

func TestClean(t *testing.T) {
	t.Run("9-notification-sanitise", func(t *testing.T) {
		for _, s := range hostile {
			out := clean(s)
			requireHarmless(t, s, out)
			for _, bad := range []string{"alert", "javascript", "elsewhere", "onerror", "style", "\x00"} {
				if strings.Contains(s, "<scr<script>") || strings.HasPrefix(s, "<<script>") { // plain text after sanitizing
					continue
				}
				assert.NotContains(t, strings.ToLower(out), bad, s)
			}
		}
		const fine = `<h3>Kop</h3><p>Een <b>vette</b> <em>zin</em>,<br>een <a href="/contact" rel="nofollow noreferrer">link</a></p><ul><li>een</li></ul>`
		assert.Equal(t, fine, clean(fine))
		const every = `<h3>a</h3><h4>b</h4><p><strong>c</strong><b>d</b><em>e</em><i>f</i><u>g</u></p><ul><li>h</li></ul><ol><li>i</li></ol>` +
			`<blockquote>j</blockquote>`
		assert.Equal(t, every, clean(every))
		assert.Equal(t, "abc", clean(`<h1>a</h1><h2>b</h2><img src="/c.png"><table><tr><td>c</td></tr></table>`), "anything else goes")
		for _, address := range []string{"http://voorbeeld.example", "https://voorbeeld.example", "mailto:a@b.example", "tel:+31201234567",
			"/invoices?page=2"} {
			assert.Contains(t, clean(`<a href="`+address+`">a</a>`), `href="`+address+`"`)
		}
		for _, address := range []string{"ftp://voorbeeld.example", "data:text/plain,a", "file:///etc/passwd"} {
			assert.Equal(t, "a", clean(`<a href="`+address+`">a</a>`))
		}
		assert.Equal(t, `<a href="https://voorbeeld.example/?a=1&amp;b=2" rel="nofollow noreferrer noopener" target="_blank">a</a>`,
			clean(`<a href="https://voorbeeld.example/?a=1&b=2" target="_top" class="x">a</a>`))
	})
	t.Run("9-notification-sanitise", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			part := rapid.OneOf(rapid.SampledFrom(hostile),
				rapid.SampledFrom([]string{"<p>", "</p>", "<a href='", "'>", "<", ">", "&lt;", "&", "javascript:", "<li>", "\"", " on", "="}),
				rapid.String())
			s := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
			once := clean(s)
			requireHarmless(t, s, once)
			if second := clean(once); second != once {
				t.Errorf("%q, %q, %q", s, once, second)
			}
		})
	})
}

func FuzzClean(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := clean(s)
		requireHarmless(t, s, out)
		if p := preview(out); utf8.RuneCountInString(p) > maxPreview || !utf8.ValidString(p) {
			t.Errorf("the preview of %q is %q", s, p)
		}
	})
}

func TestPreview(t *testing.T) {
	t.Run("9-notification-preview-text,2.5-notifications-list", func(t *testing.T) {
		for source, want := range map[string]string{
			"<p>Een <b>vette</b> zin.</p><ul><li>een</li><li>twee</li></ul>": "Een vette zin. een, twee",
			"<ul><li>Eerst.</li><li>Dan</li></ul><p>Tot slot</p>":            "Eerst. Dan Tot slot",
			"<p>- een</p>":                                    "een",
			"<p>a &amp; b &lt;script&gt;</p>":                 "a & b <script>",
			`<p>Zie <a href="https://x.example">hier</a></p>`: "Zie hier",
			"": "",
			"<p>" + strings.Repeat("woord ", 30) + "</p>":                           strings.TrimSpace(strings.Repeat("woord ", 16)) + "…",
			"<p>" + strings.Repeat("woord ", 15) + "eind. Onvoorstelbaar lang.</p>": strings.Repeat("woord ", 15) + "eind…",
			"<p>" + strings.Repeat("a", 100) + "</p>":                               strings.Repeat("a", 100),
			"<p>" + strings.Repeat("a", 101) + "</p>":                               strings.Repeat("a", 99) + "…",
		} {
			assert.Equal(t, want, preview(clean(source)))
		}
		assert.Equal(t, []string{"Zie hier (https://x.example)", "- een"},
			paragraphs(clean(`<p>Zie <a href="https://x.example">hier</a></p><ul><li>een</li></ul>`), true))
	})
	for what, c := range map[string][2]string{
		"a word that ends in the second half": {strings.Repeat("a", 50) + " " + strings.Repeat("b", 60), strings.Repeat("a", 50) + "…"},
		"a blank in the first half": {strings.Repeat("a", 49) + " " + strings.Repeat("b", 60), strings.Repeat("a", 49) + " " +
			strings.Repeat("b", 49) + "…"},
		"a word that ends where it is cut":        {strings.Repeat("a", 99) + " b", strings.Repeat("a", 99) + "…"},
		"a letter with its accents":               {strings.Repeat("a", 98) + "e\u0301\u0323\u0302 b", strings.Repeat("a", 98) + "…"},
		"a sign that is joined to the one before": {strings.Repeat("a", 98) + "x\u200dy" + "b", strings.Repeat("a", 98) + "…"},
		"a family, which is five characters": {strings.Repeat("a", 97) + "\U0001f469\u200d\U0001f469\u200d\U0001f467 bb",
			strings.Repeat("a", 97) + "…"},
		"a flag, which is two":  {strings.Repeat("a", 98) + "\U0001f1f3\U0001f1f1 b", strings.Repeat("a", 98) + "…"},
		"a hand and its colour": {strings.Repeat("a", 98) + "\U0001f44d\U0001f3fd b", strings.Repeat("a", 98) + "…"},
		"a family that fits": {strings.Repeat("a", 94) + "\U0001f469\u200d\U0001f469\u200d\U0001f467 bb",
			strings.Repeat("a", 94) + "\U0001f469\u200d\U0001f469\u200d\U0001f467…"},
		"nothing but accents": {strings.Repeat("\u0301", 101), "…"},
	} {
		assert.Equal(t, c[1], shorten(c[0], maxPreview), what)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := preview(clean(rapid.StringN(0, 400, -1).Draw(t, "text")))
		if utf8.RuneCountInString(p) > maxPreview || strings.ContainsAny(p, "\n\r\x00") {
			t.Errorf("%q", p)
		}
	})
}

// The size of a cleaner's cache is limited.
func TestCleaner(t *testing.T) {
	c := newCleaner()
	for i := range maxCleaned {
		source := fmt.Sprintf("<p onclick='x'>%d</p>", i)
		want := cleaned{fmt.Sprintf("<p>%d</p>", i), fmt.Sprint(i)}
		assert.Equal(t, want, c.clean(source))
		assert.Equal(t, want, c.clean(source), "from the cache")
	}
	assert.Len(t, c.by, maxCleaned)
	c.clean("one more")
	assert.Len(t, c.by, 1)
}
