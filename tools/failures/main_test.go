package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

		// The whole command, of a run in which nothing failed.
		dir := t.TempDir()
		files := map[string]*os.File{}
		for name, text := range map[string]string{"in": `{"Action":"output","Package":"m/store","Test":"TestOne","Output":"    a_test.go:6: why\n"}
{"Action":"skip","Package":"m/store","Test":"TestOne"}
{"Action":"pass","Package":"m/store","Test":"TestTwo"}
{"Action":"pass","Package":"m/store","Elapsed":1.5}
`, "out": ""} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
			require.NoError(t, err)
			files[name] = f
		}
		stdin, stdout := os.Stdin, os.Stdout
		os.Stdin, os.Stdout = files["in"], files["out"]
		main() // an exit would end the test
		os.Stdin, os.Stdout = stdin, stdout
		report, err := os.ReadFile(filepath.Join(dir, "out"))
		require.NoError(t, err)
		assert.Equal(t, "pass m/store 1.5s\nskipped: why: store TestOne\n1 passed, 0 failed, 1 skipped\n", string(report))
		makefile, err := os.ReadFile("../../Makefile")
		require.NoError(t, err)
		assert.Contains(t, string(makefile), "go run ./tools/failures < test-results/go.json; exit $$status\n", "its status is that of the tests")
	})
}
