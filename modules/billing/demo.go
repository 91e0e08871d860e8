package billing

import (
	"embed"

	"github.com/wattle-portal/wattle/core/demodata"
)

var (
	//go:embed demo/*.ndjson
	sample embed.FS
	//go:embed demo/shapes.tmpl
	shapes string
)

// demo contains two agreements of a household, with invoices whose files are part of the label's demo data.
var demo = demodata.Data{
	Sample: sample,
	Files:  map[string]string{"invoices/{{id}}.pdf": "invoices/termijnfactuur.pdf"},
	Shapes: shapes,
}
