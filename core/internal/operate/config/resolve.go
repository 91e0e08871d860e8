package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Problem is a mistake in the configuration, described for the operator. It never contains a password.
type Problem struct {
	File    string `json:"file,omitempty"` // empty: the value is not from the file
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Name    string `json:"name,omitempty"` // trusted_proxies in a file, else WATTLE_TRUSTED_PROXIES or --trusted-proxies
	Message string `json:"message"`
}

// String returns "file:line:column: name: message", which editors and terminals show as a link.
func (p Problem) String() string {
	text := p.Message
	if p.Name != "" {
		text = p.Name + ": " + text
	}
	switch {
	case p.File == "":
		return text
	case p.Line == 0:
		return p.File + ": " + text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, text)
}

// Problems is the error for a configuration with mistakes.
type Problems []Problem

// Error returns one line per mistake.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func (ps Problems) sorted() Problems {
	slices.SortFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(ps)
}

// err returns nil if there are no problems.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Kinds of origins. A later one takes precedence over an earlier one.
const (
	byDefault = "default"
	inFile    = "file"
	inEnv     = "environment"
	asFlag    = "flag"
)

var precedence = []string{byDefault, inFile, inEnv, asFlag}

// inAddressFile is the origin of an address that was read from the file that another setting names, such as database_file.
const inAddressFile = "address file"

// origin is the place from which the value of a setting was read.
type origin struct {
	Kind   string `json:"kind"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Name   string `json:"name,omitempty"` // of the environment variable, or of the setting with the name of the address file
}

func (o origin) String() string {
	switch o.Kind {
	case inFile:
		return o.File + ":" + strconv.Itoa(o.Line)
	case inEnv:
		return o.Name
	case inAddressFile:
		return o.Name + " (" + o.File + ")"
	}
	return o.Kind
}

// problem returns a problem with the value of the setting that has the given name in the file.
func (o origin) problem(name, message string) Problem {
	switch o.Kind {
	case inFile:
		return Problem{File: o.File, Line: o.Line, Column: o.Column, Name: name, Message: message}
	case inEnv:
		return Problem{Name: o.Name, Message: message}
	}
	return Problem{Name: "--" + strings.ReplaceAll(name, "_", "-"), Message: message}
}

const originAnnotation = "wattle-origin"

// remember stores the origin of a flag's value in the flag.
func (o origin) remember(f *pflag.Flag) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[originAnnotation] = []string{o.Kind, o.File, strconv.Itoa(o.Line), strconv.Itoa(o.Column), o.Name}
}

func originOf(f *pflag.Flag) origin {
	if f == nil || len(f.Annotations[originAnnotation]) != 5 {
		if f != nil && f.Changed {
			return origin{Kind: asFlag}
		}
		return origin{Kind: byDefault}
	}
	a := f.Annotations[originAnnotation]
	line, _ := strconv.Atoi(a[2])   // written by remember
	column, _ := strconv.Atoi(a[3]) // written by remember
	return origin{a[0], a[1], line, column, a[4]}
}

// EnvName returns the environment variable of a flag: --trusted-proxies is WATTLE_TRUSTED_PROXIES.
func EnvName(flag string) string {
	return "WATTLE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Resolve sets the flags that are not on the command line. It takes them from the environment, or else from the file in --config. It
// returns all mistakes in both as Problems.
func Resolve(f *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var problems Problems
	var file map[string]fromFile
	if named := f.Lookup(configFlag); named != nil {
		if v, set := lookup(EnvName(configFlag)); set && !named.Changed {
			if err := f.Set(configFlag, v); err != nil {
				return err
			}
			origin{Kind: inEnv, Name: EnvName(configFlag)}.remember(named)
		}
		if name := named.Value.String(); name != "" {
			file, problems = readFile(name)
		}
	}
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed {
			return
		}
		v, at := "", origin{Kind: inEnv, Name: EnvName(flag.Name)}
		if text, set := lookup(at.Name); set {
			v = text
		} else if setting, set := file[flag.Name]; set {
			v, at = setting.text, setting.at
		} else {
			return
		}
		if err := f.Set(flag.Name, v); err != nil {
			problems = append(problems, at.problem(key(flag.Name), "must be "+settingOf(flag).expected()))
			return
		}
		at.remember(flag)
	})
	if demo := f.Lookup("demo"); demo != nil && demo.Value.String() == "true" {
		for name, v := range demoDefaults {
			if flag := f.Lookup(name); flag != nil && !flag.Changed {
				if err := flag.Value.Set(v); err != nil {
					return errors.Join(problems.err(), err)
				}
			}
		}
	}
	return problems.err()
}

// demoDefaults contains the defaults that differ in a demo: its terminal shows the welcome text and only warnings, and there is no load
// balancer to wait for.
var demoDefaults = map[string]string{"log-level": "WARN", "drain": "0s"}

// problem returns a problem with the value of a flag, at the place from which the value was read.
func (c *Config) problem(flag, format string, args ...any) Problem {
	if file, ok := c.via[flag]; ok {
		flag = file
	}
	return c.origin(flag).problem(key(flag), fmt.Sprintf(format, args...))
}

func (c *Config) origin(flag string) origin {
	if c.flags == nil {
		return origin{Kind: byDefault}
	}
	return originOf(c.flags.Lookup(flag))
}

// rank returns the precedence of the origin of a flag's value.
func (c *Config) rank(flag string) int { return slices.Index(precedence, c.origin(flag).Kind) }
