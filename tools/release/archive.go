package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file in an archive: content, or a file on disk.
type entry struct {
	name    string // slash-separated
	mode    int64
	uid     int // also the gid
	file    string
	content []byte
}

func (e entry) read() ([]byte, error) {
	if e.file == "" {
		return e.content, nil
	}
	return os.ReadFile(e.file)
}

// documents returns the files that are included next to each program.
func (r *release) documents() []entry {
	return []entry{
		{name: "README.md", mode: 0o644, file: r.at("README.md")},
		{name: "LICENSE", mode: 0o644, file: r.at("LICENSE")},
		{name: "CHANGELOG.md", mode: 0o644, file: r.at("CHANGELOG.md")},
		{name: "THIRD_PARTY_LICENSES", mode: 0o644, file: filepath.Join(r.out, "THIRD_PARTY_LICENSES")},
	}
}

// monitoring returns the alerts, the dashboards, and the pages to which the alerts refer.
func (r *release) monitoring() ([]entry, error) {
	found := []entry{{name: "monitoring.md", mode: 0o644, file: r.at("docs/monitoring.md")}}
	for folder, in := range map[string]string{"deploy/monitoring": "", "docs/runbooks": "runbooks/"} {
		files, err := os.ReadDir(r.at(folder))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			found = append(found, entry{name: in + f.Name(), mode: 0o644, file: r.at(folder + "/" + f.Name())})
		}
	}
	slices.SortFunc(found, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

// monitoringArchive writes the files that Linux packages install in /usr/share/wattle/monitoring, for other systems.
func (r *release) monitoringArchive() error {
	entries, err := r.monitoring()
	if err != nil {
		return err
	}
	base := r.name("monitoring")
	for i := range entries {
		entries[i].name = base + "/" + entries[i].name
	}
	return r.stream(base+".tar.gz", func(w io.Writer) error { return writeTarGz(w, entries, r.time) })
}

// archives writes an archive for each platform: zip for Windows, otherwise tar.gz, with one folder in it.
func (r *release) archives() error {
	for _, p := range r.programs {
		base := r.name(p.OS + "_" + p.Arch)
		entries := append([]entry{{name: p.program(), mode: 0o755, file: p.file}}, r.documents()...)
		for i := range entries {
			entries[i].name = base + "/" + entries[i].name
		}
		write, suffix := writeTarGz, ".tar.gz"
		if p.OS == "windows" {
			write, suffix = writeZip, ".zip"
		}
		if err := r.stream(base+suffix, func(w io.Writer) error { return write(w, entries, r.time) }); err != nil {
			return err
		}
	}
	return nil
}

// stream writes a file of the release.
func (r *release) stream(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func writeTar(w io.Writer, entries []entry, at time.Time) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, ModTime: at, Uid: e.uid, Gid: e.uid, Format: tar.FormatUSTAR}
		content, err := e.read()
		if err != nil {
			return err
		}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		h.Size = int64(len(content))
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(content); err != nil {
			return err
		}
	}
	return t.Close()
}

func writeTarGz(w io.Writer, entries []entry, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(z, entries, at), z.Close())
}

func writeZip(w io.Writer, entries []entry, at time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(os.FileMode(e.mode))
		content, err := e.read()
		if err != nil {
			return err
		}
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(content); err != nil {
			return err
		}
	}
	return z.Close()
}
