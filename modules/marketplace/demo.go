package marketplace

import (
	"embed"

	"github.com/wattle-portal/wattle/core/demodata"
)

//go:embed demo
var sample embed.FS

// demo is 40 shares of a project of the customer's own.
var demo = demodata.Data{Sample: sample}
