package store_test

import (
	"cmp"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// A database URL may name several servers. The one that accepts writes is used, even for reads.
func TestSeveralServers(t *testing.T) {
	t.Run("11-cluster-hosts", func(t *testing.T) {
		c := storetest.PostgresConfig(t)
		for _, role := range []string{"read-write", "primary"} {
			u, err := url.Parse(c.URL)
			require.NoError(t, err)
			q := u.Query()
			standby, requests := readOnly(t)
			q.Set("host", filepath.Join(t.TempDir(), "gone")+",127.0.0.1,"+q.Get("host"))
			q.Set("port", "5432,"+standby+","+cmp.Or(q.Get("port"), "5432"))
			q.Set("target_session_attrs", role)
			u.RawQuery = q.Encode()
			several := c
			several.URL = u.String()
			s := storetest.Open(t, several)
			require.NoError(t, s.Ping(t.Context()), role)
			require.Positive(t, requests.Load(), "%s: the server that takes no writes was asked, and not used", role)
			_, err = s.Read().ExecContext(t.Context(), "CREATE TABLE x (a integer)")
			assert.ErrorContains(t, err, "read-only", role)
			_, err = s.DB().ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS y (a integer)")
			assert.NoError(t, err, role)
		}
	})
}

// readOnly starts a fake PostgreSQL server that accepts no writes. It returns its port, and how often its role was queried.
func readOnly(t *testing.T) (port string, requests *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	requests = &atomic.Int64{}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				b := pgproto3.NewBackend(conn, conn)
				for started := false; !started; {
					m, err := b.ReceiveStartupMessage()
					if err != nil {
						return
					}
					if _, started = m.(*pgproto3.StartupMessage); !started { // the client requested TLS
						if _, err := conn.Write([]byte("N")); err != nil {
							return
						}
					}
				}
				b.Send(&pgproto3.AuthenticationOk{})
				for {
					b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
					if b.Flush() != nil {
						return
					}
					m, err := b.Receive()
					q, ok := m.(*pgproto3.Query)
					if err != nil || !ok {
						return
					}
					answer := "t"
					if strings.Contains(q.String, "transaction_read_only") {
						answer = "on"
					}
					requests.Add(1)
					b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("x"), DataTypeOID: 25}}})
					b.Send(&pgproto3.DataRow{Values: [][]byte{[]byte(answer)}})
					b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
				}
			}()
		}
	}()
	_, port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port, requests
}
