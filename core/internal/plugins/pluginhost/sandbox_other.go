//go:build !linux

package pluginhost

import (
	"errors"
	"io/fs"
	"syscall"
)

var errCage = errors.New(grantsFile + " gives it a user or takes its network, which a portal can do on Linux only")

// supported returns an error, which is one sentence, when this system does not give what a sandbox needs.
func supported(c sandbox) error {
	if c.hasUser() || c.noNetwork {
		return errCage
	}
	return nil
}

// explain returns the error of starting a process.
func (sandbox) explain(err error) error { return err }

// attributes is not called.
func attributes(sandbox) *syscall.SysProcAttr { return nil }

// passes is not called.
func (sandbox) passes(fs.FileInfo) bool { return true }

// isLinked is not called.
func isLinked(fs.FileInfo) bool { return false }
