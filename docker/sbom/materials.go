package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// The parts of CycloneDX 1.6 that are written.
type bill struct {
	Schema       string      `json:"$schema"`
	Format       string      `json:"bomFormat"`
	SpecVersion  string      `json:"specVersion"`
	SerialNumber string      `json:"serialNumber"`
	Version      int         `json:"version"`
	Metadata     metadata    `json:"metadata"`
	Components   []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version,omitempty"`
	Licences []licence `json:"licenses,omitempty"`
	PURL     string    `json:"purl,omitempty"`
	Evidence *evidence `json:"evidence,omitempty"`

	name string // as in a go.mod, of modules
}

// licence is one of two: a licence, or an expression of several.
type licence struct {
	Licence    *named `json:"license,omitempty"`
	Expression string `json:"expression,omitempty"`
}

type named struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

type evidence struct {
	Occurrences []occurrence `json:"occurrences"`
}

type occurrence struct {
	Location string `json:"location"`
}

// materials lists what stands under a root.
func materials(root string) (*bill, error) {
	found := map[string]*component{}
	for _, list := range []func(string) ([]component, error){debian, python, programs, sources, npm, brought} {
		some, err := list(root)
		if err != nil {
			return nil, err
		}
		for _, c := range some {
			if known := found[c.PURL]; known != nil {
				known.Evidence.Occurrences = append(known.Evidence.Occurrences, c.Evidence.Occurrences...)
				if len(known.Licences) == 0 {
					known.Licences = c.Licences
				}
				continue
			}
			c.Ref = c.PURL
			found[c.PURL] = &c
		}
	}
	b := &bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{component{Type: "container", Ref: "image", Name: "prlab", Licences: licensed("Apache-2.0")}},
	}
	for _, c := range found {
		at := c.Evidence.Occurrences
		slices.SortFunc(at, func(a, b occurrence) int { return strings.Compare(a.Location, b.Location) })
		c.Evidence.Occurrences = slices.Compact(at)
		b.Components = append(b.Components, *c)
	}
	slices.SortFunc(b.Components, func(a, b component) int { return cmp.Compare(a.PURL, b.PURL) })
	text, err := json.Marshal(b.Components)
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(text)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID of version 8: of one's own making
	b.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	return b, nil
}

func made(kind, name, version, location string, licences []licence) component {
	shown := name
	purl := "pkg:" + kind + "/"
	if at := strings.LastIndex(name, "/"); at >= 0 {
		for part := range strings.SplitSeq(name[:at], "/") {
			purl += strings.ReplaceAll(url.PathEscape(part), "@", "%40") + "/"
		}
		name = name[at+1:]
	}
	purl += strings.ReplaceAll(url.PathEscape(name), "@", "%40")
	if version != "" {
		purl += "@" + strings.ReplaceAll(url.PathEscape(version), ":", "%3A")
	}
	return component{
		Type: "library", Name: shown, Version: version, PURL: purl, Licences: licences, name: shown,
		Evidence: &evidence{[]occurrence{{location}}},
	}
}

// debian reads what dpkg has installed, and of the copyright of each package the licences that are in it by name.
func debian(root string) ([]component, error) {
	text, err := os.ReadFile(filepath.Join(root, "var/lib/dpkg/status"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	release, _ := os.ReadFile(filepath.Join(root, "etc/os-release"))
	distribution := ""
	if m := regexp.MustCompile(`(?m)^VERSION_ID="?([\w.]+)`).FindSubmatch(release); m != nil {
		distribution = "&distro=debian-" + string(m[1])
	}
	var all []component
	for paragraph := range strings.SplitSeq(string(text), "\n\n") {
		field := func(name string) string {
			for line := range strings.Lines(paragraph) {
				if value, is := strings.CutPrefix(line, name+": "); is {
					return strings.TrimSpace(value)
				}
			}
			return ""
		}
		if field("Status") != "install ok installed" {
			continue
		}
		name := field("Package")
		copyright := "usr/share/doc/" + name + "/copyright"
		var licences []licence
		if text, err := os.ReadFile(filepath.Join(root, copyright)); err == nil {
			licences = copyrightLicences(string(text))
		}
		c := made("deb/debian", name, field("Version"), "/"+copyright, licences)
		c.PURL += "?arch=" + field("Architecture") + distribution
		all = append(all, c)
	}
	return all, nil
}

// copyrightLicences are the short names in a copyright of Debian that is written for machines.
func copyrightLicences(text string) []licence {
	if !strings.HasPrefix(text, "Format:") {
		return nil
	}
	var names []string
	for line := range strings.Lines(text) {
		if name, is := strings.CutPrefix(line, "License: "); is && !slices.Contains(names, strings.TrimSpace(name)) {
			names = append(names, strings.TrimSpace(name))
		}
	}
	slices.Sort(names)
	var all []licence
	for _, name := range names {
		all = append(all, licence{Licence: &named{Name: name}})
	}
	return all
}

// python reads the metadata of every installed distribution.
func python(root string) ([]component, error) {
	var all []component
	for _, pattern := range []string{"lab/.prl/python/lib/python3*/site-packages/*.dist-info", "usr/lib/python3*/dist-packages/*.dist-info"} {
		folders, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			text, err := os.ReadFile(filepath.Join(folder, "METADATA"))
			if err != nil {
				return nil, err
			}
			head, _, _ := bytes.Cut(append(text, '\n', '\n'), []byte("\n\n"))
			fields, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(head, '\n', '\n')))).ReadMIMEHeader()
			if err != nil && len(fields) == 0 {
				return nil, fmt.Errorf("%s: %w", folder, err)
			}
			name := regexp.MustCompile(`[-_.]+`).ReplaceAllString(strings.ToLower(fields.Get("Name")), "-")
			all = append(all, made("pypi", name, fields.Get("Version"), within(root, folder), pythonLicences(fields)))
		}
	}
	return all, nil
}

func pythonLicences(fields textproto.MIMEHeader) []licence {
	if e := fields.Get("License-Expression"); e != "" {
		return licensed(e)
	}
	var all []licence
	for _, c := range fields["Classifier"] {
		if name, is := strings.CutPrefix(c, "License :: "); is && name != "OSI Approved" {
			name = name[strings.LastIndex(name, ":")+1:]
			all = append(all, licence{Licence: &named{Name: strings.TrimSpace(name)}})
		}
	}
	if name := fields.Get("License"); len(all) == 0 && name != "" && len(name) < 60 {
		return licensed(name)
	}
	return all
}

// programs reads of every program of the lab from which modules it was linked.
func programs(root string) ([]component, error) {
	var names []string
	for _, pattern := range []string{"lab/.prl/bin/*", "usr/local/bin/*", "usr/local/go/bin/*"} {
		some, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		names = append(names, some...)
	}
	held, err := linked(root, names)
	for i := range held { // their licences were copied when they were built
		texts, err := licences(filepath.Join(root, "usr/local/lib/prl/licences", escape(held[i].name)+"@"+held[i].Version))
		if err != nil {
			return nil, err
		}
		held[i].Licences = recognized(texts)
		if held[i].name == "stdlib" {
			held[i].Licences = licensed("BSD-3-Clause")
		}
	}
	return held, err
}

// lab is the module that programs of the lab itself are of.
const lab = "github.com/prlab/prlab"

// linked are the modules of others in programs; files that are no programs of Go are passed over.
func linked(root string, names []string) ([]component, error) {
	var all []component
	for _, name := range names {
		info, err := buildinfo.ReadFile(name)
		if err != nil {
			if text, err := os.ReadFile(name); err != nil || bytes.HasPrefix(text, []byte("\x7fELF")) {
				return nil, fmt.Errorf("%s: not a program of Go (%v)", name, err)
			}
			continue // a script
		}
		at := within(root, name)
		all = append(all, made("golang", "stdlib", strings.TrimPrefix(info.GoVersion, "go"), at, nil))
		for _, m := range append(info.Deps, &info.Main) {
			if m.Replace != nil {
				m = m.Replace
			}
			own := m.Path == lab || strings.HasPrefix(m.Path, lab+"/")
			if own || m.Path == "" || m.Version == "" || m.Version == "(devel)" || strings.HasPrefix(m.Version, "v0.0.0-00010101") {
				continue
			}
			all = append(all, made("golang", m.Path, m.Version, at, nil))
		}
	}
	return all, nil
}

// sources are the modules that stand in the image as source, for cells.
func sources(root string) ([]component, error) {
	var all []component
	top := filepath.Join(root, "usr/local/lib/prl/mod")
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == top {
			return fs.SkipAll
		}
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			return nil
		}
		if path == filepath.Join(top, "cache") {
			return fs.SkipDir
		}
		name, version, is := strings.Cut(strings.TrimPrefix(path, top+"/"), "@")
		if !is {
			return nil
		}
		texts, err := licences(path)
		if err != nil {
			return err
		}
		all = append(all, made("golang", unescape(name), version, within(root, path), recognized(texts)))
		return fs.SkipDir
	})
	return all, err
}

// npm reads the lists that JupyterLab's build writes of what it took.
func npm(root string) ([]component, error) {
	var all []component
	top := filepath.Join(root, "lab/.prl/python/share/jupyter")
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == top {
			return fs.SkipAll
		}
		if err != nil || entry.Name() != "third-party-licenses.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var list struct {
			Packages []struct{ Name, VersionInfo, LicenseID string }
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, p := range list.Packages {
			all = append(all, made("npm", p.Name, p.VersionInfo, within(root, path), licensed(p.LicenseID)))
		}
		return nil
	})
	return all, err
}

// libraries are those that stand in the lab's own folders as they were copied.
var libraries = []struct{ name, version, licence, path string }{
	{"echarts", "6.1.0", "Apache-2.0", "plotting/runtime/echarts.min.js.gz"},
	{"zrender", "6.1.0", "BSD-3-Clause", "plotting/runtime/echarts.min.js.gz"},
	{"echarts", "6.1.0", "Apache-2.0", "plotting/echartsx/echarts-full.min.js.gz"},
	{"zrender", "6.1.0", "BSD-3-Clause", "plotting/echartsx/echarts-full.min.js.gz"},
	{"katex", "0.19.1", "MIT AND OFL-1.1", "prl/cmd/prl/internal/handouts/katex"},
	{"reveal.js", "6.0.2", "MIT", "prl/cmd/prl/internal/handouts/reveal"},
	{"minisearch", "7.2.0", "MIT", "prl/cmd/prl/internal/handouts/minisearch"},
}

func brought(root string) ([]component, error) {
	var all []component
	for _, l := range libraries {
		if _, err := os.Stat(filepath.Join(root, "lab", l.path)); err == nil {
			all = append(all, made("npm", l.name, l.version, "/lab/"+l.path, licensed(l.licence)))
		}
	}
	return all, nil
}

func within(root, path string) string {
	if rest, err := filepath.Rel(root, path); err == nil {
		return "/" + rest
	}
	return path
}

// licences are the files of a folder that tell on what terms it is passed on.
func licences(folder string) (map[string][]byte, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, entry := range entries {
		if entry.IsDir() || !regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice|^patents|^authors$`).MatchString(entry.Name()) {
			continue
		}
		if texts[entry.Name()], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// recognized names licences by words that stand in no other; what is not known stays without a name.
func recognized(texts map[string][]byte) []licence {
	var ids []string
	for name, text := range texts {
		if !regexp.MustCompile(`(?i)^licen[cs]e|^copying`).MatchString(name) {
			continue
		}
		flat := strings.Join(strings.Fields(string(text)), " ")
		for id, words := range map[string]string{
			"Apache-2.0": "Apache License Version 2.0",
			"MPL-2.0":    "Mozilla Public License Version 2.0",
			"MIT":        "Permission is hereby granted, free of charge, to any person obtaining a copy",
			"ISC":        "Permission to use, copy, modify, and/or distribute this software for any purpose",
		} {
			if strings.Contains(flat, words) {
				ids = append(ids, id)
			}
		}
		if strings.Contains(flat, "Redistribution and use in source and binary forms") {
			if regexp.MustCompile(`(?i)neither the name|the names? of .{1,80} may not be used|The names of its contributors`).MatchString(flat) {
				ids = append(ids, "BSD-3-Clause")
			} else {
				ids = append(ids, "BSD-2-Clause")
			}
		}
	}
	slices.Sort(ids)
	var all []licence
	for _, id := range slices.Compact(ids) {
		all = append(all, licensed(id)...)
	}
	return all
}

// identifiers are those of SPDX that occur; another name is written as a name.
var identifiers = strings.Fields("0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 CC-BY-4.0 ISC MIT MIT-0 " +
	"MIT-CMU MPL-2.0 " +
	"OFL-1.1 PSF-2.0 Python-2.0 Unlicense WTFPL ZPL-2.1 Zlib HPND LGPL-3.0-or-later EPL-2.0")

func licensed(name string) []licence {
	name = strings.TrimSpace(name)
	plain := strings.Trim(name, "()")
	switch {
	case name == "":
		return nil
	case slices.Contains(identifiers, name):
		return []licence{{Licence: &named{ID: name}}}
	}
	for part := range strings.FieldsSeq(plain) {
		if part != "AND" && part != "OR" && !slices.Contains(identifiers, strings.Trim(part, "()")) {
			return []licence{{Licence: &named{Name: name}}}
		}
	}
	return []licence{{Expression: name}}
}

// escape writes the path of a module as the module cache does.
func escape(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unescape(path string) string {
	return regexp.MustCompile(`![a-z]`).ReplaceAllStringFunc(path, func(s string) string { return strings.ToUpper(s[1:]) })
}
