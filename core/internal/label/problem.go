package label

import "fmt"

// Problem is one thing that is wrong with one label, in words for its operator. It never holds a secret.
type Problem struct {
	Label   string `json:"label"` // its folder; empty when no one label is to blame
	File    string `json:"file"`  // relative to the labels folder: "acme/label.cue"
	Line    int    `json:"line"`  // from 1; 0 when there is no line to point at
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// String is "file:line:column: message", which editors and terminals make into a link.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Message
	case p.Line == 0:
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}
