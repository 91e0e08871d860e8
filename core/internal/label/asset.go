package label

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/core/internal/theme"
)

// Asset is a file of a label's assets folder, checked and held in memory, so that a label that is served does not change when its
// folder does.
type Asset struct {
	Data []byte
	Type string     // content type
	Hash string     // short hash of the content, for ?v=
	Side int        // width and height in pixels of a square PNG; 0 for any other asset
	Font theme.Font // of a font file, without its URL
	Has  string     // of a font file: which of the letters that names in Europe are written with it can draw
}

// How large an asset may be, in bytes (docs/design-of-screens.md, pictures and fonts).
const (
	maxSVG  = 20 << 10
	maxFont = 60 << 10
	maxPNG  = 100 << 10
)

// Sides of an app icon in pixels: 180 is what a phone asks for, 512 what a splash screen shows.
const (
	minIcon = 180
	maxIcon = 512
)

// assetFile gives the file name that the style names for each kind of asset; "" when it names none.
func (l *Label) assetFile(kind string) (name, field string) {
	switch s := l.Style; kind {
	case "logo":
		return s.Logo, "logo"
	case "logo-on-header":
		return s.LogoOnHeader, "logo_on_header"
	case "favicon":
		return s.Favicon, "favicon"
	case "app-icon":
		return s.AppIcon, "app_icon"
	case "illustration":
		return s.Illustration, "illustration"
	case "logo-mail":
		return s.LogoMail, "logo_mail"
	case "font":
		return s.FontFile, "font_file"
	case "font-extended":
		return s.FontExtended, "font_file_extended"
	}
	return "", ""
}

var assetKinds = []string{"logo", "logo-on-header", "favicon", "app-icon", "illustration", "logo-mail", "font", "font-extended"}

// AssetURL is the address of one of the label's assets, with the version of its content: kind is the last part of the path (logo,
// logo-on-header, favicon, app-icon, illustration, logo-mail, font, font-extended). "" when the style names no such asset.
func (l *Label) AssetURL(kind string) string {
	name, _ := l.assetFile(kind)
	a, ok := l.Assets[name]
	if !ok {
		return ""
	}
	return "/api/v0/labels/" + l.Key + "/" + kind + "?v=" + a.Hash
}

// AssetOf returns the asset of a kind as AssetURL names it; fs.ErrNotExist when the style names none. The bytes are shared: read
// them only. SVG is the operator's: serve it with a sandbox policy and nosniff.
func (l *Label) AssetOf(kind string) (Asset, error) {
	name, _ := l.assetFile(kind)
	a, ok := l.Assets[name]
	if !ok {
		return Asset{}, fs.ErrNotExist
	}
	return a, nil
}

// Asset returns an asset by the file name that the label's style gives it (l.Style.Logo, l.Style.FontFile, …). The error is
// fs.ErrNotExist for a name that the style does not give. The bytes are shared: read them only.
func (s *Store) Asset(l *Label, name string) (data []byte, contentType string, err error) {
	a, ok := l.Assets[name]
	if !ok {
		return nil, "", fs.ErrNotExist
	}
	return a.Data, a.Type, nil
}

// loadAssets reads and checks the files that the style names.
func (c *candidate) loadAssets(l *Label) (ps []Problem) {
	l.Assets = map[string]Asset{}
	from, err := c.from.assets()
	if err != nil {
		return []Problem{c.at(nil, "%s", reason(err))}
	}
	defer from.Close()
	for _, kind := range assetKinds {
		name, field := l.assetFile(kind)
		if _, done := l.Assets[name]; done || name == "" {
			continue
		}
		a, err := from.asset(name)
		if err == nil && kind == "app-icon" && (a.Side < minIcon || a.Side > maxIcon) {
			err = fmt.Errorf("is not a square of %d to %d pixels", minIcon, maxIcon)
		}
		if err != nil {
			ps = append(ps, c.at([]string{"style", field}, "style.%s: assets/%s %s", field, name, err))
			continue
		}
		l.Assets[name] = a
	}
	return ps
}

func readAsset(root *os.Root, name string) (Asset, error) {
	limit := map[string]int64{".svg": maxSVG, ".png": maxPNG, ".woff2": maxFont}[filepath.Ext(name)]
	f, err := root.Open(filepath.Join("assets", name))
	if err != nil {
		return Asset{}, fmt.Errorf("is not there")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return Asset{}, fmt.Errorf("cannot be read: %s", reason(err))
	}
	if int64(len(data)) > limit {
		return Asset{}, fmt.Errorf("is larger than %d KB", limit>>10)
	}
	a := assetOf(name, data)
	switch filepath.Ext(name) {
	case ".svg":
		err = checkSVG(data)
	case ".png":
		var size, e = png.DecodeConfig(bytes.NewReader(data))
		if err = e; err != nil {
			err = fmt.Errorf("is no PNG picture")
		} else if size.Width > 1600 || size.Height > 800 {
			err = fmt.Errorf("is larger than 1600 by 800 pixels")
		} else if size.Width == size.Height {
			a.Side = size.Width
		}
	case ".woff2":
		a.Font, a.Has, err = readFont(data)
	}
	return a, err
}

// assetOf is a file by its content and the type that its name says.
func assetOf(name string, data []byte) Asset {
	types := map[string]string{".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2"}
	sum := sha256.Sum256(data)
	return Asset{Data: data, Type: types[filepath.Ext(name)], Hash: hex.EncodeToString(sum[:6])}
}
