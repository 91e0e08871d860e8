package move

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
)

// Commodity is what a connection carries.
type Commodity string

// Commodities are the values that are known, in the order in which they are listed.
var Commodities = []Commodity{electricity, gas}

const (
	electricity Commodity = "ELECTRICITY"
	gas         Commodity = "GAS"
)

// Connection is a connection at an address.
type Connection struct {
	EAN       string    `json:"ean_code"`
	Commodity Commodity `json:"commodity" enum:"ELECTRICITY,GAS"`
}

// EANs are the connections at an address by commodity (3-address-lookup-eans-shape).
type EANs struct {
	Gas         []string `json:"GAS" nullable:"false"`
	Electricity []string `json:"ELECTRICITY" nullable:"false"`
}

// EANsOf sorts connections by commodity, each EAN once.
func EANsOf(connections []Connection) EANs {
	out := EANs{Gas: []string{}, Electricity: []string{}}
	for _, c := range connections {
		switch c.Commodity {
		case gas:
			out.Gas = append(out.Gas, c.EAN)
		case electricity:
			out.Electricity = append(out.Electricity, c.EAN)
		}
	}
	for _, eans := range []*[]string{&out.Gas, &out.Electricity} {
		slices.Sort(*eans)
		*eans = slices.Compact(*eans)
	}
	return out
}

func (e EANs) of(c Commodity) []string {
	if c == gas {
		return e.Gas
	}
	return e.Electricity
}

// CommoditiesOf are the commodities of connections, each once (3-move-commodities).
func CommoditiesOf(connections []Connection) []Commodity {
	out := []Commodity{}
	for _, c := range Commodities {
		if slices.ContainsFunc(connections, func(x Connection) bool { return x.Commodity == c }) {
			out = append(out, c)
		}
	}
	return out
}

// CheckConnections judges the connections at the new address against the commodities of the old one. More than one of a commodity
// cannot be moved to online (2.2-offline-multi-connection); else those at the new address must cover the old (4-move-connections-match).
func CheckConnections(at EANs, old []Commodity) []string {
	for _, c := range Commodities {
		if len(at.of(c)) > 1 {
			return []string{codeMultipleConnections}
		}
	}
	for _, c := range old {
		if len(at.of(c)) == 0 {
			return []string{codeDifferentConnections}
		}
	}
	return nil
}

// connectionsURL asks a label's own service for the connections at an address.
func connectionsURL(base string, a Address) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set("zip_code", a.ZipCode)
	q.Set("house_number", string(a.Number))
	q.Set("house_number_extension", a.Extension)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// ean is a code of 18 digits (3-connection-fields).
var ean = regexp.MustCompile(`^[0-9]{18}$`)

// readConnections takes the connections out of the answer of a label's own service. Anything else is an error: that is no address
// without connections.
func readConnections(data []byte) ([]Connection, error) {
	var answer struct {
		Connections []Connection `json:"connections"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	if answer.Connections == nil {
		return nil, fmt.Errorf("%w: no connections in the answer", ErrDown)
	}
	for _, c := range answer.Connections {
		if !ean.MatchString(c.EAN) || !slices.Contains(Commodities, c.Commodity) {
			return nil, fmt.Errorf("%w: not a connection", ErrDown)
		}
	}
	return answer.Connections, nil
}
