package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is the user of the container: "nonroot", as in other distroless images.
const imageUser = "65532"

// image writes the container image for all Linux architectures as one OCI archive, without a daemon. It contains the program, Mozilla's
// certificates, time zones and licences: no shell, no package manager. The archive also contains the manifest for `docker load`.
func (r *release) image() error {
	programs := r.on("linux")
	if len(programs) == 0 {
		return nil
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	type loaded struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	var manifest []loaded
	for _, p := range programs {
		one, err := r.imageFor(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: one,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.OS, Architecture: p.Arch}}})
		config, err := one.ConfigName()
		if err != nil {
			return err
		}
		layers, err := one.Layers()
		if err != nil {
			return err
		}
		l := loaded{Config: blob(config), RepoTags: []string{"wattle:" + r.version + "-" + p.Arch}}
		for _, layer := range layers {
			digest, err := layer.Digest()
			if err != nil {
				return err
			}
			l.Layers = append(l.Layers, blob(digest))
		}
		manifest = append(manifest, l)
	}
	dir, err := os.MkdirTemp("", "wattle-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	to, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	tag := "wattle:" + r.version // podman reads the first name and containerd the second
	names := map[string]string{"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": "docker.io/library/" + tag}
	if err := to.AppendIndex(index, layout.WithAnnotations(names)); err != nil {
		return err
	}
	raw, err := json.Marshal(manifest)
	if err != nil {
		return err
	}
	entries, err := entriesOf(dir)
	if err != nil {
		return err
	}
	entries = append(entries, entry{name: "manifest.json", mode: 0o644, content: raw})
	return r.stream(r.name("image.tar"), func(w io.Writer) error { return writeTar(w, entries, r.time) })
}

func blob(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }

// entriesOf returns the files of a folder, sorted.
func entriesOf(dir string) ([]entry, error) {
	var entries []entry
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		entries = append(entries, entry{name: filepath.ToSlash(name), mode: 0o644, file: file})
		return err
	})
	return entries, err
}

func (r *release) imageFor(p program) (v1.Image, error) {
	base, err := r.baseEntries()
	if err != nil {
		return nil, err
	}
	one := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, entries := range [][]entry{base, {{name: "usr/bin/wattle", mode: 0o755, file: p.file}}} {
		layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			var b bytes.Buffer
			err := writeTar(&b, entries, r.time)
			return io.NopCloser(&b), err
		}, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
		if err != nil {
			return nil, err
		}
		if one, err = mutate.Append(one, mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: r.time},
			CreatedBy: "make release"}}); err != nil {
			return nil, err
		}
	}
	config, err := one.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.OS, p.Arch, v1.Time{Time: r.time}
	config.Config = v1.Config{
		User: imageUser + ":" + imageUser, WorkingDir: "/var/lib/wattle", Entrypoint: []string{"/usr/bin/wattle"}, Cmd: []string{"serve"},
		Env:          []string{"PATH=/usr/bin", "WATTLE_ADDR=0.0.0.0:8080", "WATTLE_DATA=/var/lib/wattle", "WATTLE_LABELS=/etc/wattle/labels"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/var/lib/wattle": {}}, StopSignal: "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title":       "Wattle",
			"org.opencontainers.image.description": "Customer portal for energy retailers and cooperatives",
			"org.opencontainers.image.version":     r.version, "org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.source": "https://" + modulePath, "org.opencontainers.image.documentation": "https://" + modulePath +
				"/blob/main/" + "docs/install.md",
			"org.opencontainers.image.created": r.time.Format("2006-01-02T15:04:05Z"),
		},
	}
	return mutate.ConfigFile(one, config)
}

// baseEntries returns the files of the image that do not depend on the architecture.
func (r *release) baseEntries() ([]entry, error) {
	folder := func(name string) entry { return entry{name: name + "/", mode: 0o755} }
	entries := []entry{
		folder("etc"), folder("etc/ssl"), folder("etc/ssl/certs"), folder("etc/wattle"), folder("etc/wattle/labels"),
		{name: "tmp/", mode: 0o1777},
		folder("usr"), folder("usr/bin"), folder("usr/share"), folder("usr/share/doc"), folder("usr/share/doc/wattle"),
		folder("usr/share/zoneinfo"),
		folder("var"), folder("var/lib"), {name: "var/lib/wattle/", mode: 0o700, uid: 65532},
		{name: "etc/passwd", mode: 0o644, content: []byte("root:x:0:0:root:/root:/sbin/nologin\nwattle:x:" + imageUser + ":" + imageUser +
			":wattle:/var/lib/wattle:/sbin/nologin\n")},
		{name: "etc/group", mode: 0o644, content: []byte("root:x:0:\nwattle:x:" + imageUser + ":\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: certificates()},
	}
	for _, d := range r.documents() {
		d.name = "usr/share/doc/wattle/" + d.name
		entries = append(entries, d)
	}
	zones, err := zoneEntries()
	return append(entries, zones...), err
}

// certificates returns Mozilla's root certificates as PEM. Those that Mozilla trusts only conditionally are left out, because a file
// cannot express conditions.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // writing to a buffer never fails
		}
	}
	return b.Bytes()
}

// zoneEntries returns the IANA time zones from the Go distribution.
func zoneEntries() ([]entry, error) {
	root, err := goRoot()
	if err != nil {
		return nil, err
	}
	zones, err := zip.OpenReader(filepath.Join(root, "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	defer zones.Close()
	var entries []entry
	seen := map[string]bool{}
	for _, z := range zones.File {
		if strings.HasSuffix(z.Name, "/") {
			continue
		}
		f, err := z.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		for dir := filepath.Dir(z.Name); dir != "." && !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			entries = append(entries, entry{name: "usr/share/zoneinfo/" + dir + "/", mode: 0o755})
		}
		entries = append(entries, entry{name: "usr/share/zoneinfo/" + z.Name, mode: 0o644, content: content})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return entries, nil
}
