package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// purl returns the package URL of a library.
func (p part) purl() string {
	var name []string
	for s := range strings.SplitSeq(p.name, "/") {
		name = append(name, url.PathEscape(s))
	}
	address := "pkg:" + p.kind + "/" + strings.ReplaceAll(strings.Join(name, "/"), "@", "%40")
	if p.version == "" {
		return address
	}
	return address + "@" + url.PathEscape(p.version)
}

func (p part) component() cyclonedx.Component {
	c := cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: p.purl(), PackageURL: p.purl(), Name: p.name, Version: p.version,
		Scope: cyclonedx.ScopeRequired}
	if group, name, scoped := strings.Cut(p.name, "/"); scoped && p.kind == "npm" {
		c.Group, c.Name = group, name
	}
	if len(p.sum) > 0 {
		c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgorithm(p.algorithm), Value: hex.EncodeToString(p.sum)}}
	}
	var licences cyclonedx.Licenses
	for _, id := range p.ids() {
		licences = append(licences, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
	}
	c.Licenses = &licences
	var properties []cyclonedx.Property
	for _, name := range p.platforms {
		properties = append(properties, cyclonedx.Property{Name: "wattle:platform", Value: name})
	}
	if len(properties) > 0 {
		c.Properties = &properties
	}
	return c
}

// billOfMaterials writes the bill of materials of the programs, in CycloneDX. Go modules list the platforms whose program contains them.
func (r *release) billOfMaterials(parts []part) error {
	return r.stream(r.name("sbom.cdx.json"), func(w io.Writer) error { return r.writeBOM(w, parts) })
}

func (r *release) writeBOM(w io.Writer, parts []part) error {
	var components []cyclonedx.Component
	var needs []string
	all := sha256.New()
	for _, p := range parts {
		components = append(components, p.component())
		needs = append(needs, p.purl())
		fmt.Fprintln(all, p.purl(), hex.EncodeToString(p.sum))
	}
	self := part{kind: "golang", name: modulePath, version: "v" + r.version}
	fmt.Fprintln(all, self.purl())
	b := cyclonedx.NewBOM()
	b.SerialNumber = "urn:uuid:" + uuid(all.Sum(nil))
	b.Metadata = &cyclonedx.Metadata{
		Timestamp: r.time.Format(time.RFC3339),
		Component: &cyclonedx.Component{Type: cyclonedx.ComponentTypeApplication, BOMRef: self.purl(), PackageURL: self.purl(), Name: "wattle",
			Version: r.version, Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}}},
	}
	b.Components = &components
	b.Dependencies = &[]cyclonedx.Dependency{{Ref: self.purl(), Dependencies: &needs}}
	e := cyclonedx.NewBOMEncoder(w, cyclonedx.BOMFileFormatJSON)
	return e.SetPretty(true).EncodeVersion(b, cyclonedx.SpecVersion1_6)
}

// uuid returns a version 8 UUID (RFC 9562) derived from a checksum, so that the same content always has the same UUID.
func uuid(sum []byte) string {
	b := [16]byte(sum[:16])
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
