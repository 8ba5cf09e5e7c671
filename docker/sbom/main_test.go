package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tree writes files into a folder that stands for an image.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const mit = "MIT License\n\nPermission is hereby granted, free of charge, to any\nperson obtaining a copy of this software"

func TestMaterials(t *testing.T) {
	root := tree(t, map[string]string{
		"etc/os-release": "ID=debian\nVERSION_ID=\"12\"\n",
		"var/lib/dpkg/status": "Package: libc6\nStatus: install ok installed\nArchitecture: arm64\nVersion: 2:2.36-9+deb12u14\n\n" +
			"Package: gone\nStatus: deinstall ok config-files\nArchitecture: arm64\nVersion: 1\n",
		"usr/share/doc/libc6/copyright": "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nLicense: " +
			"GPL-2+\nLicense: GPL-2+\n",
		"lab/.prl/python/lib/python3.11/site-packages/Jinja2-3.dist-info/METADATA": "Metadata-Version: 2.4\nName: Jinja.2\nVersion: 3.1\n" +
			"License-Expression: MIT OR Apache-2.0\n\nName: Words\n",
		"lab/.prl/python/lib/python3.11/site-packages/old-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: old\nVersion: 1\n" +
			"License: BSD 3-Clause License\n        \n        - Copyright\nClassifier: License :: OSI Approved :: BSD License\n\n",
		"lab/.prl/python/share/jupyter/lab/static/third-party-licenses.json": `{"packages": [{"name": "@a/b", "versionInfo": "1.2.3", ` +
			`"licenseId": "(MPL-2.0 OR Apache-2.0)", "extractedText": ""}, {"name": "own", "versionInfo": "1", "licenseId": "Own words"}]}`,
		"usr/local/lib/prl/mod/github.com/!burnt!sushi/toml@v1.0.0/COPYING": mit,
		"usr/local/lib/prl/mod/cache/download/x/@v/v1.0.0.mod":              "module x\n",
		"lab/prl/cmd/prl/internal/handouts/katex/LICENSE":                   mit,
		"usr/local/bin/script": "#!/bin/sh\n",
		"usr/local/lib/prl/licences/github.com/dop251/goja@v1/LICENSE":        mit,
		"lab/.prl/python/lib/python3.11/site-packages/jinja2/unrelated.json":  "{}",
		"lab/.prl/python/share/jupyter/labextensions/@prlab/lab/package.json": "{}",
	})
	b, err := materials(root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, c := range b.Components {
		text, _ := json.Marshal(c.Licences)
		found[c.PURL] = string(text)
	}
	want := map[string]string{
		"pkg:deb/debian/libc6@2%3A2.36-9+deb12u14?arch=arm64&distro=debian-12": `[{"license":{"name":"GPL-2+"}}]`,
		"pkg:pypi/jinja-2@3.1":                         `[{"expression":"MIT OR Apache-2.0"}]`,
		"pkg:pypi/old@1":                               `[{"license":{"name":"BSD License"}}]`,
		"pkg:npm/%40a/b@1.2.3":                         `[{"expression":"(MPL-2.0 OR Apache-2.0)"}]`,
		"pkg:npm/own@1":                                `[{"license":{"name":"Own words"}}]`,
		"pkg:golang/github.com/BurntSushi/toml@v1.0.0": `[{"license":{"id":"MIT"}}]`,
		"pkg:npm/katex@0.19.1":                         `[{"expression":"MIT AND OFL-1.1"}]`,
	}
	for purl, licences := range want {
		if found[purl] != licences {
			t.Errorf("%s: %s, want %s", purl, found[purl], licences)
		}
	}
	if len(found) != len(want) {
		t.Errorf("%d components, want %d: %v", len(found), len(want), found)
	}
	again, err := materials(root)
	if err != nil || again.SerialNumber != b.SerialNumber {
		t.Errorf("the same files give %s, then %s (%v)", b.SerialNumber, again.SerialNumber, err)
	}
}

// TestPrograms builds this command and looks into it: it holds Go and none of the modules of others.
func TestPrograms(t *testing.T) {
	name := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	held, err := linked("/", []string{name})
	if err != nil {
		t.Fatal(err)
	}
	if len(held) != 1 || held[0].Name != "stdlib" || "go"+held[0].Version != strings.Fields(runtime.Version())[0] {
		t.Errorf("held: %+v", held)
	}
	if _, err := linked("/", []string{"/bin/sh"}); err == nil {
		t.Error("a program that is not of Go is passed over in silence")
	}
	if err := copyNotices(t.TempDir(), t.TempDir(), []string{name}); err != nil {
		t.Error(err)
	}
}

// TestLibraries compares the versions that are listed with what stands beside the files, and each has its licence there.
func TestLibraries(t *testing.T) {
	top := filepath.Join("..", "..")
	handouts := "prl/cmd/prl/internal/handouts/"
	said := map[string]string{
		"echarts": "plotting/runtime/package-lock.json", "zrender": "plotting/runtime/package-lock.json",
		"katex": handouts + "math.go", "reveal.js": handouts + "slides.go", "minisearch": handouts + "search.go",
	}
	for _, l := range libraries {
		if _, err := os.Stat(filepath.Join(top, l.path)); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(filepath.Join(top, said[l.name]))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), l.version) {
			t.Errorf("%s says nothing of %s %s", said[l.name], l.name, l.version)
		}
	}
}

func TestRecognized(t *testing.T) {
	for text, want := range map[string]string{
		mit: "MIT",
		"Redistribution and use in source and binary forms, with or\nwithout. * Neither the name of Google Inc.": "BSD-3-Clause",
		"Redistribution and use in source\nand binary forms":                                                     "BSD-2-Clause",
		"                                 Apache License\n                           Version 2.0, January 2004":  "Apache-2.0",
		"All rights reserved.": "",
	} {
		got := ""
		for _, l := range recognized(map[string][]byte{"LICENSE": []byte(text)}) {
			got += l.Licence.ID
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
