// Package command is what a module adds to the commands of the program: `wattle <key> <name>`.
//
// A group stands in the manifest, because the program lists its commands before it builds a module. A command reaches what the module
// keeps through the module's own operations, so it does the same where a plugin has taken the place of the module.
package command

import (
	"context"
	"io"
	"net/http"
)

// Group is the commands of one module. The zero value has none.
type Group struct {
	Short string // line of help for `wattle <key>`: "Look after the market of shares"
	Noun  string // what a label has when it has the module, for messages: "market"
	All   []Command
}

// Command is `wattle <key> <name>`. It runs for each label that has the module, in order of their keys, or for the one that --label
// names.
type Command struct {
	Name  string
	Args  []string // names of the arguments, such as FILE; all of them are required
	Short string   // line of help
	Long  string
	Audit bool // proves what the module keeps, and takes no arguments: `wattle restore` runs it on what it put back
	// Run does the command for one label, in whose scope ctx is. It returns how many things it found wrong; the program then exits
	// with status 1 after the last label. An error ends the command at once.
	Run func(ctx context.Context, c Call) (findings int, err error)
}

// Call is one run of a command.
type Call struct {
	Label  string       // key of the label
	Client *http.Client // calls the operations of the module, http://<key>/…, as core: also those for siblings and API keys
	Args   []string
	In     io.Reader
	Out    io.Writer
}
