package imports

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/wattle-portal/wattle/core/internal/base/words"
)

// logEvery is the interval between progress lines in a log.
const logEvery = 15 * time.Second

// progress shows a bar on a terminal. Elsewhere it writes a line every 15 seconds and one at the end, because bars would fill a log.
type progress struct {
	size    int64
	began   time.Time
	logged  time.Time
	every   time.Duration
	out     io.Writer
	name    string
	bars    *mpb.Progress
	bar     *mpb.Bar
	shown   int64 // offset shown last
	rows    atomic.Int64
	refused atomic.Int64
}

func newProgress(out io.Writer, name string, size int64) *progress {
	now := time.Now()
	p := &progress{out: out, name: name, size: max(size, 1), began: now, logged: now, every: logEvery}
	f, ok := out.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(f), mpb.WithWidth(64))
	// The total is set later: a bar that is created with one completes only when it reaches the total, or else Wait never returns.
	p.bar = p.bars.AddBar(0,
		mpb.PrependDecorators(decor.Name(name, decor.WCSyncSpaceR), decor.Any(func(decor.Statistics) string { return p.counts() })),
		mpb.AppendDecorators(decor.Percentage(decor.WCSyncSpace), decor.Name(" "), decor.AverageETA(decor.ET_STYLE_GO)))
	p.bar.SetTotal(p.size, false)
	return p
}

func (p *progress) counts() string {
	records := words.Count(p.rows.Load(), "record", "records")
	if refused := p.refused.Load(); refused > 0 {
		return fmt.Sprintf("%s, %d refused", records, refused)
	}
	return records
}

func (p *progress) at(offset int64, rows, refused int) {
	if p.out == nil || offset-p.shown < 32<<10 {
		return
	}
	p.shown = offset
	p.set(rows, refused)
	if p.bar != nil {
		p.bar.SetCurrent(offset)
		return
	}
	if now := time.Now(); now.Sub(p.logged) >= p.every {
		p.logged = now
		_, _ = fmt.Fprintf(p.out, "%s: %d%%, %s, %d a second\n", p.name, 100*offset/p.size, p.counts(), perSecond(rows, now.Sub(p.began)))
	}
}

func (p *progress) done(rows, refused int, complete bool) {
	p.set(rows, refused)
	switch {
	case p.bar != nil && complete:
		p.bar.SetTotal(p.size, true)
		p.bars.Wait()
	case p.bar != nil:
		p.bar.Abort(false)
		p.bars.Wait()
	case p.out != nil:
		_, _ = fmt.Fprintf(p.out, "%s: %s\n", p.name, p.counts()) // an error of the terminal does not stop the import
	}
}

func (p *progress) set(rows, refused int) {
	p.rows.Store(int64(rows))
	p.refused.Store(int64(refused))
}
