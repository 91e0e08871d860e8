//go:build !linux

package pluginfile

import "errors"

var cannotExchange = []error{errors.ErrUnsupported}

// exchange does nothing on systems without a call for it.
func exchange(string, string) error { return errors.ErrUnsupported }
