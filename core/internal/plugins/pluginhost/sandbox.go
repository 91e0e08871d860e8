package pluginhost

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
)

// sandbox returns the user and network that the operator has set for the process. Its error is one sentence that says which of these the
// system cannot provide.
func (p *Plugin) sandbox() (sandbox.Sandbox, error) {
	g, _ := p.o.grants.grant(p.Spec.Key) // after an error, the previous grants apply
	noNetwork := g.Network != nil && !*g.Network
	if noNetwork && p.o.Database != "" {
		config, err := pgx.ParseConfig(p.o.Database)
		if err == nil && !strings.HasPrefix(config.Host, "/") {
			return sandbox.Sandbox{}, fmt.Errorf("%s gives it no network, and its database is reached over one: "+
				"name the folder of PostgreSQL's socket in --database, or use SQLite", grantsFile)
		}
	}
	return sandbox.New(g.User, noNetwork)
}

// openData gives the user of a sandbox access through the data folder to the plugin's data and its installed files.
func (p *Plugin) openData(s sandbox.Sandbox) error {
	return s.OpenData(p.o.Data, dataFolder, installedFolder, filepath.Join(installedFolder, p.Spec.Key))
}
