package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
)

// mail connects to the mail server, and sends a test email if an address is given.
func (d *doctor) mail(ctx context.Context) {
	const check = "mail"
	c, err := mail.Server(d.Config.SMTP)
	if err != nil { // config.Check has refused it
		d.problem(check, "write it as smtp://user:password@host:587", "--smtp: %v", err)
		return
	}
	if c.Host == "" {
		if d.Config.Demo {
			d.ok(check, "the demo keeps mail in the mailbox of the data folder")
			return
		}
		d.warn(check, "name one: --smtp smtp://user:password@host:587", "there is no mail server: mail stays in the mailbox of the data folder")
		return
	}
	c.Now = d.Now
	m, err := mail.New(c, nil, nil)
	if err != nil {
		d.problem(check, "correct --smtp", "%v", err)
		return
	}
	from := d.sender()
	if d.MailTo != "" && from == "" {
		d.problem(check, "give --mail-from, or an e-mail address to a label", "there is no address to send from")
		return
	}
	switch err := m.Probe(ctx, from, d.MailTo); {
	case err == nil && d.MailTo == "":
		d.ok(check, "%s accepts the connection; --mail-to sends a test message", c.Host)
	case err == nil:
		d.ok(check, "%s took a test message from %s to %s", c.Host, from, d.MailTo)
	default:
		d.problem(check, mailAdvice(err), "%s: %v", c.Host, err)
	}
}

// sender returns the address from which emails are sent.
func (d *doctor) sender() string {
	if d.Config.MailFrom != "" {
		return d.Config.MailFrom
	}
	all, err := d.Labels()
	if err != nil {
		return ""
	}
	for _, l := range all {
		if l.Info.Email != "" {
			return l.Info.Email
		}
	}
	return ""
}

// SMTP reply codes (RFC 4954, RFC 5321).
const (
	smtpNotSignedIn = 530
	smtpWrongSignIn = 535
)

func mailAdvice(err error) string {
	if answer, ok := errors.AsType[*textproto.Error](err); ok && (answer.Code == smtpWrongSignIn || answer.Code == smtpNotSignedIn) {
		return "correct user and password in --smtp; special characters of the password are written as %XX"
	}
	text := err.Error()
	switch {
	case certificateProblem(err) != "":
		return "the certificate of the mail server is not valid for this name: correct the name in --smtp or the certificate"
	case strings.Contains(text, "autodiscover"):
		return "the server takes no password, or only in the clear, and that is not sent over a connection without TLS: use smtps:// or smtp:// without ?tls=none"
	case strings.Contains(text, "STARTTLS"):
		return "the server offers no STARTTLS on this port: use smtps:// with port 465, or, inside your own network only, ?tls=opportunistic"
	case strings.Contains(text, "authentication failed"), strings.Contains(text, "535"):
		return "correct user and password in --smtp; special characters of the password are written as %XX"
	case errors.As(err, new(*net.DNSError)):
		return "correct the name of the host in --smtp, or the DNS of this machine"
	case errors.As(err, new(*net.OpError)):
		return "check host, port and firewall from this machine; many networks block port 25, use 587 or 465"
	}
	return "ask who runs the mail server; its log has this connection"
}

// proxy checks the configuration of the proxy and, with a URL, the headers that arrive through it.
func (d *doctor) proxy(ctx context.Context) {
	const check = "proxy"
	host, _, err := net.SplitHostPort(d.Config.Addr)
	ip := net.ParseIP(host)
	outside := err == nil && host != "localhost" && (ip == nil || !ip.IsLoopback())
	switch {
	case len(d.Config.Proxies) == 0 && outside && !d.Config.Demo:
		d.warn(check, "set --trusted-proxies to the network of the proxy; it must send X-Forwarded-For and X-Forwarded-Proto",
			"the portal listens on %s and trusts no proxy: all callers behind one count as one, and HTTPS is not seen", d.Config.Addr)
	case len(d.Config.Proxies) == 0 && d.URL == "":
		d.ok(check, "the portal listens on %s and trusts no proxy; --url makes a request through one", d.Config.Addr)
	case d.URL == "":
		d.ok(check, "trusted: %s; --url makes a request through it", strings.Join(d.Config.Proxies, ", "))
	}
	if d.URL != "" {
		d.request(ctx, check)
	}
}

// request makes a request through the proxy. The portal sends Strict-Transport-Security only if the request arrived as HTTPS, and the
// response shows which label's host arrived.
func (d *doctor) request(ctx context.Context, check string) {
	at, err := url.Parse(d.URL)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		d.problem(check, "give an address such as https://my.acme.example", "--url: %q is not an address", d.URL)
		return
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.Scheme+"://"+at.Host+"/api/v0/portal", nil)
	if err != nil {
		d.problem(check, "give an address such as https://my.acme.example", "--url: %v", err)
		return
	}
	answer, err := d.Client.Do(r)
	if err != nil {
		d.problem(check, "check DNS, the proxy and the firewall", "%s does not answer: %v", at.Host, err)
		return
	}
	defer func() { _ = answer.Body.Close() }() // only read
	var body struct {
		Code  string `json:"code"`
		Label struct {
			Key string `json:"key"`
		} `json:"label"`
	}
	decoded := json.NewDecoder(answer.Body).Decode(&body)
	got, want := body.Label.Key, d.labelOf(at.Hostname())
	switch {
	case answer.Header.Get("X-Request-Id") == "" || answer.StatusCode == http.StatusBadGateway ||
		answer.StatusCode == http.StatusGatewayTimeout:
		d.problem(check, "start the portal, and let the proxy pass requests to its address", "%s answers %s, and not the portal", at.Host,
			answer.Status)
	case body.Code == "unknown_label":
		d.problem(check, "let the proxy pass the Host header unchanged (nginx: proxy_set_header Host $host), and give a label the host",
			"the host %s did not arrive: the portal says that no label has it", at.Hostname())
	case answer.StatusCode != http.StatusOK || decoded != nil:
		d.problem(check, "look at /readyz of the portal and at its log", "%s answers %s", at.Host, answer.Status)
	case want != "" && got != want:
		d.problem(check, "let the proxy pass the Host header unchanged (nginx: proxy_set_header Host $host)",
			"the host %s did not arrive: the portal served label %s instead of %s", at.Hostname(), got, want)
	case at.Scheme == "https" && answer.Header.Get("Strict-Transport-Security") == "":
		d.problem(check, "let the proxy send X-Forwarded-Proto: https, and set --trusted-proxies to its network",
			"the portal did not see that %s was called over HTTPS", at.Host)
	default:
		d.ok(check, "%s://%s arrives as it was called, at label %s", at.Scheme, at.Host, got)
	}
}

// labelOf returns the key of the label that has a host, or "" if there is none.
func (d *doctor) labelOf(host string) string {
	all, err := d.Labels()
	if err != nil {
		return ""
	}
	for _, l := range all {
		for _, h := range l.Hosts {
			if h.Name == label.NormalHost(host) {
				return l.Key
			}
		}
	}
	return ""
}

const (
	maxConnections = 32 // maximum number of simultaneous connections to label hosts
	day            = 24 * time.Hour
)

// renewalMargin returns how long before its expiry a certificate should have been renewed: 14 days, or a quarter of its lifetime if that is
// shorter. Proxies renew a certificate when a third of its lifetime is left.
func renewalMargin(x *x509.Certificate) time.Duration {
	return min(14*day, x.NotAfter.Sub(x.NotBefore)/4)
}

// inWords returns a duration in whole days, or in hours if it is shorter than two days.
func inWords(d time.Duration) string {
	if d < 2*day {
		return words.Count(int(d/time.Hour), "hour", "hours")
	}
	return words.Count(int(d/day), "day", "days")
}

// certificates connects to the live hosts of all labels.
func (d *doctor) certificates(ctx context.Context) {
	const check = "certificates"
	if d.Config.Demo {
		d.ok(check, "a demo is served at localhost")
		return
	}
	all, err := d.Labels()
	if err != nil {
		d.warn(check, "correct the labels first", "the hosts of the labels are not known")
		return
	}
	var hosts []string
	for _, l := range all {
		for _, h := range l.Hosts {
			if !h.Test && h.Name != "localhost" && !strings.HasSuffix(h.Name, ".localhost") {
				hosts = append(hosts, h.Name)
			}
		}
	}
	found := make([]Finding, len(hosts))
	var work errgroup.Group
	work.SetLimit(maxConnections)
	for i, host := range hosts {
		work.Go(func() error {
			found[i] = d.certificate(ctx, host)
			return nil
		})
	}
	_ = work.Wait() // a finding is not an error
	bad := 0
	for _, f := range found {
		if f.State == OK {
			continue
		}
		if bad++; bad <= maxEach {
			d.add(check, f.State, f.Do, "%s", f.Detail)
		}
	}
	d.addUnlisted(check, bad, "correct those above first")
	switch {
	case len(hosts) == 0:
		d.ok(check, "no label has a live host")
	case bad == 0:
		d.ok(check, "%s a valid certificate that does not end soon", words.Count(len(hosts), "host has", "hosts have"))
	}
}

// certificate checks the certificate of a host.
func (d *doctor) certificate(ctx context.Context, host string) Finding {
	report := func(do, format string, args ...any) Finding {
		return Finding{State: Problem, Detail: fmt.Sprintf(format, args...), Do: do}
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, err := d.Dial(ctx, "tcp", net.JoinHostPort(host, "443"))
	if err != nil {
		return report("let the DNS name of the host lead to the proxy, which listens on port 443; or mark the host as a test host in its label",
			"%s does not answer: %v", host, err)
	}
	defer func() { _ = conn.Close() }() // nothing was sent
	// The chain is verified below, so that the problem of a certificate can be described instead of refusing the connection. Nothing is
	// sent.
	c := tls.Client(conn, &tls.Config{ServerName: host, InsecureSkipVerify: true, MinVersion: tls.VersionTLS12})
	if err := c.HandshakeContext(ctx); err != nil {
		return report("let the proxy end TLS on port 443 for this host", "%s does not speak TLS: %v", host, err)
	}
	chain := c.ConnectionState().PeerCertificates
	between := x509.NewCertPool()
	for _, x := range chain[1:] {
		between.AddCert(x)
	}
	left := chain[0].NotAfter.Sub(d.Now())
	_, err = chain[0].Verify(x509.VerifyOptions{DNSName: host, Roots: d.Roots, Intermediates: between, CurrentTime: d.Now()})
	switch what := certificateProblem(err); {
	case left <= 0:
		return report("renew it, and look why it was not renewed by itself", "%s: the certificate expired on %s", host,
			chain[0].NotAfter.UTC().Format(time.DateOnly))
	case what != "":
		return report(what, "%s: %v", host, err)
	case err != nil:
		return report("issue another certificate for this host", "%s: %v", host, err)
	case left < renewalMargin(chain[0]):
		return Finding{State: Warning, Detail: fmt.Sprintf("%s: the certificate ends in %s, on %s", host, inWords(left),
			chain[0].NotAfter.UTC().Format(time.DateOnly)),
			Do: "renew it, and look why it was not renewed by itself"}
	}
	return Finding{State: OK}
}

// certificateProblem returns the advice for a certificate error, or "" for any other error.
func certificateProblem(err error) string {
	switch {
	case errors.As(err, new(x509.HostnameError)):
		return "add the name of the host to the certificate, or let the proxy serve the certificate of this host"
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return "let the proxy send the whole chain (fullchain.pem), or add your own authority to the certificates of this machine"
	case errors.As(err, new(x509.CertificateInvalidError)):
		return "issue another certificate for this host"
	}
	return ""
}
