// Package cli gives the commands of the program one form: help, checks of arguments and flags, errors, tables, JSON and colors.
package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// JSONFlag registers --json.
func JSONFlag(c *cobra.Command) *bool {
	asJSON := new(bool)
	c.Flags().BoolVar(asJSON, "json", false, "print JSON")
	return asJSON
}

// Print prints the result of a command: value as JSON, or text for a person.
func Print(c *cobra.Command, asJSON bool, value any, text func(out io.Writer)) error {
	out := c.OutOrStdout()
	if !asJSON {
		text(out)
		return nil
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// Table prints rows of cells in aligned columns. The first row has the names of the columns.
func Table(out io.Writer, rows [][]any) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, cells := range rows {
		for i, cell := range cells {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // the reader has closed the pipe
}

// Color is a color of a terminal.
type Color string

// The colors, as parameters of the ANSI sequence "select graphic rendition".
const (
	Green  Color = "32"
	Yellow Color = "33"
	Red    Color = "31"
)

// Paint returns text in a color if out is a terminal that shows colors, and NO_COLOR (no-color.org) is not set.
func Paint(out io.Writer, c Color, text string) string {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || !isatty.IsTerminal(f.Fd()) {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
