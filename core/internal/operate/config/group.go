package config

import "github.com/spf13/pflag"

// groupAnnotation contains the title of the group of a flag.
const groupAnnotation = "wattle-group"

// groups contains the flags of Flags by subject, in the order of `wattle help options`.
var groups = []struct {
	title string
	flags []string
}{
	{"Installation", []string{configFlag, "data", "labels", "files", "secret-file"}},
	{"Database", []string{"database", "database-file", "database-direct", "database-direct-file"}},
	{"Server", []string{"addr", "admin-addr", "trusted-proxies", "drain", "log-level", "front", "dev"}},
	{"Plugins", []string{"plugins", "plugin-digest", "remotes"}},
	{"Mail", []string{"smtp", "smtp-file", "mail-from"}},
	{"Passwords", []string{"password-hash", "hash-cores"}},
	{"Retention", []string{"keep-sessions-days", "keep-impersonations-days", "keep-tokens-days", "keep-messages-days", "keep-dead-letters-days",
		"keep-mailbox-days", "keep-logs-days"}},
	{"Demo", []string{"demo", "clock"}},
}

// markGroups marks the flags that this package has registered with their groups.
func markGroups(f *pflag.FlagSet) {
	for _, g := range groups {
		for _, name := range g.flags {
			if f.Lookup(name) != nil {
				_ = f.SetAnnotation(name, groupAnnotation, []string{g.title}) // the flag is there
			}
		}
	}
}

// Groups returns the titles of the groups of flags, in order.
func Groups() (titles []string) {
	for _, g := range groups {
		titles = append(titles, g.title)
	}
	return titles
}

// Group returns the title of the group of a flag that this package has registered, or "" for a flag that belongs to one command.
func Group(f *pflag.Flag) string {
	if title := f.Annotations[groupAnnotation]; len(title) > 0 {
		return title[0]
	}
	return ""
}

// Shared returns the flags of Flags in the order of their groups.
func Shared() (flags []*pflag.Flag) {
	all := scratch()
	for _, g := range groups {
		for _, name := range g.flags {
			flags = append(flags, all.Lookup(name))
		}
	}
	return flags
}
