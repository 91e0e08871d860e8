package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// provenance adds the files of the release to provenance.json, which `make release-packages` has started: an in-toto statement with a SLSA
// predicate. It states whether the release is signed.
func (r *release) provenance() error {
	type object = map[string]any
	file := filepath.Join(r.out, "provenance.json")
	var statement struct {
		Type          string `json:"_type"`
		PredicateType string `json:"predicateType"`
		Predicate     struct {
			BuildDefinition struct {
				BuildType            string   `json:"buildType"`
				ExternalParameters   object   `json:"externalParameters"`
				InternalParameters   object   `json:"internalParameters"`
				ResolvedDependencies []object `json:"resolvedDependencies"`
			} `json:"buildDefinition"`
			RunDetails object `json:"runDetails"`
		} `json:"predicate"`
		Subject []struct {
			Digest map[string]string `json:"digest"`
			Name   string            `json:"name"`
		} `json:"subject"`
	}
	if err := readJSON(file, &statement); err != nil {
		return err
	}
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	about := []string{"provenance.json", "packages.json", "CHANGELOG.md"}
	for _, e := range entries {
		if e.IsDir() || slices.Contains(about, e.Name()) || slices.Contains(signatureFiles, e.Name()) {
			continue
		}
		sum, err := checksum(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		statement.Subject = append(statement.Subject, struct {
			Digest map[string]string `json:"digest"`
			Name   string            `json:"name"`
		}{map[string]string{"sha256": sum}, e.Name()})
	}
	d := &statement.Predicate.BuildDefinition
	if d.InternalParameters == nil {
		return errors.New("provenance.json is not the one that make release-packages writes")
	}
	var names []string
	for _, p := range r.programs {
		names = append(names, p.String())
	}
	d.BuildType = "https://" + modulePath + "/blob/main/Makefile#release"
	d.ExternalParameters["platforms"] = names
	d.InternalParameters["signature"] = r.key.description()
	d.InternalParameters["toolchain"] = goVersion
	sum, err := checksum(r.at("tools/release/go.sum"))
	if err != nil {
		return err
	}
	d.ResolvedDependencies = append(d.ResolvedDependencies, object{"uri": "file:tools/release/go.sum", "digest": object{"sha256": sum}})
	raw, err := json.MarshalIndent(statement, "", "  ")
	if err != nil {
		return err
	}
	return r.put("provenance.json", append(raw, '\n'))
}
