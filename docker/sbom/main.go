// Command prl-sbom lists what a file system holds: the packages of Debian and Python, the modules of Go, in programs and as source, the
// packages of npm that JupyterLab was built from, and the libraries that the lab brings along. It writes a bill of materials (SBOM) as
// CycloneDX 1.6 in JSON, the same text for the same files.
//
//	prl-sbom [-root DIR] > sbom.cdx.json
//	prl-sbom -notices DIR -modules MODCACHE PROGRAM...
//
// In the second form it copies the licences and notices of all modules that programs are linked from into a folder: who passes on a program
// passes on these.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "/", "the file system")
	notices := flag.String("notices", "", "copy the licences of modules into this folder")
	modules := flag.String("modules", "", "where the modules stand, as in GOMODCACHE")
	flag.Parse()
	err := error(nil)
	if *notices != "" {
		err = copyNotices(*notices, *modules, flag.Args())
	} else {
		err = write(*root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prl-sbom:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	b, err := materials(root)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(b)
}

// copyNotices copies licences and notices of the modules that programs hold into dir/MODULE@VERSION.
func copyNotices(dir, modules string, programs []string) error {
	held, err := linked("/", programs)
	if err != nil {
		return err
	}
	if len(held) == 0 {
		return fmt.Errorf("no module is in %v", programs)
	}
	for _, m := range held {
		if m.name == "stdlib" { // Go's licence stands in its folder
			continue
		}
		from := filepath.Join(modules, escape(m.name)+"@"+m.Version)
		texts, err := licences(from)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return fmt.Errorf("%s@%s has no licence in %s", m.name, m.Version, from)
		}
		to := filepath.Join(dir, escape(m.name)+"@"+m.Version)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		for name, text := range texts {
			if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
