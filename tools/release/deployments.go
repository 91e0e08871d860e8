package main

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
)

// chartVersion matches the lines of Chart.yaml that a release sets.
var chartVersion = regexp.MustCompile(`(?m)^(version|appVersion): .*$`)

// composeImage is the image that compose.yaml in the repository uses.
const composeImage = "wattle:0.0.0"

// deployments writes the Helm chart in the way helm packages it, and the compose file, with the version of the release.
func (r *release) deployments() error {
	entries, err := entriesOf(r.at("deploy/helm/wattle"))
	if err != nil {
		return err
	}
	for i := range entries {
		if entries[i].name == "Chart.yaml" {
			raw, err := entries[i].read()
			if err != nil {
				return err
			}
			entries[i].content, entries[i].file = chartVersion.ReplaceAll(raw, []byte("$1: "+r.version)), ""
		}
		entries[i].name = "wattle/" + entries[i].name
	}
	if err := r.stream("wattle-"+r.version+".tgz", func(w io.Writer) error { return writeTarGz(w, entries, r.time) }); err != nil {
		return err
	}
	raw, err := os.ReadFile(r.at("deploy/compose/compose.yaml"))
	if err != nil {
		return err
	}
	return r.put("compose.yaml", bytes.ReplaceAll(raw, []byte(composeImage),
		[]byte("wattle:"+strings.ReplaceAll(r.version, "+", "-")+"-amd64")))
}
