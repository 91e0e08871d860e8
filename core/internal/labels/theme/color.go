package theme

import (
	"fmt"
	"math"

	"github.com/lucasb-eyer/go-colorful"
)

// color is an sRGB color.
type color struct{ colorful.Color }

var (
	white = color{colorful.Color{R: 1, G: 1, B: 1}}
	black = color{colorful.Color{}}
)

func parse(hex string) (color, error) {
	c, err := colorful.Hex(hex)
	if err != nil || len(hex) != 7 {
		return color{}, fmt.Errorf("%q is not a colour such as #0b7a3b", hex)
	}
	return color{c}, nil
}

func (c color) hex() string { return c.Clamped().Hex() }

// oklch returns a color of lightness (0 to 1), chroma and hue in degrees. The chroma is reduced until the color is inside sRGB.
func oklch(l, c, h float64) color {
	l = min(max(l, 0), 1)
	if out := colorful.OkLch(l, c, h); out.IsValid() {
		return color{out}
	}
	low, high := 0.0, c
	for range 24 {
		if mid := (low + high) / 2; colorful.OkLch(l, mid, h).IsValid() {
			low = mid
		} else {
			high = mid
		}
	}
	return color{colorful.OkLch(l, low, h).Clamped()}
}

// mix is CSS's color-mix(in oklch, c share, with), where with is white or black, which have no hue.
func (c color) mix(share float64, with color) color {
	l, ch, h := c.OkLch()
	wl, _, _ := with.OkLch()
	return oklch(l*share+wl*(1-share), ch*share, h)
}

// over blends c with the given opacity over another color.
func (c color) over(opacity float64, under color) color {
	return color{colorful.Color{R: c.R*opacity + under.R*(1-opacity), G: c.G*opacity + under.G*(1-opacity), B: c.B*opacity +
		under.B*(1-opacity)}}
}

// contrast returns the contrast ratio of WCAG 2.2, from 1 to 21, after rounding the colors to hex.
func contrast(a, b color) float64 {
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

func luminance(c color) float64 {
	c.Color, _ = colorful.Hex(c.hex())
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// Contrast returns the contrast ratio of WCAG 2.2 between two colors in hex; 0 when either is invalid.
func Contrast(a, b string) float64 {
	ca, errA := parse(a)
	cb, errB := parse(b)
	if errA != nil || errB != nil {
		return 0
	}
	return contrast(ca, cb)
}

// distance returns the perceived difference between two colors (Euclidean in OKLab); below about 0.1 they are hard to distinguish in a
// chart.
func distance(a, b color) float64 {
	l1, a1, b1 := a.OkLab()
	l2, a2, b2 := b.OkLab()
	return math.Sqrt((l1-l2)*(l1-l2) + (a1-a2)*(a1-a2) + (b1-b2)*(b1-b2))
}

func hueDistance(a, b float64) float64 {
	d := math.Mod(math.Abs(a-b), 360)
	return min(d, 360-d)
}

// toward changes the lightness of c, darker or lighter, by as little as possible, to reach the contrast need with every one of the others.
// It returns false when neither black nor white has that contrast.
func (c color) toward(need float64, others ...color) (color, bool) {
	l, ch, h := c.OkLch()
	for step := 0.0; step <= 1; step += 0.01 {
		for _, next := range []float64{l - step, l + step} {
			if next < 0 || next > 1 {
				continue
			}
			out := oklch(next, ch, h)
			if enough(out, need, others...) {
				return out, true
			}
		}
	}
	return c, false
}

func enough(c color, need float64, others ...color) bool {
	for _, o := range others {
		if contrast(c, o) < need {
			return false
		}
	}
	return true
}
