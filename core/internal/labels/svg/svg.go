// Package svg checks the images of labels.
package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

var (
	viewBox = regexp.MustCompile(`^\s*-?[0-9.]+([\s,]+-?[0-9.]+){3}\s*$`)
	cssURL  = regexp.MustCompile(`(?i)url\(\s*["']?\s*([^"')\s]*)`)

	// elements are shapes and their styling. Text is not among them, because it needs a font that the page may not have; other
	// elements can run scripts, load files or move.
	elements = strings.Fields(`svg g defs symbol use path rect circle ellipse line polyline polygon linearGradient radialGradient
		stop clipPath mask pattern marker title desc style filter feGaussianBlur feOffset feBlend feMerge feMergeNode feFlood
		feComposite feColorMatrix metadata`)
)

// Check returns an error for an image that is animated, refers to other files, contains text or scripts, or has no viewBox.
func Check(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	depth, seen, inStyle := 0, false, false
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.New("is not well-formed XML")
		}
		switch t := t.(type) {
		case xml.Directive:
			return errors.New("has a <!DOCTYPE>, which is not allowed")
		case xml.ProcInst:
			if t.Target != "xml" {
				return fmt.Errorf("has a <?%s?>, which is not allowed", t.Target)
			}
		case xml.StartElement:
			name := t.Name.Local
			if depth == 0 && (name != "svg" || t.Name.Space != "http://www.w3.org/2000/svg") {
				return errors.New(`does not begin with <svg xmlns="http://www.w3.org/2000/svg">`)
			}
			if depth == 0 && !slices.ContainsFunc(t.Attr, func(a xml.Attr) bool {
				return a.Name.Local == "viewBox" && viewBox.MatchString(a.Value)
			}) {
				return errors.New("has no viewBox of four numbers")
			}
			if !slices.Contains(elements, name) {
				return fmt.Errorf("has a <%s>, which is not allowed", name)
			}
			for _, a := range t.Attr {
				if err := checkAttr(a); err != nil {
					return err
				}
			}
			seen, inStyle = true, name == "style"
			depth++
		case xml.EndElement:
			depth--
			inStyle = false
		case xml.CharData:
			if inStyle {
				if bytes.Contains(bytes.ToLower(t), []byte("@import")) || external(string(t)) {
					return errors.New("has a style that loads something from outside")
				}
			}
		}
	}
	if !seen {
		return errors.New("is empty")
	}
	return nil
}

func checkAttr(a xml.Attr) error {
	name := strings.ToLower(a.Name.Local)
	switch {
	case a.Name.Space == "xmlns" || name == "xmlns":
		return nil
	case strings.HasPrefix(name, "on"):
		return fmt.Errorf("has an attribute %s, which is not allowed", a.Name.Local)
	case (name == "href" || name == "src") && !strings.HasPrefix(a.Value, "#"):
		return fmt.Errorf("refers to something outside of itself with %s", a.Name.Local)
	case external(a.Value):
		return fmt.Errorf("refers to something outside of itself in %s", a.Name.Local)
	}
	return nil
}

func external(css string) bool {
	for _, m := range cssURL.FindAllStringSubmatch(css, -1) {
		if !strings.HasPrefix(m[1], "#") {
			return true
		}
	}
	return strings.Contains(css, `\`) // an escape could hide url( from this check
}
