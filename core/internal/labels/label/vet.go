package label

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/labels/font"
	"github.com/wattle-portal/wattle/core/internal/labels/icu"
	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

// Catalogue contains the texts of the product by locale and message id. A label's own texts are checked against it.
type Catalogue map[string]map[string]string

// shell is the prefix of items that belong to no module, such as the menu item shell.home.
const shell = "shell"

// FrontEnd describes the parts of the built front end that a label may refer to.
type FrontEnd struct {
	Texts        Catalogue
	Slots        map[string][]string // items "<module>.<item>" by slot
	Menu         map[Kind][]string   // items "<module>.<item>" that are in the main menu only when a label lists them, by label kind
	MenuItems    map[Kind][]string   // all items "<module>.<item>" of the main menu, including those in Menu, by label kind
	Paths        map[string]string   // path of each item "<module>.<item>" of the main menu
	WithoutTexts []string            // modules whose texts are not available
	WithoutMails []string            // modules whose email texts are not available: plugins
	UsedSlots    map[string][]string // slots that each module adds items to
	UsedGroups   map[string][]string // by module: menu groups that contain its items
	Offers       []string            // slots that modules offer to others
	Routes       map[string][]string // by module: paths of its pages, in which ":name" is any segment; "shell": the portal's own
	Overlays     map[string][]string // by module: names of its overlays
	MenuGroups   []string            // existing menu groups: those of the portal and those that modules declare
}

// Vet returns all problems of the labels in a folder, including problems that do not prevent serving a label: contrast, texts, slot and
// menu items, a missing font, a secret in plain text. With keys it checks only those labels; a conflict with another label is reported for
// both labels. A nil face skips the checks of message ids, placeholders and items.
func Vet(dir string, fragments []Fragment, face *FrontEnd, keys ...string) ([]Problem, error) {
	sc, prints, err := prepare(dir, fragments)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if _, exists := prints[key]; !exists {
			return nil, fmt.Errorf("label: there is no label %s", key)
		}
	}
	entries := map[string]*entry{}
	var ps []Problem
	c := sc.compiler()
	for i, key := range slices.Sorted(maps.Keys(prints)) {
		if i%perContext == perContext-1 {
			c = sc.compiler()
		}
		k := c.compile(dir, key)
		entries[key] = &entry{fresh: k.label, problems: k.problems}
		if k.label != nil {
			ps = append(ps, k.vet(face)...)
		} else {
			ps = append(ps, k.hidden(face)...)
		}
	}
	for _, e := range entries {
		ps = append(ps, e.problems...)
	}
	ps = append(ps, sharedHosts(entries)...)
	if len(keys) > 0 {
		ps = slices.DeleteFunc(ps, func(p Problem) bool { return !slices.Contains(keys, p.Label) })
	}
	return sortProblems(ps), nil
}

func prepare(dir string, fragments []Fragment) (*schema, map[string]fingerprint, error) {
	sc, err := compose(fragments)
	if err != nil {
		return nil, nil, err
	}
	prints, err := fingerprints(dir, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("label: the labels folder: %s", reason(err))
	}
	return sc, prints, nil
}

// vet returns the problems of a compiled label.
func (c *candidate) vet(face *FrontEnd) (ps []Problem) {
	l := c.label
	findings, err := theme.Check(l.Style)
	if err != nil {
		ps = append(ps, c.at([]string{"style"}, "style: %v", err))
	}
	for _, f := range findings {
		ps = append(ps, c.at([]string{"style", f.Field}, "style.%s: %s", f.Field, f))
	}
	if l.Style.Font != "Open Sans" && l.Style.FontFile == "" {
		ps = append(ps, c.at([]string{"style", "font_family_web"},
			"style.font_family_web: %s is not shipped with the product; put its .woff2 into assets/ and name it in font_file", l.Style.Font))
	}
	if l.Style.Font == "Open Sans" && l.Style.FontFile != "" {
		ps = append(ps, c.at([]string{"style", "font_file"}, "style.font_file: say in font_family_web which family this is"))
	}
	if own, exists := l.Assets[l.Style.FontFile]; exists {
		if lacks := font.Missing(own.Has, l.Assets[l.Style.FontExtended].Has); lacks != "" { // 9-vet-letters
			ps = append(ps, c.at([]string{"style", "font_file"}, "style.font_file: %s lacks %s; names with these letters are drawn in "+
				"another font: put a .woff2 that has them into assets/ and name it in font_file_extended", l.Style.Font, lacks))
		}
	} else if l.Style.FontExtended != "" {
		ps = append(ps, c.at([]string{"style", "font_file_extended"}, "style.font_file_extended: goes with a font_file"))
	}
	ps = append(ps, c.vetHeadings()...)
	ps = append(ps, c.vetHeader()...)
	if strings.HasPrefix(l.URL, "http:") && slices.ContainsFunc(l.Hosts, func(h Host) bool { return !h.Test && !isReserved(h.Name) }) {
		ps = append(ps, c.at([]string{"url"}, "url: a label with live hosts needs https, for links in mail start with it"))
	}
	for _, locale := range slices.Sorted(maps.Keys(l.Messages)) {
		ps = append(ps, c.vetMessages(face, locale)...)
	}
	ps = append(ps, c.vetSlots(face)...)
	ps = append(ps, c.vetMenu(face)...)
	ps = append(ps, c.vetRemotes(face)...)
	ps = append(ps, c.vetPages(face)...)
	ps = append(ps, c.vetPromos(face)...)
	for _, name := range slices.Sorted(maps.Keys(l.Imports)) {
		ps = append(ps, c.vetImport(name)...)
	}
	ps = append(ps, c.vetSecrets()...)
	return ps
}

// vetImport checks a mapping. A label with an invalid mapping is served, but `wattle import` refuses the mapping.
func (c *candidate) vetImport(name string) (ps []Problem) {
	m := c.label.Imports[name]
	add := func(path []string, format string, args ...any) {
		at := []string{"imports", strconv.Quote(name)}
		for _, p := range path {
			if strings.Contains(p, ".") {
				p = strconv.Quote(p)
			}
			at = append(at, p)
		}
		where := strings.Join(append([]string{"imports", name}, path...), ".")
		ps = append(ps, c.at(at, "%s: %s", where, fmt.Sprintf(format, args...)))
	}
	var kinds []string
	for kind, of := range c.schema.kinds {
		if _, on := c.label.Modules[of]; on || of == "" {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	of, known := c.schema.kinds[m.Kind]
	switch {
	case !known:
		add([]string{"kind"}, "there is no record kind %q%s", m.Kind, orList(m.Kind, kinds))
	case !slices.Contains(kinds, m.Kind):
		add([]string{"kind"}, "%s is of the module %s, which this label does not switch on", m.Kind, of)
	}
	faults := m.Check()
	if k, described := c.schema.records[m.Kind]; described {
		faults = append(faults, m.CheckFields(k)...)
	}
	for _, f := range faults {
		add(f.Path, "%s", f.Message)
	}
	return ps
}

// isReserved reports whether a host name can never resolve in public DNS (RFC 2606, RFC 6761).
func isReserved(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".example")
}

// vetMessages checks a label's own texts (9-vet-texts).
func (c *candidate) vetMessages(face *FrontEnd, locale string) (ps []Problem) {
	for _, id := range slices.Sorted(maps.Keys(c.label.Messages[locale])) {
		own := c.label.Messages[locale][id]
		path := []string{"messages", locale, fmt.Sprintf("%q", id)}
		ownNames, err := icu.Parse(own)
		if err != nil {
			ps = append(ps, c.at(path, "messages.%s: the text of %s %v", locale, id, err))
			continue
		}
		if face == nil {
			continue
		}
		product, known := face.Texts[locale][id]
		module, _, _ := strings.Cut(id, ".")
		without := face.WithoutTexts
		if IsMailText(id) {
			without = face.WithoutMails
		}
		if !known && slices.Contains(without, module) {
			continue
		}
		if !known {
			ps = append(ps, c.at(path, "messages.%s: there is no message %s%s", locale, id,
				mistake.Suggest(id, slices.Sorted(maps.Keys(face.Texts[locale])))))
			continue
		}
		if names, err := icu.Parse(product); err == nil && !slices.Equal(ownNames.Names(), names.Names()) {
			ps = append(ps, c.at(path, "messages.%s: the text of %s must have the placeholders %s, and has %s", locale, id, list(names.Names()),
				list(ownNames.Names())))
		}
	}
	return ps
}

// vetSlots checks that the items that a label orders or hides exist (9-vet-slots).
func (c *candidate) vetSlots(face *FrontEnd) (ps []Problem) {
	if face == nil {
		return nil
	}
	for _, slot := range slices.Sorted(maps.Keys(c.label.Slots)) {
		if module, _, of := strings.Cut(slot, "."); of {
			if _, on := c.label.Modules[module]; !on {
				ps = append(ps, c.at([]string{"slots", strconv.Quote(slot)}, "slots.%s: is of the module %s, which this label does not switch on", slot,
					module))
				continue
			}
		}
		s, items := c.label.Slots[slot], slices.Sorted(slices.Values(face.Slots[slot]))
		for _, part := range []struct {
			field string
			ids   []string
		}{{"order", s.Order}, {"hide", s.Hide}} {
			for i, id := range part.ids {
				if slices.Contains(items, id) {
					continue
				}
				ps = append(ps, c.at([]string{"slots", strconv.Quote(slot), part.field, strconv.Itoa(i)}, "slots.%s.%s.%d: the slot has no item %s; %s",
					slot, part.field, i, id, orAll(id, items)))
			}
		}
	}
	return ps
}

// orAll returns the item that id resembles, and all items.
func orAll(id string, items []string) string {
	if near := mistake.Nearest(id, items); near != "" {
		return "did you mean " + near + "? There are: " + strings.Join(items, ", ")
	}
	return listOf(items, "it has none")
}

// listOf returns a list of the items, or the string none if there are no items.
func listOf(items []string, none string) string {
	if len(items) == 0 {
		return none
	}
	return "there are: " + strings.Join(items, ", ")
}

// vetMenu checks that the menu items of a label exist for its kind, and belong to its modules (2.5-menu-variants-choice). The label may
// order and hide any item of its menu (9-menu-order, 9-menu-hide); the phone bar may contain only items that it does not hide
// (9-phone-bar-vet). The landing page must be the page of an item, which may be hidden (9-label-landing).
func (c *candidate) vetMenu(face *FrontEnd) (ps []Problem) {
	if face == nil {
		return nil
	}
	off := func(id string) bool {
		module, _, _ := strings.Cut(id, ".")
		_, on := c.label.Modules[module]
		return !on && module != shell
	}
	optional := face.Menu[c.label.Kind]
	choices := slices.DeleteFunc(slices.Sorted(slices.Values(optional)), off)
	for i, id := range c.label.Menu.Show {
		if !slices.Contains(choices, id) {
			ps = append(ps, c.at([]string{"menu", "show", strconv.Itoa(i)}, "menu.show.%d: the menu of this label has no item %s to choose; %s",
				i, id, orAll(id, choices)))
		}
	}
	inMenu := slices.DeleteFunc(slices.Sorted(slices.Values(face.MenuItems[c.label.Kind])), func(id string) bool {
		return off(id) || slices.Contains(optional, id) && !slices.Contains(c.label.Menu.Show, id)
	})
	if own := c.label.LandingPath; own != "" && own != c.label.Kind.Landing() {
		paths := []string{c.label.Kind.Landing()}
		for _, id := range inMenu {
			paths = append(paths, face.Paths[id])
		}
		slices.Sort(paths)
		if paths = slices.Compact(paths); !slices.Contains(paths, own) {
			ps = append(ps, c.at([]string{"landing"}, "landing: the menu of this label has no page %s; %s", own, listOf(paths, "it has none")))
		}
	}
	for _, p := range c.label.Pages {
		if p.Place == "menu" {
			inMenu = append(inMenu, shell+".page-"+p.Slug)
		}
	}
	shown := slices.DeleteFunc(slices.Clone(inMenu), func(id string) bool { return slices.Contains(c.label.Menu.Hide, id) })
	for _, part := range []struct {
		field      string
		ids, items []string
	}{{"hide", c.label.Menu.Hide, inMenu}, {"order", c.label.Menu.Order, shown}, {"bar", c.label.Menu.Bar, shown}} {
		for i, id := range part.ids {
			if !slices.Contains(part.items, id) {
				ps = append(ps, c.at([]string{"menu", part.field, strconv.Itoa(i)}, "menu.%s.%d: the menu of this label has no item %s; %s",
					part.field, i, id, orAll(id, part.items)))
			}
		}
	}
	return ps
}

// vetRemotes checks that each slot that a remote of the label adds items to, and each menu group that contains its items, exists in the
// portal or in an available module (9-vet-offers). Otherwise the items are not shown, or are shown without their heading.
func (c *candidate) vetRemotes(face *FrontEnd) (ps []Problem) {
	if face == nil {
		return nil
	}
	slots := append(slices.Clone(c.schema.core), face.Offers...)
	slices.Sort(slots)
	groups := slices.Sorted(slices.Values(face.MenuGroups))
	for _, module := range slices.Sorted(maps.Keys(c.label.Modules)) {
		for _, slot := range slices.Sorted(slices.Values(face.UsedSlots[module])) {
			if !slices.Contains(slots, slot) {
				ps = append(ps, c.at([]string{"modules", module}, "modules.%s: its remote fills the slot %s, which nobody offers; %s", module, slot,
					listOf(slots, "there are none")))
			}
		}
		for _, group := range slices.Sorted(slices.Values(face.UsedGroups[module])) {
			if !slices.Contains(groups, group) {
				ps = append(ps, c.at([]string{"modules", module}, "modules.%s: its remote has menu items in the group %s, which nobody declares; %s",
					module, group, listOf(groups, "there are none")))
			}
		}
	}
	return ps
}

// sharedHosts returns a problem for each host and user pool that two labels claim. Both files get a problem (9-vet-hosts), so that vetting
// either label reports the conflict.
func sharedHosts(entries map[string]*entry) (ps []Problem) {
	hosts, pools := map[string][]*Label{}, map[string][]*Label{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		l := entries[key].fresh
		if l == nil {
			continue
		}
		for _, h := range l.Hosts {
			hosts[h.Name] = append(hosts[h.Name], l)
		}
		if p := l.Identity.pool(); p != "" {
			pools[p] = append(pools[p], l)
		}
	}
	names := func(of []*Label) string {
		var keys []string
		for _, l := range of {
			keys = append(keys, l.Key)
		}
		return strings.Join(keys, " and ")
	}
	for host, of := range hosts {
		for _, l := range of {
			if i := slices.IndexFunc(l.Hosts, func(h Host) bool { return h.Name == host }); len(of) > 1 {
				ps = append(ps, l.problem(l.hostAt[i], "hosts: labels %s both have %s, and a host belongs to one label", names(of), host))
			}
		}
	}
	for _, of := range pools {
		for _, l := range of {
			if len(of) > 1 {
				ps = append(ps, l.problem(place{}, "identity: labels %s may not share a user pool and its client_id", names(of)))
			}
		}
	}
	return ps
}

func list(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	return "{" + strings.Join(names, "}, {") + "}"
}

var leaks = regexp.MustCompile(`-----BEGIN|\b(live|test)_[A-Za-z0-9]{20,}|\bsk_[A-Za-z0-9_]{16,}|\bwhsec_[A-Za-z0-9+/=]{16,}|\bAKIA[A-Z0-9]{16}\b|\bwk_[A-Za-z0-9]{16,}|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`)

// vetSecrets reports a setting that contains a secret instead of the name of one.
func (c *candidate) vetSecrets() (ps []Problem) {
	walk(c.own, nil, func(path []string, value string) {
		field := path[len(path)-1]
		named := secretName.MatchString(field) && path[0] == "modules"
		if named && !secretRef.MatchString(value) || leaks.MatchString(value) {
			ps = append(ps, c.at(path, "%s: a secret never stands in a label; put it into --secret-file and write its NAME here",
				strings.Join(path, ".")))
		}
	})
	return ps
}

var secretRef = regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,63}$|^https://|^$`)
