package pluginhost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/module"
)

// folder is the state of one plugin folder. Its fields are guarded by Host.mu.
type folder struct {
	name     string
	spec     Spec   // the fields of plugin.json that could be read
	seen     string // fingerprint at the last poll
	examined string // fingerprint of the content that was last tried
	missing  int    // number of polls since the folder disappeared

	plugin  *Plugin // the serving version; nil: none
	digest  string  // digest of the serving content
	refused error   // why the content of the folder is not served; nil: it is
	retry   time.Time
	delay   time.Duration
	busy    bool // a change is in progress
}

// prepared is a new version that is running but not yet in the registry.
type prepared struct {
	folder *folder
	plugin *Plugin
}

// States of a plugin folder that a process does not have.
const (
	StateRefused  = "refused"  // its content is not served; a previous version may be
	StateDisabled = "disabled" // the operator has taken the plugin out
)

// Status describes a plugin folder at one point in time.
type Status struct {
	Folder    string      `json:"folder"`
	Key       string      `json:"key"`
	Version   string      `json:"version"`  // version in the folder
	Contract  int         `json:"contract"` // in the folder; 0: not known
	State     string      `json:"state"`    // StateUp, StateHung, StateDown, StateRefused or StateDisabled
	Serving   string      `json:"serving"`  // version that is serving; empty: none
	Requested Permissions `json:"requested,omitzero"`
	Granted   Permissions `json:"granted,omitzero"` // of its requests; "*" is anything
	Detail    string      `json:"detail"`           // one sentence for the operator; empty when all is well
}

// messages contains the message for operators about a plugin whose process does not work, by state.
var messages = map[string]string{
	StateDown: "Its process does not run; it is started again. See its messages in the log.",
	StateHung: "Its process does not answer; it gets no calls, and is started again when that lasts. See its messages in the log.",
}

// Status returns the state of every folder, ordered by name. If the plugins folder cannot be read, this also has a status.
func (h *Host) Status() (out []Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dirError != nil {
		out = append(out, Status{State: StateRefused, Detail: sentence(h.dirError)})
	}
	if err := h.o.grants.invalid(); err != nil && h.dirError == nil { // reported only once, because both have the same name
		out = append(out, Status{State: StateRefused, Detail: strings.TrimSuffix(sentence(err), ".") + "; what it said before goes on."})
	}
	for _, f := range h.sorted() {
		s := Status{Folder: f.name, Key: f.spec.Key, Version: f.spec.Version, Contract: f.spec.Contract, State: StateUp}
		if f.plugin != nil {
			s.State, s.Serving = f.plugin.State(), f.plugin.Version()
			s.Detail = messages[s.State]
			s.Key, s.Version = cmp.Or(s.Key, f.plugin.Spec.Key), cmp.Or(s.Version, s.Serving)
		}
		if f.refused != nil {
			s.State, s.Detail = StateRefused, f.refusal()
		}
		if f.isDisabled() {
			s.State = StateDisabled
		}
		grant, _ := h.o.grants.grant(s.Key) // an error is reported as a separate status
		s.Requested = f.spec.Permissions
		s.Granted = grant.granted(s.Requested)
		out = append(out, s)
	}
	return out
}

// refusal returns one sentence that explains why a folder is refused.
func (f *folder) refusal() string {
	if f.plugin == nil {
		return sentence(f.refused)
	}
	return fmt.Sprintf("%s; version %s goes on.", strings.TrimSuffix(sentence(f.refused), "."), f.plugin.Version())
}

// sentence returns an error as one sentence on one line.
func sentence(err error) string {
	s := oneLine(err)
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// oneLine returns the message of an error as one line of limited length, because the error of a process that does not start can be very
// long.
func oneLine(err error) string {
	const maxLength = 300
	s := strings.Join(strings.Fields(strings.NewReplacer("pluginhost: ", "", "assets: ", "").Replace(err.Error())), " ")
	s = strings.TrimSuffix(s, ".")
	if len(s) > maxLength {
		s = strings.ToValidUTF8(s[:maxLength], "") + "…"
	}
	return s
}

// folder returns the state of a folder, and creates it if the folder is new. The caller holds mu, or is Open.
func (h *Host) folder(name string) *folder {
	f := h.folders[name]
	if f == nil {
		f = &folder{name: name}
		h.folders[name] = f
	}
	return f
}

// sorted returns the folders ordered by name. The caller holds mu.
func (h *Host) sorted() []*folder {
	out := make([]*folder, 0, len(h.folders))
	for _, f := range h.folders {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *folder) int { return cmp.Compare(a.name, b.name) })
	return out
}

// errSame means that the content of the folder is already being served.
var errSame = errors.New("pluginhost: nothing has changed")

// prepare checks the content of a folder and starts it. It returns errSame if the content is already being served.
func (h *Host) prepare(ctx context.Context, f *folder) (*prepared, error) {
	s, err := read(filepath.Join(h.o.Dir, f.name), h.o.Contract)
	h.mu.Lock()
	f.spec = s
	previous, digest := f.plugin, f.digest
	var other *folder
	for _, o := range h.sorted() {
		if o != f && o.plugin != nil && o.plugin.Spec.excludes(s) || o != f && o.plugin == nil && o.spec.excludes(s) && o.name < f.name {
			other = o
		}
	}
	off := h.disabled[s.Key]
	h.mu.Unlock()
	_, invalid := h.o.grants.grant(s.Key)
	switch {
	case off:
		return nil, disabledError(s.Key)
	case err != nil:
		return nil, err
	case other != nil:
		return nil, fmt.Errorf("folder %s has version %s of this plugin too: %w", other.name, s.Version, ErrKeyTaken)
	case invalid != nil: // its grants are unknown
		return nil, invalid
	case previous != nil && previous.Spec.Key != s.Key:
		return nil, fmt.Errorf("plugin %s was in this folder; remove it first: %w", previous.Spec.Key, ErrKeyTaken)
	}
	in, err := s.install(h.o.Data, h.o.Digests)
	if err != nil {
		return nil, err
	}
	p := newPlugin(h.stopping, s, h.o, in)
	if previous != nil && digest == p.content() {
		p.stop()
		return nil, errSame
	}
	if err := h.checkRemote(p); err != nil { // before a process is started unnecessarily
		p.stop()
		return nil, err
	}
	if err := p.start(ctx); err != nil {
		p.stop()
		if isContent(err) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	return &prepared{f, p}, nil
}

// content identifies the content of a version: a version with the same content is not a new version.
func (p *Plugin) content() string { return p.installed.digest + " " + p.Spec.Remote }

// joinError turns an error of the registry into a reason for refusing a plugin.
func joinError(err error) error {
	return fmt.Errorf("%w: %s", ErrIncompatible, strings.TrimPrefix(err.Error(), "registry: "))
}

// isContent reports whether an error persists until the files in the folder change. After any other error, the plugin is tried again with
// back-off.
func isContent(err error) bool {
	for _, e := range []error{ErrSpec, ErrIncomplete, ErrChecksum, ErrDigest, ErrPlatform, ErrContract, ErrManifest, ErrDisabled} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// refuse records that the content of a folder is not served. It logs the reason if it differs from the previous one.
func (h *Host) refuse(f *folder, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := ""
	if f.refused != nil {
		before = f.refused.Error()
	}
	f.refused, f.retry = err, time.Time{}
	if !isContent(err) {
		f.delay = min(max(2*f.delay, firstDelay), lastDelay)
		f.retry = time.Now().Add(f.delay)
	}
	if before != err.Error() && !errors.Is(err, ErrDisabled) {
		h.o.logger(cmp.Or(f.spec.Key, f.name)).Error("plugin is refused", "plugin", cmp.Or(f.spec.Key, f.name), "folder", f.name, "reason",
			f.refusal())
	}
}

// serve makes a version in the registry the serving version of its folder. The previous version ends after its running calls.
func (h *Host) serve(n *prepared) (previous *Plugin) {
	f, p := n.folder, n.plugin
	h.mu.Lock()
	previous = f.plugin
	f.plugin, f.digest, f.refused, f.retry, f.delay = p, p.content(), nil, time.Time{}, 0
	h.mu.Unlock()
	h.work.Go(p.supervise)
	p.log.Info("plugin serves", "replaces", versionOf(previous))
	if previous != nil {
		h.work.Go(func() { previous.retire(p); h.prune(p.Spec.Key) })
	}
	return previous
}

// checkRemote returns an error if the remote of a version cannot be served, or nil if it can or if there is none.
func (h *Host) checkRemote(p *Plugin) error {
	dir := p.remoteDir()
	if dir == "" || h.o.Remotes == nil {
		return nil
	}
	return h.o.Remotes.CheckRemote(p.Spec.Key, dir)
}

// serveRemotes serves the remotes of a plugin's versions, highest first. Without any, the remote of the program is served again.
func (h *Host) serveRemotes(key string, versions []*Plugin) {
	if h.o.Remotes == nil {
		return
	}
	dirs, some := map[string]string{}, false
	for _, p := range versions {
		dirs[p.Version()] = p.remoteDir()
		some = some || p.remoteDir() != ""
	}
	if !some {
		h.o.Remotes.RemoveRemote(key)
		return
	}
	highest := versions[0].remoteDir()
	if len(versions) == 1 {
		dirs = nil
	}
	if err := h.o.Remotes.AddRemote(key, highest, dirs); err != nil { // the previous ones stay in use
		h.o.logger(key).Error("remote of a plugin could not be loaded", "module", key, "error", err)
	}
}

// versions returns the serving versions of a plugin, highest first.
func (h *Host) versions(key string) []*Plugin {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*Plugin
	for _, f := range h.sorted() {
		if f.plugin != nil && f.plugin.Spec.Key == key {
			out = append(out, f.plugin)
		}
	}
	return byVersion(out)
}

// byVersion returns plugins ordered by version, highest first.
func byVersion(all []*Plugin) []*Plugin {
	slices.SortFunc(all, func(a, b *Plugin) int { return registry.CompareVersions(b.Version(), a.Version()) })
	return all
}

// runnings returns the modules to register for plugins.
func runnings(all []*Plugin) (out []module.Running) {
	for _, p := range all {
		out = append(out, p.Running())
	}
	return out
}

func versionOf(p *Plugin) string {
	if p == nil {
		return ""
	}
	return p.Version()
}

// replace starts the content of a folder next to the serving version, and then replaces that version. If it fails, nothing changes.
func (h *Host) replace(f *folder) {
	n, err := h.prepare(h.stopping, f)
	switch {
	case errors.Is(err, errSame):
		h.mu.Lock()
		f.refused, f.retry = nil, time.Time{}
		h.mu.Unlock()
		return
	case err != nil:
		if h.stopping.Err() == nil {
			h.refuse(f, err)
		}
		return
	}
	if err := h.take(n); err != nil {
		n.plugin.discard()
		h.refuse(f, err)
		return
	}
	h.retryRefused(f)
}

// take makes a running version replace the serving one: first its operations, then its pages, which call them.
func (h *Host) take(n *prepared) error {
	h.joining.Lock()
	defer h.joining.Unlock()
	if err := h.checkRemote(n.plugin); err != nil {
		return err
	}
	key := n.plugin.Spec.Key
	next := []*Plugin{n.plugin}
	for _, p := range h.versions(key) {
		if p != n.folder.plugin { // only this goroutine writes it
			next = append(next, p)
		}
	}
	if err := h.o.Registry.Add(runnings(next)...); err != nil {
		return joinError(err)
	}
	h.serve(n)
	h.serveRemotes(key, byVersion(next))
	return nil
}

// retryRefused makes refused plugins try again immediately after another plugin has changed: they may need it, or it may have had a path
// that they claim.
func (h *Host) retryRefused(changed *folder) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.folders {
		if f != changed && f.refused != nil && (!isContent(f.refused)) {
			f.retry, f.delay = time.Now(), 0
		}
	}
}

// remove forgets a folder that has disappeared, and removes its plugin from the portal.
func (h *Host) remove(f *folder) {
	h.mu.Lock()
	delete(h.folders, f.name)
	h.mu.Unlock()
	if h.withdraw(f) {
		h.retryRefused(nil)
	}
}

// withdraw removes the version in a folder from the portal. It is replaced by another version of the plugin, or by the program's module
// with its key. withdraw returns false if the folder was not serving anything.
func (h *Host) withdraw(f *folder) bool {
	h.joining.Lock()
	defer h.joining.Unlock()
	h.mu.Lock()
	p := f.plugin
	f.plugin, f.digest = nil, ""
	h.mu.Unlock()
	if p == nil {
		return false
	}
	key, err := p.Spec.Key, error(nil)
	rest := h.versions(key)
	m, inside := h.base[key]
	switch {
	case len(rest) > 0:
		err = h.o.Registry.Add(runnings(rest)...)
	case inside:
		err = h.o.Registry.Add(m)
	default:
		err = h.o.Registry.Remove(key)
	}
	if err != nil { // its paths return 503 from now on
		p.log.Error("plugin was removed, and the portal cannot go on without it", "error", err)
	}
	h.serveRemotes(key, rest)
	p.log.Info("plugin was removed")
	h.work.Go(func() { p.retire(nil); h.prune(key) })
	return true
}

// prune removes the copies of a plugin that no running version uses.
func (h *Host) prune(key string) {
	if !h.o.Watch || h.stopping.Err() != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var keep []string
	for _, f := range h.folders {
		if f.busy && f.spec.Key == key { // a new version is being copied
			return
		}
		if f.plugin != nil && f.plugin.Spec.Key == key {
			keep = append(keep, f.plugin.installed.digest)
		}
	}
	prune(h.o.Data, key, keep...)
}

// keys returns the keys of the existing folders.
func (h *Host) keys() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, f := range h.folders {
		if h.disabled[f.spec.Key] {
			out = append(out, f.spec.Key+" (disabled)")
		} else {
			out = append(out, f.spec.Key)
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}
