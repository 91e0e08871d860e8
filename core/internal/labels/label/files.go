package label

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/labels/font"
)

// maxSource is the maximum size in bytes of label.cue and of each file of messages/ and pages/.
const maxSource = 1 << 20

// Files are the files of a label by their path in its folder: label.cue, messages/nl.json, pages/terms.nl.md, assets/logo.svg.
type Files map[string][]byte

// content reads the files of a label: from its folder, or from an earlier version.
type content interface {
	source(name string) ([]byte, error)
	list(folder string) []string // file names in messages/ or pages/
	assets() (assetSource, error)
}

// assetSource reads the files of assets/.
type assetSource interface {
	asset(name string) (Asset, error)
	Close() error
}

// labelFolder is a label's folder on disk.
type labelFolder string

func (f labelFolder) source(name string) ([]byte, error) {
	file := filepath.Join(string(f), filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSource {
		return nil, errors.New("is larger than 1 MB")
	}
	return os.ReadFile(file)
}

func (f labelFolder) list(folder string) (names []string) {
	entries, _ := os.ReadDir(filepath.Join(string(f), folder)) // most labels do not have this folder
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// assets opens the folder. Links that lead out of it are not followed.
func (f labelFolder) assets() (assetSource, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	return rootAssets{root}, nil
}

type rootAssets struct{ *os.Root }

func (r rootAssets) asset(name string) (Asset, error) { return readAsset(r.Root, name) }

func (v Files) source(name string) ([]byte, error) {
	if b, ok := v[name]; ok {
		return b, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (v Files) list(folder string) (names []string) {
	for name := range v {
		if dir, file := path.Split(name); dir == folder+"/" {
			names = append(names, file)
		}
	}
	slices.Sort(names)
	return names
}

func (v Files) assets() (assetSource, error) { return v, nil }

// asset returns a file without validating it: it was valid when its version was stored, and a stricter check of a later release must not
// remove the label.
func (v Files) asset(name string) (Asset, error) {
	data, ok := v["assets/"+name]
	if !ok {
		return Asset{}, errors.New("is not there")
	}
	a := assetOf(name, data)
	switch path.Ext(name) {
	case ".woff2":
		a.Font, a.Has, _ = font.Read(data) // an error only makes the width of the fallback font less exact
	case ".png":
		if size, err := png.DecodeConfig(bytes.NewReader(data)); err == nil && size.Width == size.Height {
			a.Side = size.Width
		}
	}
	return a, nil
}

// Close implements assetSource.
func (v Files) Close() error { return nil }

// Files returns all files of the label. The bytes are shared and must not be changed.
func (l *Label) Files() Files {
	out := maps.Clone(l.sources)
	for name, a := range l.Assets {
		out["assets/"+name] = a.Data
	}
	return out
}

// Pack returns the files as a ZIP archive, byte for byte the same for the same files.
func (v Files) Pack() ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		method := zip.Deflate
		if ext := path.Ext(name); slices.Contains([]string{".png", ".woff2", ".jpg", ".webp"}, ext) { // already compressed
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write(v[name])
		}
		if err != nil {
			return nil, fmt.Errorf("label: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	return b.Bytes(), nil
}

// Unpack reads the result of Pack. It returns an error for a damaged archive, and for a file that exceeds its maximum size.
func Unpack(packed []byte) (Files, error) {
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("label: %w", err)
	}
	out := Files{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("label: %s: %w", f.Name, err)
		}
		data, err := io.ReadAll(io.LimitReader(r, maxSource+1))
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("label: %s: %w", f.Name, err)
		}
		if len(data) > maxSource {
			return nil, fmt.Errorf("label: %s is larger than 1 MB", f.Name)
		}
		out[f.Name] = data
	}
	return out, nil
}

// Version is a valid version of a label: its files, and the schema that validated them.
type Version struct {
	Label    string
	Schema   string // hash of the schema of core and of the label's modules
	Revision string // Label.Revision
	At       time.Time
	Files    Files // nil in a list of versions
}

// isLocale reports whether a file in messages/ contains texts, and returns its locale.
func isLocale(name string) (locale string, ok bool) {
	locale, ok = strings.CutSuffix(name, ".json")
	return locale, ok && !strings.HasPrefix(name, ".")
}
