package stored

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/installed"
)

// start is the time at which the portal starts; its sessions and codes are valid for some time after it.
var start = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

type object = map[string]any

// Release is a program and the place where it stores its data.
type Release struct {
	Program  string
	Labels   string   // labels folder
	Database string   // URL of an empty PostgreSQL database; empty: SQLite
	Env      []string // environment of the program, in addition to that of this process
}

// Write simulates the use of a release's portal, and writes its data to a folder: <engine>.tar.zst and <engine>.json.
func Write(r Release, folder string) (err error) {
	w := &world{Release: r, Credentials: Credentials{Clock: start, Cookies: map[string]string{}, Accounts: map[string]Account{},
		APIKeys:  map[string]string{},
		Webhooks: map[string]Webhook{}, Orders: map[string]string{}}}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p
		default:
			panic(p)
		}
		if w.cmd != nil {
			err = errors.Join(err, w.cmd.Process.Kill(), w.cmd.Wait())
		}
		err = errors.Join(err, os.RemoveAll(w.data))
	}()
	w.data, err = os.MkdirTemp("", "stored-")
	check(err)
	check(os.Chmod(w.data, 0o755)) // an operator may have created it with this mode
	engine := SQLite
	if r.Database != "" {
		engine, w.Secret = Postgres, "an-identity-key-of-48-characters-in-a-secret-file"
		check(os.WriteFile(filepath.Join(w.data, "secrets"), []byte("WATTLE_IDENTITY_KEY="+w.Secret+"\n"), 0o600))
	}
	w.brands()
	w.run()
	if r.Database != "" {
		w.dump()
	}
	w.pack(filepath.Join(folder, engine+".tar.zst"))
	text, err := json.MarshalIndent(w.Credentials, "", "  ")
	check(err)
	check(os.WriteFile(filepath.Join(folder, engine+".json"), append(text, '\n'), 0o644))
	return nil
}

// failure is the value with which check panics: the steps of a world end at the first error.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func fail(format string, args ...any) { check(fmt.Errorf(format, args...)) }

type world struct {
	Release
	Credentials
	supplier, cooperative string // labels
	data, addr            string
	cmd                   *exec.Cmd // set while the portal runs
}

// brands finds the two labels: only a cooperative has a market.
func (w *world) brands() {
	all, err := filepath.Glob(filepath.Join(w.Labels, "*", "label.cue"))
	check(err)
	for _, file := range all {
		text, err := os.ReadFile(file)
		check(err)
		key := filepath.Base(filepath.Dir(file))
		if bytes.Contains(text, []byte("marketplace:")) {
			w.cooperative = key
		} else {
			w.supplier = key
		}
	}
	if w.supplier == "" || w.cooperative == "" {
		fail("%s needs a label with a market, and one without", w.Labels)
	}
}

func (w *world) place() []string {
	out := []string{"--data", w.data, "--labels", w.Labels}
	if w.Database != "" {
		out = append(out, "--database", w.Database, "--secret-file", filepath.Join(w.data, "secrets"))
	}
	return out
}

// command runs a command and returns its output.
func (w *world) command(args ...string) string {
	cmd := exec.Command(w.Program, append(args, w.place()...)...)
	cmd.Env = append(os.Environ(), w.Env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	check(err)
	return strings.TrimSpace(string(out))
}

func (w *world) serve(more ...string) {
	w.cmd = exec.Command(w.Program, append(append([]string{"serve", "--addr", "127.0.0.1:0", "--demo", "--clock", start.Format(time.RFC3339),
		"--log-level", "error"}, more...), w.place()...)...)
	w.cmd.Env = append(os.Environ(), w.Env...)
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	check(err)
	check(w.cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	check(err)
	var announced struct{ Addr string }
	check(json.Unmarshal(line, &announced))
	w.addr = announced.Addr
}

func (w *world) stop() {
	check(w.cmd.Process.Signal(syscall.SIGTERM))
	check(w.cmd.Wait())
	w.cmd = nil
}

// call makes a call and decodes the response into out.
func (w *world) call(label, method, path, bearer string, in, out any) *http.Response {
	body, err := json.Marshal(in)
	check(err)
	kind := "application/json"
	if text, ok := in.(string); ok {
		body, kind = []byte(text), "application/x-www-form-urlencoded"
	}
	url := "http://" + w.addr + "/api/v0" + path
	if strings.HasPrefix(path, "//") {
		url = "http://" + w.addr + path[1:]
	}
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	check(err)
	r.Host = label + ".localhost"
	r.Header.Set("Content-Type", kind)
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	res, err := (&http.Transport{}).RoundTrip(r)
	check(err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	check(err)
	if res.StatusCode >= 400 {
		fail("%s %s: %s %s", method, path, res.Status, answer)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			fail("%s %s: %v: %s", method, path, err, answer)
		}
	}
	return res
}

// person creates an account through the demo's own operation.
func (w *world) person(label, name string, wanted object) (made struct {
	Username, Password, Email   string
	Relation                    string `json:"relation_id"`
	ID, Debtor, ImpersonateCode string
}) {
	var raw object
	w.call(label, "POST", "/dev/customers", "", wanted, &raw)
	delete(raw, "relation") // the response has the complete record
	text, err := json.Marshal(raw)
	check(err)
	check(json.Unmarshal(text, &made))
	made.ImpersonateCode, _ = raw["impersonation_code"].(string)
	w.Accounts[name] = Account{label, made.Username, made.Password, made.Relation, made.Email}
	return made
}

// signIn returns the id token and the session cookie.
func (w *world) signIn(name string) (token, cookie string) {
	a := w.Accounts[name]
	var out struct {
		Token string `json:"id_token"`
	}
	res := w.call(a.Label, "POST", "/auth/sign-in", "", object{"username": a.Username, "password": a.Password}, &out)
	for _, c := range res.Cookies() {
		cookie = c.Value
	}
	return out.Token, cookie
}

func (w *world) until(what string, done func() bool) {
	for range 300 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	fail("never: %s", what)
}

func (w *world) run() {
	for _, label := range []string{w.cooperative, w.supplier} {
		w.APIKeys[label] = w.command("keys", "add", "--label", label, "--name", "backoffice")
	}
	password := w.command("staff", "add", "--label", w.supplier, "--username", "nieuw.bij.ons", "--email", "nieuw@haardlicht.example",
		"--name", "Nieuw bij ons")
	w.Accounts["invited staff"] = Account{Label: w.supplier, Username: "nieuw.bij.ons", Password: password, Email: "nieuw@haardlicht.example"}

	w.serve()
	for _, label := range []string{w.cooperative, w.supplier} {
		var hook Webhook
		w.call(label, "POST", "/staff/webhooks", w.APIKeys[label], object{"url": "http://127.0.0.1:9/events", "types": []string{}}, &hook)
		w.Webhooks[label] = hook
	}
	w.household()
	w.market()
	sleeper := w.person(w.supplier, "sleeper", object{"temporary": true})
	w.call(w.supplier, "POST", "/reactivate/begin", "", object{"email": sleeper.Email}, nil)
	var link string
	w.until("a link by mail", func() bool { link = w.findInMail(`/reactivation/([A-Za-z0-9_.-]+)`); return link != "" })
	w.stop()

	w.serve("--smtp", "smtp://127.0.0.1:9?tls=none") // from here on, emails stay in the queue
	w.call(w.supplier, "POST", "/reactivate/finish/"+link, "", nil, nil)
	household := w.Accounts["household"]
	w.call(w.supplier, "POST", "/auth/forgot-password", "", object{"username": household.Username}, nil)
	for label, name := range map[string]string{w.supplier: "household", w.cooperative: "staff"} {
		_, w.Cookies[label] = w.signIn(name)
	}
	w.stop()
}

// findInMail searches the emails in the mailbox for a pattern.
func (w *world) findInMail(pattern string) string {
	files, err := filepath.Glob(filepath.Join(w.data, "mailbox", "*.json"))
	check(err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		check(err)
		if m := regexp.MustCompile(pattern).FindSubmatch(text); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// household creates a customer who has contracts, invoices, usage and a pending change, and has been impersonated.
func (w *world) household() {
	who := w.person(w.supplier, "household", object{"sample": true, "impersonator": true,
		"calls": []object{{"module": "account", "path": "/relations/email", "body": object{"change_email": "nieuw@voorbeeld.example"}}}})
	w.call(w.supplier, "POST", "/auth/impersonate", "", object{"code": who.ImpersonateCode}, nil)
	token, _ := w.signIn("household")
	w.call(w.supplier, "GET", "/smartmeterreadings/historicaldata?consentGiven=true", token, nil, nil)
	w.person(w.supplier, "desk", object{"role": "staff"})
	w.until("the change request stands with staff", func() bool {
		var list struct{ Items []any }
		w.call(w.supplier, "GET", "/staff/changes?state=PENDING&kind=account.email", w.APIKeys[w.supplier], nil, &list)
		return len(list.Items) == 1
	})
}

// market creates a seller, two offers, and paid, pending and canceled orders.
func (w *world) market() {
	w.person(w.cooperative, "staff", object{"role": "staff"})
	seller := w.person(w.cooperative, "seller", object{"sample": true})
	buyer := w.person(w.cooperative, "buyer", object{"sample": true})
	desk, _ := w.signIn("staff")
	sells, _ := w.signIn("seller")
	buys, _ := w.signIn("buyer")
	_ = buyer
	for _, shares := range []int{12, 3} {
		var offer struct{ Identifier, Reference string }
		w.call(w.cooperative, "POST", "/sustainable/offers", sells, object{"participation_identifier": "P-" + seller.ID, "date": "2026-11-20",
			"number_of_shares": shares, "price": 40}, &offer)
		w.Offers = append(w.Offers, offer.Identifier)
		if shares == 3 {
			break // stays pending for staff
		}
		change := ""
		w.until("the offer stands with staff", func() bool {
			var list struct {
				Items []struct {
					ID   string
					Data object
				}
			}
			w.call(w.cooperative, "GET", "/staff/changes?state=PENDING&kind=marketplace.offer", desk, nil, &list)
			for _, c := range list.Items {
				if c.Data["reference"] == offer.Reference {
					change = c.ID
				}
			}
			return change != ""
		})
		w.call(w.cooperative, "POST", "/staff/changes/"+change+"/decision", desk, object{"state": "PROCESSED"}, nil)
	}
	for state, shares := range map[string]int{"BOUGHT": 4, "CANCELLED": 2, "AWAITING_PAYMENT": 3} {
		w.call(w.cooperative, "POST", "/sustainable/basket", buys, object{"offer": object{"identifier": w.Offers[0], "shares": shares,
			"address": object{"street_name": "Proeflaan", "house_number": "1", "house_postfix": "", "postal_code": "9700AA", "city": "Groningen"}}},
			nil)
		var placed struct {
			Order struct {
				ID string `json:"deal_identifier"`
			}
		}
		w.call(w.cooperative, "POST", "/sustainable/basket/order", buys, object{"waiveWithdrawalPeriod": true, "start_date": "2026-12-21"},
			&placed)
		id := placed.Order.ID
		w.Orders[state] = id
		w.ordered(buys, id, "AWAITING_PAYMENT")
		switch state {
		case "BOUGHT":
			var pay struct{ URL string }
			w.call(w.cooperative, "GET", "/sustainable/orders/"+id+"/paylink", buys, nil, &pay)
			path := pay.URL[strings.Index(pay.URL, "/api/"):]
			w.call(w.cooperative, "POST", "/"+path, "", "do=pay", nil)
		case "CANCELLED":
			w.call(w.cooperative, "DELETE", "/sustainable/orders/"+id, buys, nil, nil)
		}
		w.ordered(buys, id, state)
	}
}

func (w *world) ordered(token, id, state string) {
	w.until("order "+state, func() bool {
		var list []struct {
			ID     string `json:"deal_identifier"`
			Status string
		}
		w.call(w.cooperative, "GET", "/sustainable/orders", token, nil, &list)
		for _, o := range list {
			if o.ID == id {
				return o.Status == state
			}
		}
		return false
	})
}

// dump writes the PostgreSQL database as plain SQL without roles, so that any role can restore it.
func (w *world) dump() {
	bin, err := installed.Binaries()
	check(err)
	out, err := exec.Command(filepath.Join(bin, "pg_dump"), "--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100",
		w.Database).Output()
	check(err)
	var text bytes.Buffer
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, `\`) { // commands of psql, which other clients do not support
			text.WriteString(line)
		}
	}
	check(os.WriteFile(filepath.Join(w.data, "dump.sql"), text.Bytes(), 0o644))
}

// pack archives the data folder with its file modes, without files that can be rebuilt.
func (w *world) pack(file string) {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	check(err)
	t := tar.NewWriter(z)
	check(filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(w.data, path)
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() && (name == "assets" || name == "front") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || !d.IsDir() && !d.Type().IsRegular() {
			return err
		}
		h, err := tar.FileInfoHeader(info, "")
		if err != nil {
			return err
		}
		h.Name, h.Uname, h.Gname, h.Uid, h.Gid = filepath.ToSlash(name), "", "", 0, 0
		if err := t.WriteHeader(h); err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(t, f)
		return errors.Join(err, f.Close())
	}))
	check(errors.Join(t.Close(), z.Close()))
	check(os.WriteFile(file, out.Bytes(), 0o644))
}
