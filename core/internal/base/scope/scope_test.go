package scope

import "testing"

func TestNetworkOfClient(t *testing.T) {
	for ip, want := range map[string]string{
		"192.0.2.1":            "192.0.2.1",
		"::ffff:192.0.2.1":     "192.0.2.1",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::":       "2001:db8:1:2::/64",
		"fe80::1%eth0":         "fe80::/64",
		"not an address":       "not an address",
		"":                     "",
	} {
		if got := (Client{IP: ip}).Network(); got != want {
			t.Errorf("%q: network %q, want %q", ip, got, want)
		}
	}
}
