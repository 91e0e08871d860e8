// Package docs embeds the example module of the docs, of which `wattle modules new` writes copies.
package docs

import "embed"

// Example is the folder example-module: both halves of module acme. What is generated from them is not in it.
//
//go:embed example-module/*.go example-module/*.json example-module/*.cue example-module/README.md example-module/acmeapi
//go:embed example-module/demo example-module/messages example-module/migrations example-module/plugin example-module/testdata
//go:embed example-module/remote/src/*.ts example-module/remote/src/*.tsx example-module/remote/src/messages/*.json
var Example embed.FS
