package identity

import "testing"

func TestDevice(t *testing.T) {
	t.Run("2.1-sessions-section", func(t *testing.T) {
		for agent, want := range map[string][2]string{
			"": {}, "curl/8.1": {}, "Mozilla/5.0 (compatible; something)": {},
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                            {"Chrome", "Windows"},
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":              {"Edge", "Windows"},
			"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15":                      {"Safari", "Mac"},
			"Mozilla/5.0 (Linux; Android 16; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": {"Samsung Internet", "Android"},
			"Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1": {"Chrome", "iPhone"},
			"Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15":           {"Firefox", "iPad"},
			"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                             {"Chrome", "ChromeOS"},
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0":              {"Opera", "Windows"},
		} {
			if b, p := parseUserAgent(agent); b != want[0] || p != want[1] {
				t.Errorf("%q is %q on %q, want %q", agent, b, p, want)
			}
		}
		for ip, want := range map[string]string{"": "", "junk": "", "192.0.2.200": "192.0.2.0/24", "::ffff:192.0.2.200": "192.0.2.0/24",
			"2001:db8:1:2:3:4:5:6": "2001:db8:1::/48", "fe80::1%eth0": "fe80::/48"} {
			if got := shortenIP(ip); got != want {
				t.Errorf("%q is shortened to %q, want %q", ip, got, want)
			}
		}
	})
}
