package label

import (
	"strings"

	"golang.org/x/net/idna"
)

// NormalHost returns the normal form of a host: no port, lower case, no trailing dot, IDNA in ASCII. It returns "" for an invalid host
// name, which belongs to no label. It does not allocate for a host in normal form, with or without a port.
func NormalHost(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		if strings.Trim(host[i+1:], "0123456789") != "" {
			return ""
		}
		host = host[:i]
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > 253*4 { // at most four bytes per character; avoids IDNA processing of invalid input
		return ""
	}
	if isPlain(host) {
		return host
	}
	ascii, err := idna.Lookup.ToASCII(strings.ToLower(host))
	if err != nil || !isPlain(ascii) {
		return ""
	}
	return ascii
}

// isPlain reports whether the host contains only lower case letters, digits, dots and hyphens.
func isPlain(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	for i := range len(host) {
		c := host[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && (c != '.' || i == 0 || host[i-1] == '.') {
			return false
		}
	}
	return true
}
