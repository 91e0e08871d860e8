package pluginfile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file with too many files, or with more than it may unpack to, is refused at the first one above the limit.
func TestUnpackLimits(t *testing.T) {
	t.Run("10-plugin-file-refused", func(t *testing.T) {
		require.Equal(t, []int{5000, 512 << 20}, []int{maxFiles, maxBytes})
		for _, c := range []struct {
			sizes    []int
			files    int
			bytes    int64
			problem  string
			unpacked bool
		}{
			{sizes: []int{3, 4, 5}, files: 3, bytes: 12, unpacked: true},
			{sizes: []int{3, 4, 5}, files: 2, bytes: 12, problem: "it has 3 files, and may have 2"},
			{sizes: []int{3, 4, 5}, files: 3, bytes: 11, problem: "all files together are larger than 11 bytes"},
			{sizes: []int{12}, files: 3, bytes: 12, unpacked: true},
			{sizes: []int{13}, files: 3, bytes: 12, problem: "all files together are larger than 12 bytes"},
		} {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for i, size := range c.sizes {
				f, err := w.Create(fmt.Sprintf("remote/%d.js", i))
				require.NoError(t, err)
				_, err = f.Write(bytes.Repeat([]byte("x"), size))
				require.NoError(t, err)
			}
			require.NoError(t, w.Close())
			z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
			require.NoError(t, err)
			err = unpack(z, filepath.Join(t.TempDir(), "new"), c.files, c.bytes)
			if c.unpacked {
				require.NoError(t, err, c)
				continue
			}
			require.ErrorIs(t, err, ErrFile, c)
			require.ErrorContains(t, err, c.problem)
		}
	})
}
