//go:build !linux

package listen

import (
	"fmt"
	"runtime"
)

// reportsChanges returns an error: folders are listened to on Linux only, where it is tested.
func reportsChanges(string) error { return fmt.Errorf("%s is not Linux", runtime.GOOS) }

func isLimit(error) bool { return false }
