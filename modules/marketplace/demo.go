package marketplace

import (
	"embed"

	"github.com/wattle-portal/wattle/core/demodata"
)

//go:embed demo
var sample embed.FS

// demo contains a sample project in which the customer has 40 shares.
var demo = demodata.Data{Sample: sample}
