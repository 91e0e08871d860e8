package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

func thisPlatform() platform { return platform{runtime.GOOS, runtime.GOARCH} }

// loadImages returns the images of the archive by architecture.
func loadImages(t *testing.T, r *release) map[string]v1.Image {
	t.Helper()
	file := filepath.Join(r.out, r.name("image.tar"))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	dir := t.TempDir()
	for name, f := range unpackTar(t, bytes.NewReader(raw)) {
		to := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
		require.NoError(t, os.WriteFile(to, f.content, 0o600))
	}
	at, err := layout.FromPath(dir)
	require.NoError(t, err)
	outer, err := at.ImageIndex()
	require.NoError(t, err)
	list, err := outer.IndexManifest()
	require.NoError(t, err)
	require.Len(t, list.Manifests, 1)
	require.Equal(t, "wattle:"+r.version, list.Manifests[0].Annotations["org.opencontainers.image.ref.name"])
	index, err := outer.ImageIndex(list.Manifests[0].Digest)
	require.NoError(t, err)
	require.NoError(t, validate.Index(index))
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	images := map[string]v1.Image{}
	for _, m := range manifest.Manifests {
		require.Equal(t, "linux", m.Platform.OS)
		images[m.Platform.Architecture], err = index.Image(m.Digest)
		require.NoError(t, err)
	}
	return images
}

// filesOf returns the files of an image.
func filesOf(t *testing.T, one v1.Image) map[string]packed {
	t.Helper()
	found := map[string]packed{}
	layers, err := one.Layers()
	require.NoError(t, err)
	for _, l := range layers {
		content, err := l.Uncompressed()
		require.NoError(t, err)
		for name, f := range unpackTar(t, content) {
			found[name] = f
		}
	}
	return found
}

func TestImage(t *testing.T) {
	t.Run("11-release-image", func(t *testing.T) {
		r := fixture(t, nil)
		require.NoError(t, r.put("THIRD_PARTY_LICENSES", []byte("licences")))
		require.NoError(t, r.image())
		images := loadImages(t, r)
		require.Len(t, images, 2)
		for _, p := range r.on("linux") {
			one := images[p.Arch]
			config, err := one.ConfigFile()
			require.NoError(t, err)
			require.Equal(t, p.Arch, config.Architecture)
			require.Equal(t, "65532:65532", config.Config.User)
			require.True(t, config.Created.Time.Equal(r.time))
			for name, value := range map[string]string{"version": r.version, "licenses": "Apache-2.0", "source": "https://" + modulePath} {
				require.Equal(t, value, config.Config.Labels["org.opencontainers.image."+name])
			}
			files := filesOf(t, one)
			program, err := os.ReadFile(p.file)
			require.NoError(t, err)
			require.Equal(t, packed{0o755, program}, files["usr/bin/wattle"])
			roots := x509.NewCertPool()
			require.True(t, roots.AppendCertsFromPEM(files["etc/ssl/certs/ca-certificates.crt"].content))
			require.Greater(t, bytes.Count(files["etc/ssl/certs/ca-certificates.crt"].content, []byte("BEGIN CERTIFICATE")), 100)
			zone, err := time.LoadLocationFromTZData("Europe/Amsterdam", files["usr/share/zoneinfo/Europe/Amsterdam"].content)
			require.NoError(t, err)
			require.Equal(t, "CEST", time.Date(2026, 7, 1, 0, 0, 0, 0, zone).Format("MST"))
			require.Contains(t, files, "usr/share/doc/wattle/THIRD_PARTY_LICENSES")
			for name := range files {
				require.False(t, strings.HasPrefix(name, "bin/") || strings.HasSuffix(name, "/sh"), "a shell: %s", name)
				require.True(t, files[name].mode&0o111 == 0 || strings.HasSuffix(name, "/") || name == "usr/bin/wattle", "another program: %s", name)
			}

			// the archive also works with `docker load`
			tag := r.version + "-" + p.Arch
			loaded, err := tarball.ImageFromPath(filepath.Join(r.out, r.name("image.tar")), mustTag(t, "wattle:"+tag))
			require.NoError(t, err)
			same, err := loaded.ConfigName()
			require.NoError(t, err)
			name, err := one.ConfigName()
			require.NoError(t, err)
			require.Equal(t, name, same)
		}
	})
}

// The portal in the image runs as a user other than root, without capabilities, with a read-only root.
func TestImageRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs a container")
	}
	t.Run("11-release-image", func(t *testing.T) {
		need(t, "bwrap")
		r := built(t)
		if r.programs[0].OS != "linux" {
			t.Skip("containers of Linux")
		}
		require.NoError(t, r.put("THIRD_PARTY_LICENSES", []byte("licences")))
		require.NoError(t, r.image())
		one := loadImages(t, r)[runtime.GOARCH]
		config, err := one.ConfigFile()
		require.NoError(t, err)
		root, data := t.TempDir(), t.TempDir()
		for name, f := range filesOf(t, one) {
			to := filepath.Join(root, name)
			if strings.HasSuffix(name, "/") {
				require.NoError(t, os.MkdirAll(to, 0o755))
				continue
			}
			require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
			require.NoError(t, os.WriteFile(to, f.content, f.mode))
		}
		for _, name := range []string{"proc", "dev"} { // as container engines make them
			require.NoError(t, os.MkdirAll(filepath.Join(root, name), 0o755))
		}
		addr := freeAddress(t)
		isolated := func(ctx context.Context, args ...string) *exec.Cmd {
			all := []string{"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--uid", imageUser, "--gid", imageUser,
				"--cap-drop", "ALL", "--die-with-parent",
				"--ro-bind", root, "/", "--bind", data, "/var/lib/wattle", "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "--chdir",
				config.Config.WorkingDir, "--clearenv"}
			for _, v := range append(config.Config.Env, "WATTLE_ADDR="+addr, "WATTLE_DRAIN=0s") {
				name, value, _ := strings.Cut(v, "=")
				all = append(all, "--setenv", name, value)
			}
			return exec.CommandContext(ctx, "bwrap", append(append(all, config.Config.Entrypoint...), args...)...)
		}
		if text, err := isolated(t.Context(), "version").CombinedOutput(); err != nil {
			t.Skipf("this machine does not allow containers: %s", text)
		}
		require.Error(t, isolated(t.Context(), "ready").Run(), "nothing serves yet")
		var log bytes.Buffer
		serve := isolated(t.Context(), config.Config.Cmd...)
		serve.Stderr, serve.Cancel = &log, func() error { return serve.Process.Signal(syscall.SIGTERM) }
		require.NoError(t, serve.Start())
		ended := make(chan error, 1)
		go func() { ended <- serve.Wait() }()
		t.Cleanup(func() { _ = serve.Process.Kill() })
		deadline := time.After(2 * time.Minute)
		for isolated(t.Context(), "ready").Run() != nil {
			select {
			case err := <-ended:
				t.Fatalf("it ended: %v\n%s", err, log.String())
			case <-deadline:
				t.Fatal("it is not ready: " + log.String())
			case <-time.After(100 * time.Millisecond):
			}
		}
		res, err := http.Get("http://" + addr + "/readyz")
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, errorsOf(err, res.Body.Close()))
		require.Equal(t, http.StatusOK, res.StatusCode, string(body))
		var said struct{ Ready bool }
		require.NoError(t, json.Unmarshal(body, &said))
		require.True(t, said.Ready)
		require.FileExists(t, filepath.Join(data, "wattle.db"))
	})
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return fmt.Sprint(l.Addr())
}

func mustTag(t *testing.T, text string) *name.Tag {
	t.Helper()
	tag, err := name.NewTag(text)
	require.NoError(t, err)
	return &tag
}
