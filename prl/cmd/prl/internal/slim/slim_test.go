package slim

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// TestFiles looks that each file of package prl can be chosen alone with what it uses: it compiles if nothing is missing.
func TestFiles(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	files, ok := Read(root.Path("prl"))
	if !ok {
		t.Fatal("package prl has more than plain declarations, and no cell gets a part of it")
	}
	for _, f := range files {
		if len(f.declares) == 0 {
			continue
		}
		chosen, ok := Choose(files, f.declares[:1], nil)
		if !ok {
			t.Errorf("%s: not chosen", f.Path)
			continue
		}
		args := []string{"build", "-o", os.DevNull}
		for _, c := range chosen {
			args = append(args, c.Path)
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = string(root)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(f.Path), err, out)
		}
		pictures := slices.ContainsFunc(chosen, func(c *File) bool { return filepath.Base(c.Path) == filming })
		if film := slices.ContainsFunc(chosen, func(c *File) bool { return slices.ContainsFunc(c.Imports, Paints) }); film && !pictures {
			t.Errorf("%s: its films do not compute in the page", filepath.Base(f.Path))
		}
	}
}

// TestPictureless looks that the packages said to have no figures link none.
func TestPictureless(t *testing.T) {
	for _, path := range pictureless {
		out, err := exec.Command("go", "list", "-deps", path).Output()
		if err != nil || strings.Contains(string(out), checkout.Module+"/plotting\n") {
			t.Errorf("%s has figures, %v", path, err)
		}
	}
}
