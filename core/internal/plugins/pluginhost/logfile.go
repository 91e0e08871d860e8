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

// logFolder is the folder in the data folder that contains the log lines of each plugin: <key>.log, and older lines in <key>.log.1.
const logFolder = "plugin-logs"

// Logged returns the keys of the plugins that have a log in a data folder.
func Logged(data string) (keys []string) {
	found, _ := filepath.Glob(filepath.Join(data, logFolder, "*.log")) // the pattern is valid
	for _, file := range found {
		keys = append(keys, strings.TrimSuffix(filepath.Base(file), ".log"))
	}
	return keys
}

// maxLog is the maximum size of each of a plugin's two log files. A plugin that floods its log loses older lines but does not fill the
// disk.
const maxLog = 1 << 20

// logs stores the log lines of plugins for the operator. Only the serving process writes them.
type logs struct {
	dir string

	mu    sync.Mutex
	files map[string]*logFile
}

func newLogs(data string) *logs {
	return &logs{dir: filepath.Join(data, logFolder), files: map[string]*logFile{}}
}

// logger returns the log of a plugin. It writes to the portal's log and, if plugin logs are kept, to the plugin's log file for the
// operator.
func (o Options) logger(key string) *slog.Logger {
	if o.logs == nil || !IsKey(key) {
		return o.Log.With("plugin", key)
	}
	own := slog.NewJSONHandler(o.logs.file(key), &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: shorten})
	return slog.New(slog.NewMultiHandler(o.Log.With("plugin", key).Handler(), own))
}

// maxLogText is the maximum length of a string in a log line, because searching a flood of long lines for secrets would slow down the
// portal.
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

// logFile is a log file that is renamed when it is full.
type logFile struct {
	name string

	mu   sync.Mutex
	out  *os.File
	size int64
}

// Write implements io.Writer. It writes one line without the secrets in it. A line that cannot be written is not an error of the plugin,
// and the portal's own log contains it.
func (f *logFile) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	clean := withoutSecrets(line)
	if len(clean) > maxLog {
		return len(line), nil
	}
	if f.out != nil && f.size+int64(len(clean)) > maxLog {
		_ = f.out.Close() // the file is only reopened by name
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

// PurgeLogs deletes the log lines of plugins that are older than keep, including those of plugins that have been removed. Age is measured
// with the clock of the machine, which also sets the times of the lines.
func (h *Host) PurgeLogs(keep time.Duration) error {
	if h.o.logs == nil {
		return nil
	}
	return h.o.logs.purge(time.Now().Add(-keep))
}

// purge deletes the log lines before a time.
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

// purge rewrites one of the two files without the lines before a time. It deletes the file if no lines are left.
func (f *logFile) purge(name string, before time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	kept := raw
	for line := range bytes.Lines(raw) { // oldest first
		if l, ok := parseLine(line); ok && !l.Time.Before(before) {
			break
		}
		kept = kept[len(line):]
	}
	if len(kept) == len(raw) {
		return nil
	}
	if name == f.name && f.out != nil {
		_ = f.out.Close() // every line has been written; the next one opens the file again
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
		_ = f.out.Close() // every line has been written
		f.out = nil
	}
}

// secrets matches values that must not be stored in a log file: credentials in URLs and headers, tokens, API keys, and values with such a
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

// LogLine is a log line of a plugin.
type LogLine struct {
	Time    time.Time      `json:"time"`
	Level   slog.Level     `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"` // everything else
}

// ReadLog returns the log lines of a plugin since a time, oldest first. It reads files, so it works whether or not a portal is running.
func ReadLog(data, key string, since time.Time) (out []LogLine, err error) {
	if !IsKey(key) {
		return nil, fmt.Errorf("%q is not a plugin key", key)
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

// parseLine parses a line. It returns false for an incomplete line, which a portal may be writing.
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
