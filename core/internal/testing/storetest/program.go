package storetest

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// WriteProgram writes a program that the test runs. No process is started while the file is open for writing: it would inherit the file,
// and a program that is open for writing cannot be run (ETXTBSY).
func WriteProgram(t testing.TB, file string, content []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	require.NoError(t, os.WriteFile(file, content, 0o755))
}
