package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/teams/packages"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

const usageOfPackages = "folder of packages, as make release-packages writes it; those in the program when empty"

func modulesPackages() *cobra.Command {
	dir, from, update := ".", "", false
	cmd := &cobra.Command{
		Use:   "packages",
		Short: "Write the packages of Wattle into the repository of a module",
		Long: `Put the packages of Wattle that this program has, the Go module and the npm tarballs of @wattle/sdk, ui and charts, into the folder
.wattle/ of a repository that wattle modules new --dir wrote, and the Go module into the module cache of Go. A repository that requires
the packages of an earlier program goes on with those in .wattle/, until --update moves it to those of this program.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := packages.Open(from)
			if err != nil {
				return err
			}
			r, err := packages.Find(dir)
			if err != nil {
				return err
			}
			if update {
				if err := r.Update(cmd.Context(), set); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Wattle %s. Commit go.mod, go.sum and the files of npm; docs/contract.md says what changed\n", set.Go)
				return nil
			}
			about, err := r.Install(cmd.Context(), set)
			if err != nil {
				return err
			}
			if about.Go != set.Go {
				fmt.Fprintf(cmd.ErrOrStderr(), "Wattle %s of .wattle/ is used; wattle modules packages --update moves to %s, which this program has\n",
					about.Go, set.Go)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", dir, "folder of the repository, or a folder in it")
	f.StringVar(&from, "packages", "", usageOfPackages)
	f.BoolVar(&update, "update", false, "make the repository require the packages of this program")
	return cmd
}

// ofProgram returns the packages for a new repository.
func ofProgram(s packages.Set) (scaffold.Packages, error) {
	source, err := s.Source()
	if err != nil {
		return scaffold.Packages{}, err
	}
	example, err := s.Example()
	if err != nil {
		return scaffold.Packages{}, err
	}
	sums, err := s.Sums()
	return scaffold.Packages{Go: s.Go, NPM: s.NPM, Sums: sums, Source: source, Example: example}, err
}
