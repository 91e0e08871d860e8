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
	maxIdle          = 6                // connections that are kept: as many as the outbox uses at once
	idleTimeout      = 20 * time.Second // servers close connections that are idle for long
	quitTimeout      = 2 * time.Second  // for the answer of a server from which nothing else is expected
	maxPerConnection = 50               // mails; servers limit them
)

// connection is a connection to the SMTP server, after TLS and sign-in.
type connection struct {
	client *gosmtp.Client
	sent   int
	idle   *time.Timer // closes the connection; nil while it is used
}

// connections keeps connections open for the next mail.
type connections struct {
	client *gomail.Client

	mu     sync.Mutex
	idle   []*connection // the last one was used last
	closed bool
}

// send sends a mail over a connection that is open, or a new one. A mail that the server has accepted is sent, whatever happens to the
// connection afterwards.
func (p *connections) send(ctx context.Context, msg *gomail.Msg) error {
	for {
		c, isNew, err := p.take(ctx)
		if err != nil {
			return err
		}
		cut := context.AfterFunc(ctx, c.abort) // sending has its own deadline, and does not end with ctx
		err = p.client.SendWithSMTPClient(c.client, msg)
		if !cut() || !p.keep(c, err) {
			c.quit(p.client)
		}
		if msg.IsDelivered() {
			return nil
		}
		if e, ok := errors.AsType[*gomail.SendError](err); ok && e.Reason == gomail.ErrConnCheck && !isNew && ctx.Err() == nil {
			continue // the server has closed the connection meanwhile; nothing was sent
		}
		return err
	}
}

// take returns an idle connection, or a new one.
func (p *connections) take(ctx context.Context) (c *connection, isNew bool, err error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c = p.idle[n-1]
		p.idle = p.idle[:n-1]
	}
	p.mu.Unlock()
	if c != nil && c.idle.Stop() && c.client.UpdateDeadline(smtpTimeout) == nil { // the deadline of the last mail may have passed
		return c, false, nil
	}
	client, err := p.client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, true, err
	}
	return &connection{client: client}, true, nil
}

// keep keeps a connection for the next mail, and reports whether it did: not after an error, except that the server refused an address.
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

// quit ends the connection, whatever the server answers.
func (c *connection) quit(client *gomail.Client) {
	_ = c.client.UpdateDeadline(quitTimeout)
	_ = client.CloseWithSMTPClient(c.client)
	c.abort()
}

// abort ends the connection and the command that runs on it: smtp.Client.Close would wait for the command.
func (c *connection) abort() { _ = c.client.Text.Close() }

// close ends all idle connections, and keeps none any more.
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
