package address

import (
	"context"
	_ "embed" // addresses.json
	"encoding/json"
	"fmt"
	"sync"

	"github.com/wattle-portal/wattle/core/source"
)

//go:embed addresses.json
var addresses []byte

// embedded is a register for the demo and tests, read from addresses.json.
type embedded struct {
	addresses map[ZipNumber][]Address
	down      map[ZipNumber]bool
}

var _ Register = (*embedded)(nil)

// loadEmbedded parses the file once.
var loadEmbedded = sync.OnceValue(func() *embedded {
	var file []struct {
		Address
		Down bool `json:"down"` // the look-up of this address fails, for the demo and tests
	}
	if err := json.Unmarshal(addresses, &file); err != nil {
		panic(err) // the embedded file is invalid
	}
	e := &embedded{map[ZipNumber][]Address{}, map[ZipNumber]bool{}}
	for _, f := range file {
		p, ok := ParseZipNumber(f.ZipCode, string(f.Number))
		if !ok {
			panic("address: addresses.json: " + f.ZipCode + " " + string(f.Number))
		}
		e.down[p] = e.down[p] || f.Down
		e.addresses[p] = sortDistinct(append(e.addresses[p], f.Address))
	}
	return e
})

// Addresses implements Register.
func (e *embedded) Addresses(_ context.Context, p ZipNumber) ([]Address, error) {
	if e.down[p] {
		return nil, fmt.Errorf("%w: marked as down in addresses.json", source.ErrDown)
	}
	return e.addresses[p], nil
}
