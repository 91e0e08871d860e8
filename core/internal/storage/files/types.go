package files

import (
	"bytes"
	"net/http"
	"path"
	"strings"
)

// sniffed is the number of bytes of a file that are checked, as in browsers.
const sniffed = 512

// fileType is a file type that customers may download.
type fileType struct {
	media string
	is    func(start []byte) bool // reports whether a file of this type can begin with start
}

// types contains the allowed types by extension. Browsers must not show any of them as a page of the portal, so HTML and SVG are not
// allowed.
var types = map[string]fileType{
	"pdf":  {"application/pdf", magic("%PDF-")},
	"png":  {"image/png", magic("\x89PNG\r\n\x1a\n")},
	"jpg":  {"image/jpeg", magic("\xff\xd8\xff")},
	"jpeg": {"image/jpeg", magic("\xff\xd8\xff")},
	"zip":  {"application/zip", magic("PK\x03\x04", "PK\x05\x06")}, // the second is an empty archive
	"csv":  {"text/csv", isText},
	"txt":  {"text/plain", isText},
	"xml":  {"application/xml", isXML},
}

func extension(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }

// typeOf returns the media type of a file by its extension; ok reports whether the first bytes match that type.
func typeOf(name string, start []byte) (media string, ok bool) {
	t, known := types[extension(name)]
	if !known || !t.is(start) {
		return "", false
	}
	return t.media, true
}

func magic(any ...string) func([]byte) bool {
	return func(start []byte) bool {
		for _, m := range any {
			if bytes.HasPrefix(start, []byte(m)) {
				return true
			}
		}
		return false
	}
}

// isText reports whether a file is text. It returns false for binary data and for HTML.
func isText(start []byte) bool {
	return strings.HasPrefix(http.DetectContentType(start), "text/plain")
}

func isXML(start []byte) bool {
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(start, []byte("<?xml")) {
		return true
	}
	found := http.DetectContentType(start)
	// a root element without XML declaration, and not HTML
	return bytes.HasPrefix(start, []byte("<")) && strings.HasPrefix(found, "text/plain")
}
