// Package font reads the WOFF2 fonts of labels: the data that a browser needs before it loads a font, and the letters that the font has.
package font

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/wattle-portal/wattle/core/internal/labels/theme"
)

var errFont = errors.New("is not a WOFF2 font that we can read")

// maxUnpacked is the maximum size of a decompressed font, in bytes.
const maxUnpacked = 4 << 20

// woffTables are the tables that are used here, by their number in WOFF2 (W3C WOFF 2.0, section 4.1).
var woffTables = map[byte]string{0: "cmap", 1: "head", 2: "hhea", 3: "hmtx", 10: "glyf", 11: "loca", 47: "fvar"}

// Read returns the data that the browser needs before it loads the font: whether one file contains all weights, and the width and height of
// the letters, so that text in the fallback font takes the same space (docs/design-of-screens.md). has contains the europeanLetters that
// the font has. It returns an error for a file that is not a font.
func Read(data []byte) (f theme.Font, has string, err error) {
	defer func() { // fonts are uploaded by operators: an invalid offset in one must not crash the process
		if recover() != nil {
			err = errFont
		}
	}()
	tables, err := unpackFont(data)
	if err != nil {
		return f, "", err
	}
	u16 := func(b []byte, at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
	i16 := func(b []byte, at int) float64 { return float64(int16(binary.BigEndian.Uint16(b[at:]))) }
	head, hhea := tables["head"].data, tables["hhea"].data
	em := float64(u16(head, 18))
	if em == 0 {
		return f, "", errFont
	}
	for _, c := range europeanLetters {
		if glyph(tables["cmap"].data, int(c)) != 0 {
			has += string(c)
		}
	}
	own, arial := 0.0, 0.0
	for _, c := range []byte(sample) {
		g := glyph(tables["cmap"].data, int(c))
		g = min(g, u16(hhea, 34)-1)
		if hmtx := tables["hmtx"]; hmtx.transformed {
			own += float64(u16(hmtx.data, 1+2*g)) / em
		} else {
			own += float64(u16(hmtx.data, 4*g)) / em
		}
		arial += arialWidth(c)
	}
	_, f.Variable = tables["fvar"]
	f.SizeAdjust = own / arial
	f.Ascent, f.Descent, f.LineGap = i16(hhea, 4)/em, -i16(hhea, 6)/em, i16(hhea, 8)/em
	return f, has, nil
}

// europeanLetters are the letters of European names in Latin script: those of the official languages of the European Union, of its
// neighbors and of Türkiye, and the signs on an invoice.
const europeanLetters = "AÁÀÂÄÃÅĂĀĄÆBCĆĈČĊÇDĎĐÐEÉÈÊËĚĖĒĘFGĜĞĠĢHĤĦIÍÌÎÏĪĮİJĴKĶLĹĽĻŁMNŃŇÑŅŊOÓÒÔÖŐÕŌØŒPQRŔŘŖSŚŜŠŞȘTŤȚÞUÚÙÛÜŬŮŰŪŲVWẀẂŴẄXYỲÝŶŸZŹŽŻ" +
	"aáàâäãåăāąæbcćĉčċçdďđðeéèêëěėēęfgĝğġģhĥħiíìîïīįıjĵkķlĺľļłmnńňñņŋoóòôöőõōøœpqrŕřŗsśŝšşșßtťțþuúùûüŭůűūųvwẁẃŵẅxyỳýŷÿzźžż" +
	"0123456789-–’“”€"

// Missing returns the europeanLetters that none of the given fonts has; each argument lists the letters of one font (see Read).
func Missing(has ...string) string {
	return strings.Map(func(c rune) rune {
		if slices.ContainsFunc(has, func(letters string) bool { return strings.ContainsRune(letters, c) }) {
			return -1
		}
		return c
	}, europeanLetters)
}

type table struct {
	data        []byte
	transformed bool
}

// unpackFont returns the tables of a font. The table directory after the header is not compressed; the tables are.
func unpackFont(data []byte) (map[string]table, error) {
	const header = 48
	if len(data) < header || string(data[:4]) != "wOF2" || int(binary.BigEndian.Uint32(data[8:])) != len(data) {
		return nil, errFont
	}
	rest := data[header:]
	number := func() (n int) { // UIntBase128: the highest bit of a byte is set when another byte follows
		for range 5 {
			b := rest[0]
			rest = rest[1:]
			if n = n<<7 | int(b&0x7f); b&0x80 == 0 {
				return n
			}
		}
		panic(errFont)
	}
	type entry struct {
		name          string
		from, to      int
		isTransformed bool
	}
	var entries []entry
	at := 0
	for range binary.BigEndian.Uint16(data[12:]) {
		flags := rest[0]
		rest = rest[1:]
		name := woffTables[flags&0x3f]
		if flags&0x3f == 0x3f { // the table has a name instead of a number
			name, rest = string(rest[:4]), rest[4:]
		}
		size := number()
		glyphs := name == "glyf" || name == "loca" // these two tables are transformed unless their version is 3, all others unless it is 0
		transformed := flags>>6 != 0
		if glyphs {
			transformed = flags>>6 != 3
		}
		if transformed {
			size = number()
		}
		entries = append(entries, entry{name, at, at + size, transformed})
		at += size
	}
	if at > maxUnpacked {
		return nil, errFont
	}
	packed := rest[:binary.BigEndian.Uint32(data[20:])]
	all, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(packed)), maxUnpacked))
	if err != nil {
		return nil, errFont
	}
	tables := map[string]table{}
	for _, e := range entries {
		tables[e.name] = table{all[e.from:e.to], e.isTransformed}
	}
	return tables, nil
}

// glyph returns the glyph of a character in a cmap table of format 4, which every web font has; 0 when the font does not contain it.
func glyph(cmap []byte, c int) int {
	u16 := func(at int) int { return int(binary.BigEndian.Uint16(cmap[at:])) }
	for i := range u16(2) {
		at := int(binary.BigEndian.Uint32(cmap[8+8*i:]))
		if u16(at) != 4 {
			continue
		}
		n := u16(at+6) / 2
		ends, starts, deltas, offsets := at+14, at+16+2*n, at+16+4*n, at+16+6*n
		for s := range n {
			if c > u16(ends+2*s) {
				continue
			}
			if c < u16(starts+2*s) {
				return 0
			}
			if off := u16(offsets + 2*s); off != 0 {
				if g := u16(offsets + 2*s + off + 2*(c-u16(starts+2*s))); g != 0 {
					return (g + u16(deltas+2*s)) & 0xffff
				}
				return 0
			}
			return (c + u16(deltas+2*s)) & 0xffff
		}
		return 0
	}
	panic(errFont)
}

// sample is typical Dutch text of a portal, for the frequency of each letter.
const sample = "je betaalt per maand een termijnbedrag en de volgende afschrijving is op de achtentwintigste controleer het huisnummer of kies een toevoeging"

// arialWidth returns the width of a lower case letter or space of Arial, in em.
func arialWidth(c byte) float64 {
	switch c {
	case ' ', 'f', 't':
		return 569.0 / 2048
	case 'i', 'j', 'l':
		return 455.0 / 2048
	case 'r':
		return 682.0 / 2048
	case 'm':
		return 1706.0 / 2048
	case 'w':
		return 1479.0 / 2048
	case 'c', 'k', 's', 'v', 'x', 'y', 'z':
		return 1024.0 / 2048
	}
	return 1139.0 / 2048
}
