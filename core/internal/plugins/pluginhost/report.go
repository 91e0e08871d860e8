package pluginhost

import (
	"sync"
	"time"
)

// reports records when each fault was last logged, because a plugin that causes many faults must not flood the log.
type reports struct {
	mu   sync.Mutex
	last map[string]report
}

type report struct {
	at      time.Time
	skipped int
}

// shouldLog reports whether a sentence should be logged now, and how often it was suppressed since the last time.
func (r *reports) shouldLog(sentence string, now time.Time) (skipped int, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.last[sentence]
	if !was.at.IsZero() && now.Sub(was.at) < reportEvery {
		was.skipped++
		r.last[sentence] = was
		return 0, false
	}
	if r.last == nil {
		r.last = map[string]report{}
	}
	r.last[sentence] = report{at: now}
	return was.skipped, true
}

// report logs a fault of the plugin as one sentence, at most once per reportEvery.
func (p *Plugin) report(sentence string, args ...any) {
	if skipped, due := p.guard.reports.shouldLog(sentence, time.Now()); due {
		if skipped > 0 {
			args = append(args, "again", skipped)
		}
		p.log.Warn("plugin is contained: "+sentence, args...)
	}
}
