package label

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var account = Fragment{Module: "account", Source: "package account\n\n#Settings: show_shipping_addresses: bool | *true\n"}
var market = Fragment{Module: "market", Needs: []string{"account"}, Source: `#Settings: {
	max_shares: *100 | int & >0 & <=10_000
	days:       int & >=1 & <=365 & (*90 | _)
	api_secret?: =~"^[A-Z_]+$"
	note?:      string
}`}
var fragments = []Fragment{account, market}

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>`

// source returns a valid label.cue with more appended.
func source(key, more string) string {
	return fmt.Sprintf(`label_key: %q
url: "https://mijn.%s.example"
hosts: [{name: "%s.localhost", test: true}, {name: "mijn.%s.example"}]
style: {page_title: "T", primary_color: "#0b7a3b"}
info: {name: "Label %s", email: "a@b.nl", phone_number: "010 234 56 78"}
`, key, key, key, key, key) + more + "\n"
}

// folder writes a labels folder from label keys and the additions to their label.cue.
func folder(t testing.TB, labels map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for key, more := range labels {
		put(t, dir, key+"/assets/logo.svg", drawing)
		put(t, dir, key+"/assets/favicon.svg", drawing)
		put(t, dir, key+"/label.cue", source(key, more))
	}
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir, func() []Fragment { return fragments })
	require.NoError(t, err)
	return s
}

func texts(ps []Problem) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.String() + "\n")
	}
	return b.String()
}

func TestDefaults(t *testing.T) {
	s := open(t, folder(t, map[string]string{"acme": "modules: account: {}\nmodules: market: days: 30"}))
	l := s.ByKey("acme")
	require.NotNil(t, l, texts(s.Problems()))
	require.Equal(t, KindCustomer, l.Kind)
	require.Equal(t, "/dashboard", l.Kind.Landing())
	require.Equal(t, "Europe/Amsterdam", l.Location.String())
	t.Run("7.7-identity-service-choice", func(t *testing.T) { require.Equal(t, "local", l.Identity.Provider) })
	require.Equal(t, "#ffffff", l.Style.PrimaryText)
	require.Equal(t, l.Style.Primary, l.Style.EmailButtonBG)
	require.JSONEq(t, `{"max_shares":100,"days":30}`, string(l.Settings["market"].Raw))
	require.Equal(t, l.Theme.Roles["primary"], "#0b7a3b")
	require.Len(t, l.Revision, 24)
	t.Run("1-font-default", func(t *testing.T) {
		require.Equal(t, "Open Sans", l.Style.Font)
		require.Contains(t, l.Theme.CSS, `--w-font:"Open Sans"`)
		require.NotContains(t, l.Theme.CSS, "@font-face")
	})
}

// An operator's mistake is reported in plain words, with its line and column in the label's own file.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ more, want string }{
		{`modules: acount: {}`, "acme/label.cue:6:10: modules.acount: there is no module acount; did you mean account?"},
		{`modules: account: sho: true`, "acme/label.cue:6:19: modules.account.sho: there is no such field; there are: show_shipping_addresses"},
		{"modules: account: {}\nmodules: market: max_shares: 20000",
			"acme/label.cue:7:30: modules.market.max_shares: invalid value 20000 (out of bound <=10000)"},
		{"modules: account: {}\nmodules: market: days: 0", "acme/label.cue:7:24: modules.market.days: invalid value 0 (out of bound >=1)"},
		{"modules: account: {}\nmodules: market: api_secret: \"hush hush\"", "acme/label.cue:7:30: modules.market.api_secret: does not fit"},
		{`style: lgo: "x"`, "acme/label.cue:6:8: style.lgo: there is no such field; did you mean logo?"},
		{`colour: "x"`, "acme/label.cue:6:1: colour: there is no such field"},
		{`style: secondary_color: "red"`, "acme/label.cue:6:25: style.secondary_color: must be a colour such as #0b7a3b"},
		{`kind: "reseller"`, "acme/label.cue:6:7: kind: must be customer or participant"},
		{`zone: "Europe/Utrecht"`, `acme/label.cue:6:1: zone: "Europe/Utrecht" is not a time zone`},
		{`zone: "Local"`, `zone: "Local" is not a time zone`},
		{`identity: provider: "cognito"`, "acme/label.cue:6:1: identity.client_id: is missing"},
		{`identity: provider: "okta"`, "local or cognito"},
		{`identity: client_secret: "s3cr3t-value"`, "identity.client_secret: must be the NAME of an entry"},
		{`slots: hme: {}`, "acme/label.cue:6:8: slots.hme: there is no such field; did you mean home?"},
		{`slots: home: hide: ["Latest"]`, "acme/label.cue:6:21: slots.home.hide.0: must be <module>.<item>"},
		{`info: opening_hours: [{text: "x", from: "9"}]`, "acme/label.cue:6:41: info.opening_hours.0.from: must be a time"},
		{`info: opening_hours: [{text: "x", from: "09:00"}]`, "acme/label.cue:6:23: info.opening_hours.0: needs a from"},
		{`info: opening_hours: [{text: "x", days: [0]}]`, "acme/label.cue:6:42: info.opening_hours.0.days.0: "},
		{`changes: auto: "market.offer": "20s"`, "changes.auto: market.offer is of a module"},
		{"modules: account: {}\nchanges: auto: \"account.phone\": \"2 days\"",
			`acme/label.cue:7:33: changes.auto."account.phone": must be a duration`},
		{`messages: de: {}`, "acme/label.cue:6:11: messages.de: there is no such field; there are: en, nl"},
		{`migrated: {url: "https://x.nl"}`, "acme/label.cue:6:1: migrated.name: is missing"},
		{`accessibility: status: "great"`, "acme/label.cue:6:24: accessibility.status: must be full, partial or none"},
		{`accessibility: tested: "2026-02-30"`, "acme/label.cue:6:24: accessibility.tested: must be a day such as 2026-11-22"},
		{`accessibility: url: "http://x.nl"`, "acme/label.cue:6:21: accessibility.url: must be an address that begins with https://"},
		{`migrated: {url: "javascript:x", name: "X"}`, "acme/label.cue:6:17: migrated.url: must be an address that begins with https://"},
		{`label_key: "other"`, "label_key: conflicting values"},
		{`style: {`, "acme/label.cue:"},
		{`style: secondary_color: nope`, "acme/label.cue:6:25: style.secondary_color: reference \"nope\" not found; a text stands in quotes"},
		{`style: logo: "../logo.svg"`, "acme/label.cue:6:14: style.logo: must be the name of an .svg file"},
		{`style: logo: "gone.svg"`, "acme/label.cue:6:8: style.logo: assets/gone.svg is not there"},
		{`modules: account: show_shipping_addresses: "yes"`,
			"acme/label.cue:6:44: modules.account.show_shipping_addresses: must be true or false"},
		{`modules: account: true`, "acme/label.cue:6:19: modules.account: must be a group of fields: {…}"},
		{`messages: nl: "account.title": 3`, "messages.nl.\"account.title\": must be text in quotes"},
		{`info: opening_hours: "always"`, "info.opening_hours: must be a list: […]"},
		{`info: opening_hours: [{text: "x", days: [1.5]}]`, "info.opening_hours.0.days.0: must be a whole number"},
		{`impersonation: referrers: ["http://x.nl"]`, "impersonation.referrers.0: must be https://"},
	} {
		t.Run(c.more, func(t *testing.T) {
			s := open(t, folder(t, map[string]string{"acme": c.more}))
			require.Nil(t, s.ByKey("acme"))
			require.Contains(t, texts(s.Problems()), c.want)
			require.NotContains(t, texts(s.Problems()), "hush")
			require.NotContains(t, texts(s.Problems()), "s3cr3t")
			require.NotContains(t, texts(s.Problems()), "#Label")
		})
	}
	t.Run("label_key is the folder", func(t *testing.T) {
		dir := folder(t, nil)
		put(t, dir, "b/label.cue", source("acme", ""))
		require.Contains(t, texts(open(t, dir).Problems()), `b/label.cue:1:1: label_key: is "acme", but the folder is called "b"`)
	})
	t.Run("hosts", func(t *testing.T) {
		for more, want := range map[string]string{
			`[{name: "a/b"}]`:                   "must be a host name",
			`[{name: "a_b.nl"}]`:                `"a_b.nl" is not a host name`,
			`[{name: "a.nl"}, {name: "A.nl."}]`: "A.nl. is listed twice",
			`[]`:                                "hosts",
			`[{name: "a.nl", test: "yes"}]`:     "hosts.0.test",
		} {
			dir := folder(t, map[string]string{"acme": ""})
			text := strings.Replace(source("acme", ""), `[{name: "acme.localhost", test: true}, {name: "mijn.acme.example"}]`, more, 1)
			put(t, dir, "acme/label.cue", text)
			ps := texts(open(t, dir).Problems())
			require.Contains(t, ps, want)
			require.Contains(t, ps, "acme/label.cue:3:")
		}
	})
	t.Run("url", func(t *testing.T) {
		for url, ok := range map[string]bool{"https://a.nl": true, "http://a.localhost:8080": true, "http://localhost": true,
			"http://a.nl":   false,
			"https://a.nl/": false, "https://a.nl?x": false, "ftp://a.nl": false, "https://u:p@a.nl": false, "http://evillocalhost": false} {
			dir := folder(t, map[string]string{"acme": ""})
			put(t, dir, "acme/label.cue", strings.Replace(source("acme", ""), "https://mijn.acme.example", url, 1))
			require.Equal(t, ok, open(t, dir).ByKey("acme") != nil, url)
		}
	})
}

func TestFragments(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"import \"strings\"\n#Settings: {a?: string & strings.MinRunes(1)}", "may not import"},
		{"import \"portal.example/secrets\"\n#Settings: {}", "may not import"},
		{"#Setings: {}", "defines no #Settings"},
		{"#Settings: {", "market/label.cue"},
		{"#Settings: {a?: #Color}", "not found"}, // core's schema defines #Color; a fragment cannot refer to it
	} {
		_, err := Open(t.TempDir(), func() []Fragment { return []Fragment{account, {Module: "market", Source: c.source}} })
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, "market")
	}
	_, err := Open(t.TempDir(), func() []Fragment { return []Fragment{account, account} })
	require.ErrorContains(t, err, "two modules are called account")
}

// Reload adds a module that starts while the portal runs; a module with an invalid fragment has no effect.
func TestReload(t *testing.T) {
	now := []Fragment{account}
	s, err := Open(folder(t, map[string]string{"acme": "modules: {account: {}, market: days: 30}", "b": ""}), func() []Fragment { return now })
	require.NoError(t, err)
	require.Nil(t, s.ByKey("acme"))
	require.NotNil(t, s.ByKey("b"))
	now = fragments
	calls := 0
	s.OnChange(func() { calls++ })
	require.NoError(t, s.Reload())
	require.NotNil(t, s.ByKey("acme"))
	require.Equal(t, 1, calls)
	now = []Fragment{account, {Module: "market", Source: "#Settings: {"}}
	require.Error(t, s.Reload())
	require.NotNil(t, s.ByKey("acme"))
}

func TestHosts(t *testing.T) {
	dir := folder(t, map[string]string{"1024": "kind: \"participant\"", "acme": ""})
	put(t, dir, "acme/label.cue", strings.Replace(strings.Replace(source("acme", ""), `{name: "mijn.acme.example"}`,
		`{name: "mijn.ënergie.example"}`, 1), "url: \"https://mijn.ënergie.example\"", "url: \"https://mijn.acme.example\"", 1))
	s := open(t, dir)
	require.Empty(t, texts(s.Problems()))
	t.Run("1-one-label-per-host", func(t *testing.T) {
		for host, key := range map[string]string{
			"1024.localhost": "1024", "1024.localhost:8080": "1024", "1024.LOCALHOST:8080": "1024", "1024.localhost.": "1024",
			"1024.localhost.:80": "1024", "MIJN.1024.example": "1024", "acme.localhost": "acme",
			"mijn.ënergie.example": "acme", "mijn.xn--nergie-ova.example": "acme", "MIJN.ËNERGIE.example:443": "acme",
			"localhost": "", "": "", "x.1024.localhost": "", "1024.localhost:80:80": "", "1024.localhost..": "", "1024.localhost:x": "",
			"[::1]:80": "", "[::1]": "", "..": "", "a b": "", "1024.localhost/": "", "1024": "",
		} {
			l := s.ByHost(host)
			if key == "" {
				require.Nil(t, l, host)
				continue
			}
			require.NotNil(t, l, host)
			require.Equal(t, key, l.Key, host)
		}
		require.NotEqual(t, s.ByHost("1024.localhost").Info.Name, s.ByHost("acme.localhost").Info.Name)

		put(t, dir, "b/label.cue", source("b", "")) // b claims a host of acme
		put(t, dir, "b/assets/logo.svg", drawing)
		put(t, dir, "b/assets/favicon.svg", drawing)
		put(t, dir, "b/label.cue", strings.Replace(source("b", ""), `"b.localhost"`, `"ACME.localhost"`, 1))
		second := open(t, dir)
		require.Nil(t, second.ByKey("b"))
		require.Equal(t, "acme", second.ByHost("acme.localhost").Key)
		require.Contains(t, texts(second.Problems()),
			"b/label.cue:3:10: hosts: acme.localhost belongs to label acme already, so label b cannot have it")
	})
	t.Run("1-test-host-rule", func(t *testing.T) {
		l := s.ByKey("1024")
		require.True(t, l.IsTestHost("1024.localhost"))
		require.False(t, l.IsTestHost("mijn.1024.example"))
		require.False(t, l.IsTestHost("test.1024.example"))
		put(t, dir, "1024/label.cue", strings.Replace(source("1024", ""), `hosts: [{name: "1024.localhost", test: true}`,
			`hosts: [{name: "test.localhost"}, {name: "www.live.example", test: true}`, 1))
		l = open(t, dir).ByKey("1024")
		require.False(t, l.IsTestHost("test.localhost"), "a host that is named like a test host is not one")
		require.True(t, l.IsTestHost("www.live.example"))
		require.True(t, l.IsTestHost("WWW.live.example:8080"))
	})
	t.Run("1-label-type", func(t *testing.T) {
		require.Equal(t, "/account", s.ByKey("1024").Kind.Landing())
		require.Equal(t, "/dashboard", s.ByKey("acme").Kind.Landing())
		require.Equal(t, []Kind{KindParticipant, KindCustomer}, []Kind{s.ByKey("1024").Kind, s.ByKey("acme").Kind}, "customer without a setting")
		other := open(t, folder(t, map[string]string{"x": `kind: "reseller"`}))
		require.Nil(t, other.ByKey("x"))
		require.Contains(t, texts(other.Problems()), "kind: must be customer or participant")
	})
}

func TestSharedUserPool(t *testing.T) {
	pool := `identity: {provider: "cognito", region: "eu-central-1", user_pool_id: "eu-central-1_AbC", client_id: "client-one"}`
	s := open(t, folder(t, map[string]string{"a": pool, "b": pool, "c": strings.Replace(pool, "-one", "-two", 1)}))
	require.Nil(t, s.ByKey("b"))
	require.NotNil(t, s.ByKey("c"))
	require.Contains(t, texts(s.Problems()), "labels a and b may not share a user pool")
}

func TestMessagesFolder(t *testing.T) {
	dir := folder(t, map[string]string{"acme": `messages: nl: "account.title": "Jouw account"`})
	put(t, dir, "acme/messages/nl.json", `{"account.intro": "Welkom"}`)
	l := open(t, dir).ByKey("acme")
	require.Equal(t, map[string]string{"account.title": "Jouw account", "account.intro": "Welkom"}, l.Messages["nl"])
	put(t, dir, "acme/messages/nl.json", "{\n\"account.title\": \"Anders\"}")
	require.Contains(t, texts(open(t, dir).Problems()), "account.title")
	put(t, dir, "acme/messages/nl.json", "{\n\"account.intro\": 3}")
	require.Contains(t, texts(open(t, dir).Problems()), "acme/messages/nl.json:2:")
	put(t, dir, "acme/messages/nl.json", "{\n\"account.intro\": ")
	require.Contains(t, texts(open(t, dir).Problems()), "acme/messages/nl.json")
}

// The revision depends on everything in a label and on nothing else.
func TestRevision(t *testing.T) {
	dir := folder(t, map[string]string{"acme": "modules: account: {}"})
	first := open(t, dir).ByKey("acme").Revision
	put(t, dir, "acme/label.cue", "// a remark\n"+source("acme", "modules: account: {}"))
	put(t, dir, "acme/assets/unused.svg", drawing)
	require.Equal(t, first, open(t, dir).ByKey("acme").Revision)
	put(t, dir, "acme/assets/logo.svg", drawing+"\n")
	second := open(t, dir).ByKey("acme").Revision
	require.NotEqual(t, first, second)
	put(t, dir, "acme/label.cue", source("acme", "modules: account: show_shipping_addresses: false"))
	require.NotEqual(t, second, open(t, dir).ByKey("acme").Revision)
}

func eventually(t testing.TB, within time.Duration, what string, ok func() bool) time.Duration {
	t.Helper()
	start := time.Now()
	for !ok() {
		if time.Since(start) > within {
			t.Fatal("not within " + within.String() + ": " + what)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return time.Since(start)
}
