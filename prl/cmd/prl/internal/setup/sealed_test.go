package setup

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestSealedLabIsCheckedAndNotChanged(t *testing.T) {
	lab, _ := emptyLab(t)
	if err := writeFile(lab.Path("go.mod"), []byte("module github.com/prlab/prlab\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(lab.sealedParts(), lab.State("sealed")) {
		if err := writeFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := lab.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"lock", "stamps", "jupyter"} {
		if _, err := os.Stat(lab.State(made)); err == nil {
			t.Errorf(".prl/%s was made in a sealed lab", made)
		}
	}
	if env := lab.JupyterEnv([]string{"HOME=/home/x"}); !slices.Equal(env, []string{"HOME=/home/x"}) {
		t.Errorf("Jupyter's places in a sealed lab: %v, want those in the home folder", env)
	}
	for _, f := range lab.examineSteps() {
		if !f.Well {
			t.Errorf("%s: %s", f.Name, f.State)
		}
	}
	for _, f := range lab.Examine(t.Context()) {
		if f.Name == "Python's venv" || !f.Well && strings.Contains(f.Remedy, "sudo") {
			t.Errorf("in a sealed lab the doctor asks for %s: %s", f.Name, f.Remedy)
		}
	}
	t.Setenv("HOME", "/home/x")
	t.Setenv("XDG_CACHE_HOME", "/home/x/.cache")
	if own := lab.Own("handouts"); strings.HasPrefix(own, lab.State()) || !strings.HasSuffix(own, "/prl/handouts") {
		t.Errorf("verbs of a sealed lab write to %s", own)
	}
	os.Remove(lab.Bin("gonb"))
	if err := lab.Ensure(t.Context()); err == nil || !strings.Contains(err.Error(), "is sealed, but lacks gonb") {
		t.Errorf("an incomplete sealed lab: %v", err)
	}
}
