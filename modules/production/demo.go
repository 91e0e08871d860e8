package production

import "github.com/wattle-portal/wattle/core/demodata"

// demo generates projects with hourly production until now, and adds measurements while the demo runs.
var demo = demodata.Data{
	Functions: yields,
	Series:    []demodata.Series{{Name: projectFile, Read: demodata.Read[DemoProject]}},
}
