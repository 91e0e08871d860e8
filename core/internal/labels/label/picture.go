package label

import (
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// picture is a picture of the label that the browser requests by name.
type picture struct {
	name string   // last part of its URL: illustration-<name>, photo-<name> or promo-<name>
	file string   // in assets/
	at   []string // path of its field in label.cue
}

// pictures returns the pictures of the label except its logo and those of its projects (9-brand-illustrations, 9-brand-photos,
// 9-promo-dates).
func (l *Label) pictures() (all []picture) {
	add := func(kind, field string, files map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			all = append(all, picture{kind + "-" + name, files[name], []string{"style", field, name}})
		}
	}
	add("illustration", "illustrations", l.Style.Illustrations)
	add("photo", "photos", l.Style.Photos)
	for i, p := range l.Promos {
		if p.Picture != "" {
			all = append(all, picture{"promo-" + p.Name, p.Picture, []string{"promos", strconv.Itoa(i), "picture"}})
		}
	}
	return all
}

// Picture returns the picture with that name, such as illustration-empty or photo-sign_in, or fs.ErrNotExist when the label has none.
func (l *Label) Picture(name string) (Asset, error) {
	for _, p := range l.pictures() {
		if a, ok := l.Assets[p.file]; ok && p.name == name {
			return a, nil
		}
	}
	return Asset{}, fs.ErrNotExist
}

// PictureURLs returns the paths of all pictures of a kind ("illustration", "photo" or "promo"), with the version of their content, by their
// name without the kind.
func (l *Label) PictureURLs(kind string) map[string]string {
	urls := map[string]string{}
	for _, p := range l.pictures() {
		name, ok := strings.CutPrefix(p.name, kind+"-")
		if a, exists := l.Assets[p.file]; ok && exists {
			urls[name] = "/api/v0/labels/" + l.Key + "/pictures/" + p.name + "?v=" + a.Hash
		}
	}
	return urls
}
