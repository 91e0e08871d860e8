package store

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPace(t *testing.T) {
	later := Later(context.Background())
	waits := func(t *testing.T, p *pace, ctx context.Context) (took time.Duration, err error) {
		t.Helper()
		from := time.Now()
		leave, err := p.enter(ctx)
		leave()
		return time.Since(from), err
	}
	for _, c := range []struct {
		name string
		do   func(*pace)
		want time.Duration
	}{
		{"nobody else", func(*pace) {}, 0},
		{"a caller long ago", func(p *pace) { p.begin()(); time.Sleep(time.Second) }, 0},
		{"a caller just now", func(p *pace) { p.begin()() }, idleGap},
		{"one that takes a while", func(p *pace) {
			end := p.begin()
			time.AfterFunc(95*time.Millisecond, end)
		}, 105 * time.Millisecond},
		{"one without an end", func(p *pace) { p.begin() }, maxDelay},
		{"a crowd", func(p *pace) {
			go func() {
				for range 100 {
					p.begin()()
					time.Sleep(idleGap / 2)
				}
			}()
			synctest.Wait()
		}, maxDelay},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var p pace
				c.do(&p)
				if took, err := waits(t, &p, later); err != nil || took < c.want || took > c.want+idleGap {
					t.Errorf("waited %v (%v), want %v", took, err, c.want)
				}
				if took, err := waits(t, &p, context.Background()); err != nil || took != 0 {
					t.Errorf("a caller waited %v (%v)", took, err)
				}
				time.Sleep(time.Second) // there are no callers any more
			})
		})
	}
	t.Run("nobody wants it any more", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var p pace
			p.begin()
			ctx, cancel := context.WithTimeout(later, 20*time.Millisecond)
			defer cancel()
			if took, err := waits(t, &p, ctx); !errors.Is(err, context.DeadlineExceeded) || took != 20*time.Millisecond {
				t.Errorf("waited %v: %v", took, err)
			}
		})
	})
}

// begin starts the transaction of a caller.
func (p *pace) begin() (end func()) {
	end, _ = p.enter(context.Background())
	return end
}
