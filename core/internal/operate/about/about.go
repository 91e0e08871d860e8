// Package about describes the program: its version, the commit it was built from, and its contents.
package about

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/wattle-portal/wattle/core/internal/modules/wire"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// UpgradesFrom is the oldest version whose data this program upgrades directly. It must not be newer than any release of the last twelve
// months.
const UpgradesFrom = "0.1.0"

// Program is the body of `wattle version --json`.
type Program struct {
	Version    string `json:"version"`
	Commit     string `json:"commit"`      // empty if the program was not built in a repository
	CommitTime string `json:"commit_time"` // RFC 3339
	Modified   bool   `json:"modified"`    // built with uncommitted changes
	Go         string `json:"go"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Contract   int    `json:"contract"` // of plugins
	// UpgradesFrom is the oldest version whose data this program upgrades directly.
	UpgradesFrom string            `json:"upgrades_from"`
	Schema       map[string]string `json:"schema"` // newest migration by part of core ("core.identity") and by module
	Modules      []Module          `json:"modules"`
}

// Module is a module in the program.
type Module struct {
	Key     string `json:"key"`
	Version string `json:"version"`
}

// Of describes a program with the given version and parts.
func Of(version string, core []store.Migrations, modules []module.Module) (Program, error) {
	p := Program{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Contract: wire.Version,
		UpgradesFrom: UpgradesFrom, Schema: map[string]string{}, Modules: []Module{}}
	if build, ok := debug.ReadBuildInfo(); ok {
		p.read(build.Settings)
	}
	for _, m := range core {
		if err := p.add("core."+m.Name, m); err != nil {
			return p, err
		}
	}
	for _, m := range modules {
		p.Modules = append(p.Modules, Module{m.Key, m.Version})
		set, _ := store.ModuleMigrations(m.Manifest)
		if err := p.add(m.Key, set); err != nil {
			return p, err
		}
	}
	return p, nil
}

// add adds the newest migration of a part, for both database engines.
func (p *Program) add(part string, m store.Migrations) error {
	best := int64(0)
	for _, engine := range []store.Engine{store.SQLite, store.Postgres} {
		n, name, err := m.Newest(engine)
		if err != nil {
			return fmt.Errorf("migrations of %s: %w", part, err)
		}
		if n > best {
			best, p.Schema[part] = n, name
		}
	}
	return nil
}

func (p *Program) read(settings []debug.BuildSetting) {
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			p.Commit = s.Value
		case "vcs.time":
			p.CommitTime = s.Value
		case "vcs.modified":
			p.Modified = s.Value == "true"
		}
	}
}

// String returns the output line of `wattle version`.
func (p Program) String() string {
	commit := ""
	if p.Commit != "" {
		commit = " " + p.Commit[:min(12, len(p.Commit))]
	}
	return fmt.Sprintf("wattle %s%s %s %s/%s", p.Version, commit, p.Go, p.OS, p.Arch)
}
