package upgrade

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/health"
)

const (
	pollInterval = 100 * time.Millisecond
	stopTimeout  = 75 * time.Second // the maximum time that a portal may take to stop
)

// try starts the program without background work, on a random local port. It returns nil if the program becomes ready in time and stays
// ready. Then it stops the program.
func (u *upgrade) try(ctx context.Context, program string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, u.Healthy)
	defer cancel()
	cmd, err := u.command(context.WithoutCancel(ctx), program, "serve", "--addr=127.0.0.1:0", "--admin-addr=", "--drain=0s")
	if err != nil {
		return err
	}
	said := &tail{}
	cmd.Stderr = said
	alive, err := cmd.StdinPipe() // the trial ends when this process ends
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var announced struct{ Addr string }
			if json.Unmarshal(lines.Bytes(), &announced) == nil && announced.Addr != "" {
				select {
				case address <- announced.Addr:
				default: // it has announced one already
				}
			}
		}
		_, _ = io.Copy(io.Discard, out) // discards the rest after a line that is too long
		ended <- cmd.Wait()
	}()
	defer func() {
		_ = alive.Close() // the trial may already have ended
		_ = terminate(cmd.Process)
		select {
		case <-ended:
		case <-time.After(stopTimeout):
			_ = cmd.Process.Kill()
			<-ended
		}
	}()
	var addr string
	select {
	case addr = <-address:
	case end := <-ended:
		ended <- end
		return fmt.Errorf("it ended at its start (%s): %s", status(end), said)
	case <-ctx.Done():
		return u.lateError(ctx, said.String())
	}
	if err := u.awaitReady(ctx, addr); err != nil {
		select {
		case end := <-ended:
			ended <- end
			return fmt.Errorf("it ended (%s): %s", status(end), said)
		default:
			return err
		}
	}
	return nil
}

func status(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// lateError returns the reason why the time for becoming healthy is over.
func (u *upgrade) lateError(ctx context.Context, why string) error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return fmt.Errorf("it was not healthy within %s: %s", u.Healthy, why)
	}
	return errors.New("the upgrade was interrupted")
}

// awaitReady waits until a portal is ready and has stayed ready for a moment.
func (u *upgrade) awaitReady(ctx context.Context, addr string) error {
	var since time.Time
	why := "it does not answer"
	for {
		err := health.QueryReady(ctx, addr)
		switch {
		case ctx.Err() != nil:
			return u.lateError(ctx, why)
		case err != nil:
			since, why = time.Time{}, strings.TrimPrefix(err.Error(), "health: ")
		case since.IsZero():
			since = time.Now()
		case time.Since(since) >= u.Settle:
			return nil
		}
		select {
		case <-ctx.Done():
			return u.lateError(ctx, why)
		case <-time.After(pollInterval):
		}
	}
}

// tail keeps the end of a program's output.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.text) == 0 {
		return "it said nothing"
	}
	return lastLines(t.text)
}
