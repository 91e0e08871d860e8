//go:build !linux

package pluginhost

import (
	"errors"
	"io/fs"
	"syscall"
)

var errCage = errors.New(grantsFile + " gives it a user or takes its network, which a portal can do on Linux only")

// supported returns an error, which is one sentence, when this system does not give what a cage needs.
func supported(c cage) error {
	if c.hasUser() || c.noNetwork {
		return errCage
	}
	return nil
}

// explain returns the error of starting a process.
func (cage) explain(err error) error { return err }

// attributes is not called.
func attributes(cage) *syscall.SysProcAttr { return nil }

// passes is not called.
func (cage) passes(fs.FileInfo) bool { return true }

// isLinked is not called.
func isLinked(fs.FileInfo) bool { return false }
