//go:build !unix

package backup

// giveToOwner does nothing on systems where the service does not run as a separate user.
func giveToOwner(_, _ string) error { return nil }
