package handouts

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// veraPDFVar names the jar of veraPDF, org.verapdf.apps:greenfield-apps of Maven.
const veraPDFVar = "PRL_VERAPDF"

// TestVeraPDF has the validator of the PDF Association look at what is printed. It needs Java, and is for those who have it: the conditions
// that the lab tests itself hold without (pdfua.go).
func TestVeraPDF(t *testing.T) {
	jar := os.Getenv(veraPDFVar)
	if jar == "" {
		t.Skip(veraPDFVar + " does not name the jar of veraPDF")
	}
	l, paths := lab(t)
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return !slices.Contains([]string{"05-naive-bayes.ipynb", shortChapter + ".ipynb"}, filepath.Base(path))
	})
	out := t.TempDir()
	o := Options{PDF: true, Sheet: true, Reader: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, paths, o); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, shortChapter+".pdf"))
	if err != nil {
		t.Fatal(err)
	}
	unnamed := filepath.Join(out, "unnamed.pdf") // it does not say that it is PDF/UA
	if err := os.WriteFile(unnamed, bytes.ReplaceAll(data, []byte("pdfuaid:part"), []byte("pdfuaid:trap")), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(out, "*.pdf"))
	if want := 6; err != nil || len(files) != want {
		t.Fatalf("%d files, want %d (%v)", len(files), want, err)
	}
	for _, file := range files {
		var report, said bytes.Buffer
		cmd := exec.Command("java", "-cp", jar, "org.verapdf.apps.GreenfieldCliWrapper", "-f", "ua1", "--format", "mrr", file)
		cmd.Stdout, cmd.Stderr = &report, &said
		err := cmd.Run() // its status is 1 for a file that does not comply
		complies := strings.Contains(report.String(), `isCompliant="true"`)
		if refused := strings.Contains(report.String(), `isCompliant="false"`); refused == complies {
			t.Fatalf("%s: no verdict: %v\n%s%s", file, err, report.String(), said.String())
		}
		if want := file != unnamed; complies != want {
			t.Errorf("%s complies with PDF/UA-1: %v\n%s", filepath.Base(file), complies, report.String())
		}
	}
}
