package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// folders are the settings with a path.
var folders = []string{"data", "labels", "plugins", "remotes", "front", "files", "secret-file", configFlag}

// Environ returns environ with this configuration, so that a process in another folder has the same. Check must have been called. The
// addresses of database and mail server take the place of the files that they were read from.
func (c *Config) Environ(environ []string) ([]string, error) {
	mine := map[string]string{}
	var err error
	scratch().VisitAll(func(f *pflag.Flag) {
		given := c.flags.Lookup(f.Name)
		isFolder := slices.Contains(folders, f.Name)
		if given == nil || !given.Changed && !isFolder {
			return
		}
		v := given.Value.String()
		if list, ok := given.Value.(pflag.SliceValue); ok {
			v = strings.Join(list.GetSlice(), ",")
		}
		if isFolder {
			if v == "" {
				return
			}
			if !strings.Contains(v, "://") {
				abs, e := filepath.Abs(v)
				if e != nil {
					err = e
				}
				v = abs
			}
		}
		mine[EnvName(f.Name)] = v
	})
	for flag, v := range map[string]string{"database": c.Database, "smtp": c.SMTP} {
		delete(mine, EnvName(flag+"-file"))
		if v != "" {
			mine[EnvName(flag)] = v
		}
		environ = slices.DeleteFunc(slices.Clone(environ), func(line string) bool { return strings.HasPrefix(line, EnvName(flag+"-file")+"=") })
	}
	for name, v := range mine {
		environ = append(environ, name+"="+v) // of two values, the last one counts
	}
	return environ, err
}
