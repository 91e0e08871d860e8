// Command tide is a plugin for tests in which plugins are added, replaced and removed.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/plugin"
)

// config is the JSON that configures the plugin, padded with spaces. Package plugintest creates other plugins by overwriting it in the
// binary.
const config = `tide-config:{"key":"tide","path":"/tide","version":"1.0.0","settings":"#Settings: {height: int | *2}"}                                                                                                                                                                                                                                                                                                            `

var about = parse()

type description struct {
	Key, Path, Version, Settings string
	Uses                         []string
	Exit                         bool
	Marks                        string // "one" or "two": a database with that many migrations; empty: no database
}

func parse() (c description) {
	if err := json.Unmarshal([]byte(strings.TrimPrefix(config, "tide-config:")), &c); err != nil {
		panic(err)
	}
	if c.Exit {
		os.Exit(3)
	}
	return c
}

// level is the response of the plugin.
type level struct {
	Version string `json:"version"`
	Height  int    `json:"height"`
	Depth   int    `json:"depth"`
}

func main() {
	m := withMarks(module.Manifest{Key: about.Key, Version: about.Version, Settings: about.Settings, Uses: about.Uses,
		Browser: func(json.RawMessage) (json.RawMessage, error) { return json.Marshal(level{Version: about.Version}) }})
	plugin.Serve(module.New(m, func(h module.Host) module.Instance {
		r := module.NewRouter(m)
		answer := func(ctx context.Context) (*struct{ Body level }, error) {
			of, err := module.Settings[level](ctx)
			if err != nil {
				return nil, err
			}
			return &struct{ Body level }{level{about.Version, of.Height, of.Depth}}, nil
		}
		module.Route(r.API, huma.Operation{OperationID: "level", Method: http.MethodGet, Path: about.Path, Summary: "Get the level"}, module.Public, module.Read,
			func(ctx context.Context, _ *struct{}) (*struct{ Body level }, error) { return answer(ctx) })
		module.Route(r.API, huma.Operation{OperationID: "slow", Method: http.MethodGet, Path: about.Path + "/slow", Summary: "Get the level later"}, module.Public, module.Read,
			func(ctx context.Context, in *struct {
				Millis int `query:"ms"`
			}) (*struct{ Body level }, error) {
				select {
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-time.After(time.Duration(in.Millis) * time.Millisecond):
				}
				return answer(ctx)
			})
		if about.Marks == "" {
			return &instance{r}
		}
		s := marks{h}
		s.routes(r.API)
		return &struct {
			module.Router
			marks
		}{r, s}
	}))
}

type instance struct{ module.Router }

// Handle implements module.Instance.
func (*instance) Handle(context.Context, module.Event) error { return nil }
