//go:build !linux

package app

import (
	"errors"
	"syscall"
)

func dropNew(syscall.RawConn) error { return errors.ErrUnsupported }

func hasWaiting(syscall.RawConn) bool { return false }
