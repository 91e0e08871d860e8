package reading

import (
	"testing"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

func TestMain(m *testing.M) { metertest.Main(m) }
