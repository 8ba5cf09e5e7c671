//go:build image && !linux

package docker

import (
	"os"
	"testing"
)

func TestImageBuilds(t *testing.T) {
	const lack = "building the image needs Linux"
	if os.Getenv("CI") != "" {
		t.Fatal(lack)
	}
	t.Skip("skipped: " + lack)
}
