// Package installed finds this machine's PostgreSQL for tests. It is separate from the package that starts PostgreSQL, because the program
// contains it for `wattle modules test`, even on systems on which the other package does not compile.
package installed

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Env is the name of the environment variable with the URL of a test server. The user in the URL may create databases and roles.
const Env = "WATTLE_TEST_POSTGRES"

// ErrMissing is returned when PostgreSQL's programs are not installed.
var ErrMissing = errors.New("PostgreSQL is not installed (Debian: apt-get install postgresql) and " + Env + " is not set")

// Engines describes the databases on which tests for both databases run.
func Engines() string {
	if os.Getenv(Env) == "" {
		if _, err := Binaries(); err != nil {
			return fmt.Sprintf("The tests of Go ran on SQLite only: %v.", err)
		}
	}
	return "The tests of Go ran on SQLite and on PostgreSQL."
}

// Binaries returns the folder of the newest installation, or ErrMissing. It is needed because on Debian initdb is not in the PATH.
func Binaries() (string, error) {
	var found []string
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin/initdb", "/usr/pgsql-*/bin/initdb", "/opt/homebrew/opt/postgresql*/bin/initdb",
		"/usr/local/opt/postgresql*/bin/initdb"} {
		m, _ := filepath.Glob(pattern) // the patterns are well-formed
		found = append(found, m...)
	}
	if p, err := exec.LookPath("initdb"); err == nil {
		if p, err := filepath.EvalSymlinks(p); err == nil {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return "", ErrMissing
	}
	sort.SliceStable(found, func(i, j int) bool { return version(found[i]) > version(found[j]) })
	return filepath.Dir(found[0]), nil
}

func version(file string) int {
	digits := strings.FieldsFunc(file, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(digits[0]) // digits only
	return n
}
