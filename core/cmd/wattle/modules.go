package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/modules/asyncapi"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

func modulesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "modules", Short: "Develop and list modules"}
	cmd.AddCommand(modulesList(), modulesVet(), modulesNew(), modulesTest(), modulesSchema(), modulesDev(), modulesPack(), modulesPackages(),
		modulesOpenAPI(), modulesAsyncAPI())
	return cmd
}

func modulesList() *cobra.Command {
	c := config.Default()
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the modules of this program and its plugins",
		Example: "  wattle modules list --plugins /etc/wattle/plugins",
		RunE: func(cmd *cobra.Command, _ []string) error {
			type line struct {
				Key     string   `json:"key"`
				Version string   `json:"version"`
				Needs   []string `json:"needs"`
				Uses    []string `json:"uses"`
				Imports []string `json:"imports"`
				Plugin  bool     `json:"plugin"`
			}
			available, err := availableModules(cmd, &c)
			if err != nil {
				return err
			}
			out, lines := []line{}, [][]any{{"MODULE", "VERSION", "NEEDS", "USES", "IMPORTS", "FROM"}}
			for _, m := range available.manifests {
				l := line{m.Key, m.Version, append([]string{}, m.Needs...), append([]string{}, m.Uses...), append([]string{}, m.Imports...),
					slices.Contains(available.plugins, m.Key)}
				from := "program"
				if l.Plugin {
					from = "plugin"
				}
				out = append(out, l)
				lines = append(lines, []any{l.Key, l.Version, join(l.Needs), join(l.Uses), join(l.Imports), from})
			}
			return cli.Print(cmd, *asJSON, out, func(out io.Writer) { cli.Table(out, lines) })
		},
	}
	c.Only(cmd.Flags(), pluginFlags...)
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

func join(s []string) string {
	if len(s) == 0 {
		return "-"
	}
	return strings.Join(s, " ")
}

func modulesVet() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "vet",
		Short:   "Check that the modules of this program fit together",
		Long:    "Build all modules of this program, and check that their operations, events and dependencies fit together.",
		Example: "  wattle modules vet",
		RunE: func(cmd *cobra.Command, _ []string) error {
			running, done, err := build()
			if err != nil {
				return err
			}
			defer done()
			count := 0
			for _, op := range running.Operations() {
				if op.Module != registry.Core {
					count++
				}
			}
			return cli.Print(cmd, *asJSON, map[string]int{"modules": len(modules.All), "operations": count}, func(out io.Writer) {
				fmt.Fprintf(out, "%s with %s fit together\n", words.Count(len(modules.All), "module", "modules"),
					words.Count(count, "operation", "operations"))
			})
		},
	}
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// modulesOpenAPI writes the OpenAPI document of every module. `make generate` commits the documents and generates the browser's types from
// them.
func modulesOpenAPI() *cobra.Command {
	return documents("openapi", "Write the OpenAPI document of every module into a folder", func(m module.Running) ([]byte, error) {
		text, err := json.MarshalIndent(m.OpenAPI(), "", "  ")
		return append(text, '\n'), err
	})
}

// modulesAsyncAPI writes the AsyncAPI document of every module, which `make generate` commits.
func modulesAsyncAPI() *cobra.Command {
	return documents("asyncapi", "Write the AsyncAPI document of every module into a folder", func(m module.Running) ([]byte, error) {
		return asyncapi.Document(m.Manifest)
	})
}

// documents returns a command that writes one document, <key>.json, for core and for every module of the program.
func documents(use, short string, of func(module.Running) ([]byte, error)) *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use:    use,
		Short:  short,
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			running, done, err := build()
			if err != nil {
				return err
			}
			defer done()
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			for key, m := range running.Modules {
				text, err := of(m)
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(dir, key+".json"), text, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "out", ".", "folder")
	return cmd
}

// build builds all modules with a temporary database and returns their registry. done removes it.
func build() (running *registry.Snapshot, done func(), err error) {
	dir, err := os.MkdirTemp("", "wattle")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) }
	c := config.Default()
	c.Data, c.Labels = filepath.Join(dir, "data"), dir
	a, err := app.New(c, modules.All)
	if err != nil {
		remove()
		return nil, nil, err
	}
	done = func() { _ = a.Store.Close(); remove() }
	if err := a.Registry.Add(a.Modules...); err != nil {
		done()
		return nil, nil, err
	}
	unknown := func(names []string) string {
		for _, name := range names {
			if !slices.ContainsFunc(modules.All, func(m module.Module) bool { return m.Key == name }) {
				return name
			}
		}
		return ""
	}
	for _, m := range modules.All {
		if name := unknown(m.Uses); name != "" {
			done()
			return nil, nil, fmt.Errorf("module %s uses module %s, which is missing", m.Key, name)
		}
	}
	return a.Registry.Snapshot(), done, nil
}
