package geometry

import (
	"math"
	"testing"
)

func TestThin(t *testing.T) {
	var line [][2]float64
	for i := range 1000 {
		line = append(line, [2]float64{float64(i), 100 * math.Sin(float64(i)/100)})
	}
	const tolerance = 0.15
	keep := Thin(line, tolerance)
	if len(keep) > 150 {
		t.Errorf("%d points stay", len(keep))
	}
	for i := 1; i < len(keep); i++ {
		for j := keep[i-1]; j <= keep[i]; j++ {
			if d := FromSegment(line[j], line[keep[i-1]], line[keep[i]]); d > tolerance+1e-12 {
				t.Fatalf("point %d strays by %v", j, d)
			}
		}
	}
}

func TestClip(t *testing.T) {
	if got := ClipLine([][2]float64{{-1, 0.5}, {2, 0.5}, {2, 2}, {0.5, 2}, {0.5, -1}}, 0, 0, 1, 1); len(got) != 2 ||
		got[0][0] != [2]float64{0, 0.5} ||
		got[1][1] != [2]float64{0.5, 0} {
		t.Errorf("ClipLine: %v", got)
	}
	ring := ClipRing([][2]float64{{-1, -1}, {3, -1}, {3, 3}, {-1, 3}}, 0, 0, 1, 1)
	area := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		area += (p[0]*q[1] - q[0]*p[1]) / 2
	}
	if math.Abs(area-1) > 1e-12 {
		t.Errorf("ClipRing: area %v", area)
	}
}
