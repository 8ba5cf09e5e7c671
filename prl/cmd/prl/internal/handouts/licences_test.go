package handouts

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// foreign are the works of others that files of a course hold: a mark by which each is known wherever it was copied, and words of the
// notices that must be beside it.
var foreign = []struct {
	name, mark string
	notices    []string
}{
	{"KaTeX", `class="katex"`, []string{"Copyright (c) 2013-2020 Khan Academy", "Permission is hereby granted, free of charge"}},
	{"KaTeX's fonts", `font/woff2`, []string{
		"with Reserved Font Names KaTeX_AMS", "SIL OPEN FONT LICENSE", "Neither the Font Software nor any of its individual components",
	}},
	{"Apache ECharts", "window.PrlPlot&&PrlPlot.version", []string{
		"This product includes software developed at", "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
		"Copyright (c) 2017, Baidu Inc.", "Mike Bostock",
	}},
	{"reveal.js", "https://revealjs.com", []string{"Hakim El Hattab", "Permission is hereby granted, free of charge"}},
	{"MiniSearch", "x.MiniSearch=", []string{"Luca Ongaro", "Permission is hereby granted, free of charge"}},
	{"Go", "data-prl-module=", []string{"Copyright 2009 The Go Authors", "Neither the name of Google"}},
	{"Gonum", "data-prl-module=", []string{"The Gonum Authors", "Cephes-LICENSE", "Sun Microsystems"}},
}

// TestLicencesOfPages looks at every file of a course for a screen: whatever it holds of others, it holds the notices of.
func TestLicencesOfPages(t *testing.T) {
	l, _ := lab(t)
	out := t.TempDir()
	o := Options{HTML: true, Slides: true, EPUB: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, []string{writeAlive(t)}, o); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	err := filepath.WalkDir(out, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".html":
			whatever(t, filepath.Base(name), string(text), seen)
		case ".epub":
			bookOfOthers(t, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range foreign {
		if seen[one.name] == 0 {
			t.Errorf("no file holds %s: is it known by %q no more?", one.name, one.mark)
		}
	}
}

// whatever compares what a page holds with the notices in it, as a reader who looks for them finds them: as text.
func whatever(t *testing.T, name, page string, seen map[string]int) {
	t.Helper()
	tree, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for n := range elements(tree, tag("pre", "")) {
		told.WriteString(textOf(n) + "\n")
	}
	for _, one := range foreign {
		if !strings.Contains(page, one.mark) {
			continue
		}
		seen[one.name]++
		for _, words := range one.notices {
			if !strings.Contains(spaces.ReplaceAllString(told.String(), " "), words) {
				t.Errorf("%s holds %s without %q", name, one.name, words)
			}
		}
	}
}

var spaces = regexp.MustCompile(`\s+`)

// bookOfOthers looks for scripts and fonts in an EPUB, which has none: with one it would need its notices too.
func bookOfOthers(t *testing.T, name string) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`\.(js|woff2?|ttf|otf)$`).MatchString(f.Name) {
			t.Errorf("the book holds %s, and no licence of it", f.Name)
		}
		for _, one := range foreign {
			if strings.Contains(string(text), one.mark) {
				t.Errorf("%s of the book holds %s, and no licence of it", f.Name, one.name)
			}
		}
	}
}

// TestLicencesOfSources looks at the fonts and libraries of others in this folder and in that of figures: a licence stands in the folder.
func TestLicencesOfSources(t *testing.T) {
	for _, root := range []string{".", filepath.Join("..", "..", "..", "..", "..", "plotting", "runtime")} {
		count := 0
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() && entry.Name() == "testdata" {
				return fs.SkipDir
			}
			foreign := regexp.MustCompile(`\.(woff2|min\.js|min\.css|js\.gz)$|reveal\.(js|css)$`)
			if !foreign.MatchString(name) || strings.HasSuffix(name, "runtime.min.js") {
				return nil
			}
			count++
			licences, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "LICENSE*"))
			fonts, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "OFL.txt"))
			if len(licences)+len(fonts) == 0 {
				t.Errorf("no licence beside %s", name)
			}
			return nil
		})
		if err != nil || count == 0 {
			t.Errorf("%s: %d files of others, %v", root, count, err)
		}
	}
}
