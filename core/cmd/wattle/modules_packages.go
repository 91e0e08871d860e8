package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/teams/packages"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

const usageOfPackages = "folder that make release-packages wrote; if empty, the packages in this program"

func modulesPackages() *cobra.Command {
	dir, from, update := ".", "", false
	cmd := &cobra.Command{
		Use:   "packages",
		Short: "Write the packages of Wattle into the repository of a module",
		Long: "Write the packages of Wattle in this program, the Go module and the npm tarballs of @wattle/sdk, ui and charts, to the folder .wattle/ of a " +
			"repository that `wattle modules new --dir` created, and the Go module to the module cache of Go. A repository that requires the packages of an " +
			"earlier program keeps those in .wattle/, until --update moves it to those of this program.",
		Example: "  wattle modules packages --dir ../outages --update",
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
				fmt.Fprintf(cmd.OutOrStdout(), "Updated to Wattle %s. Commit go.mod, go.sum and the npm files; docs/contract.md describes what changed\n", set.Go)
				return nil
			}
			about, err := r.Install(cmd.Context(), set)
			if err != nil {
				return err
			}
			if about.Go != set.Go {
				fmt.Fprintf(cmd.ErrOrStderr(), "Using Wattle %s of .wattle/; `wattle modules packages --update` updates to %s of this program\n",
					about.Go, set.Go)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", dir, "folder of the repository, or a folder in it")
	f.StringVar(&from, "packages", "", usageOfPackages)
	f.BoolVar(&update, "update", false, "update the repository to the packages of this program")
	return cmd
}

// ofProgram returns the packages for a new repository.
func ofProgram(s packages.Set) (scaffold.Packages, error) {
	source, err := s.Source()
	if err != nil {
		return scaffold.Packages{}, err
	}
	template, err := s.Template()
	if err != nil {
		return scaffold.Packages{}, err
	}
	sums, err := s.Sums()
	return scaffold.Packages{Go: s.Go, NPM: s.NPM, Sums: sums, Source: source, Program: s.Program, Template: template}, err
}
