package handouts

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A logo stands in every page, so its file is bounded, and a PNG also in pixels.
const (
	maxLogo = 256 << 10
	maxSide = 4000
)

// readLogo reads a picture file, SVG or PNG, as a data URI. Its errors say what is wrong, not where the name stands.
func readLogo(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s", path)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a file", path)
	case info.Size() > maxLogo:
		return "", fmt.Errorf("%s is larger than %d KB; it would stand in every page, so take a smaller picture", path, maxLogo>>10)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	kind := ""
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png":
		kind = "image/png"
		size, err := png.DecodeConfig(bytes.NewReader(data))
		if err == nil && max(size.Width, size.Height) > maxSide {
			return "", fmt.Errorf("%s is %d x %d pixels; at most %d a side are needed", path, size.Width, size.Height, maxSide)
		}
		if err == nil {
			_, err = png.Decode(bytes.NewReader(data))
		}
		if err != nil {
			return "", fmt.Errorf("%s is not a PNG picture: %w", path, err)
		}
	case ".svg":
		kind = "image/svg+xml"
		if err := checkSVG(data); err != nil {
			return "", fmt.Errorf("%s is not an SVG picture: %w", path, err)
		}
	default:
		return "", fmt.Errorf("%s is neither an .svg nor a .png file", path)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// checkSVG wants well-formed XML whose outermost element is svg.
func checkSVG(data []byte) error {
	reader := xml.NewDecoder(bytes.NewReader(data))
	root := ""
	for {
		token, err := reader.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if start, is := token.(xml.StartElement); is && root == "" {
			if root = start.Name.Local; root != "svg" {
				return fmt.Errorf("its outermost element is %q", root)
			}
		}
	}
	if root == "" {
		return errors.New("it has no element")
	}
	return nil
}
