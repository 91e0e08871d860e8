package portaltest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
)

// Call is an HTTP request that a test makes.
type Call struct {
	Method string // empty: GET
	Host   string // Host header; empty: alpha.localhost
	Path   string // below /api/v0 unless it begins with //
	Bearer string // id token or API key of a Caller
	Body   any    // a string or []byte is sent as it is, anything else as JSON
	Header map[string]string
}

// Answer is the response of a call.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// JSON decodes the body into v.
func (a Answer) JSON(t testing.TB, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.Body, v), string(a.Body))
}

// Code returns the code of a problem, or "" if the response is not a problem.
func (a Answer) Code() string {
	var p problem.Problem
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "application/problem+json") || json.Unmarshal(a.Body, &p) != nil {
		return ""
	}
	return p.Code
}

// Do makes a call. Not every system resolves names below localhost, so the request goes to the portal's address, with the name as Host
// header.
func (p *Portal) Do(c Call) Answer {
	p.t.Helper()
	var body io.Reader
	switch b := c.Body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	case []byte:
		body = bytes.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		require.NoError(p.t, err)
		body = bytes.NewReader(raw)
	}
	url := p.URL + "/api/v0" + c.Path
	if rest, ok := strings.CutPrefix(c.Path, "//"); ok {
		url = p.URL + "/" + rest
	}
	if c.Method == "" {
		c.Method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(p.t.Context(), c.Method, url, body)
	require.NoError(p.t, err)
	r.Host = c.Host
	if c.Host == "" {
		r.Host = "alpha.localhost"
	}
	if c.Bearer != "" {
		r.Header.Set("Authorization", "Bearer "+c.Bearer)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for k, v := range c.Header {
		r.Header.Set(k, v)
	}
	res, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(r)
	require.NoError(p.t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	return Answer{res.StatusCode, res.Header, raw}
}

// ExternalService starts a fake of an external service that a module calls, such as a register or a payment provider. It runs on this
// machine until the end of the test. ExternalService returns its URL. Options.Demo lets modules call it.
func ExternalService(t testing.TB, answer http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}
