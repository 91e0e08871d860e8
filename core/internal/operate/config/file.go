package config

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/cuecontext"
	cueerrors "cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
	"cuelang.org/go/encoding/yaml"
	"github.com/spf13/pflag"

	"github.com/wattle-portal/wattle/core/internal/base/mistake"
)

// Setting is a flag of `wattle serve`, which is also an environment variable and a name in the configuration file.
type Setting struct {
	Key      string `json:"key"` // in the file: trusted_proxies
	Flag     string `json:"-"`   // trusted-proxies
	Usage    string `json:"-"`
	Default  string `json:"-"`
	IsSecret bool   `json:"-"` // its value may contain a password
	isHidden bool
	kind     string
}

// secretAnnotation marks a flag whose value may contain a password.
const secretAnnotation = "wattle-secret"

// configFlag is the flag with the name of the configuration file, and the only flag that the file cannot contain.
const configFlag = "config"

// Settings returns all settings by name. They are derived from the flags, so none is missing.
func Settings() (out []Setting) {
	scratch().VisitAll(func(f *pflag.Flag) {
		if f.Name != configFlag {
			out = append(out, settingOf(f))
		}
	})
	return out
}

// levelKind is the kind of the only flag with a custom type.
const levelKind = "level"

func settingOf(f *pflag.Flag) Setting {
	return Setting{Key: key(f.Name), Flag: f.Name, Usage: f.Usage, Default: f.DefValue, IsSecret: f.Annotations[secretAnnotation] != nil,
		isHidden: f.Hidden, kind: cmp.Or(f.Value.Type(), levelKind)}
}

// key returns the name of a flag in the file: --trusted-proxies is trusted_proxies.
func key(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// scratch returns the flags of `wattle serve` with their defaults.
func scratch() *pflag.FlagSet {
	c, f := Default(), pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Flags(f)
	return f
}

// fromFile is a valid value from the file, in the form that its flag accepts.
type fromFile struct {
	text string
	at   origin
}

// readFile reads the configuration file. It returns the valid values by flag name, and the problems of all other values.
func readFile(name string) (map[string]fromFile, Problems) {
	source, err := os.ReadFile(name)
	if err != nil {
		reason := err
		if e, ok := errors.AsType[*os.PathError](err); ok {
			reason = e.Err
		}
		return nil, Problems{{File: name, Message: fmt.Sprintf("the configuration file cannot be read: %v", reason)}}
	}
	var file *ast.File
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		file, err = yaml.Extract(name, source)
	default:
		file, err = parser.ParseFile(name, source)
	}
	if err != nil {
		return nil, explain(name, err)
	}
	root := cuecontext.New().BuildFile(file)
	fields, err := root.Fields(cue.All())
	if err == nil {
		err = root.Err()
	}
	if err == nil && root.IncompleteKind() != cue.StructKind {
		return nil, Problems{{File: name, Line: 1, Column: 1, Message: `the file has lines such as addr: "127.0.0.1:8080"`}}
	}
	if err != nil {
		return nil, explain(name, err)
	}
	settings, values, problems := Settings(), map[string]fromFile{}, Problems(nil)
	for fields.Next() {
		if sel := fields.Selector(); !sel.IsString() || sel.ConstraintType() != 0 { // definitions and hidden fields are only used within the file
			continue
		}
		field, v := fields.Selector().Unquoted(), fields.Value()
		at := locate(file, field, v)
		i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == field })
		if i < 0 {
			problems = append(problems, at.problem(field, "there is no such setting"+suggest(settings, field)))
			continue
		}
		text, message := settings[i].read(v)
		if message != "" {
			problems = append(problems, at.problem(field, message))
			continue
		}
		values[settings[i].Flag] = fromFile{text, at}
	}
	if err := root.Validate(cue.Concrete(true)); err != nil && len(problems) == 0 {
		problems = append(problems, explain(name, err)...)
	}
	for flag, v := range values { // a file with a password must be private, like the secret file
		if hasPassword(v.text) && isOpen(name) {
			problems = append(problems, v.at.problem(key(flag),
				"has a password, and everybody on this machine can read or change the file: chmod 640 "+name+
					", or put the address into a file of its own and name that in "+key(flag)+"_file"))
		}
	}
	return values, problems.sorted()
}

// locate returns the position of a field: of its name in the source, or else of its value.
func locate(file *ast.File, field string, v cue.Value) origin {
	pos := v.Pos()
	ast.Walk(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			if label, _, err := ast.LabelName(f.Label); err == nil && label == field && f.Pos().IsValid() {
				pos = f.Pos()
			}
			return false
		}
		return true
	}, nil)
	return originAt(file.Filename, pos)
}

func originAt(name string, pos token.Pos) origin {
	if !pos.IsValid() {
		return origin{Kind: inFile, File: name, Line: 1, Column: 1}
	}
	return origin{Kind: inFile, File: name, Line: pos.Line(), Column: pos.Column()}
}

// read returns the value in the form that the flag accepts, or the problem with it.
func (s Setting) read(v cue.Value) (text, message string) {
	var err error
	switch s.kind {
	case "bool":
		var is bool
		is, err = v.Bool()
		text = strconv.FormatBool(is)
	case "int":
		var n int64
		n, err = v.Int64()
		text = strconv.FormatInt(n, 10)
	case "stringSlice":
		var all []string
		if err = v.Decode(&all); err == nil && len(all) > 0 {
			var line strings.Builder
			w := csv.NewWriter(&line)
			err = w.Write(all)
			w.Flush()
			text = strings.TrimSuffix(line.String(), "\n")
		}
	default:
		text, err = v.String()
	}
	if err == nil {
		err = s.try(text)
	}
	if err != nil {
		return "", "must be " + s.expected()
	}
	return text, ""
}

// try returns an error for a string that the flag refuses.
func (s Setting) try(text string) error {
	if s.kind == "stringSlice" && text == "" {
		return nil
	}
	return scratch().Lookup(s.Flag).Value.Set(text)
}

// Expected describes the values that a flag accepts, for the end of a sentence that begins with "must be".
func Expected(f *pflag.Flag) string { return settingOf(f).expected() }

// expected describes the allowed values of a setting.
func (s Setting) expected() string {
	switch s.kind {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "duration":
		return `a duration with its unit, such as "5s" or "1m30s"`
	case "stringSlice":
		return `a list of texts: ["…", "…"]`
	case levelKind:
		return `"debug", "info", "warn" or "error"`
	}
	return "a text in quotes"
}

// explain converts CUE errors. It never repeats a value from the file, because it may be a password.
func explain(name string, err error) (out Problems) {
	for _, e := range cueerrors.Errors(err) {
		pos := e.Position()
		if !pos.IsValid() && len(e.InputPositions()) > 0 {
			pos = e.InputPositions()[0]
		}
		format, args := e.Msg()
		message := fmt.Sprintf(format, args...)
		switch path := strings.Join(e.Path(), "."); {
		case strings.Contains(format, "conflicting values"):
			message = "is set twice, to different values"
		case strings.Contains(format, "reference") && strings.Contains(format, "not found"):
			message += "; a text stands in quotes"
		case path == "" && filepath.Ext(name) == ".cue":
			message += `; a line is such as addr: "127.0.0.1:8080", with a text in quotes`
		}
		at := originAt(name, pos)
		out = append(out, at.problem(strings.Join(e.Path(), "."), message))
	}
	return out.sorted()
}

// suggest returns the setting that was probably meant, for the end of a sentence.
func suggest(settings []Setting, name string) string {
	if s := nearest(settings, name); s != "" {
		return "; did you mean " + s + "?"
	}
	return "; wattle config example prints all"
}

// nearest returns the setting whose name is most similar to name, or "".
func nearest(settings []Setting, name string) string {
	var keys []string
	for _, s := range settings {
		if !s.isHidden {
			keys = append(keys, s.Key)
		}
	}
	return mistake.Nearest(withoutPrefix.ReplaceAllString(name, ""), keys)
}

// withoutPrefix matches the prefix of a setting's environment variable.
var withoutPrefix = regexp.MustCompile(`(?i)^_*wattle[-_]`)

// hasPassword reports whether an address contains a password.
func hasPassword(address string) bool {
	if !strings.Contains(address, "://") {
		return false
	}
	u, err := url.Parse(address)
	if err != nil {
		return true // it may contain a password
	}
	_, has := u.User.Password()
	return has || u.Query().Get("password") != ""
}

// isOpen reports whether everybody on this machine can read or write a file.
func isOpen(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o006 != 0 && runtime.GOOS != "windows"
}

// Example returns a configuration file with all settings and their defaults, each as a comment.
func Example() string {
	var out strings.Builder
	out.WriteString("// Settings of wattle serve. Remove the slashes in front of a line to set it. wattle config check FILE checks the file.\n")
	for _, s := range Settings() {
		if s.isHidden {
			continue
		}
		value := strconv.Quote(s.Default)
		switch s.kind {
		case "bool", "int":
			value = s.Default
		case "stringSlice":
			value = "[]"
		case "duration":
			if d, err := time.ParseDuration(s.Default); err == nil {
				value = strconv.Quote(d.String())
			}
		}
		fmt.Fprintf(&out, "\n// %s\n// %s: %s\n", s.Usage, s.Key, value)
	}
	return out.String()
}
