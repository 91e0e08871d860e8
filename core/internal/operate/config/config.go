// Package config contains the configuration of an installation: flags, each of which is also an environment variable and a name in the
// configuration file.
package config

import (
	"cmp"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
)

// Config is the configuration of one process. Its zero value is not valid; Default returns the defaults of the flags.
type Config struct {
	Addr      string // host:port of the portal; port 0 selects a free one
	AdminAddr string // host:port for health, metrics, the plugin pages and pprof; empty: not served separately
	Data      string // folder of the SQLite file, the mailbox and earlier front ends
	Labels    string // labels folder
	Plugins   string // plugins folder; empty: none
	Remotes   string // folder of separately deployed remotes; empty: none
	Digests   []string
	Database  string // postgres://…; empty: SQLite in Data
	Direct    string // postgres://… of the server itself if Database is a pooler in transaction mode; empty: Database is the server
	Files     string // folder or s3://bucket/prefix for the files that customers download; empty: the folder files in Data
	Front     string // folder of a built front end instead of the embedded one
	Dev       bool   // reload open pages when the front end changes

	SecretFile string
	Proxies    []string // networks whose X-Forwarded-For and X-Forwarded-Proto are trusted
	SMTP       string   // smtp://user:password@host:port, smtps://…; empty: emails go to the mailbox in Data
	MailFrom   string   // sender address of all emails; empty: that of the label

	PasswordHash string // cost of argon2id, such as m=19456,t=2,p=1; parsed by identity.ParseCost
	HashCores    int    // CPU cores for hashing passwords while other calls are being served; 0: half of them
	// Drain is how long requests are still served after the stop signal. During this time /readyz returns 503 and connections are closed
	// one by one, so that load balancers use another process before the listener closes.
	Drain time.Duration

	Keep Keep // retention

	Demo bool
	// Sandbox allows settings for demos outside the demo. It is only for tests and has no flag.
	Sandbox bool
	Clock   string // RFC 3339: start time of the demo's clock, which then runs normally
	// Trial serves without background work: no events, emails, jobs or demo. It is for the trial during an upgrade and has no flag.
	Trial bool
	// WithoutPlugins starts no plugins. It is for commands on the data of core and has no flag.
	WithoutPlugins bool
	// Unsafe is faster but not safe: no fsync, a cheap password hash. It is only for browser tests and requires Demo.
	Unsafe bool

	LogLevel slog.Level
	File     string // the configuration file; empty: none

	DatabaseFile string // file with the database address, read by Check
	DirectFile   string // file with the address of the database server itself, read by Check
	SMTPFile     string // file with the mail server address, read by Check

	secrets map[string]string
	read    bool              // whether Check has read the address files
	via     map[string]string // for each flag whose value was read from a file, the flag that names the file
	flags   *pflag.FlagSet
}

// Default returns the configuration of `wattle serve` without flags.
func Default() Config {
	return Config{Addr: "127.0.0.1:8080", Data: "data", Labels: "labels", PasswordHash: identity.DefaultCost.String(), Drain: 5 * time.Second,
		Keep: DefaultKeep()}
}

// Flags registers every flag, with the current values as defaults.
func (c *Config) Flags(f *pflag.FlagSet) {
	c.BindFlags(f)
	f.StringVar(&c.Addr, "addr", c.Addr, "host:port to listen on; with port 0, the chosen address is printed as JSON")
	f.StringVar(&c.AdminAddr, "admin-addr", c.AdminAddr, "host:port for health, metrics, plugin pages and pprof; do not expose it to the internet")
	f.StringVar(&c.Front, "front", c.Front, "folder of a built front end to serve instead of the embedded one")
	f.StringVar(&c.Remotes, "remotes", c.Remotes,
		"folder of built remotes by key; each replaces the one in this program or in a plugin, and is reloaded when it changes")
	f.BoolVar(&c.Dev, "dev", c.Dev, "reload open pages when the front end changes")
	f.StringSliceVar(&c.Proxies, "trusted-proxies", c.Proxies, "networks (CIDR) whose X-Forwarded-For and X-Forwarded-Proto are trusted")
	f.IntVar(&c.HashCores, "hash-cores", c.HashCores, "CPU cores for hashing passwords while other calls are served; 0: half of them")
	f.DurationVar(&c.Drain, "drain", c.Drain,
		"how long to serve after SIGTERM while /readyz fails; longer than the interval of the load balancer's checks; 0s in demo mode")
	c.Keep.register(f)
	f.BoolVar(&c.Demo, "demo", c.Demo, "load demo records, and show the tools of the demo")
	f.StringVar(&c.Clock, "clock", c.Clock, "RFC 3339 time at which the clock of the demo starts")
	f.BoolVar(&c.Unsafe, "unsafe", c.Unsafe, "browser tests only: no fsync and a cheap password hash")
	_ = f.MarkHidden("unsafe")
	f.TextVar(&c.LogLevel, "log-level", c.LogLevel, "`level` of log lines: debug, info, warn or error; warn in demo mode")
	markGroups(f)
}

// Only registers some of the flags of Flags, for commands that use little of the configuration.
func (c *Config) Only(f *pflag.FlagSet, names ...string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags(all)
	for _, name := range names {
		f.AddFlag(all.Lookup(name))
	}
	c.flags = f
}

// BindFlags registers the folder and database flags. Every command that opens the database or the labels has them.
func (c *Config) BindFlags(f *pflag.FlagSet) {
	c.FileFlag(f)
	f.StringVar(&c.Data, "data", c.Data, "folder for the SQLite database, the mailbox and earlier front ends")
	f.StringVar(&c.Labels, "labels", c.Labels, "folder of the labels")
	f.StringVar(&c.Plugins, "plugins", c.Plugins, "folder of the plugins")
	f.StringSliceVar(&c.Digests, "plugin-digest", c.Digests, "SHA-256 of a plugin that may run; if none is given, every plugin in the folder may")
	f.StringVar(&c.Database, "database", c.Database, "address of the database, postgres://…; if empty, SQLite in the data folder")
	f.StringVar(&c.DatabaseFile, "database-file", c.DatabaseFile, "file with the address for --database, which contains a password")
	f.StringVar(&c.Direct, "database-direct", c.Direct,
		"address of the server itself, postgres://…, if --database is a pooler in transaction mode such as PgBouncer: for migrations, session locks and plugins")
	f.StringVar(&c.DirectFile, "database-direct-file", c.DirectFile, "file with the address for --database-direct, which contains a password")
	f.StringVar(&c.Files, "files", c.Files, "folder or bucket (s3://bucket/prefix?region=…) of the files that customers download; if empty, files/ in the data folder")
	f.StringVar(&c.SecretFile, "secret-file", c.SecretFile, "file of NAME=value lines that labels can refer to")
	f.StringVar(&c.SMTP, "smtp", c.SMTP, "address of the mail server, smtp(s)://user:password@host:port; if empty, mail goes to a mailbox in the data folder")
	f.StringVar(&c.SMTPFile, "smtp-file", c.SMTPFile, "file with the address for --smtp, which contains a password")
	f.StringVar(&c.PasswordHash, "password-hash", c.PasswordHash, "cost of an argon2id password hash: KiB of memory, passes, lanes")
	f.StringVar(&c.MailFrom, "mail-from", c.MailFrom, "sender address of mail; if empty, that of the label")
	for _, name := range []string{"database", "database-direct", "smtp"} {
		_ = f.SetAnnotation(name, secretAnnotation, []string{"true"}) // the flag has just been registered
	}
	markGroups(f)
}

// FileFlag registers --config, for commands with any of the flags from Flags.
func (c *Config) FileFlag(f *pflag.FlagSet) {
	f.StringVar(&c.File, configFlag, c.File, "file with settings, in CUE, JSON or YAML; environment variables and flags take precedence over it")
	markGroups(f)
	c.flags = f
}

// Check returns Problems if the configuration contradicts itself or has a value out of range. It reads the secret file and the files that
// contain addresses with passwords.
func (c *Config) Check() error {
	var ps Problems
	report := func(flag, format string, args ...any) { ps = append(ps, c.problem(flag, format, args...)) }
	ps = append(ps, c.readAddresses()...)
	for flag, address := range map[string]string{"addr": c.Addr, "admin-addr": c.AdminAddr} {
		if address == "" {
			continue
		}
		_, port, err := net.SplitHostPort(address)
		if n, e := strconv.Atoi(port); err != nil || e == nil && (n < 0 || n > maxPort) {
			report(flag, "must be host:port such as 127.0.0.1:8080 or :8080, with a port up to %d, and is %q", maxPort, address)
		}
	}
	if c.Clock != "" && !c.Demo {
		report("clock", "moves time and needs --demo")
	}
	if c.Unsafe && !c.Demo {
		report("unsafe", "loses data at a power cut and needs --demo")
	}
	if _, err := c.Start(); err != nil {
		report("clock", "must be an RFC 3339 time such as 2026-11-20T10:00:00+01:00, and is %q", c.Clock)
	}
	if _, err := c.HashCost(); err != nil {
		report("password-hash", "%v", err)
	}
	if c.HashCores < 0 {
		report("hash-cores", "must be a number of cores from 0, which is half of them, and is %d", c.HashCores)
	}
	if c.Drain < 0 {
		report("drain", "must be a duration from 0s, and is %s", c.Drain)
	}
	c.Keep.check(report)
	for _, p := range c.Proxies {
		if _, err := netip.ParsePrefix(p); err != nil {
			report("trusted-proxies", "%q is not a network such as 10.0.0.0/8", p)
		}
	}
	if c.Database != "" && !strings.HasPrefix(c.Database, "postgres://") && !strings.HasPrefix(c.Database, "postgresql://") {
		report("database", "must be an address such as postgres://user:password@host:5432/name") // never the value, which may contain a password
	}
	if c.Direct != "" && !strings.HasPrefix(c.Direct, "postgres://") && !strings.HasPrefix(c.Direct, "postgresql://") {
		report("database-direct", "must be an address such as postgres://user:password@host:5432/name")
	} else if c.Direct != "" && c.Database == "" {
		report("database-direct", "is the server behind a pooler and needs --database, the address of the pooler")
	}
	if _, err := mail.Server(c.SMTP); err != nil {
		report("smtp", "%v", err)
	}
	if c.MailFrom != "" {
		if _, err := netmail.ParseAddress(c.MailFrom); err != nil {
			report("mail-from", "must be an e-mail address, and is %q", c.MailFrom)
		}
	}
	if err := c.readSecrets(); err != nil {
		report("secret-file", "%v", err)
	}
	return ps.sorted().err()
}

const maxPort = 65535

// readAddresses reads the files that contain an address with a password. If both an address and its file are set, the one with precedence
// is used.
func (c *Config) readAddresses() (ps Problems) {
	if c.read {
		return nil
	}
	c.read, c.via = true, map[string]string{}
	for flag, at := range map[string]struct{ address, file *string }{"database": {&c.Database, &c.DatabaseFile},
		"database-direct": {&c.Direct, &c.DirectFile}, "smtp": {&c.SMTP, &c.SMTPFile}} {
		name := flag + "-file"
		switch {
		case *at.file == "" || *at.address != "" && c.rank(flag) > c.rank(name):
			continue
		case *at.address != "" && c.rank(flag) == c.rank(name):
			ps = append(ps, c.problem(name, "the same place also has %s: keep one of them", key(flag)))
			continue
		}
		text, err := readPrivate(*at.file)
		if err == nil && strings.TrimSpace(text) == "" {
			err = fmt.Errorf("%s is empty", *at.file)
		}
		if err != nil {
			ps = append(ps, c.problem(name, "%v", err))
			continue
		}
		*at.address = strings.TrimSpace(text)
		c.via[flag] = name
	}
	return ps
}

// readPrivate reads a file that must not be readable or writable by everybody on this machine.
func readPrivate(name string) (string, error) {
	if isOpen(name) {
		return "", fmt.Errorf("everybody on this machine can read or change %s: chmod 600 (or 640, for a group of its own)", name)
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// Server returns the address of the database server itself, without a pooler; empty for SQLite.
func (c *Config) Server() string { return cmp.Or(c.Direct, c.Database) }

// Start returns the start time of the demo's clock; zero means now.
func (c *Config) Start() (time.Time, error) {
	if c.Clock == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, c.Clock)
	if err != nil {
		return t, fmt.Errorf("--clock: %w", err)
	}
	return t, nil
}

// HashCost returns the cost of a password hash.
func (c *Config) HashCost() (identity.Cost, error) {
	if c.Unsafe {
		return identity.TestCost, nil
	}
	if c.PasswordHash == "" {
		return identity.DefaultCost, nil
	}
	cost, err := identity.ParseCost(c.PasswordHash)
	if err != nil {
		return cost, err
	}
	return cost, nil
}

// Secret returns the secret that a label refers to by name: an entry of the secret file, or else an environment variable, or else "".
func (c *Config) Secret(name string) string {
	if v, ok := c.secrets[name]; ok {
		return v
	}
	return os.Getenv(name)
}

// readSecrets reads NAME=value lines. Errors contain line numbers, never values.
func (c *Config) readSecrets() error {
	if c.SecretFile == "" {
		return nil
	}
	text, err := readPrivate(c.SecretFile)
	if err != nil {
		return err
	}
	c.secrets = map[string]string{}
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return fmt.Errorf("line %d of %s is not NAME=value", n+1, c.SecretFile)
		}
		c.secrets[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return nil
}
