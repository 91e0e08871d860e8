package doctor_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/doctor"
)

// authority issues certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	now := time.Now()
	x := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test"}, NotBefore: now.Add(-1000 * time.Hour),
		NotAfter: now.Add(10000 * time.Hour),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	raw, err := x509.CreateCertificate(rand.Reader, x, x, &key.PublicKey, key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	return authority{cert, key}
}

func (a authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

func (a authority) issue(t *testing.T, host string, left time.Duration) tls.Certificate {
	t.Helper()
	return a.issueFor(t, host, 900*time.Hour+left, left)
}

// issueFor issues a certificate with the given lifetime, of which left remains.
func (a authority) issueFor(t *testing.T, host string, lifetime, left time.Duration) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	x := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{host}, NotBefore: time.Now().Add(left - lifetime),
		NotAfter:    time.Now().Add(left),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	raw, err := x509.CreateCertificate(rand.Reader, x, a.cert, &key.PublicKey, a.key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

func TestCertificates(t *testing.T) {
	t.Run("11-doctor-certificates", func(t *testing.T) {
		ours, theirs := newAuthority(t), newAuthority(t)
		const month = 30 * 24 * time.Hour
		certs := map[string]tls.Certificate{"good.example": ours.issue(t, "good.example", month),
			"soon.example":    ours.issue(t, "soon.example", 5*24*time.Hour+time.Hour),
			"expired.example": ours.issue(t, "expired.example", -time.Hour), "name.example": ours.issue(t, "other.example", month),
			"issuer.example":  theirs.issue(t, "issuer.example", month),
			"fresh.example":   ours.issueFor(t, "fresh.example", 12*time.Hour, 3*time.Hour+10*time.Minute),
			"quarter.example": ours.issueFor(t, "quarter.example", 12*time.Hour, 3*time.Hour-10*time.Minute),
			"14d1h.example":   ours.issueFor(t, "14d1h.example", 3*month, 14*24*time.Hour+time.Hour),
			"13d23h.example":  ours.issueFor(t, "13d23h.example", 3*month, 14*24*time.Hour-time.Hour),
			"stale.example":   ours.issueFor(t, "stale.example", 6*24*time.Hour, 25*time.Hour+time.Minute)}
		server, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{MinVersion: tls.VersionTLS12,
			GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
				c, ok := certs[h.ServerName]
				if !ok {
					return nil, fmt.Errorf("no certificate for %s", h.ServerName)
				}
				return &c, nil
			}})
		require.NoError(t, err)
		t.Cleanup(func() { _ = server.Close() })
		go func() {
			for {
				conn, err := server.Accept()
				if err != nil {
					return
				}
				go func() {
					_ = conn.(*tls.Conn).Handshake()
					_ = conn.Close()
				}()
			}
		}()
		all := func(hosts ...string) doctor.Options {
			c := config.Default()
			c.Data = t.TempDir()
			o := patient(c)
			l := &label.Label{Key: "alpha", Hosts: []label.Host{{Name: "alpha.localhost"}, {Name: "test.example", Test: true}}}
			for _, h := range hosts {
				l.Hosts = append(l.Hosts, label.Host{Name: h})
			}
			second := &label.Label{Key: "beta", Hosts: []label.Host{{Name: "beta.localhost"}}}
			if n := len(hosts); n > 1 { // the last host belongs to another label
				l.Hosts, second.Hosts = l.Hosts[:len(l.Hosts)-1], append(second.Hosts, label.Host{Name: hosts[n-1]})
			}
			o.Labels = func() ([]*label.Label, error) { return []*label.Label{l, second}, nil }
			o.Roots = ours.pool()
			o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if address == "gone.example:443" {
					return nil, &net.DNSError{Err: "no such host", Name: "gone.example"}
				}
				assert.True(t, strings.HasSuffix(address, ".example:443"), address)
				return (&net.Dialer{}).DialContext(ctx, network, server.Addr().String())
			}
			return o
		}
		finds(t, all(), "certificates", doctor.OK, "no label has a live host")
		finds(t, all("good.example"), "certificates", doctor.OK, "1 host has a valid certificate that does not end soon")
		finds(t, all("fresh.example"), "certificates", doctor.OK, "does not end soon")
		finds(t, all("quarter.example"), "certificates", doctor.Warning, "quarter.example: the certificate ends in ")
		finds(t, all("good.example", "14d1h.example"), "certificates", doctor.OK, "2 hosts have a valid certificate that does not end soon")
		finds(t, all("13d23h.example"), "certificates", doctor.Warning, "13d23h.example: the certificate ends in 13 days")
		finds(t, all("stale.example"), "certificates", doctor.Warning, "stale.example: the certificate ends in 25 hours")
		finds(t, all("good.example", "soon.example"), "certificates", doctor.Warning, "soon.example: the certificate ends in 5 days")
		finds(t, all("expired.example"), "certificates", doctor.Problem, "expired.example: the certificate expired on")
		assert.Contains(t, finds(t, all("name.example"), "certificates", doctor.Problem, "not name.example").Do, "add the name of the host")
		assert.Contains(t, finds(t, all("issuer.example"), "certificates", doctor.Problem, "unknown authority").Do, "fullchain.pem")
		assert.Contains(t, finds(t, all("gone.example"), "certificates", doctor.Problem, "gone.example does not answer").Do, "DNS")
		finds(t, all("none.example"), "certificates", doctor.Problem, "none.example does not speak TLS")
		var many []string
		for i := range 25 {
			many = append(many, fmt.Sprintf("h%d.example", i))
		}
		require.Len(t, of(t, all(many...), "certificates"), 21, "twenty, and how many more")
	})
}

func TestProxy(t *testing.T) {
	t.Run("11-doctor-proxy", func(t *testing.T) {
		s := portal(t, nil, func(c *config.Config) { c.Proxies = []string{"127.0.0.1/32"} })
		target, err := url.Parse(s.URL)
		require.NoError(t, err)
		through := func(change func(*httputil.ProxyRequest)) doctor.Options {
			proxy := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.Host = r.In.Host
				r.Out.Header.Set("X-Forwarded-Proto", "https")
				change(r)
			}, ErrorLog: nil})
			t.Cleanup(proxy.Close)
			o := patient(s.Config)
			o.URL = "https://alpha.localhost/home"
			// the certificate of the test's proxy has other host names
			o.Client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
				DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return (&net.Dialer{}).DialContext(ctx, network, proxy.Listener.Addr().String())
				}}}
			return o
		}
		finds(t, through(func(*httputil.ProxyRequest) {}), "proxy", doctor.OK, "https://alpha.localhost arrives as it was called, at label alpha")
		assert.Contains(t, finds(t, through(func(r *httputil.ProxyRequest) { r.Out.Header.Del("X-Forwarded-Proto") }), "proxy", doctor.Problem,
			"did not see that alpha.localhost was called over HTTPS").Do, "X-Forwarded-Proto")
		assert.Contains(t, finds(t, through(func(r *httputil.ProxyRequest) { r.Out.Host = "beta.localhost" }), "proxy", doctor.Problem,
			"served label beta instead of alpha").Do, "Host header")
		finds(t, through(func(r *httputil.ProxyRequest) { r.Out.Host = "127.0.0.1" }), "proxy", doctor.Problem, "no label has it")
		finds(t, through(func(r *httputil.ProxyRequest) { r.Out.URL.Host = "127.0.0.1:1" }), "proxy", doctor.Problem, "and not the portal")
		o := through(func(*httputil.ProxyRequest) {})
		o.URL = "alpha"
		finds(t, o, "proxy", doctor.Problem, `"alpha" is not an address`)

		o = patient(s.Config)
		o.Config.Addr, o.Config.Proxies = "0.0.0.0:8080", nil
		assert.Contains(t, finds(t, o, "proxy", doctor.Warning, "trusts no proxy").Do, "--trusted-proxies")
		o.Config.Proxies = []string{"10.0.0.0/8"}
		finds(t, o, "proxy", doctor.OK, "trusted: 10.0.0.0/8")
	})
}

// smtp is a test mail server.
type smtp struct {
	upgrade *tls.Config // of STARTTLS; nil: there is none
	mu      sync.Mutex
	auth    string // mechanisms for signing in
	refuse  bool   // whether every sign-in is refused
	mail    string
}

// set changes how the next connections are treated.
func (m *smtp) set(auth string, refuse bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.auth, m.refuse = auth, refuse
}

func (m *smtp) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go m.talk(conn)
	}
}

func (m *smtp) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	lines, say := bufio.NewScanner(conn), func(text string) { fmt.Fprint(conn, text+"\r\n") }
	m.mu.Lock()
	auth, refuse, offers := m.auth, m.refuse, m.upgrade != nil
	m.mu.Unlock()
	say("220 test")
	for data, challenged := false, false; lines.Scan(); {
		line := lines.Text()
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		m.mu.Lock()
		m.mail += line + "\n"
		m.mu.Unlock()
		switch {
		case challenged:
			challenged = false
			if refuse {
				say("535 5.7.8 wrong")
			} else {
				say("235 welcome")
			}
		case data && line == ".":
			data = false
			say("250 taken")
		case data:
		case verb == "EHLO" && offers:
			say("250-test\r\n250 STARTTLS") // nobody signs in without it
		case verb == "EHLO":
			say("250-test\r\n250 AUTH " + auth)
		case verb == "STARTTLS" && offers:
			say("220 go on")
			conn = tls.Server(conn, m.upgrade)
			lines, offers = bufio.NewScanner(conn), false
		case verb == "AUTH":
			challenged = true
			say("334 PHRlc3Q+") // <test>
		case verb == "DATA":
			data = true
			say("354 go on")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (m *smtp) got() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mail
}

func TestMail(t *testing.T) {
	t.Run("11-doctor-mail", func(t *testing.T) {
		s := portal(t, nil, nil)
		theirs := newAuthority(t)
		cert := theirs.issue(t, "127.0.0.1", time.Hour)
		listen := func(secure bool) (*smtp, string) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			at := l.Addr().String()
			if secure {
				l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
			}
			t.Cleanup(func() { _ = l.Close() })
			m := &smtp{auth: "CRAM-MD5"}
			go m.serve(l)
			return m, at
		}
		with := func(address, to string) doctor.Options {
			o := patient(s.Config)
			o.Config.SMTP, o.Config.MailFrom, o.MailTo = address, "portal@acme.example", to
			return o
		}
		assert.Contains(t, finds(t, with("", ""), "mail", doctor.Warning, "there is no mail server").Do, "--smtp")
		m, at := listen(false)
		finds(t, with("smtp://u:hunter2@"+at+"?tls=none", ""), "mail", doctor.OK, "accepts the connection")
		assert.NotContains(t, m.got(), "DATA")
		finds(t, with("smtp://u:hunter2@"+at+"?tls=none", "operator@acme.example"), "mail", doctor.OK,
			"took a test message from portal@acme.example to operator@acme.example")
		assert.Contains(t, m.got(), "RCPT TO:<operator@acme.example>")
		assert.Contains(t, m.got(), "Subject: Wattle: test message")
		finds(t, with("smtp://"+at+"?tls=none", "nobody"), "mail", doctor.Problem, "not an e-mail address")

		m.set("PLAIN", false)
		assert.Contains(t, finds(t, with("smtp://u:hunter2@"+at+"?tls=none", ""), "mail", doctor.Problem, "").Do,
			"not sent over a connection without TLS")
		m.set("CRAM-MD5", true)
		assert.Contains(t, finds(t, with("smtp://u:hunter2@"+at+"?tls=none", ""), "mail", doctor.Problem, "535").Do, "user and password")
		assert.Contains(t, finds(t, with("smtp://"+at, ""), "mail", doctor.Problem, "STARTTLS").Do, "smtps://")
		_, secure := listen(true)
		assert.Contains(t, finds(t, with("smtps://"+secure, ""), "mail", doctor.Problem, "certificate").Do, "certificate of the mail server")
		assert.Contains(t, finds(t, with("smtp://127.0.0.1:1", ""), "mail", doctor.Problem, "refused").Do, "firewall")
	})
}

// A mail server with TLS, by STARTTLS or from the first byte, whose certificate the system trusts, is good; the sign-in comes after TLS.
func TestMailWithTLS(t *testing.T) {
	t.Run("11-doctor-mail", func(t *testing.T) {
		theirs, trusted := newAuthority(t), filepath.Join(t.TempDir(), "trusted.pem")
		require.NoError(t, os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: theirs.cert.Raw}), 0o600))
		secured := &tls.Config{Certificates: []tls.Certificate{theirs.issue(t, "localhost", time.Hour)}, MinVersion: tls.VersionTLS12}
		for scheme, m := range map[string]*smtp{"smtp": {auth: "CRAM-MD5", upgrade: secured}, "smtps": {auth: "CRAM-MD5"}} {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			t.Cleanup(func() { _ = l.Close() })
			_, port, err := net.SplitHostPort(l.Addr().String())
			require.NoError(t, err)
			if scheme == "smtps" {
				l = tls.NewListener(l, secured)
			}
			go m.serve(l)
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTrustedMail$", "-test.v") // the roots are read once
			child.Env = append(os.Environ(), "SSL_CERT_FILE="+trusted, "WATTLE_TEST_MAIL="+scheme+"://u:hunter2@localhost:"+port)
			out, err := child.CombinedOutput()
			require.NoError(t, err, "%s: %s", scheme, out)
			require.Contains(t, string(out), "--- PASS: TestTrustedMail")
			assert.Contains(t, m.got(), "AUTH CRAM-MD5", scheme)
			assert.Contains(t, m.got(), "RCPT TO:<operator@acme.example>", scheme)
		}
	})
}

// TestTrustedMail runs in a process that trusts the certificate of a mail server.
func TestTrustedMail(t *testing.T) {
	at := os.Getenv("WATTLE_TEST_MAIL")
	if at == "" {
		t.Skip("part of TestMailWithTLS")
	}
	o := patient(portal(t, nil, nil).Config)
	o.Config.SMTP, o.Config.MailFrom, o.MailTo = at, "portal@acme.example", "operator@acme.example"
	finds(t, o, "mail", doctor.OK, "localhost took a test message from portal@acme.example to operator@acme.example")
}
