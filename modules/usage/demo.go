package usage

import (
	"embed"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/modules/usage/internal/household"
)

//go:embed demo
var sample embed.FS

// demo contains connections with generated hourly usage until yesterday.
var demo = demodata.Data{
	Sample: sample,
	Series: []demodata.Series{{Name: "households", Read: demodata.Read[household.Household]}},
}
