//go:build !unix

package upgrade

import (
	"errors"
	"os"
	"os/exec"
)

func asOwner(*exec.Cmd, string) error { return nil }

// alone returns an error: a running program cannot be replaced on this system.
func alone(string) (func(), error) {
	return nil, errors.New("wattle upgrade needs Linux or macOS: stop the portal, make a backup, replace the program and start it")
}

func terminate(p *os.Process) error { return p.Kill() }
