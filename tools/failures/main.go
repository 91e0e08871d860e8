// Command failures reads the output of `go test -json` from standard input and prints a report: the output of failed tests, a line for
// each package, and finally the skipped tests, grouped and counted by reason.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

func main() {
	output, skips := map[string][]string{}, map[string][]string{}
	var passed, failed, skipped int
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
			continue
		}
		id := e.Package + " " + e.Test
		switch e.Action {
		case "output":
			output[id] = append(output[id], e.Output)
		case "build-output":
			fmt.Print(e.Output)
		case "pass", "skip", "fail":
			if e.Test == "" {
				if e.Action != "skip" {
					fmt.Printf("%-4s %s %.1fs\n", e.Action, e.Package, e.Elapsed)
				}
				if e.Action == "fail" {
					show(output[id])
				}
				continue
			}
			switch e.Action {
			case "pass":
				passed++
			case "skip":
				skipped++
				why := reason(output[id])
				skips[why] = append(skips[why], path.Base(e.Package)+" "+e.Test)
			case "fail":
				failed++
				show(output[id])
			}
			delete(output, id)
		}
	}
	list(os.Stdout, skips)
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
}

func show(lines []string) {
	for _, l := range lines {
		fmt.Print(l)
	}
}

// said matches the line that t.Skip prints.
var said = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)`)

// reason returns the last message of a skipped test.
func reason(lines []string) string {
	for _, l := range slices.Backward(lines) {
		if m := said.FindStringSubmatch(l); m != nil && m[1] != "" {
			return m[1]
		}
	}
	return "no reason given"
}

// list prints the skipped tests by reason, so that readers see what was not tested.
func list(w io.Writer, skips map[string][]string) {
	for _, why := range slices.Sorted(maps.Keys(skips)) {
		fmt.Fprintf(w, "skipped: %s: %s\n", why, strings.Join(skips[why], ", "))
	}
}
