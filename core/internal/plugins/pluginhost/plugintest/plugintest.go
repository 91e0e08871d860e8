// Package plugintest creates plugin folders for tests: valid ones in any version, and one for each reason to refuse a plugin.
package plugintest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/moduletest"
)

const pkg = "github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/testdata/tide"

// Plugin describes a plugin to create. The zero value is plugin tide, version 1.0.0, without a remote.
type Plugin struct {
	Key      string // default "tide"
	Version  string // default "1.0.0"
	Path     string // path of its operation; default "/<key>"
	Settings string // CUE; default "#Settings: {height: int | *2}"
	Uses     []string
	Exit     bool   // its process exits immediately
	NoBinary bool   // its binary is a short text: enough for a plugin that is refused before it runs
	Route    string // page of the remote; empty: it has no remote
	Marks    string // "one" or "two": it has a database with that many migrations, events, a schedule and imports
	Beside   bool   // its folder is <key>@<version>, next to other versions
	// Change edits the folder before it is sealed, and Spoil edits it afterwards; nil: no edit.
	Change, Spoil func(t testing.TB, folder string)
	// Spec edits plugin.json; nil: no edit.
	Spec func(spec map[string]any)
}

// Write creates the folder of a plugin in dir, or replaces it like an operator would: binary and remote under new names, and plugin.json
// last.
func Write(t testing.TB, dir string, p Plugin) {
	t.Helper()
	if p.Key == "" {
		p.Key = "tide"
	}
	if p.Version == "" {
		p.Version = "1.0.0"
	}
	if p.Path == "" {
		p.Path = "/" + p.Key
	}
	if p.Settings == "" {
		p.Settings = "#Settings: {height: int | *2}"
	}
	folder := filepath.Join(dir, p.Key)
	if p.Beside {
		folder = filepath.Join(dir, pluginhost.FolderOf(p.Key, p.Version))
	}
	require.NoError(t, os.MkdirAll(folder, 0o700))
	spec := pluginhost.Spec{Key: p.Key, Version: p.Version, Binary: p.Key + "-" + p.Version}
	binary := []byte(strings.Repeat(p.Key+" is no program\n", 100))
	if !p.NoBinary {
		binary = Binary(t, p)
	}
	put(t, filepath.Join(folder, spec.Binary), binary, 0o700)
	if p.Route != "" {
		spec.Remote = "remote-" + p.Version
		WriteRemote(t, filepath.Join(folder, spec.Remote), p)
	}
	if p.Change != nil {
		p.Change(t, folder)
	}
	_, err := pluginhost.Seal(folder, spec)
	require.NoError(t, err)
	if p.Spec != nil {
		edit(t, folder, p.Spec)
	}
	if p.Spoil != nil {
		p.Spoil(t, folder)
	}
}

// Deploy copies another binary of a module to the folder of its plugin, like Write, without a remote.
func Deploy(t testing.TB, dir, key string, binary []byte) {
	t.Helper()
	folder := filepath.Join(dir, key)
	require.NoError(t, os.MkdirAll(folder, 0o700))
	name := fmt.Sprintf("%s-%x", key, sha256.Sum256(binary))[:len(key)+9]
	put(t, filepath.Join(folder, name), binary, 0o700)
	_, err := pluginhost.Pack(t.Context(), folder, name, "", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
}

// put replaces a file atomically, even while it is being executed.
func put(t testing.TB, file string, content []byte, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.WriteFile(file+".part", content, mode))
	require.NoError(t, os.Rename(file+".part", file))
}

func edit(t testing.TB, folder string, change func(map[string]any)) {
	t.Helper()
	file := filepath.Join(folder, "plugin.json")
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	spec := map[string]any{}
	require.NoError(t, json.Unmarshal(raw, &spec))
	change(spec)
	raw, err = json.Marshal(spec)
	require.NoError(t, err)
	put(t, file, raw, 0o600)
}

// Binary returns the binary of a plugin.
func Binary(t testing.TB, p Plugin) []byte {
	t.Helper()
	file, _ := moduletest.Build(t, pkg)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	const mark = "tide-config:{"
	at := bytes.Index(raw, []byte(mark))
	require.Positive(t, at)
	end := bytes.IndexByte(raw[at:], '}') + at + 1 // end of the settings
	end = bytes.IndexByte(raw[end:], '}') + end + 1
	length := end + 300 - at
	config, err := json.Marshal(map[string]any{"key": p.Key, "path": p.Path, "version": p.Version, "settings": p.Settings, "uses": p.Uses,
		"exit": p.Exit, "marks": p.Marks})
	require.NoError(t, err)
	text := "tide-config:" + string(config)
	require.LessOrEqual(t, len(text), length)
	require.Equal(t, strings.Repeat(" ", 300), string(raw[end:end+300]))
	copy(raw[at:], text+strings.Repeat(" ", length-len(text)))
	return raw
}

// WriteRemote writes a built remote with one page.
func WriteRemote(t testing.TB, dir string, p Plugin) {
	t.Helper()
	build := "b" + strings.ReplaceAll(p.Version, ".", "")
	text := map[string]map[string]string{"nl": {p.Key + ".title": "Getij"}, "en": {p.Key + ".title": "Tide"}}
	for name, content := range map[string]any{
		"remote.json": map[string]any{"key": p.Key, "contract": 1, "version": p.Version, "entry": build + "/entry.js",
			"routes": []any{map[string]any{"path": p.Route, "title": map[string]string{"id": p.Key + ".title", "defaultMessage": "Tide"}}},
			"titles": text},
		"messages.json":     text,
		build + "/entry.js": "version " + p.Version,
	} {
		raw, err := json.Marshal(content)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		put(t, filepath.Join(dir, name), raw, 0o600)
	}
}

// Fault is a plugin that is refused, and the reason.
type Fault struct {
	Name     string // name of its folder
	Sentence string // the message for the operator
	Repair   func(t testing.TB, folder string)
}

// Faults writes to dir one folder for each reason to refuse a plugin, next to the valid plugin "tide" with the page /tide.
func Faults(t testing.TB, dir string) (all []Fault) {
	t.Helper()
	add := func(p Plugin, sentence string, repair func(t testing.TB, folder string)) {
		Write(t, dir, p)
		all = append(all, Fault{p.Key, sentence, repair})
	}
	Write(t, dir, Plugin{Route: "/tide"})
	missing := func(name string) func(testing.TB, string) {
		return func(t testing.TB, folder string) { require.NoError(t, os.Remove(filepath.Join(folder, name))) }
	}
	var whole []byte
	add(Plugin{Key: "half", Spoil: func(t testing.TB, folder string) {
		file := filepath.Join(folder, "half-1.0.0")
		var err error
		whole, err = os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.Truncate(file, 900))
	}}, "File half-1.0.0 has 900 of ", func(t testing.TB, folder string) { put(t, filepath.Join(folder, "half-1.0.0"), whole, 0o700) })
	add(Plugin{Key: "nobinary", NoBinary: true, Spoil: missing("nobinary-1.0.0")},
		"There is no nobinary-1.0.0 yet: the folder is not completely copied.", nil)
	add(Plugin{Key: "nospec", NoBinary: true, Spoil: missing("plugin.json")},
		"There is no plugin.json yet: the folder is not completely copied.", nil)
	add(Plugin{Key: "cut", NoBinary: true, Spoil: func(t testing.TB, folder string) {
		require.NoError(t, os.Truncate(filepath.Join(folder, "plugin.json"), 20))
	}},
		"Its plugin.json ends too early: the folder is not completely copied.", nil)
	add(Plugin{Key: "nofile", NoBinary: true, Route: "/nofile", Spoil: missing("remote-1.0.0/b100/entry.js")},
		"There is no remote-1.0.0/b100/entry.js yet: the folder is not completely copied.", nil)
	add(Plugin{Key: "field", NoBinary: true, Spec: func(s map[string]any) { s["colour"] = "red" }},
		`Its plugin.json is not valid: unknown field "colour".`, nil)
	add(Plugin{Key: "platform", Change: func(t testing.TB, folder string) {
		file := filepath.Join(folder, "platform-1.0.0")
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		put(t, file, foreign(t, raw), 0o700)
	}}, "It is for linux/s390x and this portal runs on ", nil)
	add(Plugin{Key: "sum", NoBinary: true, Spoil: func(t testing.TB, folder string) {
		file := filepath.Join(folder, "sum-1.0.0")
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		raw[len(raw)/2]++
		put(t, file, raw, 0o700)
	}}, "The checksum of sum-1.0.0 is another one: a file is not the one that plugin.json names.", nil)
	add(Plugin{Key: "sumremote", NoBinary: true, Route: "/sumremote", Spoil: func(t testing.TB, folder string) {
		put(t, filepath.Join(folder, "remote-1.0.0/b100/entry.js"), []byte("another"), 0o600)
	}}, "The checksum of remote-1.0.0/b100/entry.js is another one: a file is not the one that plugin.json names.", nil)
	add(Plugin{Key: "nocontract", NoBinary: true, Spec: func(s map[string]any) { delete(s, "contract") }},
		"Its plugin.json is not valid: contract is missing.", nil)
	add(Plugin{Key: "contract", NoBinary: true, Spec: func(s map[string]any) { s["contract"] = 3 }},
		"It was built for contract 3 and this portal supports 1: the contract is not supported.", nil)
	add(Plugin{Key: "version", Spec: func(s map[string]any) { s["version"] = "2.0.0" }},
		"Its plugin.json is of version 2.0.0 and the binary of version 1.0.0: the binary is not what plugin.json describes.", nil)
	add(Plugin{Key: "caller", Uses: []string{"acme"}},
		"The binary calls module acme, which plugin.json does not ask for: the binary is not what plugin.json describes.", nil)
	add(Plugin{Key: "usurper", Path: "/tide"},
		"It does not fit the other modules: two operations claim the same method and path: tide.level and usurper.level: GET /tide.", nil)
	add(Plugin{Key: "visitor", Route: "/tide"}, "The remote breaks its contract: path /tide already belongs to remote tide.", nil)
	add(Plugin{Key: "slot", NoBinary: true, Route: "/slot",
		Change: manifest(func(about map[string]any) { about["offers"] = map[string]any{"tide.panel": map[string]any{}} })},
		"The remote breaks its contract: slot tide.panel does not begin with slot.", nil)
	add(Plugin{Key: "built", NoBinary: true, Route: "/built", Change: manifest(func(about map[string]any) { about["contract"] = 9 })},
		"The remote breaks its contract: remote.json of built has contract 9, this portal supports 1.", nil)
	add(Plugin{Key: "entry", NoBinary: true, Route: "/entry",
		Change: manifest(func(about map[string]any) { about["entry"] = "b100/other.js" })},
		"The remote breaks its contract: remote.json of entry refers to /assets/entry/b100/other.js, which does not exist.", nil)
	add(Plugin{Key: "words", NoBinary: true, Route: "/words", Change: missing("remote-1.0.0/messages.json")},
		"The remote has no messages.json: messages are missing.", nil)
	add(Plugin{Key: "english", NoBinary: true, Route: "/english", Change: func(t testing.TB, folder string) {
		put(t, filepath.Join(folder, "remote-1.0.0/messages.json"), []byte(`{"nl": {"english.title": "Getij"}, "en": {}}`), 0o600)
	}}, "File messages.json has no en text for english.title: messages are missing.", nil)
	add(Plugin{Key: "exits", Exit: true}, "It does not start: ", nil)
	add(Plugin{Key: "open", NoBinary: true, Spoil: func(t testing.TB, folder string) { require.NoError(t, os.Chmod(folder, 0o777)) }},
		"Other users may write to the plugin: only root and the user of the portal may write to ", nil)
	Write(t, dir, Plugin{Key: "english", NoBinary: true, Beside: true})
	all = append(all, Fault{pluginhost.FolderOf("english", "1.0.0"), "Folder english has version 1.0.0 of this plugin too: the key is taken.",
		nil})
	return all
}

// manifest edits the remote.json of a remote.
func manifest(change func(map[string]any)) func(testing.TB, string) {
	return func(t testing.TB, folder string) {
		t.Helper()
		file := filepath.Join(folder, "remote-1.0.0", "remote.json")
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		about := map[string]any{}
		require.NoError(t, json.Unmarshal(raw, &about))
		change(about)
		raw, err = json.Marshal(about)
		require.NoError(t, err)
		put(t, file, raw, 0o600)
	}
}

// foreign turns a Linux binary into one for a processor that no developer has.
func foreign(t testing.TB, raw []byte) []byte {
	t.Helper()
	if string(raw[:4]) != "\x7fELF" {
		t.Skip("the binaries of this system are not ELF")
	}
	raw[18], raw[19] = 22, 0 // EM_S390 in e_machine, in the byte order of this file
	return raw
}
