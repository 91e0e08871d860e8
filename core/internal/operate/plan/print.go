package plan

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// Print prints what would be stored and refused, and the commands that come next.
func (p *Plan) Print(out io.Writer, o Options) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FILE\tKIND\tCOLUMNS\tRECORDS\tREFUSED")
	for _, f := range p.Files {
		if f.Kind == "" {
			fmt.Fprintf(w, "%s\t-\t-\t-\t-\n", f.Name)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d\t%d\n", f.Name, f.Kind, f.Read, f.Columns, f.Records, f.Refused)
	}
	_ = w.Flush() // the reader has closed the pipe
	for _, f := range p.Files {
		if f.Problem != "" {
			fmt.Fprintf(out, "\n%s: %s\n", f.Name, f.Problem)
		}
		if len(f.Reasons) > 0 {
			fmt.Fprintf(out, "\n%s, refused:\n  %s\n", f.Name, strings.Join(f.Reasons, "\n  "))
		}
		if len(f.Warnings) > 0 {
			fmt.Fprintf(out, "\n%s, stored although it looks wrong:\n  %s\n", f.Name, strings.Join(f.Warnings, "\n  "))
		}
	}
	if len(p.Others) > 0 {
		fmt.Fprintf(out, "\nnot read, because their names do not end in .csv: %s\n", strings.Join(p.Others, ", "))
	}
	fmt.Fprintln(out, "\nNothing is stored: the files were imported into an empty database, which has been removed.")
	if p.IsNew {
		fmt.Fprintf(out, "Correct the mappings in %s, and give the same command again.\n", p.Mappings)
	}
	fmt.Fprintf(out, "When they are right:\n  cat %s >> %s\n  wattle labels vet %s\n", quoted(p.Mappings),
		quoted(filepath.Join(o.Labels, o.Label, "label.cue")), o.Label)
	for _, f := range p.Files {
		if f.Mapping != "" {
			fmt.Fprintf(out, "  wattle import --label %s --mapping %s %s\n", o.Label, f.Mapping, quoted(filepath.Join(o.Dir, f.Name)))
		}
	}
}

// quoted returns a path as a word of a shell.
func quoted(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
