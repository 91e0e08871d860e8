package label

import (
	"encoding/binary"
	"errors"
)

var errFont = errors.New("is no WOFF2 font")

// fvarTag is the number of the table "fvar" in WOFF2's list of known tables; a font that has it carries a range of weights.
const fvarTag = 47

// isVariable reads the table directory of a WOFF2 file, which stands uncompressed behind its header (W3C WOFF 2.0, section 4.1).
func isVariable(data []byte) (bool, error) {
	const header = 48
	if len(data) < header || string(data[:4]) != "wOF2" || int(binary.BigEndian.Uint32(data[8:])) != len(data) {
		return false, errFont
	}
	rest := data[header:]
	next := func() (b byte, ok bool) {
		if len(rest) == 0 {
			return 0, false
		}
		b, rest = rest[0], rest[1:]
		return b, true
	}
	skipNumber := func() bool { // UIntBase128: the highest bit says that more follows
		for range 5 {
			b, ok := next()
			if !ok {
				return false
			}
			if b&0x80 == 0 {
				return true
			}
		}
		return false
	}
	variable := false
	for range binary.BigEndian.Uint16(data[12:]) {
		flags, ok := next()
		if !ok {
			return false, errFont
		}
		tag, version := flags&0x3f, flags>>6
		if tag == 0x3f { // a table that is not in the list is named in full
			if len(rest) < 4 {
				return false, errFont
			}
			variable = variable || string(rest[:4]) == "fvar"
			rest = rest[4:]
		}
		variable = variable || tag == fvarTag
		glyphs := tag == 10 || tag == 11 // glyf and loca are transformed unless their version says 3
		if !skipNumber() || (glyphs && version != 3 || !glyphs && version != 0) && !skipNumber() {
			return false, errFont
		}
	}
	return variable, nil
}
