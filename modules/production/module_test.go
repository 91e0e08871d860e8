package production_test

import (
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules/production"
)

func TestConformance(t *testing.T) {
	who := module.Scope{Relation: module.StableID(moduletest.LabelOne, "relation", "1"), Subject: "account-1"}
	moduletest.Run(t, production.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: production.Settings{Weather: production.WeatherSettings{Provider: "embedded", URL: "https://weather.example", Station: "De Bilt"}},
		State:    []moduletest.Call{{Path: "/weather", As: who}},
	})
}
