package mail

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// shelf contains a label with a logo and one without.
type shelf map[string]*label.Label

func (s shelf) ByKey(key string) *label.Label { return s[key] }
func (s shelf) ByHost(string) *label.Label    { return nil }
func (s shelf) All() []*label.Label           { return nil }
func (shelf) Asset(_ *label.Label, name string) ([]byte, string, error) {
	if sides, ok := drawn[name]; ok {
		var b bytes.Buffer
		err := png.Encode(&b, image.NewGray(image.Rect(0, 0, sides[0], sides[1])))
		return b.Bytes(), "image/png", err
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "labels", "1042", "assets", name))
	return data, "image/png", err
}

// drawn contains the width and height in pixels of the test pictures.
var drawn = map[string][2]int{"small.png": {320, 240}, "wide.png": {1600, 401}}

var brands = shelf{
	"1042": {Key: "1042", URL: "https://mijn.haardlicht.example/", Info: label.Info{Name: "Haardlicht Energie",
		Email: "hallo@haardlicht.example", Phone: "085 010 42 42"},
		Style: label.Style{Font: "Figtree", LogoMail: "logo-mail.png", EmailButtonBG: "#5c1d4b", EmailButtonText: "#fff7ee"},
		Theme: label.Theme{Roles: map[string]string{"primary": "#5c1d4b", "tint": "#f5eef3", "page": "#fbf6f9", "primary-ink": "#5c1d4b"}}},
	"small": {Key: "small", URL: "https://klein.example", Info: label.Info{Name: "Klein"},
		Style: label.Style{LogoMail: "logo-mail.png", IllustrationMail: "small.png"}},
	"wide": {Key: "wide", URL: "https://breed.example", Info: label.Info{Name: "Breed"}, Style: label.Style{IllustrationMail: "wide.png"}},
	"9": {Key: "9", URL: "https://kaal.example", Info: label.Info{Name: "Kaal"},
		Style: label.Style{Font: "x}</style><script>", EmailButtonBG: "red;}"}},
}

var hello = module.Mail{To: "anna@example.org", Locale: "nl", Subject: "Bevestig je nieuwe e-mailadres", Title: "Klopt dit e-mailadres?",
	Lines: []string{"Je wilt dit e-mailadres gebruiken voor Haardlicht Energie.",
		"Klik op de knop om het te bevestigen. Daarna verwerken wij de wijziging."},
	Button: &module.Button{Text: "E-mailadres bevestigen", Path: "/verify/3q2-7wAAyv66vgAAyv66vg"},
	After:  []string{"De link is 24 uur geldig.", "Heb je dit niet zelf aangevraagd? Dan hoef je niets te doen."}}

func boxed(t *testing.T, c Config) *Mailer {
	t.Helper()
	c.Dir = filepath.Join(t.TempDir(), "mailbox")
	m, err := New(c, brands, brands)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func send(t *testing.T, m *Mailer, key string, mail module.Mail) Message {
	t.Helper()
	if err := m.Send(t.Context(), key, "7f3a", mail); err != nil {
		t.Fatal(err)
	}
	ids, err := m.box.ids()
	if err != nil || len(ids) == 0 {
		t.Fatal(ids, err)
	}
	x, err := m.box.get(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestPicture(t *testing.T) {
	t.Run("9-brand-mail-picture", func(t *testing.T) {
		for key, c := range map[string]struct {
			size, images string
			attached     []string
		}{
			"small": {`width="160" height="120"`, "logo picture", []string{"logo.png", "picture.png"}},
			"wide":  {`width="480" height="120"`, "picture", []string{"picture.png"}},
			"1042":  {"", "logo", []string{"logo.png"}},
			"9":     {"", "", nil},
		} {
			m := boxed(t, Config{From: "portal@wattle.example"})
			x := send(t, m, key, hello)
			if got := strings.Count(x.HTML, "data:image/png;base64,"); got != len(c.attached) || strings.Contains(x.HTML, "cid:") {
				t.Errorf("%s: the mailbox shows %d pictures", key, got)
			}
			d, err := m.layOut(brands[key], hello)
			if err != nil {
				t.Fatal(err)
			}
			before, after, found := strings.Cut(d.html, `<img src="cid:picture@wattle" `)
			if found != (c.size != "") || found && (!strings.HasPrefix(after, c.size+` alt="" `) || strings.Contains(before, "<h1") ||
				!strings.Contains(after, "<h1")) {
				t.Errorf("%s: not above the title, with %s: %s", key, c.size, d.html)
			}
			if found && strings.LastIndex(before, brands[key].Info.Name) < 0 {
				t.Errorf("%s: not below the logo", key)
			}
			msg, err := m.message(brands[key], "7f3a", d)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, f := range msg.GetEmbeds() {
				names = append(names, f.Name)
				if id := "<" + strings.TrimSuffix(f.Name, ".png") + "@wattle>"; f.Header.Get("Content-ID") != id {
					t.Errorf("%s: %v is not %s", key, f.Header, id)
				}
			}
			if !slices.Equal(names, c.attached) {
				t.Errorf("%s: attached are %v", key, names)
			}
		}
	})
}

func TestLayout(t *testing.T) {
	x := send(t, boxed(t, Config{}), "1042", hello)
	for _, want := range []string{`lang="nl"`, "Klopt dit e-mailadres?", "background:#5c1d4b;color:#fff7ee", "data:image/png;base64,",
		`alt="Haardlicht Energie"`,
		`href="https://mijn.haardlicht.example/verify/3q2-7wAAyv66vgAAyv66vg"`, "De link is 24 uur geldig.", "hallo@haardlicht.example",
		"085 010 42 42", "Figtree"} {
		if !strings.Contains(x.HTML, want) {
			t.Errorf("the HTML lacks %q", want)
		}
	}
	if strings.Contains(x.HTML, "ZgotmplZ") {
		t.Error("a value was not taken")
	}
	for _, want := range []string{"Klopt dit e-mailadres?",
		"E-mailadres bevestigen:\nhttps://mijn.haardlicht.example/verify/3q2-7wAAyv66vgAAyv66vg", "hallo@haardlicht.example"} {
		if !strings.Contains(x.Text, want) {
			t.Errorf("the text lacks %q:\n%s", want, x.Text)
		}
	}
	en := hello
	en.Locale = "en"
	if x := send(t, boxed(t, Config{}), "1042", en); !strings.Contains(x.HTML, `lang="en"`) ||
		!strings.Contains(x.HTML, "Questions? Mail us at") {
		t.Error("the frame is not English")
	}
	bare := send(t, boxed(t, Config{}), "9", module.Mail{To: "a@b.example", Subject: "<script>", Lines: []string{"<img src=x onerror=y>"},
		Code: "123456"})
	if strings.Contains(bare.HTML, "<script>") || strings.Contains(bare.HTML, "<img") || strings.Contains(bare.HTML, "red;}") {
		t.Errorf("mark-up came through:\n%s", bare.HTML)
	}
	if !strings.Contains(bare.HTML, "123456") || !strings.Contains(bare.Text, "123456") {
		t.Error("no code")
	}
}

// An email of a kind that customers can unsubscribe from says how, for people and for email clients (RFC 8058).
func TestUnsubscribe(t *testing.T) {
	t.Run("9-mail-unsubscribe-headers", func(t *testing.T) {
		port, got := smtp(t, "")
		m, err := New(Config{Host: "127.0.0.1", Port: port, TLS: "none"}, brands, brands)
		if err != nil {
			t.Fatal(err)
		}
		mail, token := hello, strings.Repeat("aB3-_", 20)
		mail.Unsubscribe = &module.Unsubscribe{Text: "Geen mail meer over projecten", Path: "/unsubscribe?token=" + token,
			Call: "/notifications/unsubscribe/" + token}
		if err := m.Send(t.Context(), "1042", "7f3a", mail); err != nil {
			t.Fatal(err)
		}
		msg, err := netmail.ReadMessage(strings.NewReader(got()))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
			"List-Unsubscribe": "<https://mijn.haardlicht.example/api/v0/notifications/unsubscribe/" + token + ">"} {
			if msg.Header.Get(name) != want {
				t.Errorf("%s: %s", name, msg.Header.Get(name))
			}
		}
		for kind, part := range walk(t, msg.Header.Get("Content-Type"), msg.Body) {
			if page := "https://mijn.haardlicht.example/unsubscribe?token=" + token; kind != "image/png" &&
				(!strings.Contains(part, page) || !strings.Contains(part, mail.Unsubscribe.Text)) {
				t.Errorf("the link is not in %s:\n%s", kind, part)
			}
		}
		for _, bad := range []string{"//evil.example", "https://evil.example", "/x>\r\nBcc: a@b.example", ""} {
			mail.Unsubscribe = &module.Unsubscribe{Text: "x", Path: "/x", Call: bad}
			if err := m.Send(t.Context(), "1042", "7f3a", mail); err == nil {
				t.Errorf("%q was taken", bad)
			}
		}
		for _, bad := range []string{"//evil.example", "https://evil.example", "/x>\r\nBcc: a@b.example", ""} {
			mail.Unsubscribe = &module.Unsubscribe{Text: "x", Path: bad, Call: "/x"}
			if err := m.Send(t.Context(), "1042", "7f3a", mail); err == nil {
				t.Errorf("%q was taken as a page", bad)
			}
		}
		port, got = smtp(t, "")
		if m, err = New(Config{Host: "127.0.0.1", Port: port, TLS: "none"}, brands, brands); err != nil {
			t.Fatal(err)
		}
		if err := m.Send(t.Context(), "1042", "7f3a", hello); err != nil {
			t.Fatal(err)
		}
		if text := got(); strings.Contains(strings.ToLower(text), "unsubscribe") || !strings.Contains(text, hello.To) {
			t.Error("a mail that its reader cannot end has a way to end it")
		}
	})
}

func TestRefuses(t *testing.T) {
	m := boxed(t, Config{From: "portal@wattle.example"})
	for name, to := range map[string]string{"none": "", "two": "a@b.example,c@d.example", "a name": "Anna <a@b.example>",
		"no address": "anna"} {
		if err := m.Send(t.Context(), "1042", "7f3a", module.Mail{To: to, Subject: "x"}); err == nil || errors.Is(err, problem.ErrRetry) {
			t.Errorf("%s: %v", name, err)
		}
	}
	away := hello
	away.Button = &module.Button{Text: "x", Path: "//evil.example"}
	if err := m.Send(t.Context(), "1042", "7f3a", away); err == nil {
		t.Error("a button leads to another host")
	}
	if err := m.Send(t.Context(), "404", "7f3a", hello); err == nil {
		t.Error("a mail of no label")
	}
	if _, err := New(Config{Host: "x", TLS: "some"}, brands, brands); err == nil {
		t.Error("any TLS is good")
	}
}

func TestMailbox(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	m := boxed(t, Config{Now: func() time.Time { now = now.Add(time.Second); return now }})
	if list, err := m.List(t.Context()); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	for range maxMailbox + 3 {
		if err := m.Send(t.Context(), "9", "7f3a", module.Mail{To: "b@b.example", Subject: "Hoi"}); err != nil {
			t.Fatal(err)
		}
	}
	last := send(t, m, "1042", hello)
	list, err := m.List(t.Context())
	if err != nil || len(list) != maxMailbox || list[0].ID != last.ID || list[0].Mail.Button.Path != hello.Button.Path || list[0].HTML != "" {
		t.Fatalf("%d mails, %v", len(list), err)
	}
	if info, err := os.Stat(m.box.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	get := func(path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		m.Mailbox().ServeHTTP(w, r)
		return w
	}
	if w := get("/", "text/html"); !strings.Contains(w.Body.String(), hello.Subject) ||
		!strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error(w.Header())
	}
	var found []Message
	if err := json.Unmarshal(get("/?to=Anna@example.org", "application/json").Body.Bytes(), &found); err != nil || len(found) != 1 ||
		found[0].ID != last.ID {
		t.Error(found, err)
	}
	if w := get("/"+last.ID, ""); !strings.Contains(w.Body.String(), "Klopt dit") ||
		!strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Error(w.Code, w.Header())
	}
	if w := get("/"+last.ID+".txt", ""); !strings.HasPrefix(w.Body.String(), "Klopt dit") {
		t.Error(w.Body)
	}
	for _, path := range []string{"/nothing", "/..%2f..%2fidentity.key", "/" + strings.Repeat("0", 16) + "-" + strings.Repeat("a", 26)} {
		if w := get(path, ""); w.Code != 404 {
			t.Error(path, w.Code)
		}
	}
}

// smtp starts a server that accepts one email.
func smtp(t *testing.T, refuse string) (port int, got func() string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	done := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		r := bufio.NewReader(c)
		say := func(s string) { _, _ = io.WriteString(c, s+"\r\n") }
		say("220 test")
		var data strings.Builder
		for in := false; ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			switch {
			case in && line == ".\r\n":
				in = false
				say("250 ok")
				done <- data.String()
			case in:
				data.WriteString(strings.TrimPrefix(line, "."))
			case strings.HasPrefix(line, "EHLO"):
				say("250-test\r\n250 8BITMIME")
			case strings.HasPrefix(line, "RCPT") && refuse != "":
				say(refuse)
			case strings.HasPrefix(line, "DATA"):
				in = true
				say("354 go")
			case strings.HasPrefix(line, "QUIT"):
				say("221 bye")
				return
			default:
				say("250 ok")
			}
		}
	}()
	return l.Addr().(*net.TCPAddr).Port, func() string {
		select {
		case s := <-done:
			return s
		case <-time.After(10 * time.Second):
			t.Fatal("no mail came")
			return ""
		}
	}
}

func TestSMTP(t *testing.T) {
	port, got := smtp(t, "")
	m, err := New(Config{Host: "127.0.0.1", Port: port, TLS: "none", From: "portal@wattle.example"}, brands, brands)
	if err != nil {
		t.Fatal(err)
	}
	mail := hello
	mail.Subject = "Hoi\r\nBcc: thief@example.org\r\n\r\nbody ✓"
	if err := m.Send(t.Context(), "1042", "7f3a", mail); err != nil {
		t.Fatal(err)
	}
	msg, err := netmail.ReadMessage(strings.NewReader(got()))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject"))
	if err != nil || subject != "Hoi Bcc: thief@example.org body ✓" || msg.Header.Get("Bcc") != "" {
		t.Errorf("subject %q, headers %v, %v", subject, msg.Header, err)
	}
	for name, want := range map[string]string{"From": `"Haardlicht Energie" <portal@wattle.example>`, "Reply-To": "<hallo@haardlicht.example>",
		"To":             "<anna@example.org>",
		"Auto-Submitted": "auto-generated", "Content-Language": "nl", "Message-Id": "<7f3a@wattle.example>"} {
		if msg.Header.Get(name) != want {
			t.Errorf("%s: %s", name, msg.Header.Get(name))
		}
	}
	parts := walk(t, msg.Header.Get("Content-Type"), msg.Body)
	if !strings.Contains(parts["text/plain"], "Klopt dit e-mailadres?") || !strings.Contains(parts["text/html"], "cid:"+logoID) ||
		parts["image/png"] == "" {
		t.Errorf("parts %v", parts)
	}
}

// walk returns the parts of a multipart body by type.
func walk(t *testing.T, contentType string, body io.Reader) map[string]string {
	t.Helper()
	out := map[string]string{}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		data, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		out[kind] = string(data)
		return out
	}
	r := multipart.NewReader(body, params["boundary"])
	for {
		p, err := r.NextRawPart()
		if err != nil {
			return out
		}
		var in io.Reader = p
		if p.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			in = quotedprintable.NewReader(p)
		}
		for k, v := range walk(t, p.Header.Get("Content-Type"), in) {
			out[k] = v
		}
	}
}

func TestSMTPFails(t *testing.T) {
	for name, c := range map[string]struct {
		refuse string
		retry  bool
	}{"for good": {"550 no such user", false}, "for now": {"451 later", true}} {
		port, _ := smtp(t, c.refuse)
		m, err := New(Config{Host: "127.0.0.1", Port: port, TLS: "none"}, brands, brands)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Send(t.Context(), "1042", "7f3a", hello); err == nil || errors.Is(err, problem.ErrRetry) != c.retry ||
			strings.Contains(err.Error(), hello.To) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := New(Config{Host: "127.0.0.1", Port: 1}, brands, brands) // no server listens on this port
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Send(context.Background(), "1042", "7f3a", hello); !errors.Is(err, problem.ErrRetry) {
		t.Error(err)
	}
}

// A label replaces the texts of an email and of its frame in one language.
func TestOwnTexts(t *testing.T) {
	t.Run("9-mail-texts-own", func(t *testing.T) {
		own := shelf{"1": {Key: "1", URL: "https://een.example", Info: label.Info{Name: "Een", Email: "a@een.example"},
			Messages: map[string]map[string]string{"nl": {
				"core.mail.invite.subject": "Welkom {username}", "core.mail.invite.text": "Eerste {name}\nTweede",
				"core.mail.invite.button": "Aan de slag", "core.mail.frame.questions": "Mail gerust", "core.mail.code.text": "{nobody}"}}},
			"2": {Key: "2", URL: "https://twee.example", Info: label.Info{Name: "Twee", Email: "a@twee.example"}}}
		m, err := New(Config{Dir: filepath.Join(t.TempDir(), "mailbox")}, own, nil)
		if err != nil {
			t.Fatal(err)
		}
		write := func(key, locale, id string) Message {
			mail := Texts.Mail(locale, id, module.Values{"name": "Haardlicht", "username": "anna"})
			mail.To, mail.Code = "anna@example.org", "123456"
			if mail.Button != nil {
				mail.Button.Path = "/"
			}
			return send(t, m, key, mail)
		}
		for _, c := range []struct {
			key, locale, id string
			has, lacks      []string
		}{
			{"1", "nl", "core.mail.invite", []string{"Welkom anna", "Eerste Haardlicht", "Tweede", "Aan de slag", "Mail gerust",
				"Het tijdelijke wachtwoord", "123456"}, []string{"Je account staat klaar", "Vragen? Mail ons op"}},
			{"1", "en", "core.mail.invite", []string{"Your account with Haardlicht", "Questions? Mail us at"}, []string{"Welkom"}},
			{"2", "nl", "core.mail.invite", []string{"Je account bij Haardlicht", "Vragen? Mail ons op"}, []string{"Welkom anna", "Mail gerust"}},
			{"1", "nl", "core.mail.code", []string{"Je wilt een nieuw wachtwoord voor Haardlicht", "123456"}, []string{"nobody"}},
		} {
			x := write(c.key, c.locale, c.id)
			all := x.Subject + x.HTML + x.Text
			for _, want := range c.has {
				if !strings.Contains(all, want) {
					t.Errorf("%v: the mail lacks %q:\n%s", c, want, x.Text)
				}
			}
			for _, not := range c.lacks {
				if strings.Contains(all, not) {
					t.Errorf("%v: the mail has %q", c, not)
				}
			}
		}
	})
}

// A header is one line of at most 250 characters, also when a name in it is long or contains line breaks.
func TestHeader(t *testing.T) {
	long := strings.Repeat("é", maxHeader)
	for given, want := range map[string]string{
		"Je factuur":             "Je factuur",
		"a\r\nBcc: b@c.example":  "a Bcc: b@c.example",
		"bel\x07 en\u00a0spatie": "bel en spatie",
		"fout\xff":               "fout",
		long:                     long,
		long + "é":               strings.Repeat("é", maxHeader-1) + "…",
	} {
		if got := header(given); got != want {
			t.Errorf("%q is %q", given, got)
		}
	}
}

// The logo keeps its proportions, and a label with only a phone number has its contacts in the mail too.
func TestLogoAndContacts(t *testing.T) {
	d, err := boxed(t, Config{}).layOut(brands["1042"], hello)
	if err != nil {
		t.Fatal(err)
	}
	if d.Logo.Height != logoHeight || d.Logo.Width != 444*36/96 {
		t.Errorf("the logo is %d by %d", d.Logo.Width, d.Logo.Height)
	}
	for _, c := range []struct {
		email, phone string
		has          bool
	}{{"a@b.example", "085 1", true}, {"a@b.example", "", true}, {"", "085 1", true}, {"", "", false}} {
		l := &label.Label{Key: "phone", URL: "https://bel.example", Info: label.Info{Name: "Bel", Email: c.email, Phone: c.phone}}
		d, err := boxed(t, Config{}).layOut(l, hello)
		if err != nil || d.Contacts != c.has {
			t.Errorf("%+v: %v %v", c, d.Contacts, err)
		}
	}
}
