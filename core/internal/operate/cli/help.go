package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

// AllFlags is the annotation of a command whose help shows the flags that commands share, because they are its own.
const AllFlags = "all-flags"

const (
	helpWidth  = 80
	maxNamed   = 4 // shared flags that the help of a command names; if there are more, it names the first ones
	pflagStart = 4 // spaces that pflag leaves for the short form of a flag, which only --help has
)

// Setup gives all commands of a program the same help and the same checks of their arguments. All commands must have been added.
func Setup(root *cobra.Command) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { writeHelp(c.OutOrStdout(), c) })
	root.SetUsageFunc(func(c *cobra.Command) error {
		writeUsage(c.OutOrStderr(), c)
		return nil
	})
	root.SetFlagErrorFunc(FlagError)
	root.AddCommand(optionsTopic())
	checkArguments(root)
}

func checkArguments(c *cobra.Command) {
	if c.Args == nil && reference.Runs(c) {
		c.Args = CheckArgs
	}
	for _, sub := range c.Commands() {
		checkArguments(sub)
	}
}

// optionsTopic returns the page of `wattle help options`: the flags that many commands have.
func optionsTopic() *cobra.Command {
	topic := &cobra.Command{Use: "options", Short: "List the flags that many commands share"}
	topic.SetHelpFunc(func(c *cobra.Command, _ []string) {
		out := c.OutOrStdout()
		fmt.Fprintln(out, wrap("These flags are shared by many commands. A command accepts those that it needs; `wattle serve` accepts all of them. "+
			"Each can also be set in the environment (--mail-from as WATTLE_MAIL_FROM) or in the file of --config (as mail_from). "+
			"A flag takes precedence over the environment, and the environment over the file."))
		writeGroups(out, config.Shared())
	})
	return topic
}

func writeHelp(out io.Writer, c *cobra.Command) {
	short, long := c.Short, strings.TrimSpace(c.Long)
	if !strings.HasPrefix(long, short) {
		fmt.Fprintf(out, "%s.\n\n", short)
	}
	if long != "" {
		fmt.Fprintf(out, "%s\n\n", wrap(long))
	}
	writeUsage(out, c)
}

// writeUsage writes how to call a command, with examples, subcommands and flags.
func writeUsage(out io.Writer, c *cobra.Command) {
	fmt.Fprintln(out, "Usage:")
	if reference.Runs(c) {
		fmt.Fprintf(out, "  %s\n", reference.UseLine(c))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(out, "  %s [command]\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(out, c)
	writeFlags(out, c)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\nUse `%s [command] --help` for more about a command.\n", c.CommandPath())
	}
	if !c.HasParent() {
		fmt.Fprintln(out, "Use `wattle help options` for the flags that many commands share.")
	}
}

// writeCommands writes the subcommands of a command, in their groups.
func writeCommands(out io.Writer, c *cobra.Command) {
	write := func(title, group string) {
		started := false
		for _, sub := range c.Commands() {
			if sub.GroupID != group || !sub.IsAvailableCommand() && sub.Name() != "help" {
				continue
			}
			if !started {
				fmt.Fprintf(out, "\n%s:\n", title)
				started = true
			}
			fmt.Fprintf(out, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	for _, g := range c.Groups() {
		write(g.Title, g.ID)
	}
	title := "Commands"
	if len(c.Groups()) > 0 {
		title = "Other commands"
	}
	write(title, "")
}

// writeFlags writes the flags of a command: the required ones, its other own ones, and where those that it shares are described.
func writeFlags(out io.Writer, c *cobra.Command) {
	flags := reference.Flags(c)
	if !c.HasParent() {
		flags = []*pflag.Flag{c.Flags().Lookup("version")}
	}
	var required, own, shared []*pflag.Flag
	for _, f := range flags {
		switch {
		case reference.IsRequired(f):
			required = append(required, f)
		case config.Group(f) != "":
			shared = append(shared, f)
		default:
			own = append(own, f)
		}
	}
	writeSection(out, "Required flags", required)
	writeSection(out, "Flags", own)
	switch {
	case c.Annotations[AllFlags] != "":
		writeGroups(out, shared)
	case len(shared) > 0:
		fmt.Fprintf(out, "\nShared flags:\n  %s (see `wattle help options`)\n", names(shared))
	}
}

// writeGroups writes shared flags in their groups.
func writeGroups(out io.Writer, flags []*pflag.Flag) {
	for _, title := range config.Groups() {
		writeSection(out, title, slices.DeleteFunc(slices.Clone(flags), func(f *pflag.Flag) bool { return config.Group(f) != title }))
	}
}

func writeSection(out io.Writer, title string, flags []*pflag.Flag) {
	if len(flags) == 0 {
		return
	}
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	for _, f := range flags {
		one := *f
		one.DefValue = reference.Default(f)
		set.AddFlag(&one)
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	for line := range strings.Lines(set.FlagUsagesWrapped(helpWidth + pflagStart)) {
		fmt.Fprint(out, strings.TrimPrefix(line, strings.Repeat(" ", pflagStart)))
	}
}

// names returns the names of flags for a sentence: all of a few, else the first ones and the number of the others.
func names(flags []*pflag.Flag) string {
	var all []string
	for _, f := range flags {
		all = append(all, "--"+f.Name)
	}
	if len(all) <= maxNamed {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:maxNamed-1], ", "), len(all)-maxNamed+1)
}

// wrap breaks the paragraphs of a text into lines for a terminal. An indented paragraph is code and stays as it is.
func wrap(text string) string {
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(paragraph, " ") || strings.HasPrefix(paragraph, "\t") {
			out = append(out, paragraph)
			continue
		}
		var lines []string
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len([]rune(line))+1+len([]rune(word)) > helpWidth {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		out = append(out, strings.Join(append(lines, line), "\n"))
	}
	return strings.Join(out, "\n\n")
}
