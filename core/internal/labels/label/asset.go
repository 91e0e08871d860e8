package label

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	_ "image/jpeg" // registers a photo format
	"image/png"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	_ "golang.org/x/image/webp" // registers a photo format

	"github.com/wattle-portal/wattle/core/internal/labels/font"
	"github.com/wattle-portal/wattle/core/internal/labels/svg"
	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// Asset is a validated file of a label's assets folder. Assets are kept in memory, so that a served label does not change together with its
// folder.
type Asset struct {
	Data []byte
	Type string     // content type
	Hash string     // short hash of the content, for ?v=
	Side int        // width and height in pixels of a square PNG; 0 for any other asset
	Font theme.Font // metrics of a font file, without its URL
	Has  string     // the europeanLetters that a font file contains
}

// Maximum sizes of assets in bytes (docs/design-of-screens.md, pictures and fonts).
const (
	maxSVG  = 20 << 10
	maxFont = 60 << 10
	maxHead = 40 << 10 // a heading font
	maxPNG  = 100 << 10
	maxPic  = 150 << 10 // a photo
)

// Maximum width and height of a photo in pixels.
const (
	maxPicWidth  = 2400
	maxPicHeight = 1600
)

// Sizes of an app icon in pixels: phones request 180, a splash screen shows 512.
const (
	minIcon = 180
	maxIcon = 512
)

// assetFile returns the file name and the style field of an asset kind; name is "" when the style does not set it.
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
	case "illustration-mail":
		return s.IllustrationMail, "illustration_mail"
	case "font":
		return s.FontFile, "font_file"
	case "font-extended":
		return s.FontExtended, "font_file_extended"
	case "heading-font":
		return s.HeadingFontFile, "heading_font_file"
	}
	return "", ""
}

var assetKinds = []string{"logo", "logo-on-header", "favicon", "app-icon", "illustration", "logo-mail", "illustration-mail", "font",
	"font-extended", "heading-font"}

// AssetURL returns the path of an asset of the label, with the version of its content. kind is the last part of the path (logo,
// logo-on-header, favicon, app-icon, illustration, logo-mail, font, font-extended, heading-font). It returns "" when the style has no such
// asset.
func (l *Label) AssetURL(kind string) string {
	name, _ := l.assetFile(kind)
	a, ok := l.Assets[name]
	if !ok {
		return ""
	}
	return "/api/v0/labels/" + l.Key + "/" + kind + "?v=" + a.Hash
}

// AssetOf returns the asset of a kind (see AssetURL), or fs.ErrNotExist when the style has none. The bytes are shared and must not be
// changed. SVGs are uploaded by operators: serve them with a sandbox policy and nosniff.
func (l *Label) AssetOf(kind string) (Asset, error) {
	name, _ := l.assetFile(kind)
	a, ok := l.Assets[name]
	if !ok {
		return Asset{}, fs.ErrNotExist
	}
	return a, nil
}

// Asset returns an asset by the file name in the label's style (l.Style.Logo, l.Style.FontFile, …), or fs.ErrNotExist for a name that
// is not in the style. The bytes are shared and must not be changed.
func (s *Store) Asset(l *Label, name string) (data []byte, contentType string, err error) {
	a, ok := l.Assets[name]
	if !ok {
		return nil, "", fs.ErrNotExist
	}
	return a.Data, a.Type, nil
}

// ProjectPicture returns the picture of a project, or fs.ErrNotExist when the label has none (9-project-picture).
func (l *Label) ProjectPicture(code string) (Asset, error) {
	if a, ok := l.Assets[l.Projects[code].Picture]; ok {
		return a, nil
	}
	return Asset{}, fs.ErrNotExist
}

// ProjectPictureURL returns the path of the picture of a project, with the version of its content; "" when the label has none.
func (l *Label) ProjectPictureURL(code string) string {
	a, err := l.ProjectPicture(code)
	if err != nil {
		return ""
	}
	return "/api/v0/labels/" + l.Key + "/projects/" + code + "/picture?v=" + a.Hash
}

// loadAssets reads and validates the files that the label names.
func (c *candidate) loadAssets(l *Label) (ps []Problem) {
	l.Assets = map[string]Asset{}
	from, err := c.from.assets()
	if err != nil {
		return []Problem{c.at(nil, "%s", reason(err))}
	}
	defer from.Close()
	for _, kind := range assetKinds {
		name, field := l.assetFile(kind)
		if name == "" {
			continue
		}
		var err error
		a, done := l.Assets[name]
		if !done {
			a, err = from.asset(name)
		}
		if err == nil && kind == "app-icon" && (a.Side < minIcon || a.Side > maxIcon) {
			err = fmt.Errorf("is not a square of %d to %d pixels", minIcon, maxIcon)
		}
		if err == nil && kind == "heading-font" && len(a.Data) > maxHead {
			err = fmt.Errorf("is larger than %d KB", maxHead>>10)
		}
		if err != nil {
			ps = append(ps, c.at([]string{"style", field}, "style.%s: assets/%s %s", field, name, err))
			continue
		}
		l.Assets[name] = a
	}
	for _, p := range l.pictures() {
		if _, done := l.Assets[p.file]; done {
			continue
		}
		a, err := from.asset(p.file)
		if err != nil {
			ps = append(ps, c.at(p.at, "%s: assets/%s %s", strings.Join(p.at, "."), p.file, err))
			continue
		}
		l.Assets[p.file] = a
	}
	for _, code := range slices.Sorted(maps.Keys(l.Projects)) {
		name := l.Projects[code].Picture
		if _, done := l.Assets[name]; done || name == "" {
			continue
		}
		a, err := from.asset(name)
		if err != nil {
			ps = append(ps, c.at([]string{"projects", strconv.Quote(code), "picture"}, "projects.%s.picture: assets/%s %s", code, name, err))
			continue
		}
		l.Assets[name] = a
	}
	return ps
}

func readAsset(root *os.Root, name string) (Asset, error) {
	limit := map[string]int64{".svg": maxSVG, ".png": maxPNG, ".woff2": maxFont, ".jpg": maxPic, ".webp": maxPic}[filepath.Ext(name)]
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
		err = svg.Check(data)
	case ".png":
		var size, e = png.DecodeConfig(bytes.NewReader(data))
		if err = e; err != nil {
			err = fmt.Errorf("is not a PNG picture")
		} else if size.Width > 1600 || size.Height > 800 {
			err = fmt.Errorf("is larger than 1600 by 800 pixels")
		} else if size.Width == size.Height {
			a.Side = size.Width
		}
	case ".jpg", ".webp":
		err = checkPhoto(data, a.Type)
	case ".woff2":
		a.Font, a.Has, err = font.Read(data)
	}
	return a, err
}

// checkPhoto returns an error for a file that is not a picture of its content type or is too large.
func checkPhoto(data []byte, contentType string) error {
	size, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil || "image/"+format != contentType:
		return fmt.Errorf("is not a picture of type %s", contentType)
	case size.Width > maxPicWidth || size.Height > maxPicHeight:
		return fmt.Errorf("is larger than %d by %d pixels", maxPicWidth, maxPicHeight)
	}
	return nil
}

// assetOf returns an asset with the hash of its content and the content type of its extension.
func assetOf(name string, data []byte) Asset {
	types := map[string]string{".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2", ".jpg": "image/jpeg",
		".webp": "image/webp"}
	sum := sha256.Sum256(data)
	return Asset{Data: data, Type: types[filepath.Ext(name)], Hash: hex.EncodeToString(sum[:6])}
}
