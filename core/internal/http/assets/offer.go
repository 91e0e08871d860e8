package assets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
)

// textsFile contains all texts of the shell or of a remote, by locale and message id. It is not served.
const textsFile = "messages.json"

// Menu items of the shell's own pages: /home (2.5-menu-variants), and /dashboard on a phone.
const (
	home      = "shell.home"
	dashboard = "shell.dashboard"
)

// Offer describes the parts of a built front end that labels may refer to.
type Offer struct {
	Texts        map[string]map[string]string // by locale and message id
	Slots        map[string][]string          // items "<remote>.<item>" by slot, including those of the shell
	Menu         map[string][]string          // items "<remote>.<item>" that are in the menu only if a label lists them, by label kind
	Paths        map[string]string            // path of each item of MenuItems
	MenuItems    map[string][]string          // all items "<remote>.<item>" of the customer menu, by label kind
	WithoutTexts []string                     // remotes of plugins that were built without their texts
	UsedSlots    map[string][]string          // by remote: slots that it adds items to
	UsedGroups   map[string][]string          // by remote: groups of the menu that contain its items
	Offers       map[string][]string          // by remote: slots that it offers to other remotes; an empty list for a remote without slots
	Routes       map[string][]string          // by remote: paths of its pages; "shell" contains those of the portal itself
	Overlays     map[string][]string          // by remote: names of its overlays
	MenuGroups   []string                     // existing groups of the menu: those of the portal, and those that remotes declare
}

// groups are the menu groups of the portal itself.
var groups = []string{"finance", "administrative", "marketplace"}

// Offered reads the offer of the embedded front end. The remotes of plugins, by key and folder, are added or replace embedded ones. It
// returns nil when the program was built without a front end.
func Offered(plugins map[string]string) (*Offer, error) {
	base, err := fs.Sub(embedded, "dist")
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	return offered(base, plugins)
}

func offered(base fs.FS, plugins map[string]string) (*Offer, error) {
	raw, err := fs.ReadFile(base, "shell.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var drawn struct{ Slots map[string][]string } // items that the shell itself renders in slots
	if err := errors.Join(err, json.Unmarshal(raw, &drawn)); err != nil {
		return nil, fmt.Errorf("assets: shell.json: %w", err)
	}
	o := &Offer{Texts: map[string]map[string]string{}, Slots: map[string][]string{},
		Menu:      map[string][]string{"customer": {home}, "participant": {home}},
		MenuItems: map[string][]string{"customer": {dashboard, home}, "participant": {home}},
		Paths:     map[string]string{dashboard: "/dashboard", home: "/home"}, UsedSlots: map[string][]string{}, UsedGroups: map[string][]string{},
		Offers: map[string][]string{}, MenuGroups: slices.Clone(groups),
		Routes: map[string][]string{"shell": {"/", "/dashboard", "/home", "/accessibility", "/pages"}}, Overlays: map[string][]string{}}
	maps.Copy(o.Slots, drawn.Slots)
	if err := o.texts(base); err != nil { // the shell and embedded remotes must have texts
		return nil, fmt.Errorf("assets: %s: %w", textsFile, err)
	}
	own, err := fs.ReadDir(base, "remotes")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("assets: %w", err)
	}
	for _, r := range own {
		if _, replaced := plugins[r.Name()]; replaced || !r.IsDir() {
			continue
		}
		f, err := fs.Sub(base, path.Join("remotes", r.Name()))
		if err == nil {
			err = errors.Join(o.items(f, r.Name()), o.texts(f))
		}
		if err != nil {
			return nil, fmt.Errorf("assets: remote %s: %w", r.Name(), err)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(plugins)) {
		f := os.DirFS(plugins[key])
		if err := o.items(f, key); err != nil {
			return nil, fmt.Errorf("assets: remote of plugin %s: %w", key, err)
		}
		switch err := o.texts(f); {
		case errors.Is(err, fs.ErrNotExist): // such a plugin is refused
			o.WithoutTexts = append(o.WithoutTexts, key)
		case err != nil:
			return nil, fmt.Errorf("assets: remote of plugin %s: %s: %w", key, textsFile, err)
		}
	}
	return o, nil
}

func (o *Offer) texts(f fs.FS) error {
	raw, err := fs.ReadFile(f, textsFile)
	if err != nil {
		return err
	}
	var texts map[string]map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return err
	}
	for locale, t := range texts {
		if o.Texts[locale] == nil {
			o.Texts[locale] = map[string]string{}
		}
		maps.Copy(o.Texts[locale], t)
	}
	return nil
}

// items adds slot items, the menu items that a label may list, and the slots and groups that a remote uses and declares.
func (o *Offer) items(f fs.FS, key string) error {
	raw, err := fs.ReadFile(f, "remote.json")
	if err != nil {
		return err
	}
	var about struct {
		Slots map[string][]struct{ ID string }
		Menu  []struct {
			ID     string
			To     string
			Access string
			Place  map[string]struct { // by label kind
				Optional bool
				Group    string
			}
		}
		Routes   []struct{ Path string }
		Overlays []struct{ Name string }
		Groups   []struct{ ID string }
		Offers   map[string]struct{}
	}
	if err := json.Unmarshal(raw, &about); err != nil {
		return fmt.Errorf("remote.json: %w", err)
	}
	o.Offers[key] = append([]string{}, slices.Sorted(maps.Keys(about.Offers))...)
	o.UsedSlots[key] = slices.Sorted(maps.Keys(about.Slots))
	for _, r := range about.Routes {
		o.Routes[key] = append(o.Routes[key], r.Path)
	}
	for _, overlay := range about.Overlays {
		o.Overlays[key] = append(o.Overlays[key], overlay.Name)
	}
	for _, g := range about.Groups {
		o.MenuGroups = append(o.MenuGroups, g.ID)
	}
	for slot, items := range about.Slots {
		for _, i := range items {
			o.Slots[slot] = append(o.Slots[slot], key+"."+i.ID)
		}
	}
	for _, i := range about.Menu {
		o.Paths[key+"."+i.ID] = i.To
		for kind, place := range i.Place {
			if i.Access == "" || i.Access == "customer" { // excludes items for staff
				o.MenuItems[kind] = append(o.MenuItems[kind], key+"."+i.ID)
			}
			if place.Optional {
				o.Menu[kind] = append(o.Menu[kind], key+"."+i.ID)
			}
			if place.Group != "" && !slices.Contains(o.UsedGroups[key], place.Group) {
				o.UsedGroups[key] = append(o.UsedGroups[key], place.Group)
			}
		}
	}
	return nil
}
