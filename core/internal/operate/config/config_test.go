package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, env map[string]string, args ...string) (Config, error) {
	t.Helper()
	c := Default()
	f := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Flags(f)
	require.NoError(t, f.Parse(args))
	err := Resolve(f, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err == nil {
		err = c.Check()
	}
	return c, err
}

func TestEveryFlagIsAlsoAnEnvironmentVariable(t *testing.T) {
	c, err := parse(t, map[string]string{
		"WATTLE_ADDR": "0.0.0.0:80", "WATTLE_TRUSTED_PROXIES": "10.0.0.0/8,::1/128", "WATTLE_DEMO": "true", "WATTLE_DATA": "/env",
	}, "--data", "/flag")
	require.NoError(t, err)
	require.Equal(t, "0.0.0.0:80", c.Addr)
	require.Equal(t, []string{"10.0.0.0/8", "::1/128"}, c.Proxies)
	require.True(t, c.Demo)
	require.Equal(t, "/flag", c.Data, "the command line takes precedence over the environment")
}

func TestContradictionsAreRefused(t *testing.T) {
	for name, args := range map[string][]string{
		"clock without demo":  {"--clock", "2026-11-20T10:00:00Z"},
		"unsafe without demo": {"--unsafe"},
		"clock":               {"--demo", "--clock", "yesterday"},
		"proxy":               {"--trusted-proxies", "10.0.0.1"},
		"database":            {"--database", "mysql://x"},
		"secret file":         {"--secret-file", "/nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(t, nil, args...)
			require.Error(t, err)
		})
	}
	_, err := parse(t, map[string]string{"WATTLE_DEMO": "perhaps"})
	require.ErrorContains(t, err, "WATTLE_DEMO")
}

func TestCostOfPasswords(t *testing.T) {
	t.Run("5.5-password-cost", func(t *testing.T) {
		for flag, want := range map[string]string{"": "m=19456,t=2,p=1", "m=65536,t=3,p=1": "m=65536,t=3,p=1"} {
			args := []string{"--password-hash", flag}
			if flag == "" {
				args = nil
			}
			c, err := parse(t, nil, args...)
			require.NoError(t, err)
			cost, err := c.HashCost()
			require.NoError(t, err)
			require.Equal(t, want, cost.String())
		}
		_, err := parse(t, nil, "--password-hash", "m=7168,t=4,p=1")
		require.ErrorContains(t, err, "password-hash", "weaker than OWASP recommends")
	})
}

func TestSecrets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(file, []byte("# of the payment provider\nMOLLIE = abc=def\n\n"), 0o600))
	t.Setenv("FROM_ENV", "e")
	c, err := parse(t, nil, "--secret-file", file)
	require.NoError(t, err)
	require.Equal(t, "abc=def", c.Secret("MOLLIE"))
	require.Equal(t, "e", c.Secret("FROM_ENV"))
	require.Empty(t, c.Secret("NOWHERE"))

	t.Run("9-secret-file-mode", func(t *testing.T) {
		for mode, fine := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: true, 0o440: true, 0o644: false, 0o604: false, 0o602: false,
			0o666: false} {
			require.NoError(t, os.Chmod(file, mode))
			_, err := parse(t, nil, "--secret-file", file)
			if fine {
				require.NoError(t, err, mode)
				continue
			}
			require.ErrorContains(t, err, "chmod 600", mode)
			require.NotContains(t, err.Error(), "abc=def")
		}
		require.NoError(t, os.Chmod(file, 0o600))
	})

	require.NoError(t, os.WriteFile(file, []byte("a=b\nhunter2\n"), 0o600))
	_, err = parse(t, nil, "--secret-file", file)
	require.ErrorContains(t, err, "line 2")
	require.False(t, strings.Contains(err.Error(), "hunter2"), "an error never holds a secret")
}
