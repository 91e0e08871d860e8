package config

import (
	"time"

	"github.com/spf13/pflag"
)

// Keep contains, for each kind of data, the number of days for which it is kept after it is no longer needed.
type Keep struct {
	Sessions       int // sessions of customers who do not return and must then sign in again
	Impersonations int // since they began; their entries in the audit log are never deleted
	Tokens         int // emailed links that are used or expired
	Messages       int // delivered events, emails and webhooks
	DeadLetters    int // dead letters
	Mailbox        int // emails of a portal without a mail server
	Logs           int // log lines of plugins in the data folder
}

// minMessages is the number of days during which a plugin may resend a row of its outbox, which core must then recognize.
const minMessages = 30

// DefaultKeep returns the defaults of the flags.
func DefaultKeep() Keep {
	return Keep{Sessions: 1, Impersonations: 400, Tokens: 180, Messages: minMessages, DeadLetters: 365, Mailbox: 90, Logs: 30}
}

// Days returns a number of days as a duration.
func Days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// keepFlag is a flag of Keep.
type keepFlag struct {
	name, usage string
	value       *int
	minDays     int
}

func (k *Keep) flags() []keepFlag {
	return []keepFlag{
		{"keep-sessions-days", "days until an unused session ends and is deleted", &k.Sessions, 1},
		{"keep-impersonations-days", "days to keep impersonation records; their entries in the audit log are never deleted",
			&k.Impersonations, 1},
		{"keep-tokens-days", "days to keep records of mailed links that were used or have expired", &k.Tokens, 1},
		{"keep-messages-days", "days to keep delivered events, mails and webhooks; at least 30", &k.Messages, minMessages},
		{"keep-dead-letters-days", "days to keep dead letters, which can be replayed", &k.DeadLetters, 1},
		{"keep-mailbox-days", "days to keep mails in the mailbox of the data folder", &k.Mailbox, 1},
		{"keep-logs-days", "days to keep the logs of plugins in the data folder", &k.Logs, 1},
	}
}

// maxKeep is a century. A larger value is a mistake, and a much larger value overflows a duration.
const maxKeep = 36525

func (k *Keep) register(f *pflag.FlagSet) {
	for _, x := range k.flags() {
		f.IntVar(x.value, x.name, *x.value, x.usage)
	}
}

// check calls wrong for each flag that is out of range.
func (k *Keep) check(report func(flag, format string, args ...any)) {
	for _, x := range k.flags() {
		if *x.value < x.minDays || *x.value > maxKeep {
			report(x.name, "must be a number of days from %d to %d, and is %d", x.minDays, maxKeep, *x.value)
		}
	}
}
