package main

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// long skips a test that takes minutes and needs the npm and Debian registries: `make release-test` runs it.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("WATTLE_RELEASE") != "long" {
		t.Skip("make release-test")
	}
}

func runIn(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(args, " "), out)
}

// sums returns the checksums of all files of a release.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		require.NoError(t, err)
		found[name], err = checksum(file)
		return err
	}))
	return found
}

// The commit of this checkout is cloned into two folders and released in each, the second time with no results of the first build.
func TestTwoFolders(t *testing.T) {
	long(t)
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	made, dirs := make([]map[string]string, 2), []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "a longer/path to b")}
	for _, dir := range dirs { // clones both now: the checkout may change in the meantime
		runIn(t, root, nil, "git", "clone", "--quiet", "--no-hardlinks", root, dir)
	}
	for i, dir := range dirs {
		env := []string{}
		if i == 1 {
			env = append(env, "GOCACHE="+t.TempDir(), "TZ=Asia/Tokyo", "LANG=C")
		}
		names := all()
		if list := os.Getenv("PLATFORMS"); list != "" {
			names = strings.Split(list, ",")
		}
		runIn(t, dir, env, "make", "release", "PLATFORMS="+strings.Join(names, ","))
		made[i] = sums(t, filepath.Join(dir, "bin", "release"))
		for name, sum := range made[i] {
			if strings.HasPrefix(name, "wattle") {
				t.Log(sum, name)
			}
		}
		if i == 0 {
			t.Run("11-release-platforms", func(t *testing.T) {
				if len(names) < len(platforms) {
					t.Skip("PLATFORMS leaves some out")
				}
				for _, p := range platforms {
					require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(made[0])), func(name string) bool {
						return strings.Contains(name, p.OS+"_"+p.Arch+".")
					}), p.String())
				}
				this := thisPlatform()
				out := output(t, filepath.Join(dir, ".cache", "release", this.OS+"-"+this.Arch, this.program()), "version")
				var about struct{ Go string }
				require.NoError(t, readJSON(filepath.Join(dir, "bin", "release", "packages.json"), &about))
				require.Contains(t, out, "wattle "+strings.TrimPrefix(about.Go, "v")+" ")
				noLibraries(t, filepath.Join(dir, ".cache", "release", this.OS+"-"+this.Arch, this.program()))
			})
		}
	}
	t.Run("11-release-reproducible", func(t *testing.T) {
		require.Equal(t, slices.Sorted(maps.Keys(made[0])), slices.Sorted(maps.Keys(made[1])))
		for name, sum := range made[0] {
			assert.Equal(t, sum, made[1][name], name)
		}
	})
}

// The .deb of bin/wattle in a clean Debian: installed, upgraded with changed settings, removed, purged.
func TestCleanDebian(t *testing.T) {
	long(t)
	need(t, "mmdebstrap")
	if os.Getuid() != 0 {
		t.Skip("a clean root needs root")
	}
	t.Run("11-release-deb", func(t *testing.T) {
		r := built(t)
		require.NoError(t, r.put("THIRD_PARTY_LICENSES", []byte("licences")))
		root := filepath.Join(t.TempDir(), "debian")
		runIn(t, r.root, nil, "mmdebstrap", "--quiet", "--variant=minbase", "--include=ca-certificates", "bookworm", root)
		inside := func(args ...string) string {
			return output(t, "chroot", append([]string{root, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, args...)...)
		}
		install := func(version string) string {
			r.version = version
			require.NoError(t, r.linuxPackages())
			name := r.name(thisPlatform().OS + "_" + thisPlatform().Arch + ".deb")
			raw, err := os.ReadFile(filepath.Join(r.out, name))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(root, "tmp", name), raw, 0o600))
			return inside("dpkg", "--install", "/tmp/"+name)
		}
		owner := func(name string) string { return strings.TrimSpace(inside("stat", "-c", "%U:%G %a", name)) }
		as := func(args ...string) string {
			return inside(append([]string{"runuser", "-u", "wattle", "--", "env", "WATTLE_CONFIG=/etc/wattle/wattle.cue", "wattle"}, args...)...)
		}

		require.Contains(t, install("1.0.0"), "does not run yet")
		require.Equal(t, "wattle:wattle 700", owner("/var/lib/wattle"))
		require.Equal(t, "root:wattle 640", owner("/etc/wattle/wattle.cue"))
		require.Equal(t, "root:wattle 640", owner("/etc/wattle/wattle.env"))
		require.Equal(t, "root:wattle 750", owner("/etc/wattle/labels"))
		inside("wattle", "labels", "new", "2001", "--name", "Example", "--labels", "/etc/wattle/labels")
		require.Regexp(t, `^\S{14}\n$`, as("staff", "add", "--label", "2001", "--username", "anna", "--email", "anna@example.org", "--name",
			"Anna"), "the temporary password")
		require.Equal(t, "wattle:wattle 600", owner("/var/lib/wattle/wattle.db"))

		inside("sh", "-c", `echo "WATTLE_DRAIN='7s'" >> /etc/wattle/wattle.env; echo 'hash_cores: 1' >> /etc/wattle/wattle.cue`)
		require.NotContains(t, install("1.0.1"), "does not run yet")
		require.Contains(t, inside("cat", "/etc/wattle/wattle.env"), "WATTLE_DRAIN='7s'")
		require.Regexp(t, `(?m)^hash_cores +1 +/etc/wattle/wattle.cue:\d+`, as("config", "check"))
		require.Contains(t, as("staff", "list", "--label", "2001"), "anna")

		inside("dpkg", "--remove", "wattle")
		require.Contains(t, inside("cat", "/etc/wattle/wattle.env"), "WATTLE_DRAIN")
		require.Contains(t, inside("cat", "/etc/wattle/wattle.cue"), "hash_cores")
		require.Contains(t, inside("dpkg", "--purge", "wattle"), "/var/lib/wattle")
		for name, stays := range map[string]bool{"/etc/wattle/wattle.cue": false, "/etc/wattle/wattle.env": false, "/usr/bin/wattle": false,
			"/etc/wattle/labels/2001/label.cue": true, "/var/lib/wattle/wattle.db": true,
			"/var/lib/wattle/identity.key": true} {
			_, err := os.Stat(root + name)
			require.Equal(t, stays, err == nil, name)
		}
	})
}
