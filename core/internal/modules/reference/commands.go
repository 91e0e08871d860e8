package reference

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Group is the annotation of a command that only contains other commands; its own Run is not described.
const Group = "group"

// manyCommands is the number of commands from which a flag is described only once, at the end of the page.
const manyCommands = 5

// Commands returns the page that describes the program's commands.
func Commands(root *cobra.Command) string {
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "completion" {
				all = append(all, sub)
				walk(sub)
			}
		}
	}
	walk(root)

	count := map[string]int{} // number of commands by table row
	for _, c := range all {
		for _, f := range flagsOf(c) {
			if !isRequired(f) { // a command lists its own required flags, because they may be optional in other commands
				count[flagRow(f)]++
			}
		}
	}
	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated +
		"Every command of `wattle` and its flags; `wattle COMMAND --help` prints the same. `wattle completion SHELL` prints a script that completes them. " +
		"Flags that many commands have are described at [the end](#flags-of-many-commands). How they are used is in [operations.md](../operations.md), [plugins.md](../plugins.md) and [modules.md](../modules.md).\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n", c.CommandPath(), cell(strings.TrimSuffix(c.Short, ".")))
		if c.Long != "" {
			fmt.Fprintf(&b, "\n%s\n", cell(c.Long))
		}
		if runs(c) {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", c.UseLine())
		}
		if c.Example != "" {
			fmt.Fprintf(&b, "\nExample:\n\n```text\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
		}
		var own, others []string
		for _, f := range flagsOf(c) {
			if row := flagRow(f); count[row] < manyCommands {
				own = append(own, row)
			} else {
				others = append(others, "`--"+f.Name+"`")
			}
		}
		if len(own) > 0 {
			b.WriteString("\n" + flagHead + strings.Join(own, ""))
		}
		if len(others) > 0 {
			fmt.Fprintf(&b, "\nAlso: %s.\n", strings.Join(others, ", "))
		}
	}
	b.WriteString("\n## Flags of many commands\n\n" + flagHead)
	for _, row := range slices.Sorted(maps.Keys(count)) {
		if count[row] >= manyCommands {
			b.WriteString(row)
		}
	}
	return b.String()
}

const flagHead = "| flag | value | default | what it does |\n|---|---|---|---|\n"

func runs(c *cobra.Command) bool { return c.Runnable() && c.Annotations[Group] == "" }

// flagsOf returns the flags of a command by name, including those of its group and without --help. A group has no flags of its own.
func flagsOf(c *cobra.Command) (out []*pflag.Flag) {
	if !runs(c) {
		return nil
	}
	add := func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			out = append(out, f)
		}
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	slices.SortFunc(out, func(a, b *pflag.Flag) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func isRequired(f *pflag.Flag) bool { return len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 }

// flagRow returns the table row of a flag.
func flagRow(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	standard := ""
	switch {
	case isRequired(f):
		standard = "required"
	case f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false":
		standard = code(f.DefValue)
	}
	return fmt.Sprintf("| `--%s` | %s | %s | %s |\n", f.Name, value, standard, cell(usage))
}
