package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// machine is a Debian system that systemd-nspawn has booted, without a network. Its commands run as root.
type machine struct {
	t      *testing.T
	root   string
	nspawn *exec.Cmd
	ended  chan error
	screen bytes.Buffer
}

// boot boots a Debian system. It skips the test, with the reason, where systemd cannot run in a container.
func boot(t *testing.T, root string) *machine {
	t.Helper()
	m := &machine{t: t, root: root}
	t.Cleanup(func() {
		_ = m.nspawn.Process.Signal(syscall.SIGTERM) // an orderly shutdown of the container
		select {
		case <-m.ended:
		case <-time.After(2 * time.Minute):
			_ = m.nspawn.Process.Kill()
			<-m.ended
		}
	})
	if err := m.start(); err != nil {
		t.Skipf("systemd-nspawn cannot boot a container here: %v\n%s", err, &m.screen)
	}
	return m
}

// start boots the machine and returns when all of its services have started.
func (m *machine) start() error {
	// The test machine may not run systemd, so the container is not registered.
	m.nspawn = exec.Command("systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--private-network", "--timezone=off",
		"--machine=wattle-test-"+strconv.Itoa(os.Getpid()),
		"--directory="+m.root)
	m.nspawn.Stdout, m.nspawn.Stderr = &m.screen, &m.screen
	if err := m.nspawn.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	m.ended = ended
	go func(nspawn *exec.Cmd) { ended <- nspawn.Wait() }(m.nspawn)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		state, err := m.try("systemctl is-system-running --wait")
		if err == nil {
			return nil
		}
		select {
		case err := <-ended:
			ended <- err
			return fmt.Errorf("it has ended: %w", err)
		default:
		}
		if time.Now().After(deadline) {
			failed, _ := m.try("systemctl --failed --no-legend")
			return fmt.Errorf("it is not running after a minute: %s %s", state, failed)
		}
	}
}

// reboot boots the machine again. With --keep-unit systemd-nspawn ends at a reboot, with a status that requests a restart.
func (m *machine) reboot() {
	m.t.Helper()
	_, _ = m.try("systemctl reboot") // the connection may be cut off
	select {
	case <-m.ended:
		require.Equal(m.t, 133, m.nspawn.ProcessState.ExitCode(), &m.screen)
	case <-time.After(2 * time.Minute):
		require.Fail(m.t, "it does not reboot")
	}
	require.NoError(m.t, m.start())
}

// leader returns the process that is number 1 in the container; a reboot changes it.
func (m *machine) leader() (string, error) {
	pid := strconv.Itoa(m.nspawn.Process.Pid)
	found, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	if err != nil || len(strings.Fields(string(found))) == 0 {
		return "", fmt.Errorf("the container does not run (%w)", err)
	}
	return strings.Fields(string(found))[0], nil
}

// try runs a script in the container and returns its whole output.
func (m *machine) try(script string) (string, error) {
	leader, err := m.leader()
	if err != nil {
		return "", err
	}
	out, err := exec.Command("nsenter", "--target", leader, "--all", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
		"LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "bash", "-ec", "cd /root; "+script).CombinedOutput()
	return string(out), err
}

func (m *machine) run(script string) string {
	m.t.Helper()
	out, err := m.try(script)
	require.NoError(m.t, err, "%s\n%s", script, out)
	return out
}

// documented runs the command block in the Debian section of docs/install.md that contains a string.
func (m *machine) documented(text string) string {
	m.t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "install.md"))
	require.NoError(m.t, err)
	_, section, _ := strings.Cut(string(page), "\n## Debian and Ubuntu\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var found []string
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(section, -1) {
		if strings.Contains(block[1], text) {
			found = append(found, block[1])
		}
	}
	require.Len(m.t, found, 1, "blocks of docs/install.md with %q", text)
	return m.run(found[0])
}

// admin runs a command of the program as shown in docs/install.md.
func (m *machine) admin(command string) string {
	m.t.Helper()
	return m.run("runuser -u wattle -- env --chdir=/ WATTLE_CONFIG=/etc/wattle/wattle.cue wattle " + command)
}

// property returns a property of the systemd service.
func (m *machine) property(name string) string {
	m.t.Helper()
	return strings.TrimSpace(m.run("systemctl show --value --property=" + name + " wattle"))
}

// serves waits until the service is active and ready.
func (m *machine) serves() {
	m.t.Helper()
	if out, err := m.try("timeout 90 sh -c 'until wattle ready; do sleep 0.3; done' && systemctl is-active wattle"); err != nil {
		journal, _ := m.try("journalctl --no-pager -u wattle | tail -50")
		require.NoError(m.t, err, "%s\n%s", out, journal)
	}
}

// version returns the version of the running program.
func (m *machine) version() string {
	m.t.Helper()
	return strings.Fields(m.run("/proc/" + m.property("MainPID") + "/exe version"))[1]
}

// debs builds the .deb of two versions of this checkout, as `make release` does, and the list of their checksums.
func debs(t *testing.T, versions ...string) (dir string, names []string) {
	t.Helper()
	r := built(t)
	require.NoError(t, r.put("THIRD_PARTY_LICENSES", []byte("licences")))
	for _, version := range versions {
		r.version, r.programs = version, nil
		require.NoError(t, r.compile(thisPlatform()))
		require.NoError(t, r.linuxPackages())
		names = append(names, r.name(thisPlatform().OS+"_"+thisPlatform().Arch+".deb"))
	}
	require.NoError(t, r.checksums())
	return r.out, names
}

// The .deb of two versions in a Debian with systemd: served, killed, rebooted, upgraded and downgraded, removed and purged.
func TestBootedDebian(t *testing.T) {
	long(t)
	need(t, "mmdebstrap")
	need(t, "systemd-nspawn")
	if os.Getuid() != 0 {
		t.Skip("a container needs root")
	}
	first := filepath.Join(t.TempDir(), "debian")
	runIn(t, ".", nil, "mmdebstrap", "--quiet", "--variant=apt", "--include=ca-certificates,systemd,systemd-sysv,dbus,postgresql,caddy,curl",
		"bookworm", first)
	from, names := debs(t, "1.0.0", "1.1.0")
	for _, engine := range []string{"postgres", "sqlite"} {
		root := filepath.Join(t.TempDir(), engine)
		runIn(t, ".", nil, "cp", "--archive", first, root)
		for _, name := range append([]string{"SHA256SUMS"}, names...) {
			raw, err := os.ReadFile(filepath.Join(from, name))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(root, "root", name), raw, 0o600))
		}
		m := boot(t, root)
		for _, step := range []struct {
			name string
			test func()
		}{
			{"11-release-booted " + engine, func() { serveBooted(m, engine, names[0]) }},
			{"11-release-booted backup on " + engine, func() { restoreBooted(m, engine) }},
			{"11-upgrade-booted " + engine, func() { upgradeBooted(m, names) }},
			{"11-release-booted removal on " + engine, func() { removeBooted(m) }},
		} {
			if !t.Run(step.name, func(t *testing.T) { m.t = t; step.test() }) {
				return // each step needs the result of the previous one
			}
		}
	}
}

func serveBooted(m *machine, engine, name string) {
	t := m.t
	t.Helper()
	require.Contains(t, m.run("apt-get install -y ./"+name), "does not run yet")
	require.Equal(t, "inactive", m.property("ActiveState"), "nothing to serve yet")
	if engine == "postgres" {
		m.documented("createuser wattle")
	} else {
		m.run(`sed -i "s|^// trusted_proxies:|trusted_proxies:|" /etc/wattle/wattle.cue && wattle config check /etc/wattle/wattle.cue`)
	}
	m.run(`sed -i "s|^// admin_addr:|admin_addr:|" /etc/wattle/wattle.cue && wattle config check /etc/wattle/wattle.cue`)
	m.documented("wattle labels new 2001")
	m.documented("systemctl enable --now wattle")
	m.serves()
	require.Contains(t, m.run("systemctl status --no-pager wattle"), "Active: active (running)")
	require.Regexp(t, `(?m)^\S{14}$`, m.documented("staff add --label 2001"), "the temporary password")
	m.secured()

	// The restrictions of the unit are in effect.
	pid := m.property("MainPID")
	require.Equal(t, "wattle wattle", strings.TrimSpace(m.run("stat -c '%U %G' /proc/"+pid)))
	status := m.run("cat /proc/" + pid + "/status")
	for _, line := range []string{`CapEff:\s0+`, `CapBnd:\s0+`, `NoNewPrivs:\s1`, `Seccomp:\s2`} {
		require.Regexp(t, `(?m)^`+line+`$`, status)
	}
	for folder, isWritable := range map[string]bool{"/etc/wattle": false, "/usr": false, "/var/lib": false, "/run": false, "/run/lock": false,
		"/dev/shm": false, "/var/lib/wattle": true} {
		_, err := m.try("nsenter --target " + pid + " --mount --setuid $(id -u wattle) sh -c 'touch " + folder + "/written && rm " + folder +
			"/written'")
		require.Equal(t, isWritable, err == nil, folder)
	}
	var exposure float64
	text := m.run("systemd-analyze security --no-pager wattle | grep Overall")
	_, err := fmt.Sscanf(text[strings.Index(text, "wattle.service: "):], "wattle.service: %f", &exposure)
	require.NoError(t, err, text)
	require.LessOrEqual(t, exposure, 1.5, text)
	t.Logf("exposure on the booted system: %.1f", exposure)

	// The doctor reports no problem; it also connects to the host of the label. A missing backup is not a problem on the first day.
	out, _ := m.try("runuser -u wattle -- env --chdir=/ WATTLE_CONFIG=/etc/wattle/wattle.cue wattle doctor --json 2>/dev/null")
	var doctor struct {
		Findings []struct{ Check, State, Detail string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doctor), out)
	require.NotEmpty(t, doctor.Findings)
	for _, f := range doctor.Findings {
		require.NotEqual(t, "problem", f.State, "%s: %s", f.Check, f.Detail)
		if f.Check == "certificates" {
			require.Equal(t, "ok", f.State, f.Detail)
		}
	}

	// After a kill the service is started again; after a stop it ends in time and stays stopped; and it starts with the machine.
	m.run("kill -KILL " + pid)
	m.run("timeout 30 sh -c 'until [ $(systemctl show --value --property=NRestarts wattle) = 1 ]; do sleep 0.2; done'")
	m.serves()
	require.NotEqual(t, pid, m.property("MainPID"))
	began := time.Now()
	m.run("systemctl stop wattle")
	took := time.Since(began)
	require.Less(t, took, 30*time.Second, "TimeoutStopSec is 75 s")
	require.Equal(t, "success inactive", m.property("Result")+" "+m.property("ActiveState"))
	t.Logf("stopped in %.1f s", took.Seconds())
	m.run("systemctl start wattle")
	m.serves()
	m.reboot()
	m.serves()
	m.run(visit)
	require.Contains(t, m.admin("staff list --label 2001"), "anna")
	m.hasNoError()
}

// visit opens the first page of the label as a visitor does: over TLS, with the certificate authorities that the machine trusts.
const visit = `timeout 60 sh -c 'until curl --silent --fail --show-error --output /root/page https://my.example.org/; do sleep 0.5; done' && grep --quiet '<title>' /root/page`

// secured puts Caddy in front of the portal with the commands of docs/install.md, for a host that is not reachable from the internet.
func (m *machine) secured() {
	m.t.Helper()
	m.run("echo 127.0.0.1 my.example.org >> /etc/hosts")
	m.documented("systemctl restart caddy")
	m.run(`sed -i 's|^\treverse_proxy|\ttls internal\n&|' /etc/caddy/Caddyfile && systemctl restart caddy`)
	m.run("timeout 60 sh -c 'until test -s /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt; do sleep 0.2; done'")
	m.documented("update-ca-certificates")
	m.run(visit)
	require.Contains(m.t, m.run("curl --silent --head https://my.example.org/"), "strict-transport-security")
}

// hasNoError requires that the journal contains no error of the service, from the portal or from systemd.
func (m *machine) hasNoError() {
	m.t.Helper()
	require.Empty(m.t, m.run("journalctl --quiet --no-pager -u wattle --priority=err"))
	require.NotContains(m.t, m.run("journalctl --quiet --no-pager -u wattle --output=cat"), `"level":"ERROR"`)
}

// restoreBooted makes a backup, loses the data and restores it, with the commands of docs/operations.md.
func restoreBooted(m *machine, engine string) {
	t := m.t
	t.Helper()
	m.run("install -d -o wattle -g wattle -m 0700 /var/backups/wattle; cp /var/lib/wattle/identity.key /root/")
	if engine == "postgres" {
		m.run(`cd /; runuser -u wattle -- pg_dump --format=custom --file=/var/backups/wattle/wattle.dump "postgres:///wattle?host=/run/postgresql"`)
		m.admin("backup --record /var/backups/wattle/wattle.dump")
	} else {
		m.run("wattle backup --config /etc/wattle/wattle.cue /var/backups/wattle/wattle.tar.zst") // run as root
	}
	doctor, _ := m.try("runuser -u wattle -- env --chdir=/ WATTLE_CONFIG=/etc/wattle/wattle.cue wattle doctor")
	require.Regexp(t, `(?m)^ok +backup `, doctor)
	m.admin("staff add --label 2001 --username lost --email lost@example.org --name Lost")
	m.run("systemctl stop wattle")
	if engine == "postgres" {
		m.run(`cd /; runuser -u postgres -- psql --command='ALTER DATABASE wattle RENAME TO wattle_old'; runuser -u postgres -- createdb --owner wattle --encoding UTF8 --template template0 wattle`)
		m.run(`cd /; runuser -u wattle -- pg_restore --single-transaction --dbname="postgres:///wattle?host=/run/postgresql" /var/backups/wattle/wattle.dump`)
		m.admin("restore")
	} else {
		m.run("mv /var/lib/wattle /var/lib/wattle.old; mv /etc/wattle/labels /etc/wattle/labels.old")
		m.run("wattle restore --config /etc/wattle/wattle.cue --identity-key /root/identity.key /var/backups/wattle/wattle.tar.zst; chown -R wattle: /var/lib/wattle")
	}
	m.run("systemctl start wattle")
	m.serves()
	staff := m.admin("staff list --label 2001")
	require.Contains(t, staff, "anna")
	require.NotContains(t, staff, "lost")
	m.admin("labels vet --labels /etc/wattle/labels")
	m.hasNoError()
}

func upgradeBooted(m *machine, names []string) {
	t := m.t
	t.Helper()
	upgrade := func(flags string) string { return m.run("wattle upgrade --config /etc/wattle/wattle.cue " + flags) }
	installed := func() string { return strings.TrimSpace(m.run("dpkg-query --show --showformat='${Version}' wattle")) }

	require.Equal(t, "1.0.0", m.version())
	upgrade("--to ./" + names[1] + " --sums SHA256SUMS --unit wattle")
	m.serves()
	require.Equal(t, "1.1.0", m.version())
	m.run("apt-get install -y ./" + names[1])
	m.serves()
	require.Equal(t, "1.1.0 1.1.0-1", m.version()+" "+installed())
	m.admin("staff add --label 2001 --username late --email late@example.org --name Late")

	upgrade("--back --unit wattle")
	m.serves()
	require.Equal(t, "1.0.0", m.version())
	staff := m.admin("staff list --label 2001")
	require.Contains(t, staff, "anna")
	require.NotContains(t, staff, "late", "the data of before")
	m.run("apt-get install -y --allow-downgrades ./" + names[0])
	m.serves()
	require.Equal(t, "1.0.0 1.0.0-1", m.version()+" "+installed())
	m.hasNoError()
}

func removeBooted(m *machine) {
	t := m.t
	t.Helper()
	m.run("apt-get remove -y wattle")
	out, _ := m.try("systemctl is-active wattle; systemctl is-enabled wattle")
	require.NotContains(t, out, "\nenabled")
	require.NotRegexp(t, "^active", out)
	m.run("test -f /etc/wattle/wattle.cue && ! test -e /usr/bin/wattle")
	require.Contains(t, m.run("apt-get purge -y wattle"), "/var/lib/wattle")
	m.run("test -f /etc/wattle/labels/2001/label.cue && test -f /var/lib/wattle/identity.key && getent passwd wattle && ! test -e /etc/wattle/wattle.cue")
	require.NotContains(t, m.run("stat --format=%U /proc/[0-9]* 2>/dev/null || true"), "wattle", "no process is left")
	require.Empty(t, m.run("ls -d /usr/bin/wattle* 2>/dev/null || true"), "with what upgrades have kept")
}
