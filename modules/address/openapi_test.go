package address

import (
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
)

func TestOpenAPI(t *testing.T) {
	moduletest.OpenAPI(t, "../../schemas/openapi/address.json", newService(module.Host{}).OpenAPI())
}

func TestAsyncAPI(t *testing.T) {
	moduletest.AsyncAPI(t, "../../schemas/asyncapi/address.json", manifest)
}
