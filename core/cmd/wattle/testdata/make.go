//go:build ignore

// Command make writes the files of a release into a folder of stored: databases as that release stored them. `make stored` runs it, see
// stored/README.md.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/wattle-portal/wattle/core/internal/storetest/cluster"
)

// clock is the start time of the former release; its sessions and codes are valid for some time after it.
const clock = "2026-11-20T10:00:00Z"

type object = map[string]any

// known has what browsers and back offices received from the former release; it is stored in <engine>.json.
type known struct {
	Clock    string
	Engine   string
	Cookies  map[string]string // label -> value of wattle_session
	Accounts map[string]login
	APIKeys  map[string]string // label -> key
	Webhooks map[string]webhook
	Offers   []string
	Orders   map[string]string // state -> deal_identifier
	Secret   string            `json:",omitempty"` // WATTLE_IDENTITY_KEY; empty: identity.key in the data folder
}

type login struct{ Label, Username, Password, Relation, Email string }

type webhook struct{ ID, URL, Secret string }

func main() {
	log.SetFlags(0)
	binary := flag.String("wattle", "", "program of the former release")
	plugins := flag.String("plugins", "", "its folder of plugins; empty: none, and no label 9001")
	out := flag.String("out", "", "folder of the release, with its labels")
	flag.Parse()
	here, err := filepath.Abs(*out)
	check(err)
	err = os.Chdir(here)
	check(err)
	for _, engine := range []string{"sqlite", "postgres"} {
		w := &world{binary: *binary, plugins: *plugins, labels: filepath.Join(here, "labels"), known: known{Clock: clock, Engine: engine,
			Cookies: map[string]string{}, Accounts: map[string]login{}, APIKeys: map[string]string{}, Webhooks: map[string]webhook{}, Orders: map[string]string{}}}
		w.data, err = os.MkdirTemp("", "former-")
		check(err)
		check(os.Chmod(w.data, 0o755)) // as an operator may have created it
		if engine == "postgres" {
			c, err := cluster.Start()
			check(err)
			w.database = c.URL
			w.Secret = "a-former-identity-key-of-48-characters-in-a-file"
			check(os.WriteFile(filepath.Join(w.data, "secrets"), []byte("WATTLE_IDENTITY_KEY="+w.Secret+"\n"), 0o600))
			w.run()
			w.dump()
			check(c.Stop())
		} else {
			w.run()
		}
		w.pack(filepath.Join(here, engine+".tar.zst"))
		text, err := json.MarshalIndent(w.known, "", "  ")
		check(err)
		check(os.WriteFile(filepath.Join(here, engine+".json"), append(text, '\n'), 0o644))
		check(os.RemoveAll(w.data))
	}
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}

type world struct {
	known
	binary, plugins, labels, data, database string
	addr                                    string
	cmd                                     *exec.Cmd
}

func (w *world) place() []string {
	out := []string{"--data", w.data, "--labels", w.labels}
	if w.plugins != "" {
		out = append(out, "--plugins", w.plugins)
	}
	if w.database != "" {
		out = append(out, "--database", w.database, "--secret-file", filepath.Join(w.data, "secrets"))
	}
	return out
}

// command runs a command and returns its output.
func (w *world) command(args ...string) string {
	cmd := exec.Command(w.binary, append(args, w.place()...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	check(err)
	return strings.TrimSpace(string(out))
}

func (w *world) serve(more ...string) {
	w.cmd = exec.Command(w.binary, append(append([]string{"serve", "--addr", "127.0.0.1:0", "--demo", "--clock", clock, "--log-level", "error"}, more...), w.place()...)...)
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
		log.Panicf("%s %s: %s %s", method, path, res.Status, answer)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			log.Panicf("%s %s: %v: %s", method, path, err, answer)
		}
	}
	return res
}

// person creates an account through the demo's own call.
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
	w.Accounts[name] = login{label, made.Username, made.Password, made.Relation, made.Email}
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
	log.Panic("never: ", what)
}

func (w *world) run() {
	defer func() {
		if p := recover(); p != nil {
			if w.cmd != nil {
				_ = w.cmd.Process.Kill()
			}
			panic(p)
		}
	}()
	for _, label := range []string{"1024", "1042"} {
		w.APIKeys[label] = w.command("keys", "add", "--label", label, "--name", "backoffice")
	}
	password := w.command("staff", "add", "--label", "1042", "--username", "nieuw.bij.ons", "--email", "nieuw@haardlicht.example", "--name", "Nieuw bij ons")
	w.Accounts["invited staff"] = login{Label: "1042", Username: "nieuw.bij.ons", Password: password, Email: "nieuw@haardlicht.example"}

	w.serve()
	for _, label := range []string{"1024", "1042"} {
		var hook webhook
		w.call(label, "POST", "/staff/webhooks", w.APIKeys[label], object{"url": "http://127.0.0.1:9/events", "types": []string{}}, &hook)
		w.Webhooks[label] = hook
	}
	w.household()
	w.market()
	if w.plugins != "" {
		w.plugged()
	}
	sleeper := w.person("1042", "sleeper", object{"temporary": true})
	w.call("1042", "POST", "/reactivate/begin", "", object{"email": sleeper.Email}, nil)
	var link string
	w.until("a link by mail", func() bool { link = w.mailed(`/reactivation/([A-Za-z0-9_.-]+)`); return link != "" })
	w.stop()

	w.serve("--smtp", "smtp://127.0.0.1:9?tls=none") // mails stay in the queue from here on
	w.call("1042", "POST", "/reactivate/finish/"+link, "", nil, nil)
	household := w.Accounts["household"]
	w.call("1042", "POST", "/auth/forgot-password", "", object{"username": household.Username}, nil)
	for label, name := range map[string]string{"1042": "household", "1024": "staff"} {
		_, w.Cookies[label] = w.signIn(name)
	}
	w.stop()
}

// mailed searches the mails of the mailbox for a pattern.
func (w *world) mailed(pattern string) string {
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

// household creates a customer with contracts, invoices, usage and a pending change, who has been impersonated.
func (w *world) household() {
	who := w.person("1042", "household", object{"sample": true, "impersonator": true,
		"calls": []object{{"module": "account", "path": "/relations/email", "body": object{"change_email": "nieuw@voorbeeld.example"}}}})
	w.call("1042", "POST", "/auth/impersonate", "", object{"code": who.ImpersonateCode}, nil)
	token, _ := w.signIn("household")
	w.call("1042", "GET", "/smartmeterreadings/historicaldata?consentGiven=true", token, nil, nil)
	w.person("1042", "desk", object{"role": "staff"})
	w.until("the wish stands with staff", func() bool {
		var list struct{ Items []any }
		w.call("1042", "GET", "/staff/changes?state=PENDING&kind=account.email", w.APIKeys["1042"], nil, &list)
		return len(list.Items) == 1
	})
}

// market creates a seller, two offers, and paid, pending and canceled orders.
func (w *world) market() {
	w.person("1024", "staff", object{"role": "staff"})
	seller := w.person("1024", "seller", object{"sample": true})
	buyer := w.person("1024", "buyer", object{"sample": true})
	desk, _ := w.signIn("staff")
	sells, _ := w.signIn("seller")
	buys, _ := w.signIn("buyer")
	_ = buyer
	for _, shares := range []int{12, 3} {
		var offer struct{ Identifier, Reference string }
		w.call("1024", "POST", "/sustainable/offers", sells, object{"participation_identifier": "P-" + seller.ID, "date": "2026-11-20", "number_of_shares": shares, "price": 40}, &offer)
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
			w.call("1024", "GET", "/staff/changes?state=PENDING&kind=marketplace.offer", desk, nil, &list)
			for _, c := range list.Items {
				if c.Data["reference"] == offer.Reference {
					change = c.ID
				}
			}
			return change != ""
		})
		w.call("1024", "POST", "/staff/changes/"+change+"/decision", desk, object{"state": "PROCESSED"}, nil)
	}
	for state, shares := range map[string]int{"BOUGHT": 4, "CANCELLED": 2, "AWAITING_PAYMENT": 3} {
		w.call("1024", "POST", "/sustainable/basket", buys, object{"offer": object{"identifier": w.Offers[0], "shares": shares,
			"address": object{"street_name": "Proeflaan", "house_number": "1", "house_postfix": "", "postal_code": "9700AA", "city": "Groningen"}}}, nil)
		var placed struct {
			Order struct {
				ID string `json:"deal_identifier"`
			}
		}
		w.call("1024", "POST", "/sustainable/basket/order", buys, object{"waiveWithdrawalPeriod": true, "start_date": "2026-12-21"}, &placed)
		id := placed.Order.ID
		w.Orders[state] = id
		w.ordered(buys, id, "AWAITING_PAYMENT")
		switch state {
		case "BOUGHT":
			var pay struct{ URL string }
			w.call("1024", "GET", "/sustainable/orders/"+id+"/paylink", buys, nil, &pay)
			path := pay.URL[strings.Index(pay.URL, "/api/"):]
			w.call("1024", "POST", "/"+path, "", "do=pay", nil)
		case "CANCELLED":
			w.call("1024", "DELETE", "/sustainable/orders/"+id, buys, nil, nil)
		}
		w.ordered(buys, id, state)
	}
}

func (w *world) ordered(token, id, state string) {
	seen := ""
	w.until("order "+state, func() bool {
		var list []struct {
			ID     string `json:"deal_identifier"`
			Status string
		}
		w.call("1024", "GET", "/sustainable/orders", token, nil, &list)
		for _, o := range list {
			if o.ID == id {
				if seen != o.Status {
					seen = o.Status
					log.Print(w.Engine, " order ", o.Status)
				}
				return o.Status == state
			}
		}
		return false
	})
}

// plugged creates a customer of the label whose module is a plugin.
func (w *world) plugged() {
	w.person("9001", "plugged", object{})
	token, _ := w.signIn("plugged")
	w.call("9001", "PUT", "/fixture/notes/one", token, object{"text": "een notitie van vroeger"}, nil)
	w.call("9001", "POST", "/fixture/limit", token, object{"amount": 7}, nil)
}

// dump writes the PostgreSQL database as plain SQL without roles, so that any role can restore it. Roles of plugins belong to the server
// and are created again.
func (w *world) dump() {
	out, err := exec.Command("pg_dump", "--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100", w.database).Output()
	check(err)
	var text bytes.Buffer
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, `\`) { // commands of psql, which other clients do not support
			text.WriteString(line)
		}
	}
	check(os.WriteFile(filepath.Join(w.data, "dump.sql"), text.Bytes(), 0o644))
}

// pack archives the data folder with its file modes, without files that are built again.
func (w *world) pack(file string) {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	check(err)
	t := tar.NewWriter(z)
	sizes := map[string]int64{}
	check(filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(w.data, path)
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() && (name == "assets" || name == "front" || name == "installed" || name == "plugin-logs") {
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
		sizes[name] = info.Size()
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(t, f)
		return errors.Join(err, f.Close())
	}))
	check(errors.Join(t.Close(), z.Close()))
	check(os.WriteFile(file, out.Bytes(), 0o644))
	for name := range maps.Keys(sizes) {
		fmt.Println(w.Engine, name, sizes[name])
	}
	fmt.Println(file, out.Len())
}
