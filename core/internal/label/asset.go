package label

// Asset is a file of a label's assets folder, checked and held in memory.
type Asset struct {
	Data []byte
	Type string // content type
	Hash string // short hash of the content, for ?v=
}

// Asset returns an asset by the file name that the label's style gives it (l.Style.Logo, l.Style.FontFile, …). The error is
// fs.ErrNotExist for a name that the style does not give. The bytes are shared: read them only.
func (s *Store) Asset(l *Label, name string) (data []byte, contentType string, err error) {
	return nil, "", nil
}

// AssetURL is the address of one of the label's assets under /api/v0, with the version of its content: kind is the last part of
// the path (logo, logo-on-header, favicon, illustration, font, logo-mail). "" when the style gives no such asset.
func (l *Label) AssetURL(kind string) string { return "" }
