// Command broken is a version of the program that migrates and stores something, but never becomes healthy. TEST_REAL is the path of the
// real program.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "wattle:", err)
		os.Exit(1)
	}
}

func run(command string, args []string) error {
	switch command {
	case "version":
		return json.NewEncoder(os.Stdout).Encode(map[string]string{"version": "0.3.0", "upgrades_from": "0.1.0", "os": runtime.GOOS, "arch": runtime.GOARCH})
	case "migrate":
		for _, line := range [][]string{{"migrate"}, {"staff", "add", "--label", "1042", "--username", "of.broken", "--email", "broken@example.org", "--name", "Broken"}} {
			if out, err := exec.Command(os.Getenv("TEST_REAL"), line...).CombinedOutput(); err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
		}
		return nil
	case "serve":
		addr := ""
		for _, a := range args {
			if v, ok := strings.CutPrefix(a, "--addr="); ok {
				addr = v
			}
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return err
		}
		fmt.Printf("{\"addr\":%q}\n", l.Addr())
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); os.Exit(0) }()
		return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	}
	return fmt.Errorf("unknown command %q", command)
}
