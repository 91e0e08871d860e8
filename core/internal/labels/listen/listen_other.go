//go:build !linux

package listen

import (
	"fmt"
	"runtime"
)

// reportsChanges returns an error: listening is supported and tested on Linux only.
func reportsChanges(string) error { return fmt.Errorf("%s is not Linux", runtime.GOOS) }

func isLimit(error) bool { return false }
