package mail

import (
	"fmt"
	"strings"
	"testing"
)

func TestServer(t *testing.T) {
	for address, want := range map[string]Config{
		"":                    {},
		"smtp://mail.example": {Host: "mail.example"},
		"smtp://portal:s%3Ac%40ret@mail.example:2525": {Host: "mail.example", Port: 2525, Username: "portal", Password: "s:c@ret"},
		"smtp://mail.example:25?tls=none":             {Host: "mail.example", Port: 25, TLS: "none"},
		"smtps://portal:secret@mail.example":          {Host: "mail.example", Username: "portal", Password: "secret", TLS: "implicit"},
		"smtps://portal:secret@[2001:db8::1]:4465/": {Host: "2001:db8::1", Port: 4465, Username: "portal", Password: "secret",
			TLS: "implicit"},
		"smtps://portal:secret@mail.example?tls=implicit": {Host: "mail.example", Username: "portal", Password: "secret", TLS: "implicit"},
	} {
		got, err := Server(address)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v %v", address, got, err)
			continue
		}
		m, err := New(got, brands, brands)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got.TLS == "implicit" && got.Port == 0 && m.client.ServerAddr() != "mail.example:465" {
			t.Errorf("%s: not TLS from the first byte at %s", address, m.client.ServerAddr())
		}
	}
	for _, address := range []string{"mail.example:587", "http://u:hunter2@mail.example", "smtp://u:hunter2@:587", "smtp://u:hunter2@h:x",
		"smtp://u:hunter2@h:0", "smtps://u:hunter2@h?tls=none", "smtp://u:hunter2@h/path", "smtp://u:hunter2@h:99999"} {
		if c, err := Server(address); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %+v %v", address, c, err)
		}
	}
}
