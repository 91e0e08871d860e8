package label

import (
	"net"
	"strings"

	"golang.org/x/net/idna"
)

// NormalHost is the one spelling of a host: no port, lower case, no trailing dot, and IDNA in its ASCII form. A host that is no
// host becomes "", which belongs to no label. A host that is spelt normally already costs no allocation.
func NormalHost(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return ""
	}
	return ascii
}
