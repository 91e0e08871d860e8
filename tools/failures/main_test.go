package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSkipsAreListedByReason(t *testing.T) {
	t.Run("9-skips-named", func(t *testing.T) {
		lines := []string{"=== RUN   TestReal\n", "    real_test.go:66: the shared readings are not on this machine\n",
			"--- SKIP: TestReal (0.00s)\n"}
		assert.Equal(t, "the shared readings are not on this machine", reason(lines))
		assert.Equal(t, "no reason given", reason(lines[2:]))
		var out strings.Builder
		list(&out, map[string][]string{"b": {"usage TestReal"}, "a": {"store TestOne", "store TestTwo"}})
		assert.Equal(t, "skipped: a: store TestOne, store TestTwo\nskipped: b: usage TestReal\n", out.String())
	})
}
