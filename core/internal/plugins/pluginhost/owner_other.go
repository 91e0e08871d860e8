//go:build !unix

package pluginhost

import "io/fs"

func isOwnFile(fs.FileInfo) bool { return true }
