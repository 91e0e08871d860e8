package pluginhost_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/pluginhost"
)

// Stopping a plugin may break its connection during a write, which is not an error of the portal.
func TestConnectionErrorsHaveLevelDebug(t *testing.T) {
	var out bytes.Buffer
	log := pluginhost.NewLogger(slog.New(slog.NewTextHandler(&out, nil)))
	log.Named("yamux").StandardLogger(&hclog.StandardLoggerOptions{InferLevels: true}).
		Print("[ERR] yamux: Failed to write body: broken pipe")
	log.Named("fixture").Error("yamux: Failed to write header: broken pipe", "timestamp", "now", "@module", "yamux") // logged by the process
	require.Empty(t, out.String())
	log.Error("error of the module")
	require.Contains(t, out.String(), "level=ERROR msg=\"error of the module\"")
}
