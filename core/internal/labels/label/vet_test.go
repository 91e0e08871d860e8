package label

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

func vet(t *testing.T, dir string, catalogue Catalogue) string {
	t.Helper()
	var face *FrontEnd
	if catalogue != nil {
		face = &FrontEnd{Texts: catalogue, Slots: map[string][]string{"home": {"account.name", "market.latest"}, "footer": {"market.latest"}},
			WithoutTexts: []string{"quiet"},
			Menu:         map[Kind][]string{KindCustomer: {"account.name", "gone.item", "shell.home"}},
			MenuItems: map[Kind][]string{KindCustomer: {"account.contact", "account.name", "gone.always", "gone.item", "shell.dashboard",
				"shell.home"}},
			Paths: map[string]string{"account.contact": "/contact", "account.name": "/name", "gone.always": "/gone",
				"shell.dashboard": "/dashboard", "shell.home": "/home"}}
	}
	ps, err := Vet(dir, fragments, face)
	require.NoError(t, err)
	return texts(ps)
}

func TestVet(t *testing.T) {
	t.Run("1-contrast", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": ""})
		require.Empty(t, vet(t, dir, nil))
		put(t, dir, "acme/label.cue", strings.Replace(source("acme", ""), "#0b7a3b", "#8bc34a", 1))
		got := vet(t, dir, nil)
		require.Contains(t, got, "acme/label.cue:4:") // the line of the style field
		require.Contains(t, got, "#ffffff on #8bc34a has a contrast of 2.10:1 and needs 4.5:1; this would do: primary_color_text_color: #")
		require.NotNil(t, open(t, dir).ByKey("acme"), "it is reported, not refused")
	})
	texts := Catalogue{
		"nl": {"account.title": "Account", "account.hello": "Hallo {name}, <b>{count, plural, one {# deel} other {# delen}}</b>"},
		"en": {"account.title": "Account", "account.hello": "Hello {name}, <b>{count, plural, one {# share} other {# shares}}</b>"},
	}
	for more, want := range map[string]string{
		`messages: nl: "account.title": "Jouw account"`:                                                    "",
		`messages: nl: "account.hello": "{count, plural, one {# deel} other {# delen}} van <b>{name}</b>"`: "",
		`messages: nl: "account.titel": "Jouw account"`:                                                    "acme/label.cue:6:15: messages.nl: there is no message account.titel; did you mean account.title?",
		`messages: en: "account.hello": "Hello {nam}"`:                                                     "must have the placeholders {b}, {count}, {name}, and has {nam}",
		`messages: en: "account.title": "Your {account"`:                                                   "has braces that do not match",
		`messages: en: "account.title": "Don''t '{quote}' it"`:                                             "",
		`style: font_family_web: "Comic Sans MS"`:                                                          "acme/label.cue:6:8: style.font_family_web: Comic Sans MS is not shipped",
		"modules: account: {}\nmodules: market: note: \"live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM\"":             "acme/label.cue:7:18: modules.market.note: a secret never stands in a label",
		"modules: account: {}\nmodules: market: api_secret: \"MARKET_SECRET\"":                             "",
	} {
		got := vet(t, folder(t, map[string]string{"acme": more}), texts)
		if want == "" {
			require.Empty(t, got, more)
		} else {
			require.Contains(t, got, want, more)
		}
		require.NotContains(t, got, "dHar4XY7")
	}

	t.Run("9-mail-texts-vet", func(t *testing.T) {
		mails := Catalogue{"nl": {"account.mail.verify.subject": "Dag {name}"}, "en": {"account.mail.verify.subject": "Hello {name}"}}
		for text, want := range map[string]string{
			`"account.mail.verify.subject": "{name}, bevestig je adres"`: "",
			`"account.mail.verify.subject": "Bevestig je adres"`:         "messages.nl: the text of account.mail.verify.subject must have the placeholders {name}, and has (none)",
			`"account.mail.verify.subject": "{nam}"`:                     "must have the placeholders {name}, and has {nam}",
			`"account.mail.verify.subject": "{name} of {nam}"`:           "must have the placeholders {name}, and has {nam}, {name}",
			`"account.mail.verified.subject": "Dag"`:                     "messages.nl: there is no message account.mail.verified.subject",
			`"account.mail.verify.after": "Dag"`:                         "messages.nl: there is no message account.mail.verify.after",
		} {
			for _, locale := range []string{"nl", "en"} {
				dir := folder(t, map[string]string{"acme": "messages: " + locale + ": " + text})
				got, want := vet(t, dir, mails), strings.Replace(want, "messages.nl", "messages."+locale, 1)
				if want == "" {
					require.Empty(t, got, text)
				} else {
					require.Contains(t, got, want, text)
				}
				require.Empty(t, open(t, dir).ByKey("acme").BrowserMessages[locale], "9-mail-texts-own: the browser does not get them")
			}
		}
	})
	t.Run("a live label needs an https url", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": ""})
		put(t, dir, "acme/label.cue", strings.NewReplacer("https://mijn.acme.example", "http://acme.localhost", `"mijn.acme.example"`,
			`"mijn.acme.nl"`).Replace(source("acme", "")))
		require.Contains(t, vet(t, dir, nil), "acme/label.cue:2:1: url: a label with live hosts needs https")
	})
	t.Run("9-vet-letters", func(t *testing.T) {
		figtree, err := os.ReadFile(labels + "/1042/assets/figtree.woff2") // the latin subset
		require.NoError(t, err)
		extended, err := os.ReadFile(repo + "/shell/ui/src/fonts/open-sans-latin-ext.woff2")
		require.NoError(t, err)
		dir := folder(t, map[string]string{"acme": `style: {font_family_web: "Figtree", font_file: "a.woff2"}`})
		put(t, dir, "acme/assets/a.woff2", string(figtree))
		got := vet(t, dir, nil)
		require.Contains(t, got, "acme/label.cue:6:37: style.font_file: Figtree lacks ")
		lacks := strings.Fields(strings.SplitAfter(got, "Figtree lacks ")[1])[0]
		for _, c := range "ŞşĞğŐőŁłČčİșțŻž" {
			require.Contains(t, lacks, string(c))
		}
		for _, c := range "eéèëïñßÅåø€0ı" {
			require.NotContains(t, lacks, string(c))
		}
		require.NotNil(t, open(t, dir).ByKey("acme"), "it is reported, not refused")

		put(t, dir, "acme/assets/b.woff2", string(extended))
		put(t, dir, "acme/label.cue", source("acme", `style: {font_family_web: "Figtree", font_file: "a.woff2", font_file_extended: "b.woff2"}`))
		require.Empty(t, vet(t, dir, nil))
		put(t, dir, "acme/label.cue", source("acme", `style: {font_family_web: "Figtree", font_file: "b.woff2"}`))
		require.Contains(t, vet(t, dir, nil), "Figtree lacks AÁÀ", "only the second file is not a font for Dutch")
		put(t, dir, "acme/label.cue", source("acme", `style: font_file_extended: "b.woff2"`))
		require.Contains(t, vet(t, dir, nil), "acme/label.cue:6:8: style.font_file_extended: goes with a font_file")
	})
	t.Run("some labels only, with their conflicts", func(t *testing.T) {
		dir := folder(t, map[string]string{"a": "nonsense: 1", "b": "", "c": ""})
		put(t, dir, "c/label.cue", strings.Replace(source("c", ""), `"c.localhost"`, `"b.localhost"`, 1))
		ps, err := Vet(dir, fragments, nil, "b", "c")
		require.NoError(t, err)
		require.Len(t, ps, 2)
		for _, p := range ps {
			require.Contains(t, p.Message, "labels b and c both have b.localhost")
		}
		_, err = Vet(dir, fragments, nil, "d")
		require.ErrorContains(t, err, "no label d")
	})
}

func TestAssets(t *testing.T) {
	picture := func(w, h int) string {
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))))
		return b.String()
	}
	figtree, err := os.ReadFile(labels + "/1042/assets/figtree.woff2")
	require.NoError(t, err)
	wrap := func(body string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">` + body + `</svg>`
	}
	type asset struct{ field, file, content, want string }
	judge := func(t *testing.T, c asset) {
		dir := folder(t, map[string]string{"acme": "style: " + c.field + `: "` + c.file + `"`})
		put(t, dir, "acme/assets/"+c.file, c.content)
		s := open(t, dir)
		if c.want != "" {
			require.Contains(t, texts(s.Problems()), c.want)
			require.Contains(t, texts(s.Problems()), "acme/label.cue:6:8: style."+c.field)
			return
		}
		require.NotNil(t, s.ByKey("acme"), "%s: %s", c.content[:min(len(c.content), 200)], texts(s.Problems()))
	}
	t.Run("9-web-manifest", func(t *testing.T) {
		const refused = "not a square of 180 to 512 pixels"
		for want, sizes := range map[string][][2]int{"": {{180, 180}, {512, 512}}, refused: {{179, 179}, {513, 513}, {300, 200}}} {
			for _, size := range sizes {
				judge(t, asset{"app_icon", "a.png", picture(size[0], size[1]), want})
			}
		}
	})
	for _, c := range []asset{
		{"logo", "a.svg", wrap(`<defs><linearGradient id="g"/></defs><path fill="url(#g)" d="M0 0"/><use href="#g"/><style>path{fill:red}</style>`), ""},
		{"logo", "a.svg", `<?xml version="1.0"?><!-- made by hand -->` + drawing, ""},
		{"logo", "a.svg", wrap(`<script>alert(1)</script>`), "has a <script>"},
		{"logo", "a.svg", wrap(`<text>Acme</text>`), "has a <text>"},
		{"logo", "a.svg", wrap(`<foreignObject/>`), "has a <foreignObject>"},
		{"logo", "a.svg", wrap(`<image href="https://x.nl/a.png"/>`), "has a <image>"},
		{"logo", "a.svg", wrap(`<animate/>`), "has a <animate>"},
		{"logo", "a.svg", wrap(`<path onload="x()"/>`), "attribute onload"},
		{"logo", "a.svg", wrap(`<use xlink:href="https://x.nl/a.svg#b"/>`), "outside of itself with href"},
		{"logo", "a.svg", wrap(`<use href="data:image/svg+xml,x"/>`), "outside of itself with href"},
		{"logo", "a.svg", wrap(`<path fill="url(https://x.nl/a.svg#g)"/>`), "outside of itself in fill"},
		{"logo", "a.svg", wrap(`<path style="fill:url( 'https://x.nl' )"/>`), "outside of itself in style"},
		{"logo", "a.svg", wrap(`<style>@import "https://x.nl/a.css";</style>`), "loads something from outside"},
		{"logo", "a.svg", wrap(`<style>path{fill:u\72l(https://x.nl)}</style>`), "loads something from outside"},
		{"logo", "a.svg", `<!DOCTYPE svg [<!ENTITY a "b">]>` + drawing, "<!DOCTYPE>"},
		{"logo", "a.svg", `<?xml-stylesheet href="https://x.nl/a.css"?>` + drawing, "<?xml-stylesheet?>"},
		{"logo", "a.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="9"/>`, "no viewBox"},
		{"logo", "a.svg", `<html xmlns="http://www.w3.org/1999/xhtml"/>`, "does not begin with <svg"},
		{"logo", "a.svg", `<svg`, "not well-formed"},
		{"logo", "a.svg", ``, "is empty"},
		{"logo", "a.svg", wrap(strings.Repeat(" ", 20<<10)), "larger than 20 KB"},
		{"illustration", "a.svg", wrap(`<script/>`), "style.illustration: assets/a.svg has a <script>"},
		{"logo_mail", "a.png", picture(300, 60), ""},
		{"logo_mail", "a.png", picture(3000, 60), "larger than 1600 by 800"},
		{"logo_mail", "a.png", "GIF89a", "not a PNG"},
		{"illustration_mail", "a.png", picture(960, 400), ""}, // 9-brand-mail-picture
		{"illustration_mail", "a.png", picture(3000, 60), "larger than 1600 by 800"},
		{"illustration_mail", "a.png", drawing, "not a PNG"},
		{"illustration_mail", "a.png", picture(9, 9) + strings.Repeat("x", 100<<10), "larger than 100 KB"},
		{"font_file", "a.woff2", string(figtree), ""},
		{"font_file_extended", "a.woff2", string(figtree), ""},
		{"font_file_extended", "a.woff2", string(figtree[:200]), "not a WOFF2"},
		{"font_file", "a.woff2", string(figtree[:200]), "not a WOFF2"},
		{"font_file", "a.woff2", "wOFF and more", "not a WOFF2"},
		{"font_file", "a.woff2", string(figtree[:8]) + "\x00\x00\x00\x40" + string(figtree[12:64]), "not a WOFF2"},
		{"font_file", "a.woff2", string(figtree) + strings.Repeat("x", 60<<10), "larger than 60 KB"},
	} {
		judge(t, c)
	}

	dir := folder(t, map[string]string{"acme": `style: {font_family_web: "Figtree", font_file: "a.woff2"}`})
	put(t, dir, "acme/assets/a.woff2", string(figtree))
	l := open(t, dir).ByKey("acme")
	require.Contains(t, l.Theme.CSS, `url("`+l.AssetURL("font")+`") format("woff2");font-weight:100 900;`)
	require.Contains(t, l.Theme.CSS, `--w-font:"Figtree"`)
	a, err := l.AssetOf("font")
	require.NoError(t, err)
	require.Equal(t, "font/woff2", a.Type)
	require.InDelta(t, 1, a.Font.SizeAdjust, 0.1)
	require.InDelta(t, 0.95, a.Font.Ascent, 0.01) // the hhea table of Figtree has 950 and -250 of 1000
	require.InDelta(t, 0.25, a.Font.Descent, 0.01)
	require.Contains(t, l.Theme.CSS, `--w-font-fallback:"Figtree Fallback",Arial`)
	require.Regexp(t, `@font-face\{font-family:"Figtree Fallback";src:local\("Arial"\),local\("Liberation Sans"\);size-adjust:\d+\.\d\d%;ascent-override:`, l.Theme.CSS)
	put(t, dir, "acme/label.cue", source("acme", `style: {font_family_web: "Figtree", font_file: "a.woff2", font_file_extended: "a.woff2"}`))
	both := open(t, dir).ByKey("acme")
	require.Contains(t, both.Theme.CSS, `url("`+both.AssetURL("font-extended")+
		`") format("woff2");font-weight:100 900;font-style:normal;font-display:swap;unicode-range:`+theme.LatinExtended+"}")
	_, err = l.AssetOf("illustration")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = l.AssetOf("../label.cue")
	require.ErrorIs(t, err, os.ErrNotExist)

	outside := filepath.Join(t.TempDir(), "secret.svg") // this link leads out of the folder
	require.NoError(t, os.WriteFile(outside, []byte(drawing), 0o600))
	dir = folder(t, map[string]string{"acme": `style: logo: "a.svg"`})
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "acme/assets/a.svg")))
	require.Nil(t, open(t, dir).ByKey("acme"))
}

func TestPictures(t *testing.T) {
	large := strings.Repeat(" ", 150<<10)
	script := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script/></svg>`
	var jpg bytes.Buffer
	require.NoError(t, jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 1600, 900)), nil))
	refused := func(t *testing.T, style, file, content, want string) {
		dir := folder(t, map[string]string{"acme": "style: " + style})
		if file != "" {
			put(t, dir, "acme/assets/"+file, content)
		}
		s := open(t, dir)
		require.Nil(t, s.ByKey("acme"), style)
		require.Contains(t, texts(s.Problems()), "acme/label.cue:6:", style)
		require.Contains(t, texts(s.Problems()), want, style)
	}
	t.Run("9-brand-illustrations", func(t *testing.T) {
		for _, name := range []string{"dashboard", "empty", "error", "sent", "mill", "sun", "house"} {
			style := "illustrations: " + name + `: "a.svg"`
			dir := folder(t, map[string]string{"acme": "style: " + style})
			put(t, dir, "acme/assets/a.svg", drawing)
			l := open(t, dir).ByKey("acme")
			require.NotNil(t, l, name)
			a, err := l.Picture("illustration-" + name)
			require.NoError(t, err)
			require.Equal(t, drawing, string(a.Data))
			require.Equal(t, map[string]string{name: "/api/v0/labels/acme/pictures/illustration-" + name + "?v=" + a.Hash},
				l.PictureURLs("illustration"))
			require.Empty(t, l.PictureURLs("photo"))
			require.Contains(t, l.Files(), "assets/a.svg", "an earlier version keeps it")
			refused(t, style, "", "", "style.illustrations."+name+": assets/a.svg is not there")
			refused(t, style, "a.svg", script, "style.illustrations."+name+": assets/a.svg has a <script>")
			refused(t, style, "a.svg", drawing+large, "style.illustrations."+name+": assets/a.svg is larger than 20 KB")
			refused(t, "illustrations: "+name+`: "a.png"`, "a.png", drawing, "style.illustrations."+name)
		}
		refused(t, `illustrations: mail: "a.svg"`, "a.svg", drawing, "illustrations.mail")
	})
	t.Run("9-brand-photos", func(t *testing.T) {
		for _, place := range []string{"sign_in", "dashboard", "account"} {
			style := "photos: " + place + `: "a.jpg"`
			dir := folder(t, map[string]string{"acme": "style: " + style})
			put(t, dir, "acme/assets/a.jpg", jpg.String())
			l := open(t, dir).ByKey("acme")
			require.NotNil(t, l, place)
			a, err := l.Picture("photo-" + place)
			require.NoError(t, err)
			require.Equal(t, []any{"image/jpeg", jpg.String()}, []any{a.Type, string(a.Data)})
			require.Equal(t, map[string]string{place: "/api/v0/labels/acme/pictures/photo-" + place + "?v=" + a.Hash}, l.PictureURLs("photo"))
			require.Empty(t, l.PictureURLs("illustration"))
			refused(t, style, "", "", "style.photos."+place+": assets/a.jpg is not there")
			refused(t, style, "a.jpg", drawing, "style.photos."+place+": assets/a.jpg is not a picture of type image/jpeg")
			refused(t, style, "a.jpg", jpg.String()+large, "style.photos."+place+": assets/a.jpg is larger than 150 KB")
			refused(t, "photos: "+place+`: "a.gif"`, "a.gif", "GIF89a", "style.photos."+place)
		}
		refused(t, `photos: home: "a.jpg"`, "a.jpg", jpg.String(), "photos.home")
	})
}

func TestProjectPictures(t *testing.T) {
	encoded := func(w, h int, encode func(io.Writer, image.Image) error) string {
		var b bytes.Buffer
		require.NoError(t, encode(&b, image.NewGray(image.Rect(0, 0, w, h))))
		return b.String()
	}
	photo := func(w, h int) string {
		return encoded(w, h, func(to io.Writer, i image.Image) error { return jpeg.Encode(to, i, nil) })
	}
	// A WebP of one pixel.
	webp := "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	own := func(file string) string { return `projects: "W-GRUTTO": picture: "` + file + `"` }
	t.Run("9-project-picture", func(t *testing.T) {
		for _, c := range []struct{ file, content, kind, want string }{
			{"a.svg", drawing, "image/svg+xml", ""},
			{"a.jpg", photo(1600, 900), "image/jpeg", ""},
			{"a.webp", webp, "image/webp", ""},
			{"a.png", encoded(600, 400, png.Encode), "image/png", ""},
			{"a.jpg", photo(2401, 9), "", "is larger than 2400 by 1600 pixels"},
			{"a.jpg", photo(9, 1601), "", "is larger than 2400 by 1600 pixels"},
			{"a.jpg", webp, "", "is not a picture of type image/jpeg"},
			{"a.webp", photo(9, 9), "", "is not a picture of type image/webp"},
			{"a.webp", "RIFF", "", "is not a picture of type image/webp"},
			{"a.jpg", photo(9, 9) + strings.Repeat(" ", 150<<10), "", "is larger than 150 KB"},
			{"a.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script/></svg>`, "", "has a <script>"},
		} {
			dir := folder(t, map[string]string{"acme": own(c.file)})
			put(t, dir, "acme/assets/"+c.file, c.content)
			s := open(t, dir)
			l := s.ByKey("acme")
			if c.want != "" {
				require.Nil(t, l, c.want)
				require.Contains(t, texts(s.Problems()), "acme/label.cue:6:")
				require.Contains(t, texts(s.Problems()), "projects.W-GRUTTO.picture: assets/"+c.file+" "+c.want)
				continue
			}
			require.NotNil(t, l, texts(s.Problems()))
			a, err := l.ProjectPicture("W-GRUTTO")
			require.NoError(t, err)
			require.Equal(t, []any{c.kind, c.content}, []any{a.Type, string(a.Data)})
			require.Equal(t, "/api/v0/labels/acme/projects/W-GRUTTO/picture?v="+a.Hash, l.ProjectPictureURL("W-GRUTTO"))
			require.Contains(t, l.Files(), "assets/"+c.file, "an earlier version keeps it")
			_, err = l.ProjectPicture("OTHER")
			require.ErrorIs(t, err, os.ErrNotExist)
			require.Empty(t, l.ProjectPictureURL("OTHER"))
		}
		dir := folder(t, map[string]string{"acme": own("a.svg"), "beta": own("../a.svg"), "gamma": own("a.gif")})
		require.Contains(t, texts(open(t, dir).Problems()), "projects.W-GRUTTO.picture: assets/a.svg is not there")
		require.Empty(t, open(t, dir).All())
	})
}

func TestCommands(t *testing.T) {
	dir := t.TempDir()
	for _, s := range []Sketch{{Key: "acme", Name: "Acme \"Energie\"", Color: "#0b7a3b", Host: "mijn.acme.nl", Kind: KindParticipant},
		{Key: "sun", Name: "Sun", Color: "#ffd23f"}} {
		files, err := New(dir, s, fragments)
		require.NoError(t, err)
		require.Equal(t, []string{s.Key + "/assets/logo.svg", s.Key + "/assets/favicon.svg", s.Key + "/label.cue"}, files)
	}
	require.Empty(t, vet(t, dir, nil))
	for _, s := range []Sketch{{Key: "acme", Name: "A", Color: "#0b7a3b"}, {Key: "../x", Name: "A", Color: "#0b7a3b"},
		{Key: "x", Name: strings.Repeat("x", 76), Color: "#0b7a3b"}, {Key: "x", Name: "A\nB", Color: "#0b7a3b"},
		{Key: "", Name: "A", Color: "#0b7a3b"},
		{Key: "x", Name: "A", Color: "green"}, {Key: "x", Name: "A", Color: "#0b7a3b", Host: "https://x"},
		{Key: "x", Name: "A", Color: "#0b7a3b", Kind: "reseller"}} {
		_, err := New(dir, s, fragments)
		require.Error(t, err, s)
	}
	list, ps, err := List(dir, fragments)
	require.NoError(t, err)
	require.Empty(t, ps)
	require.Len(t, list, 2)
	require.Equal(t, "acme", list[0].Key)
	require.Equal(t, KindParticipant, list[0].Kind)
	require.Equal(t, []string{"account"}, list[0].Modules)
	require.Equal(t, []Host{{Name: "mijn.acme.nl"}, {Name: "acme.localhost", Test: true}}, list[0].Hosts)

	same, err := Diff(dir, "acme", dir, "acme", fragments)
	require.NoError(t, err)
	require.Empty(t, same)
	diff, err := Diff(dir, "acme", dir, "sun", fragments)
	require.NoError(t, err)
	require.Contains(t, diff, Difference{"style.primary_color", "#0b7a3b", "#ffd23f"})
	require.Contains(t, diff, Difference{"hosts.1.name", "acme.localhost", nil})
	require.Contains(t, diff, Difference{"kind", "participant", "customer"})
	_, err = Diff(dir, "acme", dir, "gone", fragments)
	require.ErrorContains(t, err, "gone/label.cue")
}

func TestVetFrontEnd(t *testing.T) {
	catalogue := Catalogue{"nl": {"account.title": "Account", "account.hello": "Hallo {name}"}, "en": {"account.title": "Account"}}
	check := func(more, want string) {
		t.Helper()
		got := vet(t, folder(t, map[string]string{"acme": more}), catalogue)
		if want == "" {
			require.Empty(t, got, more)
		} else {
			require.Contains(t, got, want, more)
		}
		require.Empty(t, vet(t, folder(t, map[string]string{"acme": more}), nil), "without a front end nothing is known")
	}
	t.Run("9-vet-texts,11-vet-did-you-mean", func(t *testing.T) {
		check(`messages: nl: "account.titel": "Jouw account"`, "acme/label.cue:6:15: messages.nl: there is no message account.titel; did you mean account.title?")
		check(`messages: nl: "account.hello": "Hallo"`,
			"acme/label.cue:6:15: messages.nl: the text of account.hello must have the placeholders {name}, and has (none)")
		check(`messages: nl: "account.hello": "Dag {name}, {more}"`,
			"acme/label.cue:6:15: messages.nl: the text of account.hello must have the placeholders {name}, and has {more}, {name}")
		check(`messages: nl: "account.hello": "Dag {name}"`, "")
		check(`messages: nl: "quiet.title": "Een plugin"`, "") // the plugin is installed without its texts
	})
	t.Run("9-vet-slots,11-vet-did-you-mean", func(t *testing.T) {
		check(`slots: home: hide: ["market.latest"]`, "")
		check(`slots: home: order: ["market.latest", "account.name"]`, "")
		check(`slots: home: hide: ["market.latst"]`,
			"acme/label.cue:6:21: slots.home.hide.0: the slot has no item market.latst; did you mean market.latest? There are: account.name, market.latest")
		check(`slots: footer: order: ["market.latest", "account.name"]`,
			"slots.footer.order.1: the slot has no item account.name; there are: market.latest")
		check(`slots: header: hide: ["market.latest"]`, "slots.header.hide.0: the slot has no item market.latest; it has none")
	})
	t.Run("9-dashboard-order", func(t *testing.T) {
		raw, err := os.ReadFile(repo + "/shell/src/items.json") // the tiles that the portal itself renders
		require.NoError(t, err)
		var own map[string][]struct{ ID string }
		require.NoError(t, json.Unmarshal(raw, &own))
		face := &FrontEnd{Slots: map[string][]string{"dashboard": {"account.service", "market.latest"}}}
		for slot, items := range own {
			for _, i := range items {
				face.Slots[slot] = append(face.Slots[slot], "shell."+i.ID)
			}
		}
		vet := func(more string) string {
			t.Helper()
			ps, err := Vet(folder(t, map[string]string{"acme": more}), fragments, face)
			require.NoError(t, err)
			return texts(ps)
		}
		require.Empty(t, vet(`slots: dashboard: {order: ["shell.quick-start", "account.service", "shell.promo"], hide: ["shell.attention", "market.latest"]}`))
		const tiles = "there are: account.service, market.latest, shell.attention, shell.promo, shell.quick-start\n"
		for field, column := range map[string]int{"order": 27, "hide": 26} {
			for _, name := range []string{"account.gone", "gone.service"} {
				require.Equal(t, fmt.Sprintf("acme/label.cue:6:%d: slots.dashboard.%s.0: the slot has no item %s; %s", column, field, name, tiles),
					vet(fmt.Sprintf("slots: dashboard: %s: [%q]", field, name)))
			}
		}
		require.Contains(t, vet(`slots: dashboard: hide: ["shell.atention"]`),
			"no item shell.atention; did you mean shell.attention? There are: account.service, market.latest, ")
		for _, page := range []string{"home", "account"} { // the promo is the portal's only tile on these pages
			require.Empty(t, vet("slots: "+page+`: {order: ["shell.promo"]}`))
			require.Empty(t, vet("slots: "+page+`: {hide: ["shell.promo"]}`))
			for _, tile := range []string{"shell.attention", "shell.quick-start"} {
				require.Contains(t, vet("slots: "+page+": hide: ["+strconv.Quote(tile)+"]"), "slots."+page+".hide.0: the slot has no item "+tile+
					"; there are: shell.promo")
			}
		}
	})
	t.Run("9-offer-slot", func(t *testing.T) {
		known := []Fragment{account, market}
		known[1].Slots = []string{"market.offer", "market.order"}
		known[0].Slots = []string{}
		slots := func(fragments []Fragment, more string) string {
			t.Helper()
			ps, err := Vet(folder(t, map[string]string{"acme": "modules: {account: {}, market: {}}\n" + more}), fragments, nil)
			require.NoError(t, err)
			return texts(ps)
		}
		require.Empty(t, slots(known, `slots: "market.offer": hide: ["account.name"]`))
		require.Contains(t, slots(known, `slots: "market.ofer": hide: ["account.name"]`),
			`slots."market.ofer": there is no such field; did you mean market.offer?`)
		require.Contains(t, slots(known, `slots: "account.panel": hide: ["market.latest"]`), "there is no such field")
		require.Contains(t, slots(known, `slots: "marketXoffer": {}`), "there is no such field")
		// When the remote of a module is not available, as with a plugin that does not run, a label may configure any of its slots.
		require.Empty(t, slots([]Fragment{account, market}, `slots: "market.anything": hide: ["account.name"]`))
		require.Contains(t, slots([]Fragment{account, market}, `slots: "nobody.anything": {}`), "there is no such field")
		s, err := Open(folder(t, map[string]string{"acme": `slots: "gone.panel": hide: ["account.name"]`}),
			func() []Fragment { return append(fragments, Fragment{Module: "gone", Absent: true}) })
		require.NoError(t, err)
		require.NotNil(t, s.ByKey("acme"), "a label is served without a plugin that is down")
	})
	t.Run("9-vet-offers", func(t *testing.T) {
		face := &FrontEnd{Slots: map[string][]string{"market.offer": {"account.name"}}, Offers: []string{"market.offer"},
			MenuGroups: []string{"finance", "market.trade"},
			UsedSlots:  map[string][]string{"account": {"home", "market.offer", "market.ofer"}, "market": {"nowhere"}},
			UsedGroups: map[string][]string{"account": {"finance", "market.trade", "market.trad"}, "market": {"nowhere"}}}
		vet := func(more string) string {
			t.Helper()
			ps, err := Vet(folder(t, map[string]string{"acme": more}), fragments, face)
			require.NoError(t, err)
			return texts(ps)
		}
		require.Empty(t, vet(""), "modules that the label does not have are nothing to it")
		got := vet("modules: account: {}")
		require.Contains(t, got, "acme/label.cue:6:10: modules.account: its remote fills the slot market.ofer, which nobody offers; there are: account, agreement, ")
		require.Contains(t, got, ", market.offer, ")
		require.Contains(t, got, "modules.account: its remote has menu items in the group market.trad, which nobody declares; there are: finance, market.trade")
		require.Equal(t, 2, strings.Count(got, "modules."), got)
		require.Contains(t, vet("slots: \"market.offer\": hide: [\"account.name\"]"),
			"slots.market.offer: is of the module market, which this label does not switch on")
		face.UsedSlots, face.UsedGroups = nil, nil
		require.Empty(t, vet("modules: {account: {}, market: {}}\nslots: \"market.offer\": hide: [\"account.name\"]"))
		require.Contains(t, vet("modules: {account: {}, market: {}}\nslots: \"market.offer\": hide: [\"account.nam\"]"),
			"slots.market.offer.hide.0: the slot has no item account.nam; did you mean account.name? There are: account.name")
	})
	t.Run("2.5-menu-variants-choice", func(t *testing.T) {
		check("modules: account: {}\nmenu: show: [\"account.name\", \"shell.home\"]", "")
		check(`menu: show: ["shell.hom"]`, "acme/label.cue:6:14: menu.show.0: the menu of this label has no item shell.hom to choose; did you mean shell.home? There are: shell.home")
		// account.name belongs to a module that the label does not have
		check(`menu: show: ["account.name"]`, "the menu of this label has no item account.name")
		check("kind: \"participant\"\nmenu: show: [\"shell.home\"]", "the menu of this label has no item shell.home to choose; it has none")
	})
	t.Run("9-label-landing", func(t *testing.T) {
		check("modules: account: {}\nlanding: \"/contact\"", "")
		check("landing: \"/dashboard\"", "")
		check("kind: \"participant\"\nlanding: \"/account\"", "")
		check(`landing: "/contakt"`, "acme/label.cue:6:1: landing: the menu of this label has no page /contakt; there are: /dashboard")
		// /contact belongs to a module that the label does not have
		check(`landing: "/contact"`, "landing: the menu of this label has no page /contact; there are: /dashboard")
		check(`landing: "/home"`, "the menu of this label has no page /home; there are: /dashboard") // the item is optional and not shown
		check("menu: show: [\"shell.home\"]\nlanding: \"/home\"", "")
		for _, path := range []string{"contact", "https://x.nl", "//x.nl", "/a?b", "/"} { // the schema refuses these
			require.Contains(t, vet(t, folder(t, map[string]string{"acme": "landing: " + strconv.Quote(path)}), nil), "landing", path)
		}
	})
	t.Run("9-menu-order", func(t *testing.T) {
		check("modules: account: {}\nmenu: {show: [\"shell.home\"], order: [\"shell.home\", \"account.contact\", \"shell.dashboard\"]}", "")
		check(`menu: order: ["shell.dashbord"]`,
			"acme/label.cue:6:15: menu.order.0: the menu of this label has no item shell.dashbord; did you mean shell.dashboard? There are: shell.dashboard")
		// the item is optional and not shown
		check(`menu: order: ["shell.home"]`, "menu.order.0: the menu of this label has no item shell.home; there are: shell.dashboard")
		// the item belongs to a module that the label does not have
		check(`menu: order: ["account.contact"]`, "menu.order.0: the menu of this label has no item account.contact")
		check("modules: account: {}\nmenu: {order: [\"account.contact\"], hide: [\"account.contact\"]}",
			"menu.order.0: the menu of this label has no item account.contact; there are: shell.dashboard")
		require.Contains(t, vet(t, folder(t, map[string]string{"acme": `menu: order: ["shell.dashboard", "shell.dashboard"]`}), nil),
			"menu.order")
	})
	t.Run("9-menu-hide", func(t *testing.T) {
		check("modules: account: {}\nmenu: hide: [\"account.contact\", \"shell.dashboard\"]", "")
		check("modules: account: {}\nlanding: \"/contact\"\nmenu: hide: [\"account.contact\"]", "") // the page stays reachable
		check(`menu: hide: ["shell.dashbord"]`, "acme/label.cue:6:14: menu.hide.0: the menu of this label has no item shell.dashbord; did you mean shell.dashboard? There are: shell.dashboard")
		// signing out is not an item of the menu
		check(`menu: hide: ["account.sign-out"]`, "menu.hide.0: the menu of this label has no item account.sign-out")
		check("modules: account: {}\nmenu: {bar: [\"account.contact\"], hide: [\"account.contact\"]}",
			"menu.bar.0: the menu of this label has no item account.contact; there are: shell.dashboard")
		require.Contains(t, vet(t, folder(t, map[string]string{"acme": `menu: hide: ["shell.dashboard", "shell.dashboard"]`}), nil), "menu.hide")
	})
	t.Run("9-phone-bar-vet", func(t *testing.T) {
		check("modules: account: {}\nmenu: {show: [\"shell.home\"], bar: [\"shell.home\", \"account.contact\", \"shell.dashboard\"]}", "")
		check(`menu: bar: ["shell.dashbord"]`, "acme/label.cue:6:13: menu.bar.0: the menu of this label has no item shell.dashbord; did you mean shell.dashboard? There are: shell.dashboard")
		check(`menu: bar: ["shell.home"]`, "the menu of this label has no item shell.home; there are: shell.dashboard") // an optional item
		// the item belongs to a module that the label does not have
		check(`menu: bar: ["account.contact"]`, "the menu of this label has no item account.contact")
		check("kind: \"participant\"\nmenu: bar: [\"shell.dashboard\"]", "the menu of this label has no item shell.dashboard; it has none")
		// the schema refuses these
		for _, bar := range []string{`["a.one", "a.two", "a.three", "a.four"]`, `["shell.dashboard", "shell.dashboard"]`, `["dashboard"]`} {
			require.Contains(t, vet(t, folder(t, map[string]string{"acme": "menu: bar: " + bar}), nil), "menu.bar", bar)
		}
	})
}

func TestVetHosts(t *testing.T) {
	t.Run("9-vet-hosts", func(t *testing.T) {
		dir := folder(t, map[string]string{"a": "", "b": "", "c": ""})
		put(t, dir, "b/label.cue", strings.Replace(source("b", ""), `"mijn.b.example"`, `"mijn.A.example"`, 1))
		for _, key := range []string{"a", "b"} { // both files report the conflict
			ps, err := Vet(dir, fragments, nil, key)
			require.NoError(t, err)
			require.Equal(t, key+"/label.cue:3:45: hosts: labels a and b both have mijn.a.example, and a host belongs to one label\n",
				strings.ReplaceAll(texts(ps), "\n\n", "\n"))
		}
		ps, err := Vet(dir, fragments, nil, "c")
		require.NoError(t, err)
		require.Empty(t, ps)
		pool := `identity: {provider: "cognito", region: "eu-central-1", user_pool_id: "eu-central-1_AbC", client_id: "client-one"}`
		dir = folder(t, map[string]string{"a": pool, "b": pool})
		ps, err = Vet(dir, fragments, nil, "a")
		require.NoError(t, err)
		require.Contains(t, texts(ps), "a/label.cue: identity: labels a and b may not share a user pool")
	})
}

// Vet finds no problems in a label that New writes, whatever its parameters.
func TestNewPassesVet(t *testing.T) {
	t.Run("9-labels-new", func(t *testing.T) {
		dir := t.TempDir()
		var colours []string
		for r := 0; r < 256; r += 51 {
			for g := 0; g < 256; g += 51 {
				for b := 0; b < 256; b += 51 {
					colours = append(colours, fmt.Sprintf("#%02x%02x%02x", r, g, b))
				}
			}
		}
		sketches := []Sketch{{Key: "bare", Host: "mijn.bare.nl"}, {Key: "test", Host: "test.localhost"}, {Key: "loud", Host: "Mijn.LOUD.nl."},
			{Key: "idn", Host: "mijn.ënergie.nl"},
			{Key: "2001", Host: "a.example"}, {Key: "long", Host: "b.example", Name: strings.Repeat("é", 75)},
			{Key: "quotes", Host: "c.example", Name: `Zon & "Wind" \(x) #"`},
			{Key: "p", Host: "d.example", Kind: KindParticipant}}
		for i, s := range sketches {
			if s.Color == "" {
				sketches[i].Color = "#0b6e99"
			}
		}
		for i, c := range colours {
			if theme.TextOn(c) != "" {
				sketches = append(sketches, Sketch{Key: fmt.Sprintf("c%d", i), Color: c})
			}
		}
		for i, s := range sketches {
			at := dir
			if i >= 8 { // each color gets its own folder, because New reads existing labels
				at = filepath.Join(dir, "colours", s.Key)
				require.NoError(t, os.MkdirAll(at, 0o700))
			}
			_, err := New(at, s, fragments)
			require.NoError(t, err, s)
		}
		require.Greater(t, len(sketches), 150)
		all := t.TempDir() // a single Vet run for all colors
		for _, s := range sketches[8:] {
			require.NoError(t, os.Rename(filepath.Join(dir, "colours", s.Key, s.Key), filepath.Join(all, s.Key)))
		}
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "colours")))
		require.Empty(t, vet(t, dir, Catalogue{}))
		require.Empty(t, vet(t, all, Catalogue{}))
		s := open(t, dir)
		for host, key := range map[string]string{"mijn.bare.nl": "bare", "test.localhost": "test", "mijn.loud.nl": "loud",
			"mijn.ënergie.nl": "idn"} {
			require.Equal(t, key, s.ByHost(host).Key)
		}
		require.Equal(t, "Bare", s.ByKey("bare").Info.Name, "a label needs no more than a key and a host")
		require.Equal(t, "https://mijn.xn--nergie-ova.nl", s.ByKey("idn").URL)

		for host, want := range map[string]string{"mijn.bare.nl": "belongs to label bare already",
			"MIJN.bare.NL": "belongs to label bare already",
			"https://x.nl": "is not a host name", "x.nl:8080": "is not a host name", "a b.nl": "is not a host name", "x.nl/": "is not a host name"} {
			_, err := New(dir, Sketch{Key: "new", Color: "#0b6e99", Host: host}, fragments)
			require.ErrorContains(t, err, want, host)
			require.NoDirExists(t, filepath.Join(dir, "new"))
		}
	})
}
