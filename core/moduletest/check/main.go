// Check reports mistakes that the types in core/module cannot prevent (docs/modules.md):
//
//	go run github.com/wattle-portal/wattle/core/moduletest/check -labels ./labels ./...
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/wattle-portal/wattle/core/internal/teams/check"
)

func main() { singlechecker.Main(check.Analyzer) }
