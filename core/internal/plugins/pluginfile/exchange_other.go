//go:build !linux

package pluginfile

import "errors"

var cannotExchange = []error{errors.ErrUnsupported}

// exchange returns an error on systems that cannot exchange two folders in one step.
func exchange(string, string) error { return errors.ErrUnsupported }
