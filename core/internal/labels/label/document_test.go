package label

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const terms = `pages: [{slug: "terms", title: {nl: "Voorwaarden", en: "Terms"}}]`

// paged writes a labels folder with one label that has the page "terms".
func paged(t testing.TB, more, nl, en string) string {
	t.Helper()
	dir := folder(t, map[string]string{"acme": more})
	put(t, dir, "acme/pages/terms.nl.md", nl)
	put(t, dir, "acme/pages/terms.en.md", en)
	return dir
}

func TestPages(t *testing.T) {
	t.Run("9-label-pages", func(t *testing.T) {
		l := open(t, paged(t, terms, "## Je contract\n", "## Your contract\n")).ByKey("acme")
		p := l.Page("terms")
		require.Equal(t, []any{true, "footer", "Terms"}, []any{p.Public, p.Place, p.Title["en"]})
		require.Equal(t, `<h2 id="p-your-contract">Your contract</h2>`, p.HTML["en"].HTML)
		require.Equal(t, `<h2 id="p-je-contract">Je contract</h2>`, p.HTML["nl"].HTML)
		require.Nil(t, l.Page("others"))
	})
	t.Run("9-label-pages-vet", func(t *testing.T) {
		const good = "Tekst\n"
		for _, c := range []struct{ more, nl, want string }{
			{terms, good, ""},
			{terms, "Zie [ons](/pages/terms/), [hier](/account) en [daar](/account/change-phone) of [7](/desk/7).", ""},
			{`pages: [{slug: "gone", title: {nl: "A", en: "B"}}, {slug: "terms", title: {nl: "A", en: "B"}}]`, good,
				"acme/label.cue:6:10: pages.0: pages/gone.nl.md is not there"},
			{`pages: [{slug: "terms", title: {nl: "A"}}]`, good, "pages.0.title.en"},
			{`pages: [{slug: "terms", title: {en: "B"}}]`, good, "pages.0.title.nl"},
			{`pages: [{slug: "Terms", title: {nl: "A", en: "B"}}]`, good, "lower case letters, digits and hyphens"},
			{`pages: [{slug: "terms", title: {nl: "A", en: "B"}, place: "header"}]`, good, "footer, menu, help or link"},
			{`pages: [{slug: "terms", title: {nl: "A", en: "B"}}, {slug: "terms", title: {nl: "A", en: "B"}}]`, good,
				"pages.1.slug: terms is listed twice"},
			{terms, strings.Repeat("a", 64<<10), ""},
			{terms, strings.Repeat("a", 64<<10+1), "pages.0: pages/terms.nl.md is larger than 64 KB"},
			{terms, "", "acme/pages/terms.nl.md:1:1: pages/terms.nl.md: is empty"},
			{terms, "a\n\n<script>x</script>", "acme/pages/terms.nl.md:3:1: pages/terms.nl.md: HTML is not allowed; write Markdown"},
			{terms, "[a](/pages/nowhere)", "acme/pages/terms.nl.md:1:1: pages/terms.nl.md: the label has no page nowhere"},
			{terms, "\n[a](javascript:alert(1))", "acme/pages/terms.nl.md:2:1: pages/terms.nl.md: the link to"},
			{terms, "[a](#nowhere)", "names a heading that is not in the text"},
			{terms, "## Één ding\n\n[a](/pages/terms#één-ding) of [b](/pages/terms/#%C3%A9%C3%A9n-ding)", ""},
			{terms, "\n[a](/pages/terms#two)\n\n## Één\n",
				`acme/pages/terms.nl.md:2:1: pages/terms.nl.md: pages/terms.nl.md has no heading "two"`},
			{`pages: [{slug: "terms", title: {nl: "A", en: "B"}}, {slug: "gone", title: {nl: "A", en: "B"}}]`, "[a](/pages/gone#two)",
				"acme/label.cue:6:54: pages.1: pages/gone.nl.md is not there"},
			{terms + "\nprivacy_and_cookie_url: \"/pages/terms\"", good, ""},
			{terms + "\nprivacy_and_cookie_url: \"/pages/nowhere\"", good, "privacy_and_cookie_url: the label has no page nowhere"},
			{"privacy_and_cookie_url: \"/pages/terms\"\n" + `pages: [{slug: "terms", public: false, title: {nl: "A", en: "B"}}]`, good,
				"privacy_and_cookie_url: the page terms must be public"},
		} {
			dir := paged(t, c.more, c.nl, good)
			got := vetPaged(t, dir)
			served := open(t, dir).ByKey("acme")
			if c.want == "" {
				require.Empty(t, got, c.more+c.nl)
				require.NotNil(t, served)
			} else {
				require.Contains(t, got, c.want, c.more+c.nl)
				require.Nil(t, served, "it is refused")
			}
		}
		dir := paged(t, terms, "a\n\nb [a](/nowhere) en [c](/market/7)", good)
		put(t, dir, "acme/pages/others.nl.md", good)
		got := vetPaged(t, dir)
		require.Contains(t, got, "acme/pages/terms.nl.md:3:1: pages/terms.nl.md: the portal of this label has no page /nowhere")
		require.Contains(t, got, "the portal of this label has no page /market/7", "the module is not switched on")
		require.Contains(t, got, "acme/pages/others.nl.md:1:1: pages/others.nl.md: is not a page of label.cue")
		require.NotNil(t, open(t, dir).ByKey("acme"), "that is reported, not refused")
		half := folder(t, map[string]string{"acme": terms})
		put(t, half, "acme/pages/terms.nl.md", good)
		require.Contains(t, vetPaged(t, half), "acme/label.cue:6:10: pages.0: pages/terms.en.md is not there")
		require.Nil(t, open(t, half).ByKey("acme"), "both languages are needed")
	})
	t.Run("9-label-pages-live", func(t *testing.T) {
		dir := paged(t, terms, "Oud\n", "Old\n")
		s := open(t, dir)
		text := func() PageText { return s.ByKey("acme").Page("terms").HTML["nl"] }
		require.Less(t, 2*Interval+settleTime, time.Second, "a change is noticed at the next look")
		before, revision := text(), s.ByKey("acme").Revision
		go s.Watch(t.Context(), slog.New(slog.DiscardHandler))
		put(t, dir, "acme/pages/terms.nl.md", "Nieuw, en langer\n")
		eventually(t, patience, "a changed page", func() bool { return text().HTML == "<p>Nieuw, en langer</p>" })
		require.NotEqual(t, before.Hash, text().Hash)
		require.NotEqual(t, revision, s.ByKey("acme").Revision)
		put(t, dir, "acme/pages/terms.nl.md", "<script>alert(1)</script>\n")
		eventually(t, patience, "a problem", func() bool { return len(s.Problems()) == 1 })
		require.Equal(t, "<p>Nieuw, en langer</p>", text().HTML, "the last good one is served")
	})
	t.Run("a kept version has its pages", func(t *testing.T) {
		l := open(t, paged(t, terms, "Tekst\n", "Text\n")).ByKey("acme")
		require.Equal(t, "Text\n", string(l.Files()["pages/terms.en.md"]))
	})
}

func vetPaged(t *testing.T, dir string) string {
	t.Helper()
	ps, err := Vet(dir, fragments, &FrontEnd{Routes: map[string][]string{shell: {"/", "/account", "/desk/:id"}, "market": {"/market/:id"}},
		Overlays: map[string][]string{shell: {"change-phone"}}})
	require.NoError(t, err)
	return texts(ps)
}

func TestPagesOfDemo(t *testing.T) {
	t.Run("9-label-pages-demo", func(t *testing.T) {
		fragments := append(shipped(t), Fragment{Demo: true})
		s, err := Open(labels, func() []Fragment { return fragments })
		require.NoError(t, err)
		complete := 0
		for _, l := range s.All() {
			help := 0
			for _, p := range l.Pages {
				require.NotEqual(t, p.HTML["nl"].HTML, p.HTML["en"].HTML, "%s %s", l.Key, p.Slug)
				if p.Place == "help" && p.Public {
					help++
				}
			}
			if l.Page("terms") != nil && l.PrivacyURL == "/pages/privacy" && help > 0 {
				complete++
			}
		}
		require.GreaterOrEqual(t, complete, 3)
	})
}
