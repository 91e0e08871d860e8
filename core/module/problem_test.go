package module

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/problem"
)

func TestProblems(t *testing.T) {
	type in struct {
		Body struct {
			Phone string `json:"phone_number" maxLength:"20"`
			Age   int    `json:"age,omitempty" maximum:"150"`
		}
	}
	r := NewRouter(Manifest{Key: "demo", Version: "1.0.0"})
	fail := errors.New("dial unix /var/run/secret.sock: no such file")
	Route(r.API, huma.Operation{OperationID: "save", Method: http.MethodPut, Path: "/save"}, Customer, Write,
		func(_ context.Context, i *in) (*struct{}, error) {
			switch i.Body.Phone {
			case "pending":
				return nil, fmt.Errorf("file: %w", problem.ErrPending)
			case "broken":
				return nil, fail
			}
			return nil, nil
		})

	t.Run("8-error-body", func(t *testing.T) {
		for _, c := range []struct {
			body   string
			status int
			want   string
		}{
			{`{"phone_number":"0612345678"}`, 204, ""},
			{`{"phone_number":"hunter2hunter2hunter2hunter2"}`, 400,
				`{"status":400,"title":"Bad Request","code":"invalid","detail":"phone_number: the value is too long, or above the maximum","errors":[{"field":"phone_number","code":"too_long"}]}`},
			{`{"fax":"hunter2","phone_number":"1"}`, 400, `"errors":[{"field":"fax","code":"unknown_field"}]`},
			{`{"my hunter2":"hunter2","phone_number":"1"}`, 400, `"errors":[{"field":"","code":"unknown_field"}]`},
			{`{"my hunter2.x":"hunter2","phone_number":"1"}`, 400, `"errors":[{"field":"","code":"unknown_field"}]`},
			{`{}`, 400, `{"field":"phone_number","code":"required"}`},
			{`{"phone_number":`, 400, `"code":"malformed"`},
			{`{"phone_number":7}`, 400, `{"field":"phone_number","code":"invalid"}`},
			{`{"phone_number":"pending"}`, 409, `"code":"change_pending"`},
			{`{"phone_number":"broken"}`, 500, `{"status":500,"title":"Internal Server Error","code":"internal","detail":"the portal failed; `},
		} {
			req := httptest.NewRequest(http.MethodPut, "/save", strings.NewReader(c.body))
			req.Header.Set("Content-Type", "application/json")
			var seen error
			req = req.WithContext(problem.WithObserver(req.Context(), func(err error) { seen = err }))
			w := httptest.NewRecorder()
			r.ServeHTTP(w, req)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%s: %d %s", c.body, w.Code, w.Body)
			}
			if c.status >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s: content type %s", c.body, w.Header().Get("Content-Type"))
			}
			if strings.Contains(w.Body.String(), "hunter2") || strings.Contains(w.Body.String(), "secret.sock") {
				t.Errorf("%s: the response contains a submitted value: %s", c.body, w.Body)
			}
			if (c.status == 500) != errors.Is(seen, fail) {
				t.Errorf("%s: observed %v", c.body, seen)
			}
		}
	})
}

func TestDetails(t *testing.T) {
	codes := func(p *problem.Problem) string {
		var b strings.Builder
		w := httptest.NewRecorder()
		problem.Write(w, p)
		b.WriteString(w.Body.String())
		return b.String()
	}
	New(Manifest{Key: "demo", Problems: map[string]string{"demo.sold_out": "all units are sold"}})
	t.Run("11-problem-detail", func(t *testing.T) {
		for want, p := range map[string]*problem.Problem{
			`"code":"demo.sold_out","detail":"all units are sold"}`: problem.Fail(http.StatusConflict, "demo.sold_out"),
			`"code":"invalid","detail":"units: all units are sold; the field is required","errors":[`: problem.Fail(http.StatusBadRequest,
				problem.CodeInvalid, problem.FieldError{Field: "units", Code: "demo.sold_out"}, problem.FieldError{Code: problem.CodeRequired}),
			`"code":"demo.unknown"}`: problem.Fail(http.StatusConflict, "demo.unknown"),
			`"detail":"a: the field is required; b: the field is required; c: the field is required; d: the field is required; e: the field is required; and 2 more"`: problem.Fail(
				http.StatusBadRequest, problem.CodeInvalid, required("a", "b", "c", "d", "e", "f", "g")...),
		} {
			if got := codes(p); !strings.Contains(got, want) {
				t.Errorf("%s is not in %s", want, got)
			}
		}
	})
	t.Run("11-problem-unknown-field", func(t *testing.T) {
		r := NewRouter(Manifest{Key: "demo", Version: "1.0.0"})
		Route(r.API, huma.Operation{OperationID: "send", Method: http.MethodPut, Path: "/send"}, Customer, Write,
			func(context.Context, *struct {
				Body struct {
					Items []struct {
						Name string `json:"name"`
					} `json:"items"`
				}
			}) (*struct{}, error) {
				return nil, nil
			})
		answer := func(body string) string {
			req := httptest.NewRequest(http.MethodPut, "/send", strings.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			r.ServeHTTP(w, req)
			return w.Body.String()
		}
		got := answer(`{"items":[{"name":"a","nmae":"secret"}]}`)
		for _, want := range []string{`nmae: there is no such field"`, `nmae","code":"unknown_field"}`} {
			if !strings.Contains(got, want) || strings.Contains(got, "secret") {
				t.Errorf("%s is not in %s", want, got)
			}
		}
		for _, name := range []string{"a secret", "<b>", "hunter2@example.org", strings.Repeat("a", 65)} {
			got := answer(`{"items":[],"` + name + `":1}`)
			if !strings.Contains(got, `"code":"unknown_field"`) || strings.Contains(got, name) {
				t.Errorf("%s is not like the name of a field: %s", name, got)
			}
		}
	})
}

func required(fields ...string) (out []problem.FieldError) {
	for _, f := range fields {
		out = append(out, problem.FieldError{Field: f, Code: problem.CodeRequired})
	}
	return out
}

func TestBrowserSettings(t *testing.T) {
	type settings struct {
		Show  bool   `json:"show" browser:"true"`
		Key   string `json:"key"`
		Offer struct {
			Days   int    `json:"days" browser:"true"`
			Secret string `json:"secret"`
		} `json:"offer" browser:"true"`
	}
	r := NewRouter(Manifest{Key: "demo", Version: "1.0.0"})
	ShowSettings[settings](r.API)
	shown := r.OpenAPI().Components.Schemas.Map()["BrowserSettings"]
	if len(shown.Properties) != 2 || shown.Properties["show"].Type != "boolean" || shown.Properties["offer"].Properties["secret"] != nil {
		t.Errorf("shown to TypeScript: %+v", shown.Properties)
	}
	got, err := BrowserSettings[settings]()([]byte(`{"show":true,"key":"k","offer":{"days":90,"secret":"s"}}`))
	if err != nil || string(got) != `{"offer":{"days":90},"show":true}` {
		t.Errorf("got %s, %v", got, err)
	}
}
