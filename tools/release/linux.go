package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// formats maps package formats to the package that each needs to create a user.
var formats = map[string]string{"deb": "passwd", "rpm": "shadow-utils"}

// linuxPackages writes a .deb and a .rpm for each architecture.
func (r *release) linuxPackages() error {
	monitoring, err := r.monitoring()
	if err != nil {
		return err
	}
	for _, p := range r.on("linux") {
		for format, makesUsers := range formats {
			packager, err := nfpm.Get(format)
			if err != nil {
				return err
			}
			info := r.linuxPackage(p, format, makesUsers, monitoring)
			if err := nfpm.PrepareForPackager(info, format); err != nil {
				return err
			}
			if err := r.stream(r.name(p.OS+"_"+p.Arch)+"."+format, func(w io.Writer) error { return packager.Package(info, w) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// linuxPackage describes a package. Its scripts create the user, keep data and settings, and restart the service after an upgrade.
func (r *release) linuxPackage(p program, format, makesUsers string, monitoring []entry) *nfpm.Info {
	file := func(source, to, kind string, mode os.FileMode) *files.Content {
		return &files.Content{Source: source, Destination: to, Type: kind, FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root",
			Mode: mode, MTime: r.time}}
	}
	document := func(name, source string) *files.Content {
		return file(source, "/usr/share/doc/wattle/"+name, files.TypeFile, 0o644)
	}
	contents := files.Contents{
		file(p.file, "/usr/bin/wattle", files.TypeFile, 0o755),
		file(r.at("deploy/linux/wattle.service"), "/usr/lib/systemd/system/wattle.service", files.TypeFile, 0o644),
		file(r.at("deploy/linux/wattle.cue"), "/etc/wattle/wattle.cue", files.TypeConfigNoReplace, 0o640),
		file(r.at("deploy/linux/wattle.env"), "/etc/wattle/wattle.env", files.TypeConfigNoReplace, 0o640),
		file("", "/etc/wattle/labels", files.TypeDir, 0o750),
		document("README.md", r.at("README.md")),
		document("CHANGELOG.md", r.at("CHANGELOG.md")),
		document("copyright", r.at("LICENSE")),
		document("THIRD_PARTY_LICENSES", filepath.Join(r.out, "THIRD_PARTY_LICENSES")),
	}
	for _, e := range monitoring {
		contents = append(contents, file(e.file, "/usr/share/wattle/monitoring/"+e.name, files.TypeFile, 0o644))
	}
	version, prerelease, _ := strings.Cut(r.version, "-")
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "wattle", Arch: p.Arch, Platform: "linux", Version: version, Prerelease: prerelease, Release: "1", Section: "web",
		Priority:   "optional",
		Maintainer: "Wattle <https://" + modulePath + ">", Vendor: "Wattle", Homepage: "https://" + modulePath, License: "Apache-2.0",
		Description: "Customer portal for energy retailers and cooperatives\nOne installation serves many labels (brands).",
		MTime:       r.time, DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Contents:   contents,
			Depends:    []string{"ca-certificates", makesUsers},
			Recommends: []string{"systemd"},
			Scripts: nfpm.Scripts{
				PostInstall: r.at("deploy/linux/postinstall.sh"), PreRemove: r.at("deploy/linux/preremove.sh"),
				PostRemove: r.at("deploy/linux/postremove.sh"),
			},
		},
	})
	info.RPM.BuildHost, info.RPM.Summary, info.Deb.Compression = "localhost", "Customer portal for energy retailers and cooperatives", "xz"
	if format == "rpm" {
		info.RPM.Compression = "zstd"
	}
	return info
}
