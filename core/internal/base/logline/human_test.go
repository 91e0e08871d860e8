package logline_test

import (
	"bytes"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
)

func TestHumanLines(t *testing.T) {
	t.Run("10-modules-dev-log", func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(logline.NewHumanHandler(&out, slog.LevelWarn)).With("plugin", "outages").WithGroup("call")
		log.Info("not shown")
		log.Warn("a call was slow", "took", 1500*time.Millisecond, "path", "/a b")
		log.Error("failed")
		assert.Regexp(t, `^\d\d:\d\d:\d\d WARN  a call was slow plugin=outages call\.took=1\.5s call\.path="/a b"
\d\d:\d\d:\d\d ERROR failed plugin=outages
$`, out.String())

		command, err := os.ReadFile("../../../cmd/wattle/modules_dev.go")
		require.NoError(t, err)
		assert.Contains(t, string(command), "slog.SetDefault(slog.New(logline.NewHumanHandler(cmd.ErrOrStderr(), ")
	})
}
