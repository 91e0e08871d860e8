package files

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
)

// s3Stub implements the part of S3 that the store uses, over real HTTP.
type s3Stub struct {
	mu      sync.Mutex
	objects map[string][]byte // by path: /bucket/key
	signed  []string
	hosts   []string
	down    bool
	cut     bool // cuts responses off
}

func (s *s3Stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signed, s.hosts = append(s.signed, r.Header.Get("Authorization")), append(s.hosts, r.Host)
	fail := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_ = xml.NewEncoder(w).Encode(struct {
			XMLName xml.Name `xml:"Error"`
			Code    string
		}{Code: code})
	}
	switch {
	case s.down:
		fail(http.StatusForbidden, "AccessDenied")
	case r.Method == http.MethodPut:
		s.objects[r.URL.Path], _ = io.ReadAll(r.Body)
	case r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2":
		s.listed(w, r)
	case r.Method == http.MethodGet:
		b, ok := s.objects[r.URL.Path]
		if !ok {
			fail(http.StatusNotFound, "NoSuchKey")
			return
		}
		w.Header().Set("Last-Modified", time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC).Format(http.TimeFormat))
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		if s.cut {
			_, _ = w.Write(b[:len(b)/2])
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(b)
	default:
		fail(http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
}

func open(t *testing.T, stub *s3Stub) *Store {
	t.Helper()
	server := httptest.NewServer(stub)
	t.Cleanup(server.Close)
	s, err := Open(t.Context(), Config{At: "s3://papers/wattle/files?region=eu-west-1&path-style=true&endpoint=" + server.URL,
		Secrets: func(name string) string {
			return map[string]string{"AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "s"}[name]
		}})
	require.NoError(t, err)
	return s
}

func TestBucket(t *testing.T) {
	stub := &s3Stub{objects: map[string][]byte{}}
	s := open(t, stub)
	keeps(t, s)
	require.Contains(t, stub.objects, "/papers/wattle/files/one/invoices/2026/F2026-0042.pdf", "the prefix, the label, the name")
	for _, signed := range stub.signed {
		require.Contains(t, signed, "AWS4-HMAC-SHA256 Credential=AKIDTEST/")
		require.Contains(t, signed, "/eu-west-1/s3/")
	}

	stub.cut = true
	f, err := s.Get(t.Context(), "one", "large.pdf")
	require.NoError(t, err)
	_, err = io.ReadAll(f)
	require.Error(t, err, "half a file looks whole")
	require.NoError(t, f.Close())
	stub.cut, stub.down = false, true
	_, err = s.Get(t.Context(), "one", "a.pdf")
	require.ErrorIs(t, err, problem.ErrUnavailable, "a bucket that refuses us is not a file that is missing")
	require.Empty(t, code(err))
}

func TestBucketAddresses(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_CONFIG_FILE", "/nowhere")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
	for at, want := range map[string]string{
		"s3://":                               "not an address",
		"s3://key:secret@bucket":              "not an address",
		"s3://bucket?regio=x":                 "regio",
		"s3://bucket?region=x&path-style=yes": "path-style",
		"s3://bucket":                         "region",
	} {
		_, err := Open(t.Context(), Config{At: at})
		require.ErrorContains(t, err, want, at)
		require.NotContains(t, err.Error(), "secret@", at)
	}
	s, err := Open(t.Context(), Config{At: "s3://bucket/a/b/?region=eu-west-1"})
	require.NoError(t, err)
	b := s.backend.(*bucket)
	require.Equal(t, "a/b/one/x.pdf", *b.key("one", "x.pdf"))
	require.False(t, strings.HasSuffix(b.prefix, "/"))
	require.False(t, b.client.Options().UsePathStyle)
}

// listed returns a page of two objects.
func (s *s3Stub) listed(w http.ResponseWriter, r *http.Request) {
	type content struct {
		Key, LastModified string
		Size              int
	}
	out := struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []content
	}{}
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		_, key, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if !strings.HasPrefix(key, r.URL.Query().Get("prefix")) || key <= r.URL.Query().Get("continuation-token") {
			continue
		}
		if len(out.Contents) == 2 {
			out.IsTruncated, out.NextContinuationToken = true, out.Contents[1].Key
			break
		}
		out.Contents = append(out.Contents, content{key, "2026-11-20T10:00:00Z", len(s.objects[path])})
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(out)
}
