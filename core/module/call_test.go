package module

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/wattle-portal/wattle/core/problem"
)

func TestCall(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok":
			_, _ = w.Write([]byte(`{"token":"t"}`))
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/refused":
			problem.Write(w, problem.Fail(http.StatusConflict, "account.username_taken"))
		case "/broken":
			problem.Write(w, problem.Fail(http.StatusInternalServerError, problem.CodeInternal))
		case "/junk":
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer server.Close()
	type answer struct{ Token string }
	call := func(path string) (answer, error) {
		return Call[answer](context.Background(), server.Client(), http.MethodPost, server.URL+path, map[string]int{"n": 1})
	}
	if a, err := call("/ok"); err != nil || a.Token != "t" {
		t.Errorf("got %v, %v", a, err)
	}
	if a, err := call("/empty"); err != nil || a != (answer{}) {
		t.Errorf("got %v, %v", a, err)
	}
	if _, err := call("/refused"); problem.Of(err).Code != "account.username_taken" || problem.Of(err).Status != 409 {
		t.Errorf("got %v", err)
	}
	for _, path := range []string{"/broken", "/junk"} {
		if _, err := call(path); !errors.Is(err, problem.ErrUnavailable) || problem.Of(err).Status != 503 {
			t.Errorf("%s: got %v", path, err)
		}
	}
	server.Close()
	if _, err := call("/ok"); !errors.Is(err, problem.ErrUnavailable) {
		t.Errorf("a sibling that is away: got %v", err)
	}
}
