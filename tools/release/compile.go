package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const modulePath = "github.com/wattle-portal/wattle"

// platform is an operating system and an architecture, with their Go names (GOOS and GOARCH).
type platform struct{ OS, Arch string }

func (p platform) String() string { return p.OS + "/" + p.Arch }

// platforms lists the platforms of a release. Plugins are tested on Linux only.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"darwin", "amd64"}, {"windows", "amd64"}}

func all() []string {
	var names []string
	for _, p := range platforms {
		names = append(names, p.String())
	}
	return names
}

func parsePlatform(name string) (platform, error) {
	at := slices.Index(all(), strings.TrimSpace(name))
	if at < 0 {
		return platform{}, fmt.Errorf("release: %q is none of %s", name, strings.Join(all(), ", "))
	}
	return platforms[at], nil
}

// program returns the file name of the program.
func (p platform) program() string {
	if p.OS == "windows" {
		return "wattle.exe"
	}
	return "wattle"
}

// environment returns the environment for building for a platform: no setting of the machine affects the result.
func (p platform) environment() []string {
	return append(os.Environ(), "GOOS="+p.OS, "GOARCH="+p.Arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=-trimpath -gcflags=all=-dwarf=false", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
}

// compile builds the program for a platform: static, and without paths of this machine.
func (r *release) compile(p platform) error {
	began := time.Now()
	file := r.at(filepath.Join(".cache", "release", p.OS+"-"+p.Arch, p.program()))
	cmd := exec.Command("go", "build", "-buildvcs=true", "-ldflags", "-s -w -X "+modulePath+"/core/internal/operate/app.Version="+r.version,
		"-o", file, "./core/cmd/wattle")
	cmd.Dir, cmd.Env = r.root, p.environment()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("release: %s: %w\n%s", p, err, text)
	}
	fmt.Printf("release: %s in %.0f s\n", p, time.Since(began).Seconds())
	r.programs = append(r.programs, program{p, file})
	return nil
}
