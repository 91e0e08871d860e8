package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
)

func TestServe(t *testing.T) {
	s := apptest.Start(t, apptest.Options{})
	a := s.Do(apptest.Call{Path: "//healthz"})
	require.Equal(t, 200, a.Status)
	a = s.Do(apptest.Call{Path: "//readyz"})
	t.Log(string(a.Body))
	a = s.Do(apptest.Call{Path: "/portal"})
	t.Log(string(a.Body))
	require.Equal(t, 200, a.Status)
}
