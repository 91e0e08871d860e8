package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/teams/packages"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/installed"
	"github.com/wattle-portal/wattle/modules"
)

func modulesNew() *cobra.Command {
	var m scaffold.Module
	dir, from, inTree, checkout, labels := "", "", false, ".", []string(nil)
	cmd := &cobra.Command{
		Use:   "new KEY",
		Short: "Create a module",
		Long: "Create a module that works, with tests: a page with a form, its operations and a table. With --dir it gets a repository of its own and " +
			"becomes a plugin; with --in-tree it becomes part of Wattle. --with adds these parts:\n\n" +
			"    import   a kind of record for `wattle import`\n" +
			"    mail     an email to the customer\n" +
			"    staff    an operation and a page for staff\n" +
			"    job      work every night\n" +
			"    change   a request that the back office decides\n" +
			"    event    an event for other modules and webhooks\n" +
			"    setting  a setting of labels\n" +
			"    tile     a tile on the dashboard",
		Example: `  wattle modules new outages --dir ../outages
  wattle modules new outages --dir ../outages --with staff,mail,tile
  wattle modules new outages --in-tree --label acme`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			m.Key = args[0]
			for _, own := range modules.All {
				m.Taken = append(m.Taken, own.Key)
			}
			if m.With, err = scaffold.ParseParts(m.With); err != nil {
				return cli.Usagef(cmd, "--with: %s", cli.Plain(err.Error()))
			}
			if !inTree && dir == "" {
				return cli.Missing(cmd, "--dir DIR or --in-tree")
			}
			if err := m.Check(); err != nil {
				return err
			}
			if !inTree {
				return newRepository(cmd, dir, from, m)
			}
			root, err := scaffold.Root(checkout)
			if err != nil {
				return fmt.Errorf("%w: name it with --wattle", err)
			}
			return newInTree(cmd, root, m, labels)
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", "", "folder of the new repository")
	f.StringSliceVar(&m.With, "with", nil, "comma-separated `PARTS`, or all")
	f.BoolVar(&inTree, "in-tree", false, "create it in modules/ and remotes/ of the checkout")
	f.StringVar(&m.Title, "title", "", "title of pages, menu items and tile; if empty, the key")
	f.StringVar(&m.Path, "module", "", "path of the Go module (with --dir); if empty, example.org/KEY")
	f.StringVar(&from, "packages", "", usageOfPackages+" (with --dir)")
	f.StringVar(&checkout, "wattle", checkout, "checkout of Wattle, or a folder in it (with --in-tree)")
	f.StringSliceVar(&labels, "label", nil, "labels that enable the module (with --in-tree)")
	cmd.MarkFlagsMutuallyExclusive("dir", "in-tree")
	for _, own := range []string{"wattle", "label"} {
		cmd.MarkFlagsMutuallyExclusive("dir", own)
	}
	for _, own := range []string{"module", "packages"} {
		cmd.MarkFlagsMutuallyExclusive("in-tree", own)
	}
	return cmd
}

func newRepository(cmd *cobra.Command, dir, from string, m scaffold.Module) error {
	if err := scaffold.CheckNode(cmd.Context()); err != nil { // only make setup requires Node.js
		fmt.Fprintf(cmd.ErrOrStderr(), "Before make test, install another Node: %s.\n", cli.Plain(err.Error()))
	}
	set, err := packages.Open(from)
	if err != nil {
		return err
	}
	with, err := ofProgram(set)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	written, err := scaffold.Repository(dir, program, with, m)
	if err != nil {
		return err
	}
	r, err := packages.Find(dir)
	if err != nil {
		return err
	}
	if _, err := r.Install(cmd.Context(), set); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Created %s in %s. Next:\n\n  cd %s && make test\n  make dev\n", words.Count(len(written), "file", "files"), dir,
		dir)
	return nil
}

func newInTree(cmd *cobra.Command, root string, m scaffold.Module, labels []string) error {
	written, err := scaffold.InTree(root, m, labels...)
	if err != nil {
		return err
	}
	for _, name := range written {
		fmt.Fprintln(cmd.OutOrStdout(), name)
	}
	// The length of the module's key decides which lines must be wrapped.
	if biome := filepath.Join(root, "node_modules/.bin/biome"); exists(biome) {
		if err := try(cmd.Context(), root, biome, "format", "--write", "remotes/"+m.Key); err != nil {
			return err
		}
	}
	if len(labels) == 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "\nTo enable it for a label, add this line to its label.cue: modules: %s: {}\n", m.Key)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\nNext: npm install, wattle modules test %s, make run\n", m.Key)
	return nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// try runs one of the developer's commands in a folder. The output of the command is part of the error.
func try(ctx context.Context, dir, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return nil
}

func modulesTest() *cobra.Command {
	cmd := ofRepo("test [KEY]", "Check and test both halves of a module, without a browser",
		"Run go vet, the analyzer of modules and the Go tests, on SQLite and, if it is installed, on PostgreSQL. Then build the remote, "+
			"check its types and run vitest.", scaffold.Repo.Test)
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil {
			return err
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), installed.Engines())
		return err
	}
	return cmd
}

func modulesSchema() *cobra.Command {
	generator := ""
	cmd := ofRepo("schema [KEY]", "Write the documents, the client and the browser types of a module",
		"Write schemas/openapi/KEY.json and schemas/asyncapi/KEY.json, the client KEYapi if the module has one for other modules, and "+
			"the browser types src/api.gen.ts of the remote.",
		func(r scaffold.Repo) []scaffold.Step { return r.Schema(generator) })
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		r, err := scaffold.Open(cmd.Flag("dir").Value.String(), append(args, "")[0])
		if err != nil {
			return err
		}
		if !r.HasClient() {
			return run(cmd, args)
		}
		if generator, err = os.MkdirTemp("", "wattle-clients-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(generator)) }()
		if err := generatorOf(r, generator); err != nil {
			return fmt.Errorf("the client %sapi cannot be written: %w", r.Key, err)
		}
		return run(cmd, args)
	}
	return cmd
}

// generatorOf writes the client generator to a folder. It comes from the repository's packages, or from this program if the repository has
// none.
func generatorOf(r scaffold.Repo, to string) error {
	for _, from := range []string{filepath.Join(r.Root, packages.Folder), ""} {
		set, err := packages.Open(from)
		if errors.Is(err, packages.ErrNone) {
			continue
		}
		if err != nil {
			return err
		}
		return set.Generator(to)
	}
	return packages.ErrNone
}

// ofRepo returns a command that runs steps in the repository of the current folder.
func ofRepo(use, short, long string, steps func(scaffold.Repo) []scaffold.Step) *cobra.Command {
	dir := "."
	name, _, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{
		Use:     use,
		Short:   short,
		Long:    long + " KEY is needed if the repository has several modules.",
		Example: "  wattle modules " + name + " --dir ../outages",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := scaffold.Open(dir, append(args, "")[0])
			if err != nil {
				return err
			}
			return r.Run(cmd.Context(), cmd.OutOrStdout(), steps(r))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", dir, "folder of the repository, or a folder in it")
	return cmd
}
