// This folder is not part of the Go module, so that the module stays small for those who import it.
module github.com/wattle-portal/wattle/core/cmd/wattle/testdata/stored

go 1.26.0
