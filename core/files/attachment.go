package files

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nameMax bounds the name of a saved file, in bytes: file systems stop at 255.
const nameMax = 180

// Attachment is the value of Content-Disposition for a file to be saved under a name (7-file-name-header, RFC 6266): a plain one for
// all and, for those that know it, the exact one in UTF-8. The name may hold what a customer wrote: separators of paths become
// dashes, control and formatting characters go, a leading dot goes.
func Attachment(name string) string {
	name = saveName(name)
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, plain(name), extValue(name))
}

// saveName is a name that is no path and hides nothing.
func saveName(name string) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, ""))
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r): // a path here or on Windows
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar: // Cf: shown in another order than it is
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	name = strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
	if name == "" {
		return "download"
	}
	ext := path.Ext(name)
	if len(ext) > 10 {
		ext = ""
	}
	for base := strings.TrimSuffix(name, ext); len(base)+len(ext) > nameMax; name = base + ext {
		_, n := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-n]
	}
	return name
}

// plain is a name in ASCII, without what a quoted text may not hold.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r): // the accent of the letter before it
			return -1
		case r > unicode.MaxASCII || strings.ContainsRune(`"\%`, r): // some read %41 as A
			return '_'
		}
		return r
	}, norm.NFD.String(name))
}

// extValue is a name as RFC 8187 writes it.
func extValue(name string) string {
	var out strings.Builder
	for _, b := range []byte(name) {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', strings.IndexByte("!#$&+-.^_`|~", b) >= 0:
			out.WriteByte(b)
		default:
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}
