package files

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

func TestAttachment(t *testing.T) {
	t.Run("7-file-name-header", func(t *testing.T) {
		for name, want := range map[string]string{
			"factuur.pdf":                  `attachment; filename="factuur.pdf"; filename*=UTF-8''factuur.pdf`,
			"Factuur 2026.pdf":             `attachment; filename="Factuur 2026.pdf"; filename*=UTF-8''Factuur%202026.pdf`,
			"Café €.pdf":                   `attachment; filename="Cafe _.pdf"; filename*=UTF-8''Caf%C3%A9%20%E2%82%AC.pdf`,
			"a\r\nSet-Cookie: x=1.pdf":     `attachment; filename="a Set-Cookie- x=1.pdf"; filename*=UTF-8''a%20Set-Cookie-%20x%3D1.pdf`,
			`"; filename="evil.exe`:        `attachment; filename="-; filename=-evil.exe"; filename*=UTF-8''-%3B%20filename%3D-evil.exe`,
			`..\..\windows\system32\a.pdf`: `attachment; filename="-..-windows-system32-a.pdf"; filename*=UTF-8''-..-windows-system32-a.pdf`,
			"../../etc/passwd":             `attachment; filename="-..-etc-passwd"; filename*=UTF-8''-..-etc-passwd`,
			".bashrc":                      `attachment; filename="bashrc"; filename*=UTF-8''bashrc`,
			"100%41.pdf":                   `attachment; filename="100_41.pdf"; filename*=UTF-8''100%2541.pdf`,
			"fac\u202efdp.exe":             `attachment; filename="facfdp.exe"; filename*=UTF-8''facfdp.exe`, // would be shown in reverse order
			"\x00\x1b[2J":                  `attachment; filename="[2J"; filename*=UTF-8''%5B2J`,
			"":                             `attachment; filename="download"; filename*=UTF-8''download`,
		} {
			if got := Attachment(name); got != want {
				t.Errorf("%q:\n got %s\nwant %s", name, got, want)
			}
		}
	})
	long := Attachment(strings.Repeat("é", 300) + ".pdf")
	_, params, err := mime.ParseMediaType(long)
	if err != nil || !strings.HasSuffix(params["filename"], "é.pdf") || len(params["filename"]) > maxName {
		t.Errorf("a long name keeps its extension: %v %v", params, err)
	}
	for name, want := range map[string]string{
		strings.Repeat("x", maxName-4) + ".pdf":      strings.Repeat("x", maxName-4) + ".pdf", // the maximum length
		strings.Repeat("x", maxName-3) + ".pdf":      strings.Repeat("x", maxName-4) + ".pdf",
		strings.Repeat("x", maxName) + ".photoshop":  strings.Repeat("x", maxName-10) + ".photoshop", // an extension has at most ten bytes
		strings.Repeat("x", maxName) + ".photoshopp": strings.Repeat("x", maxName),                   // eleven bytes are not an extension
	} {
		if got := saveName(name); got != want {
			t.Errorf("%q is saved as %q", name, got)
		}
	}
}

func FuzzAttachment(f *testing.F) {
	for _, s := range []string{"a.pdf", "a\r\nb", `"`, "..", "../x", "é€", "\xff\xfe", strings.Repeat("x", 500), "%00", "con/aux", "\u202e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		v := Attachment(name)
		for _, r := range v {
			if r < ' ' || r > '~' {
				t.Fatalf("%q: %q holds %q", name, v, r)
			}
		}
		_, params, err := mime.ParseMediaType(v)
		if err != nil {
			t.Fatalf("%q: %q: %v", name, v, err)
		}
		saved := params["filename"]
		if saved == "" || len(saved) > maxName || strings.ContainsAny(saved, `/\"`) || strings.HasPrefix(saved, ".") || !utf8.ValidString(saved) {
			t.Fatalf("%q is saved as %q", name, saved)
		}
	})
}

// answerOf runs a download against a fake file store over real HTTP, and returns the response.
func answerOf(t *testing.T, method string, h func(context.Context, *struct{}) (*huma.StreamResponse, error)) (*http.Response, string,
	[]error, error) {
	t.Helper()
	var seen []error
	r := module.NewRouter(module.Manifest{Key: "demo", Version: "1.0.0"})
	Download(r.API, huma.Operation{OperationID: "file", Path: "/file"}, module.Customer, h)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req = req.WithContext(problem.WithObserver(req.Context(), func(err error) { seen = append(seen, err) }))
		req.Method = http.MethodGet
		r.ServeHTTP(w, req)
	}))
	defer server.Close()
	req, err := http.NewRequest(method, server.URL+"/file", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := server.Client().Do(req)
	if err != nil {
		return nil, "", seen, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, string(body), seen, err
}

// roundTrip is a fake file store.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func fileStore(f func(w http.ResponseWriter, r *http.Request)) *http.Client {
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		f(w, r)
		return w.Result(), nil
	})}
}

func TestServeFile(t *testing.T) {
	client := fileStore(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.EscapedPath() {
		case "/files/invoices%2F2026%2Fa.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", "8")
			w.Header().Set("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT")
			_, _ = io.WriteString(w, "%PDF-1.7")
		case "/files/broken.pdf":
			w.WriteHeader(http.StatusInternalServerError)
		default:
			problem.Write(w, problem.Fail(http.StatusNotFound, CodeNotFound))
		}
	})
	serve := func(name, as string) func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
			return Serve(ctx, client, name, as)
		}
	}
	for as, want := range map[string]string{"Factuur 1": "Factuur 1.pdf", "": "a.pdf", "Factuur.PDF": "Factuur.PDF", "v1.2": "v1.2.pdf"} {
		res, body, _, err := answerOf(t, http.MethodGet, serve("invoices/2026/a.pdf", as))
		if err != nil || res.StatusCode != 200 || body != "%PDF-1.7" || res.ContentLength != 8 {
			t.Fatalf("got %v %q %v", res, body, err)
		}
		_, params, _ := mime.ParseMediaType(res.Header.Get("Content-Disposition"))
		if params["filename"] != want || res.Header.Get("Content-Type") != "application/pdf" ||
			res.Header.Get("X-Content-Type-Options") != "nosniff" ||
			res.Header.Get("Last-Modified") == "" {
			t.Errorf("%q: %v", as, res.Header)
		}
	}
	if res, body, seen, err := answerOf(t, http.MethodHead, serve("invoices/2026/a.pdf", "x")); err != nil || res.StatusCode != 200 ||
		body != "" || len(seen) > 0 {
		t.Errorf("HEAD: %v %v %v", res, err, seen)
	}
	if res, body, _, _ := answerOf(t, http.MethodGet, serve("nowhere.pdf", "x")); res.StatusCode != 404 ||
		!strings.Contains(body, CodeNotFound) ||
		res.Header.Get("Content-Disposition") != "" {
		t.Errorf("missing: %v %s", res, body)
	}
	if res, body, seen, _ := answerOf(t, http.MethodGet, serve("broken.pdf", "x")); res.StatusCode != 503 ||
		!strings.Contains(body, problem.CodeUnavailable) {
		t.Errorf("a store that fails: %v %s %v", res, body, seen)
	}
}

func TestServeStream(t *testing.T) {
	fail := errors.New("the disk of /var/lib is gone")
	stream := func(write func(io.Writer) error) func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return func(context.Context, *struct{}) (*huma.StreamResponse, error) {
			return Stream("a.zip", "application/zip", write), nil
		}
	}
	res, body, _, err := answerOf(t, http.MethodGet, stream(func(w io.Writer) error { _, err := io.WriteString(w, "PK"); return err }))
	if err != nil || res.StatusCode != 200 || body != "PK" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment;") {
		t.Fatalf("got %v %q %v", res, body, err)
	}
	if res, _, _, err := answerOf(t, http.MethodGet, stream(func(io.Writer) error { return nil })); err != nil || res.StatusCode != 200 {
		t.Errorf("an empty file is a file: %v %v", res, err)
	}
	res, body, seen, _ := answerOf(t, http.MethodGet, stream(func(io.Writer) error { return problem.Fail(http.StatusConflict, "demo.none") }))
	if res.StatusCode != 409 || !strings.Contains(body, "demo.none") || res.Header.Get("Content-Disposition") != "" || len(seen) > 0 {
		t.Errorf("a refusal before the first byte is a problem: %v %s", res, body)
	}
	res, body, seen, _ = answerOf(t, http.MethodGet, stream(func(io.Writer) error { return fail }))
	if res.StatusCode != 500 || strings.Contains(body, "/var/lib") || len(seen) != 1 || !errors.Is(seen[0], fail) {
		t.Errorf("a failure before the first byte is a problem: %v %s %v", res, body, seen)
	}
	_, _, seen, err = answerOf(t, http.MethodGet,
		stream(func(w io.Writer) error { _, _ = io.WriteString(w, strings.Repeat("x", 1<<16)); return fail }))
	if err == nil || len(seen) != 1 {
		t.Errorf("a partial file looks complete; observed %v", seen)
	}
}

func TestDownloadIsDescribed(t *testing.T) {
	r := module.NewRouter(module.Manifest{Key: "demo", Version: "1.0.0"})
	Download(r.API, huma.Operation{OperationID: "file", Path: "/file"}, module.Customer, func(context.Context,
		*struct{}) (*huma.StreamResponse, error) {
		return nil, problem.ErrNotFound
	})
	op := r.OpenAPI().Paths["/file"].Get
	if op.Extensions[ExtStream] != true || op.Extensions[module.ExtAccess] != module.Customer ||
		op.Extensions[module.ExtEffect] != module.Read ||
		op.Responses["200"].Content["application/octet-stream"] == nil {
		t.Errorf("got %+v", op)
	}
}
