//go:build !linux

package sandbox

import (
	"errors"
	"io/fs"
	"syscall"
)

var errUnsupported = errors.New(GrantsFile + " gives it a user or takes its network, which a portal can do on Linux only")

// supported returns an error, which is one sentence, when this system does not give what a sandbox needs.
func supported(s Sandbox) error {
	if s.HasUser() || s.NoNetwork {
		return errUnsupported
	}
	return nil
}

// Explain returns the error of starting a process.
func (Sandbox) Explain(err error) error { return err }

// attributes is not called.
func attributes(Sandbox) *syscall.SysProcAttr { return nil }

// passes is not called.
func (Sandbox) passes(fs.FileInfo) bool { return true }

// isLinked is not called.
func isLinked(fs.FileInfo) bool { return false }
