package module_test

import (
	"context"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
)

var greeter = module.Manifest{Key: "greeter", Version: "1.0.0", Settings: `#Settings: greeting: *"Hello" | string`}

type greeterSettings struct {
	Greeting string `json:"greeting"`
}

type greeting struct {
	Body struct {
		Text string `json:"text"`
	}
}

type greeterInstance struct{ module.Router }

// A module is a value with a manifest and a function that builds an instance. docs/examples/outages has a module with rows, events, imports
// and emails.
func ExampleNew() {
	greet := func(ctx context.Context, _ *struct{}) (*greeting, error) {
		settings, err := module.Settings[greeterSettings](ctx) // settings of the call's label
		if err != nil {
			return nil, err
		}
		out := &greeting{}
		out.Body.Text = settings.Greeting + ", " + module.ScopeOf(ctx).Label
		return out, nil
	}
	newService := func(module.Host) module.Instance {
		s := greeterInstance{module.NewRouter(greeter)}
		module.Declare(s.Router, module.Customer, "GET /greeting", "greet", "Get a greeting", "For customers.", greet)
		return s
	}
	m := module.New(greeter, newService)

	// The OpenAPI document can be read without a portal; portaltest has examples of calls.
	operation := newService(module.Host{}).OpenAPI().Paths["/greeter/greeting"].Get
	fmt.Println(m.Key, operation.OperationID)
	// Output: greeter greet
}
