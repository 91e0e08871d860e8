package mail

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	gomail "github.com/wneessen/go-mail"
	gosmtp "github.com/wneessen/go-mail/smtp"
)

const (
	maxIdle          = 6                // open connections: as many as the outbox uses at the same time
	idleTimeout      = 20 * time.Second // servers close connections that stay idle for longer
	quitTimeout      = 2 * time.Second  // limits the last response of the server
	maxPerConnection = 50               // emails; servers limit their number
)

// connection is a connection to the SMTP server, after TLS and sign-in.
type connection struct {
	client *gosmtp.Client
	sent   int
	idle   *time.Timer // closes the connection; nil while in use
}

// connections keeps connections open for the next email.
type connections struct {
	client *gomail.Client

	mu     sync.Mutex
	idle   []*connection // the most recently used one is last
	closed bool
}

// send sends an email over an open or a new connection. An email that the server has accepted counts as sent, even if the connection fails
// afterwards.
func (p *connections) send(ctx context.Context, msg *gomail.Msg) error {
	for {
		c, isNew, err := p.take(ctx)
		if err != nil {
			return err
		}
		cut := context.AfterFunc(ctx, c.abort) // SendWithSMTPClient has its own deadline and ignores ctx
		err = p.client.SendWithSMTPClient(c.client, msg)
		if !cut() || !p.keep(c, err) {
			c.quit(p.client)
		}
		if msg.IsDelivered() {
			return nil
		}
		if e, ok := errors.AsType[*gomail.SendError](err); ok && e.Reason == gomail.ErrConnCheck && !isNew && ctx.Err() == nil {
			continue // the server has closed the connection in the meantime, and nothing was sent
		}
		return err
	}
}

// take returns an idle or a new connection.
func (p *connections) take(ctx context.Context) (c *connection, isNew bool, err error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c = p.idle[n-1]
		p.idle = p.idle[:n-1]
	}
	p.mu.Unlock()
	if c != nil && c.idle.Stop() && c.client.UpdateDeadline(smtpTimeout) == nil { // the deadline of the last email may have passed
		return c, false, nil
	}
	client, err := p.client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, true, err
	}
	return &connection{client: client}, true, nil
}

// keep keeps a connection for the next email unless err is an error other than a refused address. It reports whether the connection is
// kept.
func (p *connections) keep(c *connection, err error) bool {
	if e, ok := errors.AsType[*gomail.SendError](err); err != nil &&
		(!ok || e.ErrorCode() == 0 || e.Reason != gomail.ErrSMTPMailFrom && e.Reason != gomail.ErrSMTPRcptTo) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.sent++; c.sent >= maxPerConnection || len(p.idle) >= maxIdle || p.closed {
		return false
	}
	c.idle = time.AfterFunc(idleTimeout, func() { p.expire(c) })
	p.idle = append(p.idle, c)
	return true
}

func (p *connections) expire(c *connection) {
	p.mu.Lock()
	p.idle = slices.DeleteFunc(p.idle, func(x *connection) bool { return x == c })
	p.mu.Unlock()
	c.quit(p.client)
}

// quit ends the connection, whatever the server responds.
func (c *connection) quit(client *gomail.Client) {
	_ = c.client.UpdateDeadline(quitTimeout)
	_ = client.CloseWithSMTPClient(c.client)
	c.abort()
}

// abort ends the connection and its running command: smtp.Client.Close would wait for that command.
func (c *connection) abort() { _ = c.client.Text.Close() }

// close ends all idle connections, and makes keep refuse further connections.
func (p *connections) close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		if c.idle.Stop() {
			c.quit(p.client)
		}
	}
}
