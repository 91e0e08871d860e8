package call

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func TestJSON(t *testing.T) {
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
		return JSON[answer](context.Background(), server.Client(), http.MethodPost, server.URL+path, map[string]int{"n": 1})
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

func TestQuery(t *testing.T) {
	type params struct {
		After    string      `json:"after,omitzero"`
		At       time.Time   `json:"at,omitzero"`
		From     value.Day   `json:"from,omitzero"`
		Limit    int64       `json:"limit,omitzero"`
		Active   bool        `json:"active,omitzero"`
		Projects []string    `json:"projects,omitzero"`
		Price    json.Number `json:"price,omitzero"`
	}
	for want, p := range map[string]params{
		"":                                {},
		"?after=a+b%26c":                  {After: "a b&c"},
		"?at=2026-03-01T10%3A00%3A00.5Z":  {At: time.Date(2026, 3, 1, 10, 0, 0, 500_000_000, time.UTC)},
		"?from=2026-03-01&limit=10000000": {From: value.Day{Year: 2026, Month: 3, Day: 1}, Limit: 10_000_000},
		"?active=true&projects=A%2CB":     {Active: true, Projects: []string{"A", "B"}},
		"?price=10.00":                    {Price: "10.00"},
	} {
		if got := Query(p); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
