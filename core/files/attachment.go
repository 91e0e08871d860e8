package files

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName is the maximum length in bytes of the name of a saved file. File systems allow 255.
const maxName = 180

// Attachment returns the value of Content-Disposition for a file to be saved under name (7-file-name-header, RFC 6266): an ASCII file name
// for all clients, and the exact name in UTF-8 for clients that support it. The name may contain customer input: path separators become
// dashes, and control and formatting characters and a leading dot are removed.
func Attachment(name string) string {
	name = saveName(name)
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, plain(name), extValue(name))
}

// saveName returns name without path separators, formatting characters and a leading dot.
func saveName(name string) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, ""))
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r): // path separators and characters that Windows does not allow
			return '-'
		case unicode.IsSpace(r):
			return ' '
		// Cf characters can change the order in which the name is shown
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
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
	for base := strings.TrimSuffix(name, ext); len(base)+len(ext) > maxName; name = base + ext {
		_, n := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-n]
	}
	return name
}

// plain returns name in ASCII, without characters that a quoted string may not contain.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r): // the accent of the letter before it
			return -1
		case r > unicode.MaxASCII || strings.ContainsRune(`"\%`, r): // some clients decode %41 to A
			return '_'
		}
		return r
	}, norm.NFD.String(name))
}

// extValue returns name encoded as an ext-value (RFC 8187).
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
