//go:build !linux

package sandbox

import (
	"errors"
	"io/fs"
	"syscall"
)

var errUnsupported = errors.New(GrantsFile + " gives it a user or takes its network, which a portal can do on Linux only")

// checkSupport returns an error of one sentence if this system does not provide what a sandbox needs.
func checkSupport(s Sandbox) error {
	if s.HasUser() || s.NoNetwork {
		return errUnsupported
	}
	return nil
}

// Explain returns the error unchanged.
func (Sandbox) Explain(err error) error { return err }

// attributes is never called on this system.
func attributes(Sandbox) *syscall.SysProcAttr { return nil }

// passes is never called on this system.
func (Sandbox) passes(fs.FileInfo) bool { return true }

// isLinked is never called on this system.
func isLinked(fs.FileInfo) bool { return false }
