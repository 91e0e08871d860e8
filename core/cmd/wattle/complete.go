package main

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/records/formats"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
	"github.com/wattle-portal/wattle/modules"
)

// values returns the values that a shell offers for an argument or a flag; a value may be followed by a tab and its description.
type values func(cmd *cobra.Command, args []string) []string

// folderFlags are the flags whose value is a folder.
var folderFlags = []string{"data", "labels", "plugins", "remotes", "front", "dir", "packages", "wattle"}

// complete makes shells complete the arguments and the flags of all commands: labels, plugins, kinds of records, demo accounts.
func complete(c *cobra.Command) {
	for _, sub := range c.Commands() {
		complete(sub)
	}
	if c.Name() == "completion" || c.HasParent() && c.Parent().Name() == "completion" {
		return // cobra's own
	}
	if reference.Runs(c) && c.ValidArgsFunction == nil {
		c.ValidArgsFunction = completeArgs
	}
	flag := func(f *pflag.Flag) {
		offer := flagValues(c, f.Name)
		switch {
		case slices.Contains(folderFlags, f.Name):
			_ = c.RegisterFlagCompletionFunc(f.Name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}) // the flag is there, and is visited once
		case offer != nil:
			_ = c.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
				return startingWith(offer(cmd, args), typed), cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	c.LocalNonPersistentFlags().VisitAll(flag)
	c.PersistentFlags().VisitAll(flag)
}

func startingWith(all []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(v string) bool { return !strings.HasPrefix(v, typed) })
}

// completion describes how a shell loads its completion script: in the running shell, and in those that are started later.
type completion struct{ needs, example string }

var completions = map[string]completion{
	"bash": {" It needs the package bash-completion.", "  source <(wattle completion bash)\n" +
		"  wattle completion bash | sudo tee /etc/bash_completion.d/wattle > /dev/null"},
	"zsh": {" It needs `autoload -U compinit; compinit` in ~/.zshrc.", "  source <(wattle completion zsh)\n" +
		"  wattle completion zsh > \"${fpath[1]}/_wattle\""},
	"fish": {"", "  wattle completion fish | source\n" +
		"  wattle completion fish > ~/.config/fish/completions/wattle.fish"},
	"powershell": {"", "  wattle completion powershell | Out-String | Invoke-Expression\n" +
		"  wattle completion powershell >> $PROFILE"},
}

// describeCompletion gives cobra's commands for completion scripts the form of the other commands.
func describeCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short, c.Long = "Print the completion script of a shell", "Print the script with which a shell completes commands, flags, labels, plugins, kinds of "+
			"records and accounts of the demo. The help of each shell has the commands that load its script."
		for _, shell := range c.Commands() {
			of := completions[shell.Name()]
			shell.Short, shell.Example = "Print the completion script of "+shell.Name(), of.example
			shell.Long = shell.Short + ". The first example loads it in the running shell, the second in each shell that is started later." + of.needs
		}
	}
}

// completeArgs completes an argument by its name in Use.
func completeArgs(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	names := strings.Fields(cmd.Use)[1:]
	if len(names) == 0 || len(args) >= len(names) && !strings.Contains(names[len(names)-1], "…") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	name := strings.Trim(names[min(len(args), len(names)-1)], "[]…")
	switch {
	case name == "FILE" && cmd.Name() == "install":
		return []string{"wattle"}, cobra.ShellCompDirectiveFilterFileExt
	case name == "FILE":
		return nil, cobra.ShellCompDirectiveDefault
	case name == "FOLDER", name == "DIR":
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	offer := argValues(cmd, name)
	if offer == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	left := slices.DeleteFunc(offer(cmd, args), func(v string) bool { // each only once
		v, _, _ = strings.Cut(v, "\t")
		return slices.Contains(args, v)
	})
	return startingWith(left, typed), cobra.ShellCompDirectiveNoFileComp
}

func argValues(cmd *cobra.Command, name string) values {
	switch group := cmd.Parent().Name(); {
	case name == "LABEL" && cmd.Name() != "new", name == "A", name == "B":
		return labelKeys
	case name == "KIND":
		return kinds
	case name == "USERNAME":
		return func(cmd *cobra.Command, _ []string) []string { return demoUsernames(cmd, false) }
	case name == "KEY" && cmd.Name() == "logs":
		return loggedPlugins
	case name == "KEY" && group == "plugins":
		return pluginKeys
	case name == "KEY" && group == "modules" && cmd.Name() != "new":
		return repositoryModules
	}
	return nil
}

// flagValues returns the values of a flag, or nil for a flag that takes any value.
func flagValues(c *cobra.Command, name string) values {
	list := func(all ...string) values { return func(*cobra.Command, []string) []string { return all } }
	switch path := strings.TrimPrefix(c.CommandPath(), "wattle "); {
	case name == "label":
		return labelKeys
	case name == "log-level":
		return list("debug", "info", "warn", "error")
	case name == "kind" && path == "import":
		return kinds
	case name == "kind":
		return list(string(label.KindCustomer), string(label.KindParticipant))
	case name == "format" && path == "import":
		return list(formats.Names()...)
	case name == "format":
		return list(audit.FormatJSON, audit.FormatCSV)
	case name == "mapping":
		return mappings
	case name == "username" && c.Name() != "add":
		return func(cmd *cobra.Command, _ []string) []string { return demoUsernames(cmd, true) }
	case name == "with":
		return list(append(slices.Clone(scaffold.Parts), "all")...)
	case name == "to" && c.Name() == "rollback":
		return pluginVersions
	}
	return nil
}

// setting returns the value of a flag, which may come from the environment or the configuration file.
func setting(cmd *cobra.Command, name string) string {
	_ = config.Resolve(cmd.Flags(), os.LookupEnv) // completes as well as it can; running the command reports a mistake
	if f := cmd.Flag(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// labelKeys returns the labels in the labels folder, without compiling them.
func labelKeys(cmd *cobra.Command, _ []string) (keys []string) {
	folder := cmp.Or(setting(cmd, "labels"), filepath.Join(setting(cmd, "wattle"), "labels"))
	found, _ := filepath.Glob(filepath.Join(folder, "*", "label.cue")) // the pattern is valid
	for _, file := range found {
		keys = append(keys, filepath.Base(filepath.Dir(file)))
	}
	return keys
}

func kinds(*cobra.Command, []string) []string {
	return slices.Sorted(maps.Keys(app.Kinds(modules.All)))
}

// mappings returns the names of the mappings of the label in --label.
func mappings(cmd *cobra.Command, _ []string) []string {
	labels, err := label.Open(setting(cmd, "labels"), func() []label.Fragment { return app.Fragments(modules.All) })
	if err != nil {
		return nil
	}
	l := labels.ByKey(setting(cmd, "label"))
	if l == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(l.Imports))
}

// demoUsernames returns the usernames of the demo with their roles: all of them, or those of staff of the label in --label.
func demoUsernames(cmd *cobra.Command, onlyStaff bool) (names []string) {
	logins, err := demoLogins(setting(cmd, "labels"))
	if err != nil {
		return nil
	}
	key := setting(cmd, "label")
	for _, l := range logins {
		isCustomer := l.Role == identity.Customer || l.Role == "member"
		if onlyStaff && isCustomer || key != "" && l.Label != key {
			continue
		}
		names = append(names, l.Username+"\t"+l.Role+" of "+l.Label)
	}
	return names
}

// pluginKeys returns the plugins in the plugins folder, which are not run.
func pluginKeys(cmd *cobra.Command, _ []string) (keys []string) {
	specs, _ := pluginhost.Scan(setting(cmd, "plugins")) // those that can be read
	for _, s := range specs {
		keys = append(keys, s.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// pluginVersions returns the versions that `wattle plugins rollback KEY` can restore.
func pluginVersions(cmd *cobra.Command, args []string) []string {
	if len(args) == 0 {
		return nil
	}
	kept, _ := pluginfile.Previous(setting(cmd, "plugins"), args[0]) // none when the folder cannot be read
	return kept
}

// loggedPlugins returns the plugins that have a log in the data folder.
func loggedPlugins(cmd *cobra.Command, _ []string) []string {
	return pluginhost.Logged(setting(cmd, "data"))
}

// repositoryModules returns the modules of the repository in --dir.
func repositoryModules(cmd *cobra.Command, _ []string) (keys []string) {
	found, _ := filepath.Glob(filepath.Join(cmp.Or(setting(cmd, "dir"), "."), "modules", "*", "plugin")) // the pattern is valid
	for _, folder := range found {
		keys = append(keys, filepath.Base(filepath.Dir(folder)))
	}
	return keys
}
