package main

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// TestDoctorSaysEachRemedyOnce has a lab before set-up on a machine without Chromium.
func TestDoctorSaysEachRemedyOnce(t *testing.T) {
	const lab, apt = "go tool prl lab", "sudo apt install chromium"
	var out strings.Builder
	missing := tell(&out, []setup.Finding{
		{Name: "Go", State: "go1.26.8", Well: true, Required: true},
		{Name: "JupyterLab", State: "not set up yet, or damaged", Required: true, Remedy: lab},
		{Name: "gonb", State: "not set up yet, or damaged", Required: true, Remedy: lab},
		{Name: "Chromium", State: "not found", Remedy: apt},
		{Name: "Build cache warm", State: "not done", Remedy: lab},
		{Name: "Set-up", State: "unreadable", Required: true},
	})
	want := `✓ Go                     go1.26.8
✗ JupyterLab             not set up yet, or damaged
✗ gonb                   not set up yet, or damaged
○ Chromium               not found
○ Build cache warm       not done
✗ Set-up                 unreadable

3 things missing.

To mend what is marked:
    go tool prl lab
        for JupyterLab, gonb, Build cache warm
    sudo apt install chromium
        for Chromium
`
	if missing != 3 || out.String() != want {
		t.Errorf("%d missing\n%s\nwant 3\n%s", missing, out.String(), want)
	}

	out.Reset()
	missing = tell(&out, []setup.Finding{{Name: "Go", State: "go1.26.8", Well: true, Required: true}})
	if missing != 0 || out.String() != "✓ Go                     go1.26.8\n\nThe lab is ready.\n" {
		t.Errorf("%d missing\n%s", missing, out.String())
	}
}
