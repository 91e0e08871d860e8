// Command failures reads `go test -json` from its standard input and prints what a person wants of it: the output of what failed,
// a line per package, and a closing count.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

func main() {
	output := map[string][]string{}
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
				show(output[id])
			case "fail":
				failed++
				show(output[id])
			}
			delete(output, id)
		}
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
}

func show(lines []string) {
	for _, l := range lines {
		fmt.Print(l)
	}
}
