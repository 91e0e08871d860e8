package identity

import (
	"net/netip"
	"strings"
)

// parseUserAgent returns the browser and the platform that a User-Agent header names, in their common names. Both are empty for an
// unknown header, such as that of a program. The order of the tables matters, because most browsers also claim to be another one.
func parseUserAgent(userAgent string) (browser, platform string) {
	find := func(table [][2]string) string {
		for _, row := range table {
			if strings.Contains(userAgent, row[0]) {
				return row[1]
			}
		}
		return ""
	}
	if !strings.HasPrefix(userAgent, "Mozilla/5.0 (") && !strings.HasPrefix(userAgent, "Opera/") {
		return "", ""
	}
	return find(browsers), find(platforms)
}

var browsers = [][2]string{
	{"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"Edg/", "Edge"}, {"Edge/", "Edge"},
	{"OPR/", "Opera"}, {"OPT/", "Opera"}, {"Opera", "Opera"}, {"Vivaldi/", "Vivaldi"},
	{"SamsungBrowser/", "Samsung Internet"}, {"DuckDuckGo/", "DuckDuckGo"}, {"Ddg/", "DuckDuckGo"},
	{"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"},
	{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Chromium/", "Chrome"}, {"Safari/", "Safari"},
}

var platforms = [][2]string{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
	{"Macintosh", "Mac"}, {"Linux", "Linux"}, {"X11", "Linux"},
}

// shortenIP returns the part of an address that shows the rough origin of a call: /24 of IPv4, /48 of IPv6. It returns an empty
// string for an invalid address.
func shortenIP(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ""
	}
	a = a.Unmap().WithZone("")
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}
