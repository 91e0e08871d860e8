package config

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
)

// Report is the effective configuration, for `wattle config check`. It contains no passwords.
type Report struct {
	OK       bool      `json:"ok"`
	File     string    `json:"file,omitempty"`
	Problems []Problem `json:"problems"`
	Warnings []string  `json:"warnings"`
	Settings []Value   `json:"settings"` // empty while there are problems
}

// Value is the effective value of a setting.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // "(set)" for one that may contain a password
	Origin origin `json:"origin"`
}

// Inspect resolves and checks the configuration with flags f, like Resolve and Check. environ is the environment of the process, as
// NAME=value.
func (c *Config) Inspect(f *pflag.FlagSet, environ []string) Report {
	env := map[string]string{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		env[name] = value
	}
	r := Report{Problems: []Problem{}, Settings: []Value{}}
	err := Resolve(f, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	for _, e := range []error{err, c.Check()} {
		if ps, ok := errors.AsType[Problems](e); ok {
			r.Problems = append(r.Problems, ps...)
		} else if e != nil {
			r.Problems = append(r.Problems, Problem{Message: e.Error()})
		}
	}
	r.Problems = append([]Problem{}, Problems(r.Problems).sorted()...)
	r.File, r.OK, r.Warnings = c.File, len(r.Problems) == 0, similarVariables(env)
	for _, s := range Settings() {
		if !r.OK || s.isHidden {
			continue
		}
		flag := f.Lookup(s.Flag)
		v := Value{Key: s.Key, Value: flag.Value.String(), Origin: originOf(flag)}
		if file, ok := c.via[s.Flag]; ok {
			v.Origin = origin{Kind: inAddressFile, File: f.Lookup(file).Value.String(), Name: key(file)}
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			v.Value = strings.Join(list.GetSlice(), ", ")
		}
		if s.IsSecret && v.Value != "" {
			v.Value = "(set)"
		}
		r.Settings = append(r.Settings, v)
	}
	return r
}

// similarVariables returns messages about environment variables that resemble a setting but are not one.
func similarVariables(env map[string]string) []string {
	all, out := Settings(), []string{}
	for name := range env {
		rest, ours := strings.CutPrefix(name, "WATTLE_")
		if !ours || name == EnvName(configFlag) || slices.ContainsFunc(all, func(s Setting) bool { return EnvName(s.Flag) == name }) {
			continue
		}
		for _, s := range all { // similar enough to be a typo; the secret of a label may have any other name
			if !s.isHidden && mistake.Distance(strings.ToLower(rest), s.Key) <= max(2, len(rest)/4) {
				out = append(out, fmt.Sprintf("%s is in the environment and is not a setting; did you mean %s?", name, EnvName(s.Flag)))
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// Print prints the report: the problems, or each setting.
func (r Report) Print(out io.Writer) {
	for _, p := range r.Problems {
		fmt.Fprintln(out, p)
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(out, "warning:", w)
	}
	if !r.OK {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tVALUE\tORIGIN")
	for _, v := range r.Settings {
		value := v.Value
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Key, value, v.Origin)
	}
	_ = w.Flush() // the reader has closed the pipe
}
