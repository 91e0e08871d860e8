package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// folders are the settings that contain a path.
var folders = []string{"data", "labels", "plugins", "remotes", "front", "files", "secret-file", configFlag}

// Environ returns environ with this configuration, so that a process started in another folder has the same configuration. Check must have
// been called. Addresses of the database and the mail server replace the names of the files from which they were read.
func (c *Config) Environ(environ []string) ([]string, error) {
	mine := map[string]string{}
	var err error
	scratch().VisitAll(func(f *pflag.Flag) {
		flag := c.flags.Lookup(f.Name)
		isFolder := slices.Contains(folders, f.Name)
		if flag == nil || !flag.Changed && !isFolder {
			return
		}
		v := flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
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
		environ = append(environ, name+"="+v) // if a name occurs twice, the last value counts
	}
	return environ, err
}
