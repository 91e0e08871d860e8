package label

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Files of a label are tested at their limits and just above them.
func TestLimitsOfPictures(t *testing.T) {
	photo := func(w, h int) string {
		var b bytes.Buffer
		require.NoError(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, w, h)), &jpeg.Options{Quality: 1}))
		return b.String()
	}
	picture := func(w, h int) string {
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))))
		return b.String()
	}
	sized := func(content string, size int) string { return content + strings.Repeat(" ", size-len(content)) }
	figtree, err := os.ReadFile(labels + "/1042/assets/figtree.woff2")
	require.NoError(t, err)
	font := func(size int) string { // the header of a WOFF2 file contains the size of the file
		return sized(string(figtree[:8])+string(binary.BigEndian.AppendUint32(nil, uint32(size)))+string(figtree[12:]), size)
	}
	const project, photos = `projects: "W-GRUTTO": picture: "a.jpg"`, `style: photos: %s: "a.jpg"`
	drawings, head := `style: illustrations: %s: "a.svg"`, `style: {heading_font_family: "Figtree", heading_font_file: "a.woff2"}`
	for row, cases := range map[string][]struct{ more, file, content, want string }{
		"9-project-picture": {
			{project, "a.jpg", photo(2400, 1600), ""},
			{project, "a.jpg", photo(2401, 1600), "projects.W-GRUTTO.picture: assets/a.jpg is larger than 2400 by 1600 pixels"},
			{project, "a.jpg", photo(2400, 1601), "is larger than 2400 by 1600 pixels"},
			{project, "a.jpg", sized(photo(9, 9), 150<<10), ""},
			{project, "a.jpg", sized(photo(9, 9), 150<<10+1), "projects.W-GRUTTO.picture: assets/a.jpg is larger than 150 KB"},
		},
		"9-brand-photos": {
			{fmt.Sprintf(photos, "sign_in"), "a.jpg", photo(2400, 1600), ""},
			{fmt.Sprintf(photos, "sign_in"), "a.jpg", photo(2401, 9), "style.photos.sign_in: assets/a.jpg is larger than 2400 by 1600 pixels"},
			{fmt.Sprintf(photos, "dashboard"), "a.jpg", photo(9, 1601), "style.photos.dashboard: assets/a.jpg is larger than 2400 by 1600 pixels"},
			{fmt.Sprintf(photos, "account"), "a.jpg", sized(photo(9, 9), 150<<10), ""},
			{fmt.Sprintf(photos, "account"), "a.jpg", sized(photo(9, 9), 150<<10+1), "style.photos.account: assets/a.jpg is larger than 150 KB"},
		},
		"9-brand-illustrations": {
			{fmt.Sprintf(drawings, "mill"), "a.svg", sized(drawing, 20<<10), ""},
			{fmt.Sprintf(drawings, "mill"), "a.svg", sized(drawing, 20<<10+1), "style.illustrations.mill: assets/a.svg is larger than 20 KB"},
		},
		"9-brand-mail-picture": {
			{`style: illustration_mail: "a.png"`, "a.png", picture(1600, 800), ""},
			{`style: illustration_mail: "a.png"`, "a.png", picture(1601, 9), "style.illustration_mail: assets/a.png is larger than 1600 by 800"},
			{`style: illustration_mail: "a.png"`, "a.png", picture(9, 801), "style.illustration_mail: assets/a.png is larger than 1600 by 800"},
			{`style: illustration_mail: "a.png"`, "a.png", sized(picture(9, 9), 100<<10), ""},
			{`style: illustration_mail: "a.png"`, "a.png", sized(picture(9, 9), 100<<10+1), "assets/a.png is larger than 100 KB"},
			{`style: illustration_mail: "a.png"`, "a.png", photo(9, 9), "not a PNG"},
		},
		"9-brand-fonts": {
			{head, "a.woff2", font(40 << 10), ""},
			{head, "a.woff2", font(40<<10 + 1), "style.heading_font_file: assets/a.woff2 is larger than 40 KB"},
		},
		"9-web-manifest": {
			{`style: app_icon: "a.png"`, "a.png", picture(192, 192), ""},
			{`style: app_icon: "a.png"`, "a.png", photo(192, 192), "style.app_icon: assets/a.png is not a PNG"},
		},
	} {
		t.Run(row, func(t *testing.T) {
			for _, c := range cases {
				dir := folder(t, map[string]string{"acme": c.more})
				put(t, dir, filepath.Join("acme/assets", c.file), c.content)
				s := open(t, dir)
				if c.want == "" {
					require.NotNil(t, s.ByKey("acme"), texts(s.Problems()))
					continue
				}
				require.Nil(t, s.ByKey("acme"), c.want)
				require.Contains(t, texts(s.Problems()), "acme/label.cue:6:")
				require.Contains(t, texts(s.Problems()), c.want)
			}
		})
	}
}
