package reference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Group is the annotation of a command that only contains other commands; its own Run is not described.
const Group = "group"

// Commands returns the page that describes the program's commands. group returns the title of the group of a flag that many commands share,
// or "". A shared flag is described only once, in the sections of titles at the end of the page.
func Commands(root *cobra.Command, titles []string, group func(*pflag.Flag) string) string {
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

	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated +
		"Every command of `wattle` and its flags; `wattle COMMAND --help` prints the same. `wattle completion SHELL` prints a script that completes commands, flags, labels, plugins, kinds of records and accounts of the demo. " +
		"Flags that many commands share are described at [the end](#shared-flags), and by `wattle help options`. Guides are in [operations.md](../operations.md), [plugins.md](../plugins.md) and [modules.md](../modules.md).\n")
	shared := map[string]string{} // table rows by name of the flag
	inGroup := map[string][]string{}
	for _, c := range all {
		fmt.Fprintf(&b, "\n## %s\n", c.CommandPath())
		if !strings.HasPrefix(c.Long, c.Short) {
			fmt.Fprintf(&b, "\n%s.\n", cell(c.Short))
		}
		if c.Long != "" {
			for paragraph := range strings.SplitSeq(c.Long, "\n\n") {
				if !strings.HasPrefix(paragraph, " ") { // else a block, as in the help of the command
					paragraph = cell(paragraph)
				}
				fmt.Fprintf(&b, "\n%s\n", paragraph)
			}
		}
		if Runs(c) {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", UseLine(c))
		}
		if c.Example != "" {
			fmt.Fprintf(&b, "\nExamples:\n\n```text\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
		}
		var own, others []string
		for _, f := range Flags(c) {
			row, title := flagRow(f), group(f)
			if title == "" || IsRequired(f) {
				own = append(own, row)
				continue
			}
			others = append(others, "`--"+f.Name+"`")
			if shared[f.Name] == "" {
				shared[f.Name] = row
				inGroup[title] = append(inGroup[title], row)
			}
		}
		if len(own) > 0 {
			b.WriteString("\n" + flagHead + strings.Join(own, ""))
		}
		if len(others) > 0 {
			fmt.Fprintf(&b, "\nShared flags: %s.\n", strings.Join(others, ", "))
		}
	}
	b.WriteString("\n## Shared flags\n\nEach can also be set in the environment, `--mail-from` as `WATTLE_MAIL_FROM`, or in the file of `--config`, as `mail_from`. " +
		"A flag takes precedence over the environment, and the environment over the file.\n")
	for _, title := range titles {
		slices.Sort(inGroup[title])
		fmt.Fprintf(&b, "\n### %s\n\n%s%s", title, flagHead, strings.Join(inGroup[title], ""))
	}
	return b.String()
}

const flagHead = "| flag | value | default | what it does |\n|---|---|---|---|\n"

// Runs reports whether a command does something itself, unlike one that only contains other commands.
func Runs(c *cobra.Command) bool { return c.Runnable() && c.Annotations[Group] == "" }

// UseLine returns a command with its arguments and its required flags: "wattle keys revoke --label LABEL --name NAME [flags]".
func UseLine(c *cobra.Command) string {
	words := append([]string{c.CommandPath()}, strings.Fields(c.Use)[1:]...)
	others := false
	for _, f := range Flags(c) {
		if IsRequired(f) {
			words = append(words, "--"+f.Name, strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")))
		} else {
			others = true
		}
	}
	if others {
		words = append(words, "[flags]")
	}
	return strings.Join(words, " ")
}

// Flags returns the flags of a command by name, including those of its group and without --help. A group has no flags of its own.
func Flags(c *cobra.Command) (out []*pflag.Flag) {
	if !Runs(c) {
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

// IsRequired reports whether a command needs a flag.
func IsRequired(f *pflag.Flag) bool { return len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 }

// flagRow returns the table row of a flag.
func flagRow(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	standard := ""
	switch {
	case IsRequired(f):
		standard = "required"
	case f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false":
		standard = code(Default(f))
	}
	return fmt.Sprintf("| `--%s` | %s | %s | %s |\n", f.Name, value, standard, cell(usage))
}

// Default returns the default of a flag as a person writes it.
func Default(f *pflag.Flag) string {
	text := f.DefValue
	switch f.Value.Type() {
	case "stringToString":
		return strings.TrimPrefix(text, "[]") // pflag shows this for an empty one
	case "": // the level of log lines
		return strings.ToLower(text)
	case "duration":
	default:
		return text
	}
	for _, zero := range []string{"m0s", "h0m"} { // 48h0m0s is 48h
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
