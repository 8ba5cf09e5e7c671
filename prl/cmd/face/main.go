// Command face writes what the families of the library have in common, with its documentation, so that go doc and completion answer for
// each of them. Its one argument is the directory prl. In each package it writes face_gen.go with
//
//   - for each plan that embeds a kind of plan.Plan: the methods that it gets from there,
//   - for each plan that says //plan:face: Fit, Keep, and the steps that the fields of its options name by //plan:step,
//   - for each model that has a method spine: the methods of what spine returns, a type of package estimator.
//
// A method that the package has already is left as it is. In prl itself it writes words_gen.go, the table of words. The comment of
// prl/estimator/README.md says how a family is written; words.txt holds the words that several plans share.
//
//	go generate ./prl
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: face DIRECTORY")
		os.Exit(2)
	}
	files, err := generate(os.Args[1])
	if err == nil {
		err = write(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "face:", err)
		os.Exit(1)
	}
}

// generate returns the text of all files to be written, by path; nil for a file that is not needed.
func generate(root string) (map[string][]byte, error) {
	w, err := readWorld(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range w.families {
		text, err := w.face(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.dir, err)
		}
		files[filepath.Join(p.dir, "face_gen.go")] = text
	}
	files[filepath.Join(root, "words_gen.go")], err = w.table()
	return files, err
}

// write makes the files as they should be.
func write(files map[string][]byte) error {
	for path, text := range files {
		if text == nil {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return err
			}
			continue
		}
		if old, err := os.ReadFile(path); err == nil && string(old) == string(text) {
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
