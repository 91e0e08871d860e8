package move

import (
	"context"
	_ "embed" // connections.json
	"encoding/json"
	"sync"
)

//go:embed connections.json
var connections []byte

// embedded contains connections by Address.Key for the demo and tests, read from connections.json.
type embedded map[string][]Connection

var _ ConnectionSource = embedded(nil)

// loadEmbedded parses the file once.
var loadEmbedded = sync.OnceValue(func() embedded {
	var file []struct {
		Address
		Connections []Connection `json:"connections"`
	}
	if err := json.Unmarshal(connections, &file); err != nil {
		panic(err) // the embedded file is invalid
	}
	e := embedded{}
	for _, f := range file {
		e[f.Key()] = f.Connections
	}
	return e
})

// Connections implements ConnectionSource.
func (e embedded) Connections(_ context.Context, a Address) ([]Connection, error) {
	return e[a.Key()], nil
}
