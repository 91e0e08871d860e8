package pluginhost

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/wattle-portal/wattle/core/internal/plugins/sandbox"
)

// sandbox returns what the operator lets the process run as. The error is one sentence: what the operator asks for and cannot have.
func (p *Plugin) sandbox() (sandbox.Sandbox, error) {
	g, _ := p.o.grants.grant(p.Spec.Key) // an error leaves what was granted before
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

// openData lets the user of a sandbox pass through the data folder, to the plugin's data and to its installed files.
func (p *Plugin) openData(s sandbox.Sandbox) error {
	return s.OpenData(p.o.Data, dataFolder, installedFolder, filepath.Join(installedFolder, p.Spec.Key))
}
