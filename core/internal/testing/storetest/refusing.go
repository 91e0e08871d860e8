package storetest

import (
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// Refusing starts a PostgreSQL server without TLS that refuses every connection with a code and a message, and returns its URL for the user
// anna.
func Refusing(t testing.TB, code, message string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // the test has ended
			}
			go refuseStartup(conn, code, message)
		}
	}()
	return "postgres://anna:hunter2@" + l.Addr().String() + "/wattle"
}

func refuseStartup(conn net.Conn, code, message string) {
	defer func() { _ = conn.Close() }()
	backend := pgproto3.NewBackend(conn, conn)
	for {
		asked, err := backend.ReceiveStartupMessage()
		if err != nil {
			return
		}
		if _, is := asked.(*pgproto3.StartupMessage); is {
			backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code, Message: message})
			_ = backend.Flush() // the client may be gone
			return
		}
		if _, err := conn.Write([]byte("N")); err != nil { // neither TLS nor GSSAPI
			return
		}
	}
}
