package label

// Summary is a line of `wattle labels list`.
type Summary struct {
	Key      string   `json:"label"`
	Name     string   `json:"name"`
	Kind     Kind     `json:"kind"`
	Hosts    []Host   `json:"hosts"`
	Modules  []string `json:"modules"`
	Migrated bool     `json:"migrated"`
	Revision string   `json:"revision"`
}

// List sums up the labels of a folder, ordered by key. Problems name the broken ones, which are not in the list.
func List(dir string, fragments []Fragment) ([]Summary, []Problem, error) { return nil, nil, nil }

// Sketch is what New needs to know.
type Sketch struct {
	Key   string // also the folder's name
	Name  string
	Kind  Kind   // KindCustomer when empty
	Color string // primary colour as #rrggbb; the rest is derived
	Host  string // live host; empty: <key>.localhost only
}

// New writes the folder of a new label that passes Vet, with a plain logo of its own to replace. It returns the files written,
// relative to dir. It fails when the folder is there.
func New(dir string, s Sketch, fragments []Fragment) ([]string, error) { return nil, nil }

// Difference is one setting in which two labels differ, with defaults filled in; nil where a label does not have it.
type Difference struct {
	Path string `json:"path"` // "style.primary_color"
	A    any    `json:"a"`
	B    any    `json:"b"`
}

// Diff lists in what two labels differ, ordered by path. Each is named as dir and key, so that an edited folder can be compared
// with the one that is live.
func Diff(dirA, keyA, dirB, keyB string, fragments []Fragment) ([]Difference, error) { return nil, nil }
