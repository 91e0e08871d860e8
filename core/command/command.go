// Package command describes the commands that a module adds to the program: `wattle <key> <name>`, such as `wattle marketplace audit`,
// where <key> is Manifest.Key and <name> is Command.Name. Group.Noun is used only in messages.
//
// A group is part of the manifest, because the program lists its commands before it builds a module. A command reads and writes the data of
// the module through the module's own operations, so that it works the same when the module runs as a plugin.
package command

import (
	"context"
	"io"
	"net/http"
)

// Group is the commands of one module. The zero value has none.
type Group struct {
	Short string // help text for `wattle <key>`: "Audit the market of shares"
	Noun  string // what the module gives a label, used only in messages: "no label has a market"
	All   []Command
}

// Command is `wattle <key> <name>`. It runs for every label that has the module, in the order of the label keys, or only for the label in
// --label.
type Command struct {
	Name  string
	Args  []string // names of the arguments, such as FILE; all are required
	Short string   // help text
	Long  string
	Audit bool // verifies the data of the module and takes no arguments: `wattle restore` runs it on the restored data
	// Run runs the command for one label; ctx has the scope of that label. Run returns the number of findings. If there are any, the
	// program exits with status 1 after the last label. An error ends the command immediately.
	Run func(ctx context.Context, c Call) (findings int, err error)
}

// Call is one run of a command.
type Call struct {
	Label  string       // key of the label
	Client *http.Client // calls every operation of the module, at http://<key>/…, with the rights of core (also access "sibling" and "key")
	Args   []string
	In     io.Reader
	Out    io.Writer
}
