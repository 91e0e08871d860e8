package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	rpmutils "github.com/sassoftware/go-rpmutils"
	"github.com/stretchr/testify/require"
)

// need skips a test on a machine that does not have a command.
func need(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	var errors bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &errors
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s", out, errors.String())
	return string(out)
}

// script runs a package script on a system where every command only prints how it was called.
func script(t *testing.T, name string, isRunning bool, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, command := range []string{"getent", "groupadd", "useradd", "chgrp", "install", "systemctl", "rm", "userdel", "deluser"} {
		text := "#!/bin/sh\necho " + command + " \"$@\"\n"
		if command == "getent" {
			text = "#!/bin/sh\nexit 2\n" // the user does not exist yet
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, command), []byte(text), 0o700))
	}
	raw, err := os.ReadFile(filepath.Join(repository, "deploy/linux", name))
	require.NoError(t, err)
	systemd := filepath.Join(dir, "absent")
	if isRunning {
		systemd = dir
	}
	text := strings.ReplaceAll(string(raw), "/run/systemd/system", systemd)
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
	cmd := exec.Command("/bin/sh", append([]string{file}, args...)...)
	cmd.Env = []string{"PATH=" + dir + ":/bin:/usr/bin"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestLinuxPackages(t *testing.T) {
	r := fixture(t, nil)
	require.NoError(t, r.put("THIRD_PARTY_LICENSES", []byte("licences")))
	require.NoError(t, r.linuxPackages())
	monitoringFiles := []string{"alerts.yaml", "service.dashboard.json", "work.dashboard.json", "monitoring.md"}
	for _, a := range alertRules(t) {
		monitoringFiles = append(monitoringFiles, "runbooks/"+a.Alert+".md")
	}

	// The scripts do the same in both formats; only their arguments differ.
	scripts := func(t *testing.T, first, upgrade, remove []string) {
		t.Helper()
		out := script(t, "postinstall.sh", true, first...)
		require.Regexp(t, `useradd --system .*--shell /usr/sbin/nologin .*wattle`, out)
		require.Contains(t, out, "install -d -o wattle -g wattle -m 0700 /var/lib/wattle")
		require.Contains(t, out, "chgrp wattle /etc/wattle/wattle.cue /etc/wattle/wattle.env /etc/wattle/labels")
		require.NotRegexp(t, `(?m)^systemctl (re|try-re)?start`, out)
		require.Contains(t, out, "does not run yet")
		out = script(t, "postinstall.sh", true, upgrade...)
		require.Contains(t, out, "systemctl daemon-reload\nsystemctl try-restart wattle.service")
		require.NotContains(t, out, "does not run yet")
		require.NotContains(t, script(t, "postinstall.sh", false, upgrade...), "systemctl")
		require.Contains(t, script(t, "preremove.sh", true, remove...), "systemctl disable --now wattle.service")
		for _, when := range [][]string{remove, {"purge"}} { // data, labels and the user stay
			for _, name := range []string{"preremove.sh", "postremove.sh"} {
				require.NotRegexp(t, `(?m)^(userdel|deluser|rm .*(/var/lib|/etc))`, script(t, name, true, when...), name)
			}
		}
	}

	t.Run("11-release-deb,11-release-monitoring", func(t *testing.T) {
		need(t, "dpkg-deb")
		for _, arch := range []string{"amd64", "arm64"} {
			file := filepath.Join(r.out, r.name("linux_"+arch)+".deb")
			require.Equal(t, "wattle 1.2.3~dev.h0123-1 "+arch+"\n", output(t, "dpkg-deb", "-W",
				"--showformat=${Package} ${Version} ${Architecture}\n", file))
			list := output(t, "dpkg-deb", "--contents", file)
			for _, name := range monitoringFiles {
				require.Contains(t, list, " ./usr/share/wattle/monitoring/"+name+"\n")
			}
			for _, line := range []string{
				`-rwxr-xr-x root/root .* \./usr/bin/wattle`, `-rw-r----- root/root .* \./etc/wattle/wattle.env`,
				`-rw-r----- root/root .* \./etc/wattle/wattle.cue`, `drwxr-x--- root/root .* \./etc/wattle/labels/`,
				`-rw-r--r-- root/root .* \./usr/lib/systemd/system/wattle.service`, `-rw-r--r-- root/root .* \./usr/share/doc/wattle/copyright`,
				`-rw-r--r-- root/root .* \./usr/share/doc/wattle/THIRD_PARTY_LICENSES`,
			} {
				require.Regexp(t, `(?m)^`+line+`$`, regexp.MustCompile(` +`).ReplaceAllString(list, " "))
			}
			require.ElementsMatch(t, []string{"/etc/wattle/wattle.cue", "/etc/wattle/wattle.env"},
				strings.Fields(output(t, "dpkg-deb", "--info", file, "conffiles")))
			for _, name := range []string{"postinst", "prerm", "postrm"} {
				require.Contains(t, output(t, "dpkg-deb", "--info", file, name), "wattle")
			}
		}
		scripts(t, []string{"configure", ""}, []string{"configure", "1.2.2"}, []string{"remove"})
		require.Empty(t, script(t, "preremove.sh", true, "upgrade", "1.2.4"), "the previous version serves until the new one is there")
		out := script(t, "postremove.sh", true, "purge")
		require.Contains(t, out, "/var/lib/wattle, the labels in /etc/wattle/labels and the user wattle stay")
		require.Contains(t, out, "rm -f /usr/bin/wattle.previous")
		require.NotContains(t, script(t, "postremove.sh", true, "remove"), "rm -f", "installed again, it may still go back")
	})
	t.Run("11-release-rpm,11-release-monitoring", func(t *testing.T) {
		for arch, name := range map[string]string{"amd64": "x86_64", "arm64": "aarch64"} {
			f, err := os.Open(filepath.Join(r.out, r.name("linux_"+arch)+".rpm"))
			require.NoError(t, err)
			p, err := rpmutils.ReadHeader(f)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			about, err := p.GetNEVRA()
			require.NoError(t, err)
			require.Equal(t, []string{"wattle", "1.2.3~dev.h0123", "1", name}, []string{about.Name, about.Version, about.Release, about.Arch})
			list, err := p.GetFiles()
			require.NoError(t, err)
			files := map[string]rpmutils.FileInfo{}
			for _, f := range list {
				files[f.Name()] = f
				require.Equal(t, "root root", f.UserName()+" "+f.GroupName())
			}
			for _, name := range monitoringFiles {
				require.Contains(t, files, "/usr/share/wattle/monitoring/"+name)
			}
			const regular, folder = 0o100000, 0o040000
			for name, mode := range map[string]int{"/usr/bin/wattle": regular | 0o755, "/etc/wattle/wattle.cue": regular | 0o640,
				"/etc/wattle/wattle.env": regular | 0o640, "/etc/wattle/labels": folder | 0o750,
				"/usr/lib/systemd/system/wattle.service": regular | 0o644, "/usr/share/doc/wattle/THIRD_PARTY_LICENSES": regular | 0o644} {
				f, there := files[name]
				require.True(t, there, name)
				require.Equal(t, mode, f.Mode(), name)
			}
			for _, name := range []string{"/etc/wattle/wattle.cue", "/etc/wattle/wattle.env"} {
				require.Equal(t, rpmutils.RPMFILE_CONFIG|rpmutils.RPMFILE_NOREPLACE, files[name].Flags(), "changed settings stay")
			}
			for tag, part := range map[int]string{rpmutils.POSTIN: "useradd", rpmutils.PREUN: "disable --now", rpmutils.POSTUN: "daemon-reload"} {
				text, err := p.GetString(tag)
				require.NoError(t, err)
				require.Contains(t, text, part)
			}
			if _, err := exec.LookPath("dpkg-deb"); err == nil {
				var ofDeb, ofRPM []string
				for line := range strings.Lines(output(t, "dpkg-deb", "--contents", filepath.Join(r.out, r.name("linux_"+arch)+".deb"))) {
					if f := strings.Fields(line); f[0][0] == '-' {
						ofDeb = append(ofDeb, strings.TrimPrefix(f[len(f)-1], "."))
					}
				}
				for name, f := range files {
					if f.Mode()&folder == 0 {
						ofRPM = append(ofRPM, name)
					}
				}
				require.ElementsMatch(t, ofDeb, ofRPM, "the same files")
			}
			host, err := p.GetString(rpmutils.BUILDHOST)
			require.NoError(t, err)
			require.Equal(t, "localhost", host)
		}
		scripts(t, []string{"1"}, []string{"2"}, []string{"0"})
		require.Empty(t, script(t, "preremove.sh", true, "1"), "an upgrade runs the script of the previous version last")
		require.Empty(t, script(t, "postremove.sh", true, "1"))
		require.Contains(t, script(t, "postremove.sh", true, "0"), "rm -f /usr/bin/wattle.previous")
	})
}

func TestUnit(t *testing.T) {
	t.Run("11-release-unit", func(t *testing.T) {
		need(t, "systemd-analyze")
		raw, err := os.ReadFile(filepath.Join(repository, "deploy/linux/wattle.service"))
		require.NoError(t, err)
		unit := string(raw)
		for _, line := range []string{"ProtectSystem=strict", "StateDirectory=wattle", "CapabilityBoundingSet=", "NoNewPrivileges=yes",
			"MemoryDenyWriteExecute=yes", "User=wattle", "Environment=WATTLE_CONFIG=/etc/wattle/wattle.cue"} {
			require.Contains(t, unit, "\n"+line+"\n")
		}
		require.NotContains(t, unit, "NoExecPaths", "plugins run from the data folder")
		require.NotRegexp(t, `(?m)^(ReadWritePaths|BindPaths|ExecPaths|NoExecPaths|(Cache|Logs|Configuration|Runtime)Directory)=`, unit)
		dir := t.TempDir()
		file := filepath.Join(dir, "wattle.service")
		// the program of the unit must exist
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(unit, "/usr/bin/wattle serve", "/bin/true serve", 1)), 0o600))
		cmd := exec.Command("systemd-analyze", "verify", "--man=no", file)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.NotContains(t, string(out), "wattle.service:", "warnings too")
		text := output(t, "systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", file)
		require.Regexp(t, `Overall exposure level for wattle.service: [01]\.\d`, text)
		wrong := strings.Replace(unit, "CapabilityBoundingSet=\n", "", 1)
		require.NoError(t, os.WriteFile(file, []byte(wrong), 0o600))
		require.Error(t, exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", file).Run(),
			"the threshold counts")
	})
}
