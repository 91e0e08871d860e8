package production

import "github.com/wattle-portal/wattle/core/demodata"

// demo is projects whose hours are made up until now, and which are measured while the demo runs.
var demo = demodata.Data{
	Functions: yields,
	Series:    []demodata.Series{{Name: projectFile, Read: demodata.Read[DemoProject]}},
}
