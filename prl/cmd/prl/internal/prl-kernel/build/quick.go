//go:build unix

package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// StoreVar names the folder in which build arguments and finished programs are kept.
const StoreVar = "PRL_CELLS"

// kept is what the command go found out about the packages that cells of an environment import.
type kept struct {
	Compile []string            // the compiler and its arguments
	Link    []string            // the linker and its arguments
	Linked  string              // importcfg.link without the cell itself: all packages that any of the cells has linked
	Own     string              // the package path of the cell there
	Imports map[string][]string // of the packages that are linked
	Watched []watched
}

// watched is a file, or a folder, of a package that can change.
type watched struct {
	Path string
	Size int64
	Time int64
}

// quick builds without the command go. Done is false if that is not possible: nothing has been built then, and nothing is said.
func (b *builder) quick(files map[string]string) (said string, done bool, err error) {
	store := os.Getenv(StoreVar)
	if store == "" {
		return "", false, nil
	}
	k := b.known
	if !k.has(b.source.needs()) {
		if k = b.record(files); k == nil {
			return "", false, nil
		}
		if len(k.Compile) > 0 {
			b.known = b.known.with(k)
			b.known.write(b.path())
		}
		return "", true, nil
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q%q%q", k.linkedBy(b.source.needs()), k.Compile, k.Link)
	for _, name := range slices.Sorted(keys(files)) {
		text, err := os.ReadFile(files[name])
		if err != nil {
			return "", false, nil
		}
		fmt.Fprintf(sum, "\x00%s\x00%s", name, text)
	}
	finished := filepath.Join(store, "programs", hex.EncodeToString(sum.Sum(nil)))
	os.Remove(b.output)
	if take(finished, b.output) {
		return "", true, nil
	}
	folder := filepath.Join(b.talk, "program")
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if os.WriteFile(path, []byte(text), 0o600) != nil {
			return ""
		}
		return path
	}
	object := filepath.Join(folder, "main.a")
	// A cell that the compiler refuses is compiled again with the whole package prl, of which it may have more to say.
	archive := b.slim(k)
	for {
		compile := append(slices.Clone(k.Compile[1:]), "-o", object, "-trimpath", folder+"=>", "-importcfg",
			write("importcfg", k.importable(archive)), "-pack")
		for _, name := range slices.Sorted(keys(files)) {
			compile = append(compile, files[name])
		}
		out, err := b.command(k.Compile[0], compile...).CombinedOutput()
		if err == nil {
			break
		}
		if archive != "" {
			archive = ""
			continue
		}
		if _, ran := err.(*exec.ExitError); ran && position.Match(out) {
			return string(out), true, errCompile
		}
		return "", false, nil
	}
	link := append(
		slices.Clone(k.Link[1:]),
		"-o",
		b.output,
		"-importcfg",
		write("importcfg.link", "packagefile "+k.Own+"="+object+"\n"+k.linkable(archive)),
		object,
	)
	cmd := b.command(k.Link[0], link...)
	cmd.Env = append(os.Environ(), "GOROOT="+filepath.Dir(filepath.Dir(b.program)))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return "", false, nil
	}
	keep(b.output, finished)
	return "", true, nil
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// path is the file for what is known about the packages. Its name stands for all that the arguments of compiler and linker depend on, but
// for the imports and for the files that fresh looks at.
func (b *builder) path() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00", b.program)
	for _, entry := range slices.Sorted(slices.Values(os.Environ())) {
		if (strings.HasPrefix(entry, "GO") || strings.HasPrefix(entry, "CGO") ||
			strings.HasPrefix(entry, "CC=") || strings.HasPrefix(entry, "CXX=")) &&
			!strings.HasPrefix(entry, "GONB_") {
			fmt.Fprintf(sum, "%s\x00", entry)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
		text, _ := os.ReadFile(filepath.Join(b.dir, name))
		fmt.Fprintf(sum, "%s\x00", moduleLine.ReplaceAll(text, nil))
	}
	return filepath.Join(os.Getenv(StoreVar), "imports", hex.EncodeToString(sum.Sum(nil)[:16])+".json")
}

// moduleLine names the module of the kernel, each of which has another name.
var moduleLine = regexp.MustCompile(`(?m)^module .*$`)

// kept is what is known from earlier builds, if it still holds.
func (b *builder) kept() *kept {
	text, err := os.ReadFile(b.path())
	if err != nil {
		return nil
	}
	var k kept
	if json.Unmarshal(text, &k) != nil || len(k.Compile) == 0 || len(k.Link) == 0 || len(k.Imports) == 0 || !k.fresh() {
		return nil
	}
	return &k
}

// archives are the files of compiled packages by the import path of the package.
func (k *kept) archives() map[string]string {
	if k == nil {
		return nil
	}
	archives := map[string]string{}
	for line := range strings.Lines(k.Linked) {
		if rest, is := strings.CutPrefix(line, packageLine); is {
			if path, archive, found := strings.Cut(strings.TrimSpace(rest), "="); found {
				archives[path] = archive
			}
		}
	}
	return archives
}

const packageLine = "packagefile "

// linkedBy are the archives that the linker puts into a program with these imports. What other cells import does not count, nor the name of
// the kernel's module, which is in Linked, too.
func (k *kept) linkedBy(imports []string) []string {
	archives := k.archives()
	seen := map[string]bool{}
	todo := append(slices.Clone(imports), "runtime", "runtime/cgo", "syscall") // the last two belong to whatever imports C
	for len(todo) > 0 {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if archives[path] != "" && !seen[path] {
			seen[path] = true
			todo = append(todo, k.Imports[path]...)
		}
	}
	var list []string
	for _, path := range slices.Sorted(keys(seen)) {
		list = append(list, archives[path])
	}
	return list
}

// importable is the importcfg of a cell, which may import all that was linked. The archive, unless it is "", stands for package prl.
func (k *kept) importable(archive string) string {
	var b strings.Builder
	for line := range strings.Lines(k.linkable(archive)) {
		if strings.HasPrefix(line, packageLine) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// linkable is importcfg.link without the cell itself. The archive, unless it is "", stands for package prl.
func (k *kept) linkable(archive string) string {
	if archive == "" {
		return k.Linked
	}
	var b strings.Builder
	for line := range strings.Lines(k.Linked) {
		if strings.HasPrefix(line, packageLine+library+"=") {
			line = packageLine + library + "=" + archive + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// has reports whether a program with these imports can be built. Whether an internal package may be imported
// is for the command go to decide.
func (k *kept) has(imports []string) bool {
	if k == nil {
		return false
	}
	archives := k.archives()
	for _, path := range imports {
		internal := slices.Contains(strings.Split(path, "/"), "internal") || strings.HasPrefix(path, "vendor/")
		if internal || archives[path] == "" && path != "unsafe" {
			return false
		}
	}
	return true
}

// with is what is known after a build with more packages. What that one says holds.
func (k *kept) with(more *kept) *kept {
	if k == nil {
		return more
	}
	all := *more
	archives := more.archives()
	for line := range strings.Lines(k.Linked) {
		rest, is := strings.CutPrefix(line, packageLine)
		if path, _, _ := strings.Cut(rest, "="); is && archives[path] == "" {
			all.Linked += line
		}
	}
	all.Imports = maps.Clone(k.Imports)
	maps.Copy(all.Imports, more.Imports)
	for _, w := range k.Watched {
		if !slices.Contains(more.Watched, w) {
			all.Watched = append(all.Watched, w)
		}
	}
	return &all
}

func (k *kept) write(path string) {
	text, err := json.Marshal(k)
	if err == nil && os.MkdirAll(filepath.Dir(path), 0o755) == nil {
		replace(path, text)
	}
}

// replace writes a file whole or not at all.
func replace(path string, text []byte) {
	fresh := path + "." + strconv.Itoa(os.Getpid())
	if os.WriteFile(fresh, text, 0o644) == nil && os.Rename(fresh, path) == nil {
		return
	}
	os.Remove(fresh)
}

// fresh reports whether nothing has changed since: the sources of packages that can, and the archives, which the command go removes in
// time.
func (k *kept) fresh() bool {
	for _, w := range k.Watched {
		info, err := os.Stat(w.Path)
		if err != nil || info.ModTime().UnixNano() != w.Time || !info.IsDir() && info.Size() != w.Size {
			return false
		}
	}
	for _, archive := range k.archives() {
		if _, err := os.Stat(archive); err != nil {
			return false
		}
	}
	return true
}

var (
	compileLine = regexp.MustCompile(`(?m)^(\S+/compile) -o \S+ -trimpath "[^"]*" (-p main [^\n"']*?) -importcfg \S+ -pack `)
	linkLine    = regexp.MustCompile(`(?m)^GOROOT='[^']*' (\S+/link) -o \S+ -importcfg \S+ ([^\n"']*) \S+/_pkg_\.a$`)
	workLine    = regexp.MustCompile(`(?m)^WORK=(\S+)$`)
	ownLine     = regexp.MustCompile(`(?m)^packagefile (\S+)=\S+/b001/_pkg_\.a\n`)
)

// record builds with the command go and reads from what it tells how. It returns nil if nothing was built, and what is empty if something
// was that is not to be kept.
func (b *builder) record(files map[string]string) *kept {
	overlay := map[string]map[string]string{"Replace": {}}
	for name, path := range files {
		overlay["Replace"][filepath.Join(b.dir, name)] = path
	}
	// The command go does not tell how it compiles a program that is in its cache. With one more file, which is always another, none is.
	mark := filepath.Join(b.talk, "program", "mark.go")
	if os.WriteFile(mark, fmt.Appendf(nil, "package main\n\n// %d\n", time.Now().UnixNano()), 0o600) != nil {
		return nil
	}
	overlay["Replace"][filepath.Join(b.dir, "prl_mark.go")] = mark
	text, _ := json.Marshal(overlay)
	path := filepath.Join(b.talk, "overlay.json")
	if os.WriteFile(path, text, 0o600) != nil {
		return nil
	}
	os.Remove(b.output)
	out, err := b.command(b.program, "build", "-x", "-work", "-overlay", path, "-o", b.output).CombinedOutput()
	log := string(out)
	work := workLine.FindStringSubmatch(log)
	if work != nil {
		defer os.RemoveAll(work[1])
	}
	compile, link := compileLine.FindStringSubmatch(log), linkLine.FindStringSubmatch(log)
	if err != nil || work == nil || compile == nil || link == nil {
		return nil
	}
	linked, err := os.ReadFile(filepath.Join(work[1], "b001", "importcfg.link"))
	own := ownLine.FindSubmatch(linked)
	if err != nil || own == nil {
		return nil
	}
	k := &kept{
		Compile: append([]string{compile[1]}, arguments(compile[2])...), Link: append([]string{link[1]}, arguments(link[2])...),
		Linked: ownLine.ReplaceAllString(string(linked), ""), Own: string(own[1]),
	}
	// packages compiled just now; the next build finds them in the cache
	if strings.Contains(k.Linked, work[1]) {
		return &kept{}
	}
	if k.Imports, err = b.imports(k.archives()); err != nil {
		return &kept{}
	}
	k.Watched = b.watch(k.Linked)
	return k
}

// imports are the imports of each of the packages.
func (b *builder) imports(archives map[string]string) (map[string][]string, error) {
	args := []string{"list", "-f", `{{.ImportPath}} {{join .Imports " "}}`}
	out, err := b.command(b.program, append(args, slices.Sorted(keys(archives))...)...).Output()
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		all[words[0]] = words[1:]
	}
	if len(all) != len(archives) {
		return nil, fmt.Errorf("imports of %d packages, of %d", len(all), len(archives))
	}
	return all, nil
}

// arguments are the words of a command line without those that belong to one build.
func arguments(line string) (list []string) {
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		if words[i] == "-buildid" {
			i++
			continue
		}
		if strings.HasPrefix(words[i], "-buildid=") {
			continue
		}
		list = append(list, words[i])
	}
	return list
}

// modules are the folders of the modules whose sources can change, by module path: those of go.work, and what go.mod replaces.
func (b *builder) modules() map[string]string {
	folders := map[string]string{}
	add := func(folder string) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(b.dir, folder)
		}
		mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
		if err != nil || folder == b.dir {
			return
		}
		if m := modulePath.FindSubmatch(mod); m != nil {
			folders[string(m[1])] = folder
		}
	}
	work, _ := os.ReadFile(filepath.Join(b.dir, "go.work"))
	for _, m := range usedFolder.FindAllSubmatch(work, -1) {
		add(strings.Trim(string(m[1]), `"`))
	}
	mod, _ := os.ReadFile(filepath.Join(b.dir, "go.mod"))
	for _, m := range replacedFolder.FindAllSubmatch(mod, -1) {
		add(strings.Trim(string(m[1]), `"`))
	}
	return folders
}

var (
	modulePath     = regexp.MustCompile(`(?m)^module\s+(\S+)`)
	usedFolder     = regexp.MustCompile(`(?m)^\s*(?:use\s+)?((?:"?[./])[^\s(]*)`)
	replacedFolder = regexp.MustCompile(`=>\s*("?[./]\S*)`)
)

// watch lists what has to stay as it is: in each linked package of a module that can change its files, folders and the data that it may
// embed.
func (b *builder) watch(linked string) (list []watched) {
	modules := b.modules()
	for line := range strings.Lines(linked) {
		name, _, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "packagefile "), "=")
		if !found {
			continue
		}
		for module, folder := range modules {
			rest, inside := strings.CutPrefix(name, module)
			if !inside || rest != "" && rest[0] != '/' {
				continue
			}
			top := filepath.Join(folder, filepath.FromSlash(rest))
			filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return nil
				}
				if d.IsDir() && path != top && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || hasGo(path)) {
					return fs.SkipDir
				}
				if strings.HasSuffix(path, "_test.go") {
					return nil
				}
				if info, err := d.Info(); err == nil {
					list = append(list, watched{path, info.Size(), info.ModTime().UnixNano()})
				}
				return nil
			})
		}
	}
	for _, folder := range modules {
		for _, name := range []string{"go.mod", "go.sum"} {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
				list = append(list, watched{filepath.Join(folder, name), info.Size(), info.ModTime().UnixNano()})
			}
		}
	}
	return list
}

func hasGo(folder string) bool {
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	return len(files) > 0
}
