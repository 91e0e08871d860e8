package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

// UsageError is a command that was not typed correctly. Message adds how to call it.
type UsageError struct {
	Command *cobra.Command
	Text    string
}

func (e *UsageError) Error() string { return e.Text }

// Usagef returns a UsageError.
func Usagef(c *cobra.Command, format string, args ...any) error {
	return &UsageError{c, fmt.Sprintf(format, args...)}
}

// Missing returns the UsageError for arguments or flags that are not given.
func Missing(c *cobra.Command, names ...string) error {
	return Usagef(c, "missing %s", list(names))
}

// list returns the elements of a list as a phrase: "a, b and c".
func list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// CheckArgs compares the arguments of a command with those in its Use: "diff A B", "dev [KEY]", "import FILE…".
func CheckArgs(c *cobra.Command, args []string) error {
	var missing []string
	names, isOpen := strings.Fields(c.Use)[1:], false
	for i, name := range names {
		isOpen = isOpen || strings.Contains(name, "…")
		if i >= len(args) && !strings.HasPrefix(name, "[") {
			missing = append(missing, strings.TrimSuffix(name, "…"))
		}
	}
	switch {
	case len(missing) > 0:
		return Missing(c, missing...)
	case !isOpen && len(args) > len(names):
		return Usagef(c, "unexpected argument %q", args[len(names)])
	}
	return nil
}

// exclusive is cobra's annotation of flags that exclude each other.
const exclusive = "cobra_annotation_mutually_exclusive"

// CheckFlags returns a UsageError when a required flag is not set, or when two flags exclude each other. It is called when the environment
// and the configuration file have been read.
func CheckFlags(c *cobra.Command) error {
	var missing []string
	together := map[string][]string{} // flags that are set, by the group of flags that exclude each other
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if reference.IsRequired(f) && !f.Changed {
			missing = append(missing, "--"+f.Name)
		}
		for _, group := range f.Annotations[exclusive] {
			if f.Changed {
				together[group] = append(together[group], "--"+f.Name)
			}
		}
	})
	if len(missing) > 0 {
		return Missing(c, missing...)
	}
	for _, set := range together {
		if len(set) > 1 {
			return Usagef(c, "%s cannot be used together", list(set))
		}
	}
	return nil
}

// FlagError returns the UsageError for an error of the flags of a command.
func FlagError(c *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if near := nearestFlag(c, e.GetSpecifiedName()); near != "" {
			return Usagef(c, "%s; did you mean --%s?", err, near)
		}
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return Usagef(c, "missing value of --%s", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if values := expected(e.GetFlag()); values != "" {
			return Usagef(c, "--%s %q: must be %s", e.GetFlag().Name, e.GetValue(), values)
		}
	}
	return Usagef(c, "%s", err)
}

// expected describes the values of a flag, for those whose values can be wrong.
func expected(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool", "int", "duration", "":
		return config.Expected(f)
	case "stringToString":
		return "NAME=VALUE"
	}
	return ""
}

// nearestFlag returns the flag of a command whose name resembles a mistyped one, or "".
func nearestFlag(c *cobra.Command, name string) string {
	var known []string
	for _, f := range reference.Flags(c) {
		known = append(known, f.Name)
	}
	return mistake.Nearest(name, known)
}

// Message returns the text that ends the program after an error: without the names of Go packages, and with the usage of a command that was
// not typed correctly.
func Message(err error) string {
	text := err.Error()
	if _, ok := errors.AsType[config.Problems](err); !ok {
		text = Plain(text)
	}
	if e, ok := errors.AsType[*UsageError](err); ok {
		text += fmt.Sprintf("\nUsage: %s\nSee `%s --help`.", reference.UseLine(e.Command), e.Command.CommandPath())
	}
	return text
}

// goPackages are the packages whose errors begin with their names, which developers know and operators do not.
var goPackages = strings.Fields("archive assets asyncapi audit backup changes cluster demo files health hold icu identity imports jobs label " +
	"limit mail module outbox outside packages plugin pluginfile pluginhost private record registry sandbox scaffold sibling socket store " +
	"storetest telemetry ticket token upgrade value")

// Plain returns the text of an error without the names of Go packages: "label acme: imports: open x" becomes "label acme: open x". A name
// after a position in a file is that of a setting and stays.
func Plain(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(line, ": ")
		kept := parts[:0:0]
		for j, part := range parts {
			if j < len(parts)-1 && slices.Contains(goPackages, part) && (j == 0 || !endsWithNumber(parts[j-1])) {
				continue
			}
			kept = append(kept, part)
		}
		lines[i] = strings.Join(kept, ": ")
	}
	return strings.Join(lines, "\n")
}

// endsWithNumber reports whether a text ends like a position in a file: "label.cue:3:1".
func endsWithNumber(text string) bool {
	i := strings.LastIndexByte(text, ':')
	return i >= 0 && i+1 < len(text) && strings.Trim(text[i+1:], "0123456789") == ""
}
