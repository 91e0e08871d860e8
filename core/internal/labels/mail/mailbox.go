package mail

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// maxMailbox is the maximum number of emails in the mailbox.
const maxMailbox = 500

// Message is one email in the mailbox.
type Message struct {
	ID      string      `json:"id"`
	Label   string      `json:"label"`
	At      time.Time   `json:"at"`
	Subject string      `json:"subject"`
	Mail    module.Mail `json:"mail"`
	HTML    string      `json:"html,omitempty"`
	Text    string      `json:"text,omitempty"`
}

// mailbox is a folder with one JSON file for each email. Several processes may write to it.
type mailbox struct {
	dir string
	mu  sync.Mutex
}

var idForm = regexp.MustCompile(`^[0-9]{16}-[0-9a-z]{26}$`)

// newID returns an id that sorts by time.
func newID(t time.Time) string { return fmt.Sprintf("%016d-%s", t.UnixMicro(), value.NewID()) }

func (b *mailbox) put(m Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		return errors.New("mail: neither an SMTP server nor a mailbox folder")
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return fmt.Errorf("mail: mailbox: %w", err)
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(b.dir, ".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("mail: mailbox: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(b.dir, m.ID+".json"))
	}
	if err != nil {
		return fmt.Errorf("mail: mailbox: %w", errors.Join(err, os.Remove(f.Name())))
	}
	ids, err := b.ids()
	if err != nil || len(ids) <= maxMailbox {
		return err
	}
	for _, id := range ids[maxMailbox:] {
		err = errors.Join(err, os.Remove(filepath.Join(b.dir, id+".json")))
	}
	return err
}

// Purge deletes the emails that are older than keep from the mailbox.
func (m *Mailer) Purge(keep time.Duration) error { return m.box.purge(newID(m.c.Now().Add(-keep))) }

// purge deletes the emails whose ids sort before an id.
func (b *mailbox) purge(before string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	ids, err := b.ids()
	for _, id := range ids {
		if id[:idTime] < before[:idTime] {
			if e := os.Remove(filepath.Join(b.dir, id+".json")); !errors.Is(e, fs.ErrNotExist) { // another process has already removed it
				err = errors.Join(err, e)
			}
		}
	}
	return err
}

// idTime is the number of characters of the time in an id.
const idTime = 16

// ids returns the ids, newest first.
func (b *mailbox) ids() ([]string, error) {
	entries, err := os.ReadDir(b.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("mail: mailbox: %w", err)
	}
	var ids []string
	for _, e := range slices.Backward(entries) {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && idForm.MatchString(id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (b *mailbox) get(id string) (m Message, err error) {
	if !idForm.MatchString(id) {
		return m, fs.ErrNotExist
	}
	data, err := os.ReadFile(filepath.Join(b.dir, id+".json"))
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(data, &m)
}

// List returns the emails in the mailbox, newest first, without their layout.
func (m *Mailer) List(ctx context.Context) ([]Message, error) {
	ids, err := m.box.ids()
	if err != nil {
		return nil, err
	}
	out := []Message{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, err := m.box.get(id)
		if errors.Is(err, fs.ErrNotExist) { // removed in the meantime
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("mail: mailbox: %w", err)
		}
		x.HTML, x.Text = "", ""
		out = append(out, x)
	}
	return out, nil
}

//go:embed mailbox.html
var boxSource string

var (
	boxPage  = template.Must(template.New("mailbox.html").Parse(boxSource))
	boxStyle = regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(boxSource)[1]
)

// Mailbox serves the mailbox for the demo: / returns the list as a page, or as JSON on request, and with ?to= only emails to one address;
// /{id} returns the HTML of one email, /{id}.txt its plain text. The caller mounts the handler with its prefix stripped.
func (m *Mailer) Mailbox() http.Handler {
	sum := sha256.Sum256([]byte(boxStyle))
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if id := strings.Trim(r.URL.Path, "/"); id != "" {
			m.serveOne(w, id)
			return
		}
		list, err := m.List(r.Context())
		if err != nil {
			problem.Observe(r.Context(), err)
			problem.Write(w, problem.Of(err))
			return
		}
		if to := r.URL.Query().Get("to"); to != "" {
			list = slices.DeleteFunc(list, func(x Message) bool { return !strings.EqualFold(x.Mail.To, to) })
		}
		if strings.Contains(r.Header.Get("Accept"), "application/json") {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(list) // fails only when the client has disconnected
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		if err := boxPage.Execute(w, list); err != nil {
			problem.Observe(r.Context(), err)
		}
	})
}

// serveOne shows an email like an email client: with styles, without scripts or content from other hosts.
func (m *Mailer) serveOne(w http.ResponseWriter, id string) {
	id, text := strings.CutSuffix(id, ".txt")
	x, err := m.box.get(id)
	if err != nil {
		problem.Write(w, problem.Fail(http.StatusNotFound, problem.CodeNotFound))
		return
	}
	if text {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(x.Text))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
	_, _ = w.Write([]byte(x.HTML))
}
