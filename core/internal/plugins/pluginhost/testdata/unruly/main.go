// Command unruly is a plugin for tests that does everything that a plugin must not do. A file named "crash" in its working directory makes
// it exit soon after each start.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/core/record"
)

var manifest = module.Manifest{Key: "unruly", Version: "1.0.0", Settings: "#Settings: {}", Uses: []string{"other"},
	Imports: []string{"knot"},
	Problems: map[string]string{"unruly.tangled": "the knot cannot be untied", "unruly.long": strings.Repeat("a", 301),
		"unruly.lines": "one\x1b[31m\ntwo", "internal": "nothing is wrong", "other.gone": "it is here"},
	Permissions: &module.Permissions{Core: []string{"files"}, Hosts: []string{"127.0.0.1", "*.example.nl"}},
	Browser: func(settings json.RawMessage) (json.RawMessage, error) {
		var of struct{ Size int } // length of the JSON to return
		if err := json.Unmarshal(settings, &of); err != nil || of.Size < 2 {
			return json.RawMessage(`{"broken`), nil
		}
		return json.RawMessage(`"` + strings.Repeat("a", of.Size-2) + `"`), nil
	}}

func main() {
	if _, err := os.Stat("crash"); err == nil {
		time.AfterFunc(50*time.Millisecond, func() { os.Exit(3) })
	}
	plugin.Serve(module.New(manifest, newService))
}

type service struct {
	module.Router
	host module.Host
	kept [][]byte
}

// Handle implements module.Instance.
func (*service) Handle(context.Context, module.Event) error { return nil }

// Import implements module.Importer.
func (*service) Import(_ context.Context, _ string, rows []record.Row) (refused []record.Refusal, err error) {
	for _, r := range rows {
		refused = append(refused, record.Refusal{Line: r.Line, Field: "ends", Code: "unruly.tangled"})
	}
	return refused, nil
}

type none struct{}

// written is the content that was last written.
var written []byte

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h}
	route := func(id string, extensions map[string]any) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: "/unruly/" + id, Summary: id, Extensions: extensions}
	}
	fine := func(context.Context, *none) (*none, error) { return nil, nil }
	hang := func(ctx context.Context, _ *none) (*none, error) { // continues even when its call has ended
		time.Sleep(time.Hour)
		return nil, ctx.Err()
	}
	module.Route(s.API, route("fine", nil), module.Public, module.Read, fine)
	module.Route(s.API, route("hang", nil), module.Public, module.Read, hang)
	module.Route(s.API, route("short", map[string]any{module.ExtTimeout: "200ms"}), module.Public, module.Read, hang)
	module.Route(s.API, route("exit", nil), module.Public, module.Read, func(context.Context, *none) (*none, error) { os.Exit(3); return nil, nil })
	module.Route(s.API, route("log", nil), module.Public, module.Read, func(context.Context, *none) (*none, error) {
		for i := range 5000 {
			h.Log.Info("a line of the unruly", "n", i)
		}
		return nil, nil
	})
	module.Route(s.API, route("leak", nil), module.Public, module.Read, s.leak)
	module.Route(s.API, route("garbage_of_go", nil), module.Public, module.Read, func(_ context.Context, in *struct {
		MB int `query:"mb"`
	}) (*none, error) {
		for range in.MB {
			written = bytes.Repeat([]byte("text"), 1<<18)
		}
		return nil, nil
	})
	module.Route(s.API, route("call", nil), module.Public, module.Read, s.call)
	module.Route(s.API, route("see", nil), module.Public, module.Read, s.see)
	module.Route(s.API, route("spin", nil), module.Public, module.Read, func(context.Context, *none) (*none, error) {
		for until := time.Now().Add(20 * time.Millisecond); time.Now().Before(until); {
		}
		return nil, nil
	})
	for _, id := range []string{"big", "sized", "endless", "headers", "garbage", "chunks"} { // see ServeHTTP
		module.Route(s.API, route(id, nil), module.Public, module.Read, fine)
	}
	files.Download(s.API, route("download", nil), module.Public, func(context.Context, *none) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(c huma.Context) {
			for range 4 {
				_, _ = c.BodyWriter().Write(bytes.Repeat([]byte("a"), 1<<20))
			}
		}}, nil
	})
	return s
}

// ServeHTTP implements module.Instance. Some responses bypass the router, which would not send them.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text := bytes.Repeat([]byte("a"), 1<<20)
	hijack := func(answer string) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = io.WriteString(c, answer)
			_ = c.Close()
		}
	}
	switch strings.TrimPrefix(r.URL.Path, "/unruly/") {
	case "big":
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text)
	case "sized": // bytes, with their number in the header or without
		n, _ := strconv.Atoi(r.URL.Query().Get("bytes"))
		if r.URL.Query().Get("chunked") == "" {
			w.Header().Set("Content-Length", strconv.Itoa(n))
		} else {
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(text[:n])
	case "endless":
		for {
			if _, err := w.Write(text); err != nil {
				return
			}
		}
	case "headers":
		for i := range 100 {
			w.Header().Set("X-H"+strconv.Itoa(i), strings.Repeat("a", 1000))
		}
		w.WriteHeader(http.StatusOK)
	case "garbage":
		hijack("\x00\x01\x02 this is no HTTP\r\n\r\n")
	case "chunks":
		hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnone")
	default:
		s.Router.ServeHTTP(w, r)
	}
}

// leak keeps some megabytes of memory.
func (s *service) leak(_ context.Context, in *struct {
	MB int `query:"mb"`
}) (*none, error) {
	for range in.MB {
		s.kept = append(s.kept, bytes.Repeat([]byte("leak"), 1<<18))
	}
	return nil, nil
}

type view struct {
	Body struct {
		UID, GID int
		Groups   []int
		Cores    int
		Read     string `json:"read" doc:"Why a file cannot be read"`
		Dial     string `json:"dial" doc:"Why an address cannot be reached"`
	}
}

// see returns the user of its process, and the files and addresses that the process can access by itself.
func (s *service) see(ctx context.Context, in *struct {
	Read string `query:"read"`
	Dial string `query:"dial"`
}) (*view, error) {
	out := &view{}
	out.Body.UID, out.Body.GID = os.Getuid(), os.Getgid()
	out.Body.Groups, _ = os.Getgroups()
	out.Body.Cores = runtime.GOMAXPROCS(0)
	if in.Read != "" {
		if _, err := os.ReadFile(in.Read); err != nil {
			out.Body.Read = err.Error()
		}
	}
	if in.Dial != "" {
		c, err := (&net.Dialer{Timeout: 2 * time.Second}).DialContext(ctx, "tcp", in.Dial)
		if err != nil {
			out.Body.Dial = err.Error()
			return out, nil
		}
		_ = c.Close()
	}
	return out, nil
}

type answers struct {
	Body struct {
		Status map[string]int `json:"status" doc:"How often each status was answered"`
		Codes  map[string]int `json:"codes"`
		Later  int            `json:"later" doc:"How many had Retry-After"`
	}
}

// call calls a URL many times simultaneously, and counts the responses.
func (s *service) call(ctx context.Context, in *struct {
	URL   string `query:"url"`
	Times int    `query:"times" default:"1"`
	Web   bool   `query:"web"`
}) (*answers, error) {
	out := &answers{}
	out.Body.Status, out.Body.Codes = map[string]int{}, map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range in.Times {
		all.Go(func() {
			client := s.host.Client
			if in.Web {
				client = s.host.Web
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL, nil)
			if err != nil {
				return
			}
			resp, err := client.Do(r)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				out.Body.Codes[err.Error()]++
				return
			}
			defer func() { _ = resp.Body.Close() }()
			var p struct{ Code string }
			_ = json.NewDecoder(resp.Body).Decode(&p) // other responses have no code
			out.Body.Status[fmt.Sprint(resp.StatusCode)]++
			out.Body.Codes[p.Code]++
			if resp.Header.Get("Retry-After") != "" {
				out.Body.Later++
			}
		})
	}
	all.Wait()
	return out, nil
}
