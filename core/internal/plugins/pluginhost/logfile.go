package pluginhost

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
)

// logFolder is the folder in the data folder with the log lines of each plugin, <key>.log and, before that, <key>.log.1.
const logFolder = "plugin-logs"

// maxLog bounds one of the two files of a plugin. A plugin that floods loses its older lines, and fills no disk.
const maxLog = 1 << 20

// logs keeps the lines of the plugins for the operator. Only the process that serves writes them.
type logs struct {
	dir string

	mu    sync.Mutex
	files map[string]*logFile
}

func newLogs(data string) *logs {
	return &logs{dir: filepath.Join(data, logFolder), files: map[string]*logFile{}}
}

// logger returns the log of a plugin: that of the portal and, where they are kept, the lines for the operator of the plugin.
func (o Options) logger(key string) *slog.Logger {
	if o.logs == nil || !IsKey(key) {
		return o.Log.With("plugin", key)
	}
	own := slog.NewJSONHandler(o.logs.file(key), &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: shorten})
	return slog.New(slog.NewMultiHandler(o.Log.With("plugin", key).Handler(), own))
}

// maxLogText bounds a text in a line: looking for secrets in a flood of long lines would take time from everybody.
const maxLogText = 2000

func shorten(_ []string, a slog.Attr) slog.Attr {
	a = logline.WithUnit(a)
	if a.Value.Kind() == slog.KindString && len(a.Value.String()) > maxLogText {
		a.Value = slog.StringValue(strings.ToValidUTF8(a.Value.String()[:maxLogText], "") + "…")
	}
	return a
}

func (l *logs) file(key string) *logFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.files[key]
	if f == nil {
		f = &logFile{name: filepath.Join(l.dir, key+".log")}
		l.files[key] = f
	}
	return f
}

func (l *logs) close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.files {
		f.close()
	}
}

// logFile is a file that is renamed when it is full.
type logFile struct {
	name string

	mu   sync.Mutex
	out  *os.File
	size int64
}

// Write implements io.Writer: it writes one line, without the secrets in it. That a line cannot be written is no error of the plugin, and
// the portal's own log has it.
func (f *logFile) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	clean := withoutSecrets(line)
	if len(clean) > maxLog {
		return len(line), nil
	}
	if f.out != nil && f.size+int64(len(clean)) > maxLog {
		_ = f.out.Close() // it is read again by name only
		f.out = nil
		if err := os.Rename(f.name, f.name+".1"); err != nil {
			return 0, err
		}
	}
	if f.out == nil {
		if err := f.open(); err != nil {
			return 0, err
		}
	}
	n, err := f.out.Write(clean)
	f.size += int64(n)
	return len(line), err
}

func (f *logFile) open() error {
	if err := os.MkdirAll(filepath.Dir(f.name), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(f.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	f.out, f.size = out, 0
	if info, err := out.Stat(); err == nil {
		f.size = info.Size()
	}
	return nil
}

// PurgeLogs deletes the lines of plugins that are older than keep by the clock of the machine, which lines have too; also of plugins that
// are gone.
func (h *Host) PurgeLogs(keep time.Duration) error {
	if h.o.logs == nil {
		return nil
	}
	return h.o.logs.purge(time.Now().Add(-keep))
}

// purge deletes the lines before a time.
func (l *logs) purge(before time.Time) error {
	names, err := filepath.Glob(filepath.Join(l.dir, "*.log*"))
	for _, name := range names {
		key, ok := strings.CutSuffix(strings.TrimSuffix(filepath.Base(name), ".1"), ".log")
		if ok && IsKey(key) {
			err = errors.Join(err, l.file(key).purge(name, before))
		}
	}
	return err
}

// purge rewrites one of the two files without the lines before a time, and deletes it when none is left.
func (f *logFile) purge(name string, before time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	kept := raw
	for line := range bytes.Lines(raw) { // the oldest first
		if l, ok := parseLine(line); ok && !l.Time.Before(before) {
			break
		}
		kept = kept[len(line):]
	}
	if len(kept) == len(raw) {
		return nil
	}
	if name == f.name && f.out != nil {
		_ = f.out.Close() // every line was written at once; the next one opens it again
		f.out = nil
	}
	if len(kept) == 0 {
		return os.Remove(name)
	}
	next := name + ".next"
	return errors.Join(os.WriteFile(next, kept, 0o600), os.Rename(next, name))
}

func (f *logFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.out != nil {
		_ = f.out.Close() // every line was written at once
		f.out = nil
	}
}

// secrets matches values that a plugin must not leave in a file: credentials in URLs and headers, tokens, API keys, and values with such a
// name.
var secrets = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(://[^\s:/@"]*:)[^\s@/"]+@`), "${1}…@"},
	{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}`), "$1 …"},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`), "…"},
	{regexp.MustCompile(`\b(?:wk|whsec)_[A-Za-z0-9_+/=-]+`), "…"},
	{regexp.MustCompile(`(?i)((?:password|passwd|secret|token|api_?key|credential|cookie)\w*\\?"?\s*[:=]\s*\\?"?)[^\s"\\,;&}]+`), "${1}…"},
}

func withoutSecrets(line []byte) []byte {
	for _, s := range secrets {
		line = s.form.ReplaceAll(line, []byte(s.with))
	}
	return line
}

// LogLine is a line of the log of a plugin.
type LogLine struct {
	Time    time.Time      `json:"time"`
	Level   slog.Level     `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"` // everything else
}

// ReadLog returns the lines of a plugin since a time, oldest first. It reads files, so it works whether a portal runs or not.
func ReadLog(data, key string, since time.Time) (out []LogLine, err error) {
	if !IsKey(key) {
		return nil, fmt.Errorf("%q is no key of a plugin", key)
	}
	name := filepath.Join(data, logFolder, key+".log")
	found := false
	for _, file := range []string{name + ".1", name} {
		raw, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("pluginhost: %w", err)
		}
		found = true
		lines := bufio.NewReader(bytes.NewReader(raw))
		for {
			line, err := lines.ReadBytes('\n')
			if l, ok := parseLine(line); ok && !l.Time.Before(since) {
				out = append(out, l)
			}
			if errors.Is(err, io.EOF) {
				break
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("there is no log of plugin %s in %s: no portal with this data folder has run it", key, data)
	}
	return out, nil
}

// parseLine reads a line; false for one that is not complete, which a portal may be writing.
func parseLine(line []byte) (l LogLine, ok bool) {
	if err := json.Unmarshal(line, &l.Fields); err != nil {
		return l, false
	}
	at, _ := l.Fields[slog.TimeKey].(string)
	level, _ := l.Fields[slog.LevelKey].(string)
	l.Message, _ = l.Fields[slog.MessageKey].(string)
	var err error
	if l.Time, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return l, false
	}
	if err := l.Level.UnmarshalText([]byte(level)); err != nil {
		return l, false
	}
	for _, key := range []string{slog.TimeKey, slog.LevelKey, slog.MessageKey} {
		delete(l.Fields, key)
	}
	return l, true
}
