package mail

import (
	"bytes"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"io"
	netmail "net/mail"
	"regexp"
	"strings"
	texttemplate "text/template"
	"unicode"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed mail.html
var htmlSource string

//go:embed mail.txt
var textSource string

var (
	htmlLayout = template.Must(template.New("mail.html").Parse(htmlSource))
	textLayout = texttemplate.Must(texttemplate.New("mail.txt").Parse(textSource))
)

var errAddress = errors.New("mail: not an e-mail address")

const (
	logoID     = "logo@wattle"
	logoHeight = 36 // pixels on screen; the file is larger
	pictureID  = "picture@wattle"
	// maxPicture is the width in pixels of the text column, which a picture may fill.
	maxPicture = 480
	maxHeader  = 250 // characters in a header value
)

// document is an email with its layout.
type document struct {
	Locale   string
	Label    string
	Subject  string
	Title    string
	Lines    []string
	Code     string
	Button   *link
	After    []string
	End      *link // unsubscribes from emails of this kind
	Email    string
	Phone    string
	Home     link
	Logo     *inline
	Picture  *inline
	Color    map[string]template.CSS
	Font     template.CSS
	T        words
	Contacts bool

	to, subject, html, text string
	oneClick                string // URL of the request that unsubscribes
}

type link struct{ Text, URL string }

// inline is a PNG of the label in an email, with its size on screen.
type inline struct {
	id, name      string
	data          []byte
	Width, Height int
}

// Src is the reference to the attachment.
func (i *inline) Src() template.URL { return template.URL("cid:" + i.id) }

func (i *inline) reader() io.Reader { return bytes.NewReader(i.data) }

// pictures returns the pictures that are attached to the email.
func (d *document) pictures() (all []*inline) {
	for _, i := range []*inline{d.Logo, d.Picture} {
		if i != nil {
			all = append(all, i)
		}
	}
	return all
}

// words contains the texts of the frame; the module provides the content of the email.
type words struct{ Questions, Or, Call, Fallback string }

//go:embed messages
var messages embed.FS

// Texts are the texts of core: those in the frame of every email, core.mail.frame.…, and those of emails about accounts.
var Texts = module.MustTexts(messages)

// wordsOf returns the frame texts in a language, including the label's own.
func wordsOf(l *label.Label, locale string) words {
	say := func(name string) string {
		id := "core.mail.frame." + name
		if own := l.Messages[locale][id]; own != "" {
			return own
		}
		return Texts.Text(locale, id, nil)
	}
	return words{say("questions"), say("or"), say("call"), say("fallback")}
}

// header returns a value as one line: CR, LF and all other control characters become spaces.
func header(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }),
		" ")
	if runes := []rune(s); len(runes) > maxHeader {
		s = string(runes[:maxHeader-1]) + "…"
	}
	return s
}

// address parses a single bare email address. It rejects anything that a header could interpret as more.
func address(s string) (string, error) {
	s = header(s)
	a, err := netmail.ParseAddress(s)
	if err != nil || a.Address != s {
		return "", errAddress
	}
	return s, nil
}

// apiPrefix is the prefix of every API path of the portal (7-base-path).
const apiPrefix = "/api/v0"

// localPath matches a portal path that needs no escaping in a header.
var localPath = regexp.MustCompile(`^/[A-Za-z0-9_~.-][A-Za-z0-9/_~.?=&%-]*$`)

// layOut returns the email with its layout.
func (m *Mailer) layOut(l *label.Label, mail module.Mail) (*document, error) {
	to, err := address(mail.To)
	if err != nil {
		return nil, err
	}
	d := &document{Locale: mail.Locale, Label: l.Info.Name, Title: mail.Title, Lines: mail.Lines, Code: mail.Code, After: mail.After,
		Email: l.Info.Email, Phone: l.Info.Phone, Home: link{host(l.URL), l.URL}, to: to, subject: header(mail.Subject)}
	if d.Locale != "en" {
		d.Locale = "nl"
	}
	d.T, d.Subject, d.Contacts = wordsOf(l, d.Locale), d.subject, l.Info.Email != "" || l.Info.Phone != ""
	if d.Title == "" {
		d.Title = d.Subject
	}
	if b := mail.Button; b != nil {
		if !strings.HasPrefix(b.Path, "/") || strings.HasPrefix(b.Path, "//") {
			return nil, fmt.Errorf("mail: a button must lead to a path of the portal")
		}
		d.Button = &link{b.Text, strings.TrimSuffix(l.URL, "/") + b.Path}
	}
	if u := mail.Unsubscribe; u != nil {
		for _, path := range []string{u.Path, u.Call} {
			if !localPath.MatchString(path) {
				return nil, errors.New("mail: an unsubscribe link must lead to the portal")
			}
		}
		d.End = &link{u.Text, strings.TrimSuffix(l.URL, "/") + u.Path}
		d.oneClick = strings.TrimSuffix(l.URL, "/") + apiPrefix + u.Call
	}
	d.Color, d.Font = colors(l), font(l.Style.Font)
	d.Logo, d.Picture = m.logo(l), m.picture(l)
	if d.html, err = d.render(); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := textLayout.Execute(&text, d); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	d.text = blankLines.ReplaceAllString(strings.TrimSpace(text.String()), "\n\n") + "\n"
	return d, nil
}

var blankLines = regexp.MustCompile(`\n{3,}`)

func (d *document) render() (string, error) {
	var b strings.Builder
	if err := htmlLayout.Execute(&b, d); err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	return b.String(), nil
}

// preview returns the HTML with its pictures embedded, for the mailbox.
func (d *document) preview() string {
	out := d.html
	for _, i := range d.pictures() {
		out = strings.ReplaceAll(out, string(i.Src()), "data:image/png;base64,"+base64.StdEncoding.EncodeToString(i.data))
	}
	return out
}

// logo returns the label's email logo, or nil when the label has none; the email then shows the label's name.
func (m *Mailer) logo(l *label.Label) *inline {
	return m.inline(l, inline{id: logoID, name: "logo.png"}, l.Style.LogoMail, func(width, height int) (int, int) {
		return max(1, width*logoHeight/height), logoHeight
	})
}

// picture returns the label's email illustration, or nil when the label has none (9-brand-mail-picture). It is shown at half its size,
// which is sharp on a phone, and at most as wide as the text.
func (m *Mailer) picture(l *label.Label) *inline {
	return m.inline(l, inline{id: pictureID, name: "picture.png"}, l.Style.IllustrationMail, func(width, height int) (int, int) {
		onScreen := min(max(1, width/2), maxPicture)
		return onScreen, max(1, height*onScreen/width)
	})
}

// inline adds the data and size of the file to i. It returns nil if there is no file or the file cannot be read.
func (m *Mailer) inline(l *label.Label, i inline, file string, size func(width, height int) (int, int)) *inline {
	if file == "" || m.assets == nil {
		return nil
	}
	data, _, err := m.assets.Asset(l, file)
	if err == nil {
		c, bad := png.DecodeConfig(bytes.NewReader(data))
		if err = bad; err == nil { // no side of a PNG is 0
			i.data = data
			i.Width, i.Height = size(c.Width, c.Height)
			return &i
		}
	}
	m.c.Log.Warn("a picture for mail cannot be read", "label", l.Key, "file", file, "error", err)
	return nil
}

var hex = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// colors returns the colors of the label, computed like those of its pages, which use more colors than an email.
func colors(l *label.Label) map[string]template.CSS {
	out := map[string]template.CSS{}
	for role, fallback := range map[string]string{"page": "#f4f6f5", "surface": "#ffffff", "tint": "#eef3f0", "text": "#17211b",
		"text-quiet": "#55605a",
		"line":       "#dfe4e1", "primary": "#17211b", "primary-ink": "#17211b", "button": "#17211b", "on-button": "#ffffff"} {
		value := l.Theme.Roles[role]
		switch role {
		case "button":
			value = l.Style.EmailButtonBG
		case "on-button":
			value = l.Style.EmailButtonText
		}
		if !hex.MatchString(value) {
			value = fallback
		}
		out[camel.Replace(role)] = template.CSS(value)
	}
	return out
}

// camel converts the name of a color role to one that a template can use.
var camel = strings.NewReplacer("-i", "I", "-q", "Q", "-b", "B")

var fontName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 -]{0,60}$`)

func font(name string) template.CSS {
	rest := "'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
	if !fontName.MatchString(name) {
		return template.CSS(rest)
	}
	return template.CSS("'" + name + "'," + rest)
}

func host(url string) string {
	_, h, _ := strings.Cut(url, "://")
	return strings.TrimSuffix(h, "/")
}
