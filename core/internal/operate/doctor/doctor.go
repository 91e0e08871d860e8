// Package doctor examines an installation for its operator, even while it is running, and advises what to do about its findings. It changes
// no records.
package doctor

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// State is the result of a check.
type State string

// States.
const (
	OK      State = "ok"
	Warning State = "warning"
	Problem State = "problem"
)

// Finding is the result of one check. Neither of its texts contains a password.
type Finding struct {
	Check  string `json:"check"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Do     string `json:"do,omitempty"` // what to do, unless the state is ok
}

// Report is the result of all checks.
type Report struct {
	OK       bool      `json:"ok"` // whether there is no problem; there may be warnings
	Findings []Finding `json:"findings"`
}

// Options select what is examined.
type Options struct {
	Config     config.Config // validated with Config.Check
	CommitTime time.Time     // commit time of the program; zero: unknown
	Core       []store.Migrations
	Modules    []module.Module
	Labels     func() ([]*label.Label, error)
	Vet        func(context.Context) ([]label.Problem, error)
	Plugins    func(context.Context) ([]pluginhost.Status, error)

	MailTo       string        // address to which a test email is sent; empty: none is sent
	URL          string        // public address of a label, for a request through the proxy; empty: none is made
	MaxBackupAge time.Duration // zero: 48 hours

	Now    func() time.Time                                        // nil: time.Now
	Dial   func(context.Context, string, string) (net.Conn, error) // connects to the hosts of labels; nil: over the network
	Roots  *x509.CertPool                                          // nil: those of the operating system
	Client *http.Client                                            // for URL; nil: the default one
	Free   func(dir string) (free, total uint64, known bool)       // free and total space of a disk; nil: from the operating system
}

const (
	checkTimeout        = time.Minute
	defaultMaxBackupAge = 48 * time.Hour
)

// doctor is one examination of an installation.
type doctor struct {
	Options
	found  []Finding
	isHeld bool         // an unfinished upgrade holds the data, or that could not be read
	store  *store.Store // nil: the database cannot be used
}

// Run makes all checks.
func Run(ctx context.Context, o Options) Report {
	d := &doctor{Options: o}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Dial == nil {
		d.Dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	if d.Client == nil {
		dialer := &net.Dialer{Timeout: dialTimeout}
		d.Client = &http.Client{Timeout: dialTimeout,
			Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if host, port, err := net.SplitHostPort(address); err == nil && strings.HasSuffix(host, ".localhost") { // RFC 6761: browsers resolve it
					address = net.JoinHostPort("localhost", port)
				}
				return dialer.DialContext(ctx, network, address)
			}}}
	}
	if d.Free == nil {
		d.Free = freeSpace
	}
	if d.MaxBackupAge <= 0 {
		d.MaxBackupAge = defaultMaxBackupAge
	}
	origin := "flags and environment"
	if d.Config.File != "" {
		origin = d.Config.File
	}
	d.ok("configuration", "%s; wattle config check prints it", origin)
	for _, check := range []func(context.Context){d.upgrade, d.database, d.key, d.clock, d.labels, d.plugins, d.mail, d.files, d.proxy,
		d.certificates, d.backup} {
		func() {
			ctx, cancel := context.WithTimeout(ctx, checkTimeout)
			defer cancel()
			check(ctx)
		}()
	}
	if d.store != nil {
		_ = d.store.Close() // nothing was written
	}
	return report(d.found)
}

// ConfigReport returns the report for a configuration with mistakes, with which nothing else can be checked.
func ConfigReport(problems []config.Problem) Report {
	d := &doctor{}
	for _, p := range problems {
		d.problem("configuration", "correct it, and then run wattle doctor again: nothing else was checked", "%s", p)
	}
	return report(d.found)
}

func report(found []Finding) Report {
	r := Report{OK: true, Findings: found}
	for _, f := range found {
		r.OK = r.OK && f.State != Problem
	}
	return r
}

// Print prints a line for each finding. Below each finding that is not ok, it prints what to do.
func (r Report) Print(out io.Writer) {
	counts := map[State]int{}
	for _, f := range r.Findings {
		counts[f.State]++
		fmt.Fprintf(out, "%s %-13s %s\n", cli.Paint(out, colors[f.State], fmt.Sprintf("%-8s", f.State)), f.Check, f.Detail)
		if f.Do != "" {
			fmt.Fprintf(out, "%22s do: %s\n", "", f.Do)
		}
	}
	fmt.Fprintf(out, "\n%d ok, %s, %s\n", counts[OK], words.Count(counts[Warning], "warning", "warnings"),
		words.Count(counts[Problem], "problem", "problems"))
}

// colors are the colors of the states on a terminal.
var colors = map[State]cli.Color{OK: cli.Green, Warning: cli.Yellow, Problem: cli.Red}

func (d *doctor) ok(check, format string, args ...any) { d.add(check, OK, "", format, args...) }

func (d *doctor) warn(check, do, format string, args ...any) {
	d.add(check, Warning, do, format, args...)
}

func (d *doctor) problem(check, do, format string, args ...any) {
	d.add(check, Problem, do, format, args...)
}

// add adds a finding, on one line.
func (d *doctor) add(check string, state State, do, format string, args ...any) {
	for i, a := range args {
		if err, is := a.(error); is {
			args[i] = cli.Plain(err.Error())
		}
	}
	d.found = append(d.found, Finding{check, state, oneLine(fmt.Sprintf(format, args...)), oneLine(do)})
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// maxEach is the maximum number of findings of one kind that are listed individually.
const maxEach = 20

// addUnlisted adds a finding with the number of findings that were not listed.
func (d *doctor) addUnlisted(check string, n int, do string) {
	if n > maxEach {
		d.problem(check, do, "%d more of these", n-maxEach)
	}
}
