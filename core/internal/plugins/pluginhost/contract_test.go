package pluginhost_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
)

// There is only one contract version so far. A portal with a later version is the current portal with a different version number; the
// binaries are real.
func TestContracts(t *testing.T) {
	t.Parallel()
	current := int(contract.Current)
	build := func(t *testing.T, spec map[string]any) string {
		dir := t.TempDir()
		plugintest.Write(t, dir, plugintest.Plugin{Key: "unruly", Spec: func(s map[string]any) {
			for field, value := range spec {
				s[field] = value
			}
		}})
		return dir
	}
	t.Run("10-contract-former", func(t *testing.T) {
		for name, c := range map[string]struct {
			portal  contract.Version
			spec    map[string]any
			refusal string // empty: the plugin serves
		}{
			"N":   {portal: contract.Current},
			"N-1": {portal: contract.Current + 1},
			"N-2": {portal: contract.Current + 2,
				refusal: "It was built for contract 1 and this portal supports 2 and 3: the contract is not supported."},
			"N+1": {portal: contract.Current, spec: map[string]any{"contract": current + 1},
				refusal: "It was built for contract 2 and this portal supports 1: the contract is not supported."},
			"N+1 with a new field": {portal: contract.Current, spec: map[string]any{"contract": current + 1, "colour": "red"},
				refusal: "It was built for contract 2 and this portal supports 1: the contract is not supported."},
		} {
			t.Run(name, func(t *testing.T) {
				o := pluginhost.Options{Dir: build(t, c.spec), Contract: c.portal}
				if c.refusal != "" {
					require.Equal(t, c.refusal, refused(t, o))
					return
				}
				h := openPortal(t, o)
				require.True(t, h.plugin.Up(), "its process speaks with the portal")
				status, _, body, err := h.get("/unruly")
				require.NoError(t, err)
				require.Equal(t, 200, status, body)
			})
		}
	})
}
