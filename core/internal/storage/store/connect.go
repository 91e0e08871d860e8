package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes with which a server refuses a connection.
const (
	invalidPassword = "28P01"
	invalidRole     = "28000"
	noDatabase      = "3D000"
)

// connectError is a connection to PostgreSQL that failed, in one line: first what the server said. pgx lists every attempt on a line of its
// own, so that a wrong password follows the attempts with TLS.
type connectError struct {
	text  string
	cause error
}

func (e *connectError) Error() string { return e.text }
func (e *connectError) Unwrap() error { return e.cause }

// connecting returns the error for a failed connection, and nil for nil. It never contains the password.
func connecting(conf *pgx.ConnConfig, err error) error {
	if _, is := errors.AsType[*pgconn.ConnectError](err); !is {
		return err
	}
	return &connectError{location(conf) + ": " + ConnectReason(conf, err), err}
}

// ConnectReason returns in one line why a connection to PostgreSQL failed. It never contains the password.
func ConnectReason(conf *pgx.ConnConfig, err error) string {
	isSeveral := slices.ContainsFunc(conf.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.Host != conf.Host || f.Port != conf.Port })
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if ok && (!isSeveral || refused.Code == invalidPassword) {
		switch refused.Code {
		case invalidPassword:
			return fmt.Sprintf("wrong password for the user %s, or no such user", conf.User)
		case invalidRole:
			return fmt.Sprintf("the server refuses the user %s: %s", conf.User, refused.Message)
		case noDatabase:
			return refused.Message
		}
		return fmt.Sprintf("%s (%s)", refused.Message, refused.Code)
	}
	var attempts []string
	for _, line := range strings.Split(err.Error(), "\n")[1:] { // the first line has the user and the database
		if line = strings.TrimSpace(line); !slices.Contains(attempts, line) {
			attempts = append(attempts, line)
		}
	}
	if len(attempts) == 0 {
		_, attempt, _ := strings.Cut(err.Error(), "`: ")
		attempts = []string{attempt}
	}
	text := strings.Join(attempts, "; ")
	if conf.Password != "" {
		text = strings.ReplaceAll(text, conf.Password, "…")
	}
	return text
}
