//go:build image && !linux

package docker

import "testing"

func TestImageBuilds(t *testing.T) { t.Skip("skipped: building the image needs Linux") }
