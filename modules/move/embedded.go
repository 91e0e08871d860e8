package move

import (
	"context"
	_ "embed" // connections.json
	"encoding/json"
	"sync"
)

//go:embed connections.json
var connections []byte

// embedded is connections by Address.Key, for the demo and for tests: a small file.
type embedded map[string][]Connection

var _ Connections = embedded(nil)

// readEmbedded reads the file once.
var readEmbedded = sync.OnceValue(func() embedded {
	var file []struct {
		Address
		Connections []Connection `json:"connections"`
	}
	if err := json.Unmarshal(connections, &file); err != nil {
		panic(err) // a wrong file in this folder
	}
	e := embedded{}
	for _, f := range file {
		e[f.Key()] = f.Connections
	}
	return e
})

// Of implements Connections.
func (e embedded) Of(_ context.Context, a Address) ([]Connection, error) { return e[a.Key()], nil }
