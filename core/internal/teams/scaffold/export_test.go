package scaffold

import "io/fs"

// Files returns the files of a new module and its repository, without those that Repository adds.
func Files(m Module, template fs.FS) (map[string]string, error) {
	m.Path = "example.org/" + m.Key
	written, err := m.written(template)
	out := map[string]string{}
	for name, text := range written {
		out[name] = string(text)
	}
	return out, err
}
