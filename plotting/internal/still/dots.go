package still

import (
	"image"
	"image/color"
	"math"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// raster draws many dots as an image, at twice the resolution of the page or less when there are very many, so that the picture stays
// small.
func (a area) raster(p *pen, m *scene.Mark, places []int, at [][2]float64) {
	scale := 2.0
	if len(at) > 30000 {
		scale = 1.25
	}
	w, h := int(math.Ceil((a.x1-a.x0)*scale)), int(math.Ceil((a.y1-a.y0)*scale))
	if w < 1 || h < 1 {
		return
	}
	if len(m.Fills) == 0 {
		c := m.Fill.Or(m.Stroke)
		k, ok := p.ink(c)
		if !ok {
			return
		}
		cover := make([]float64, w*h)
		for _, q := range at {
			dot((q[0]-a.x0)*scale, (q[1]-a.y0)*scale, m.Size*scale/2, w, h, func(i int, share float64) {
				cover[i] += share * k.alpha * (1 - cover[i])
			})
		}
		// eight levels of one colour compress well
		shades := make(color.Palette, 8)
		for i := range shades {
			shades[i] = color.NRGBA{uint8(k.rgb[0]), uint8(k.rgb[1]), uint8(k.rgb[2]), uint8(i * 255 / 7)}
		}
		img := image.NewPaletted(image.Rect(0, 0, w, h), shades)
		for i, v := range cover {
			img.Pix[i] = uint8(math.Round(7 * min(v, 1)))
		}
		p.image(a.x0, a.y0, a.x0+float64(w)/scale, a.y0+float64(h)/scale, img)
		return
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for j, i := range places {
		k, ok := p.ink(fillOf(m, i))
		if !ok {
			continue
		}
		q := at[j]
		dot((q[0]-a.x0)*scale, (q[1]-a.y0)*scale, m.Size*scale/2, w, h, func(i int, share float64) {
			o := img.Pix[4*i : 4*i+4 : 4*i+4]
			under := float64(o[3]) / 255
			over := share * k.alpha
			total := over + under*(1-over)
			for c := range 3 {
				o[c] = uint8(math.Round((k.rgb[c]*over + float64(o[c])*under*(1-over)) / total))
			}
			o[3] = uint8(math.Round(255 * total))
		})
	}
	p.image(a.x0, a.y0, a.x0+float64(w)/scale, a.y0+float64(h)/scale, img)
}

// dot calls paint for the pixels of a disc with the share of each that it covers.
func dot(x, y, r float64, w, h int, paint func(i int, share float64)) {
	for py := max(int(y-r-1), 0); py <= min(int(y+r+1), h-1); py++ {
		for px := max(int(x-r-1), 0); px <= min(int(x+r+1), w-1); px++ {
			share := min(max(r+0.5-math.Hypot(float64(px)+0.5-x, float64(py)+0.5-y), 0), 1)
			if share > 0.02 {
				paint(py*w+px, share)
			}
		}
	}
}
