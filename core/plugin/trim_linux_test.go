package plugin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCleanMappings(t *testing.T) {
	const smaps = `00400000-00a00000 r-xp 00000000 fe:00 77                         /srv/data/outages
Rss:                6000 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00a00000-00b00000 r--p 00600000 fe:00 77                         /srv/data/outages
Anonymous:             8 kB
00b00000-00c00000 r--p 00700000 fe:00 77                         /srv/data/outages
Anonymous:             0 kB
00c00000-00d00000 rw-p 00800000 fe:00 77                         /srv/data/outages
Anonymous:             0 kB
00d00000-00e00000 r--p 00000000 fe:00 78                         /srv/data/another
Anonymous:             0 kB
7ffe00000000-7ffe00001000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
`
	require.Equal(t, []mapping{{0x400000, 0xa00000}, {0xb00000, 0xc00000}}, cleanMappings([]byte(smaps), "/srv/data/outages"),
		"not what was written to, can be written to, or is of another file")
	require.Empty(t, cleanMappings(nil, "/srv/data/outages"))
}
