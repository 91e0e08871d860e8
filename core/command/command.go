// Package command describes the commands that a module adds to the program: `wattle <key> <name>`, such as `wattle marketplace audit`,
// where <key> is Manifest.Key and <name> is Command.Name. Group.Noun is for messages and no part of a command.
//
// A group is part of the manifest, because the program lists its commands before it builds a module. A command reads and writes the
// data of the module through the module's own operations, so that it works the same when the module runs as a plugin.
package command

import (
	"context"
	"io"
	"net/http"
)

// Group is the commands of one module. The zero value has none.
type Group struct {
	Short string // help text of `wattle <key>`: "Audit the market of shares"
	Noun  string // what a label with the module has, for messages only: "no label has a market"
	All   []Command
}

// Command is `wattle <key> <name>`. It runs for every label that has the module, in order of their keys, or for the label in --label.
type Command struct {
	Name  string
	Args  []string // names of the arguments, such as FILE; all are required
	Short string   // help text
	Long  string
	Audit bool // verifies the data of the module and takes no arguments: `wattle restore` runs it on the restored data
	// Run runs the command for one label; ctx has the scope of that label. It returns the number of findings: above 0 the program exits
	// with status 1 after the last label. An error ends the command at once.
	Run func(ctx context.Context, c Call) (findings int, err error)
}

// Call is one run of a command.
type Call struct {
	Label  string       // key of the label
	Client *http.Client // calls any operation of the module, http://<key>/…, in the role of core: also those with access "sibling" or "key"
	Args   []string
	In     io.Reader
	Out    io.Writer
}
