package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/CycloneDX/cyclonedx-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const repository = "../.."

// inputs are the repository files that a release reads, without the program.
var inputs = []string{"README.md", "LICENSE", "CHANGELOG.md", "deploy", "docs/monitoring.md", "docs/runbooks", "tools/release/go.sum"}

// someParts are libraries for tests that need no program.
func someParts() []part {
	isc := newLicence("LICENSE", iscText)
	return []part{
		{kind: "golang", name: "example.org/a/b", version: "v1.2.3", algorithm: "SHA-256", sum: []byte{1, 2}, platforms: []string{"linux/amd64"},
			licences: []licence{isc}},
		{kind: "npm", name: "@scope/c", version: "4.5.6", algorithm: "SHA-512", sum: []byte{3}, licences: []licence{isc}},
	}
}

// fixture returns a release of small programs, in a copy of the files that it reads.
func fixture(t *testing.T, key *signingKey) *release {
	t.Helper()
	r := &release{root: t.TempDir(), out: t.TempDir(), version: "1.2.3-dev.h0123", time: time.Unix(1_700_000_000, 0).UTC(), key: key}
	for _, name := range inputs {
		to := r.at(name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		if info, err := os.Stat(filepath.Join(repository, name)); err == nil && info.IsDir() {
			require.NoError(t, os.CopyFS(to, os.DirFS(filepath.Join(repository, name))))
			continue
		}
		raw, err := os.ReadFile(filepath.Join(repository, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, raw, 0o600))
	}
	for _, p := range platforms {
		file := r.at("built/" + p.OS + "-" + p.Arch + "/" + p.program())
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("program for "+p.String()+"\n"), 999), 0o700))
		r.programs = append(r.programs, program{p, file})
	}
	require.NoError(t, r.put("packages.json", []byte(`{"go":"v1.2.3-dev.h0123"}`)))
	require.NoError(t, r.put("provenance.json", []byte(`{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/provenance/v1","subject":[{"name":"go/x","digest":{"sha256":"00"}}],
		"predicate":{"buildDefinition":{"buildType":"packages","externalParameters":{"go":"v1"},"internalParameters":{"unchanged":true},"resolvedDependencies":[{"uri":"file:go.sum"}]},"runDetails":{}}}`)))
	return r
}

// makeFrom writes a release and returns the printed output.
func (r *release) makeFrom(t *testing.T, parts []part) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, r.writeWith(&out, parts))
	return out.String()
}

func newKey(t *testing.T) *signingKey {
	t.Helper()
	_, private, err := minisign.GenerateKey(nil)
	require.NoError(t, err)
	return &signingKey{private}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := entriesOf(dir)
	require.NoError(t, err)
	found := map[string][]byte{}
	for _, e := range entries {
		found[e.name], err = e.read()
		require.NoError(t, err)
	}
	return found
}

func TestRelease(t *testing.T) {
	key := newKey(t)
	r := fixture(t, key)
	said := r.makeFrom(t, someParts())
	files := contents(t, r.out)

	t.Run("11-release-reproducible", func(t *testing.T) {
		t.Setenv("TZ", "Asia/Tokyo")
		again := fixture(t, key)
		later := time.Now().Add(-time.Hour)
		require.NoError(t, filepath.WalkDir(again.root, func(file string, _ os.DirEntry, err error) error {
			return os.Chtimes(file, later, later)
		}))
		again.makeFrom(t, someParts())
		same := contents(t, again.out)
		require.Equal(t, slices.Sorted(maps.Keys(files)), slices.Sorted(maps.Keys(same)))
		host, err := os.Hostname()
		require.NoError(t, err)
		for name, content := range files {
			assert.True(t, bytes.Equal(content, same[name]), "%s differs", name)
			assert.NotContains(t, string(content), r.root, name)
			if len(host) > 4 {
				assert.NotContains(t, string(content), host, name)
			}
		}
		require.GreaterOrEqual(t, len(files), 5+4+1+2+1+4)
	})
	t.Run("11-release-platforms", func(t *testing.T) {
		for _, name := range []string{"linux_amd64.tar.gz", "linux_arm64.tar.gz", "darwin_arm64.tar.gz", "darwin_amd64.tar.gz",
			"windows_amd64.zip"} {
			require.Contains(t, files, r.name(name))
		}
		require.Len(t, r.programs, 5)
	})
	t.Run("11-release-programs", func(t *testing.T) {
		for _, p := range r.programs {
			name := r.name(p.OS + "_" + p.Arch)
			found := unpackTarGz
			suffix := ".tar.gz"
			if p.OS == "windows" {
				found, suffix = unpackZip, ".zip"
			}
			inside := found(t, files[name+suffix])
			program, err := os.ReadFile(p.file)
			require.NoError(t, err)
			require.Equal(t, packed{0o755, program}, inside[name+"/"+p.program()], name)
			for _, doc := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
				raw, err := os.ReadFile(filepath.Join(repository, doc))
				require.NoError(t, err)
				require.Equal(t, packed{0o644, raw}, inside[name+"/"+doc])
			}
			require.Contains(t, string(inside[name+"/THIRD_PARTY_LICENSES"].content), "Permission to use, copy")
			require.Len(t, inside, 5)
		}
	})
	t.Run("11-release-monitoring", func(t *testing.T) {
		inside, base := unpackTarGz(t, files[r.name("monitoring")+".tar.gz"]), r.name("monitoring")+"/"
		for name, source := range map[string]string{"alerts.yaml": "deploy/monitoring/alerts.yaml", "monitoring.md": "docs/monitoring.md"} {
			raw, err := os.ReadFile(filepath.Join(repository, source))
			require.NoError(t, err)
			require.Equal(t, packed{0o644, raw}, inside[base+name])
		}
		for _, name := range []string{"service.dashboard.json", "work.dashboard.json"} {
			require.True(t, json.Valid(inside[base+name].content), name)
		}
		for _, a := range alertRules(t) {
			require.Contains(t, inside, base+"runbooks/"+a.Alert+".md")
		}
	})
	t.Run("11-release-checksums", func(t *testing.T) {
		require.NotContains(t, string(files[sumsFile]), "minisig")
		for name := range files {
			if !slices.Contains(signatureFiles, name) {
				require.Contains(t, string(files[sumsFile]), "  "+name+"\n")
			}
		}
		cmd := exec.Command("sha256sum", "--check", "--strict", sumsFile)
		cmd.Dir = r.out
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))

		var public minisign.PublicKey
		require.NoError(t, public.UnmarshalText(files["wattle.pub"]))
		signature := files[sumsFile+".minisig"]
		require.True(t, minisign.Verify(public, files[sumsFile], signature))
		changed := bytes.Replace(files[sumsFile], []byte("image"), []byte("other"), 1)
		require.False(t, minisign.Verify(public, changed, signature))
		require.False(t, minisign.Verify(newKey(t).public(), files[sumsFile], signature))
	})
	t.Run("11-release-unsigned", func(t *testing.T) {
		require.Contains(t, string(files["provenance.json"]), `"signature": "`+key.description()+`"`)
		require.Regexp(t, `^signed with minisign key [0-9A-F]{16}$`, key.description())

		require.Equal(t, "release: wattle 1.2.3-dev.h0123 in "+r.out+", "+key.description()+"\n", said)

		unsigned := fixture(t, nil)
		require.NoError(t, os.WriteFile(filepath.Join(unsigned.out, sumsFile+".minisig"), []byte("of an earlier run"), 0o600))
		said := unsigned.makeFrom(t, someParts())
		require.Equal(t, "release: wattle 1.2.3-dev.h0123 in "+unsigned.out+", unsigned\n", said)
		made := contents(t, unsigned.out)
		require.Contains(t, string(made["provenance.json"]), `"signature": "unsigned"`)
		require.NotContains(t, made, sumsFile+".minisig")
		require.Equal(t, "unsigned", unsigned.key.description())
	})
	t.Run("the provenance has every file", func(t *testing.T) {
		var statement struct {
			Subject []struct {
				Name   string
				Digest map[string]string
			}
		}
		require.NoError(t, json.Unmarshal(files["provenance.json"], &statement))
		named := map[string]string{}
		for _, s := range statement.Subject {
			named[s.Name] = s.Digest["sha256"]
		}
		for name := range files {
			if strings.HasPrefix(name, "wattle") && name != "wattle.pub" {
				sum, err := checksum(filepath.Join(r.out, name))
				require.NoError(t, err)
				require.Equal(t, sum, named[name], name)
			}
		}
		require.Equal(t, "00", named["go/x"], "of make release-packages")
	})
}

func TestKeys(t *testing.T) {
	k := newKey(t)
	encrypted, err := minisign.EncryptKey("a long password", k.private)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, encrypted, 0o600))
	from := func(env map[string]string) (*signingKey, error) {
		return readKey(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	}
	read, err := from(map[string]string{"RELEASE_KEY_FILE": file, "RELEASE_KEY_PASSWORD": "a long password"})
	require.NoError(t, err)
	require.True(t, read.private.Equal(k.private))
	_, err = from(map[string]string{"RELEASE_KEY_FILE": file, "RELEASE_KEY_PASSWORD": "another"})
	require.ErrorContains(t, err, "its password is wrong")
	_, err = from(map[string]string{"RELEASE_KEY": "?", "RELEASE_KEY_FILE": file})
	require.ErrorContains(t, err, "both set")
	_, err = from(map[string]string{"RELEASE_KEY": "no key"})
	require.Error(t, err)
	plain, err := k.private.MarshalText()
	require.NoError(t, err)
	read, err = from(map[string]string{"RELEASE_KEY": string(plain)})
	require.NoError(t, err)
	require.True(t, read.private.Equal(k.private))
	none, err := from(nil)
	require.NoError(t, err)
	require.Nil(t, none)
}

// built returns a release of bin/wattle and the front end of this checkout.
func built(t *testing.T) *release {
	t.Helper()
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	r := &release{root: root, out: t.TempDir(), version: "1.2.3", time: time.Unix(1_700_000_000, 0).UTC()}
	file := r.at("bin/wattle")
	if _, err := os.Stat(file); err != nil {
		t.Skip("make bin/wattle builds the program first")
	}
	r.programs = []program{{thisPlatform(), file}}
	return r
}

func TestInside(t *testing.T) {
	r := built(t)
	parts, err := r.parts()
	require.NoError(t, err)
	t.Run("11-release-licenses", func(t *testing.T) {
		text, err := licenceText(parts)
		require.NoError(t, err)
		for _, p := range parts {
			require.Contains(t, text, p.String())
			require.NotEmpty(t, p.ids(), p)
			for _, l := range p.licences {
				require.Contains(t, text, strings.TrimSpace(strings.ReplaceAll(l.text, "\r\n", "\n")), "%s of %s", l.file, p)
			}
		}
		for _, one := range []string{"Copyright (c) Meta Platforms", "The Go Authors", "Mozilla Public License", "SIL OPEN FONT LICENSE",
			"All of the code and documentation in SQLite"} {
			require.Contains(t, text, one)
		}
		_, err = licenceText(append(slices.Clone(parts), part{name: "example.org/none", version: "v1.0.0"}))
		require.ErrorContains(t, err, "example.org/none v1.0.0 has no licence file")
		gpl := part{name: "example.org/gpl", version: "v1.0.0", licences: []licence{newLicence("COPYING", gplText)}}
		_, err = licenceText(append(slices.Clone(parts), gpl))
		require.ErrorContains(t, err, "example.org/gpl v1.0.0: GPL-3.0")
		unknown := part{name: "example.org/own", version: "v1.0.0", licences: []licence{newLicence("LICENSE", "Ask us.")}}
		_, err = licenceText(append(slices.Clone(parts), unknown))
		require.ErrorContains(t, err, "example.org/own v1.0.0: LICENSE is not a known licence")
	})
	t.Run("11-release-sbom", func(t *testing.T) {
		require.NoError(t, r.billOfMaterials(parts))
		raw, err := os.ReadFile(filepath.Join(r.out, r.name("sbom.cdx.json")))
		require.NoError(t, err)
		var b cyclonedx.BOM
		require.NoError(t, cyclonedx.NewBOMDecoder(bytes.NewReader(raw), cyclonedx.BOMFileFormatJSON).Decode(&b))
		require.Equal(t, cyclonedx.SpecVersion1_6, b.SpecVersion)
		listed, unchecked := map[string]cyclonedx.Component{}, []string{}
		for _, c := range *b.Components {
			listed[c.PackageURL] = c
			require.NotEmpty(t, *c.Licenses, c.PackageURL)
			if strings.HasPrefix(c.PackageURL, "pkg:generic/") {
				continue // fonts have no version
			}
			require.NotEmpty(t, c.Version, c.PackageURL)
			if c.Hashes == nil {
				unchecked = append(unchecked, c.PackageURL[:strings.LastIndex(c.PackageURL, "@")])
			}
		}
		modules, err := exec.Command("go", "version", "-m", r.programs[0].file).Output()
		require.NoError(t, err)
		seen := 0
		for line := range strings.Lines(string(modules)) {
			f := strings.Fields(line)
			if len(f) < 4 || f[0] != "dep" && f[0] != "=>" {
				continue
			}
			seen++
			c, there := listed[part{kind: "golang", name: f[1], version: f[2]}.purl()]
			require.True(t, there, f[1])
			require.Len(t, (*c.Hashes)[0].Value, 64, f[1])
		}
		require.Greater(t, seen, 50)
		react, there := listed["pkg:npm/react@"+lockedVersion(t, "node_modules/react")]
		require.True(t, there)
		require.Len(t, (*react.Hashes)[0].Value, 128)
		require.Equal(t, "MIT", (*react.Licenses)[0].License.ID)
		manifests, err := filepath.Glob(r.at("remotes/*/package.json"))
		require.NoError(t, err)
		require.Greater(t, len(manifests), 5)
		for _, file := range append(manifests, r.at("shell/ui/package.json"), r.at("shell/charts/package.json")) {
			var p struct{ Dependencies map[string]string }
			require.NoError(t, readJSON(file, &p))
			for name := range p.Dependencies {
				if !strings.HasPrefix(name, "@wattle/") {
					purl := part{kind: "npm", name: name, version: lockedVersion(t, "node_modules/"+name)}.purl()
					require.Contains(t, listed, purl, file)
					require.Len(t, (*listed[purl].Hashes)[0].Value, 128, name)
				}
			}
		}
		for _, tool := range []string{"vitest", "typescript", "jsdom"} {
			require.NotContains(t, listed, "pkg:npm/"+tool+"@"+lockedVersion(t, "node_modules/"+tool), "it is not in the front end")
		}
		require.Len(t, *(*b.Dependencies)[0].Dependencies, len(parts))
		for _, p := range parts {
			require.Contains(t, listed, p.purl())
		}
		require.ElementsMatch(t, []string{"pkg:golang/std", "pkg:golang/golang.org/x/crypto/x509roots/fallback",
			"pkg:npm/%40zxcvbn-ts/language-common", "pkg:npm/%40zxcvbn-ts/language-nl-be"}, unchecked,
			"Go's own library, certificates of the image, and lists of words, which are not libraries of a program or of the front end")
	})
	t.Run("11-release-platforms", func(t *testing.T) {
		noLibraries(t, r.programs[0].file)
		require.Regexp(t, `^wattle \d+\.\d+\.\d+`, output(t, r.programs[0].file, "version"))
	})
}

// noLibraries checks that a Linux program is self-contained: it loads no library, not even the loader.
func noLibraries(t *testing.T, file string) {
	t.Helper()
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	needs, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, needs)
	for _, p := range f.Progs {
		require.NotEqual(t, elf.PT_INTERP, p.Type)
	}
}

func lockedVersion(t *testing.T, at string) string {
	t.Helper()
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	require.NoError(t, readJSON(filepath.Join(repository, "package-lock.json"), &lock))
	return lock.Packages[at].Version
}

// packed is a file in an archive.
type packed struct {
	mode    os.FileMode
	content []byte
}

func unpackTarGz(t *testing.T, raw []byte) map[string]packed {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	return unpackTar(t, z)
}

func unpackTar(t *testing.T, from io.Reader) map[string]packed {
	t.Helper()
	found := map[string]packed{}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			return found
		}
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		found[h.Name] = packed{os.FileMode(h.Mode), content}
	}
}

func unpackZip(t *testing.T, raw []byte) map[string]packed {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	found := map[string]packed{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		found[f.Name] = packed{f.Mode(), content}
	}
	return found
}

const iscText = `ISC License

Copyright (c) 2026, Someone

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the
above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`

const gplText = `This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by
the Free Software Foundation, either version 3 of the License, or (at your option) any later version.

This program is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU General Public License for more details.

You should have received a copy of the GNU General Public License along with this program. If not, see <https://www.gnu.org/licenses/>.
`
