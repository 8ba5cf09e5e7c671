package copies

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// folderName is the folder in a person's home in which the copies stand, where nobody names another.
const folderName = "prlab-notebooks"

// owner is the file, beside the chapters as they were copied, that says for which clone the copies are.
const owner = "clone"

// Home is the folder of a person's copies of the chapters of a clone: in the home folder, where it is seen, and where nothing that is done
// to the clone reaches it. A second clone has a second folder.
func Home(clone string) (string, error) {
	home, err := os.UserHomeDir()
	if err == nil {
		_, err = os.Stat(home)
	}
	if err != nil {
		return "", fmt.Errorf("there is no home folder for your notebooks; name a folder with --folder: %w", err)
	}
	const most = 100
	for n := range most {
		folder := filepath.Join(home, folderName)
		if n > 0 {
			folder += "-" + strconv.Itoa(n+1)
		}
		of, err := os.ReadFile(filepath.Join(folder, kept, owner))
		switch there := strings.TrimSpace(string(of)); {
		case err == nil && there == clone:
			return folder, nil
		case err == nil && exists(there): // another clone's
		case err == nil || errors.Is(err, fs.ErrNotExist):
			return folder, own(folder, clone)
		default:
			return "", err
		}
	}
	return "", fmt.Errorf("%s has notebooks of %d clones already; name a folder with --folder", home, most)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// own notes whose copies the folder has. A clone that was moved, or is gone, leaves its copies to the next.
func own(folder, clone string) error {
	if err := os.MkdirAll(filepath.Join(folder, kept), 0o777); err != nil {
		return fmt.Errorf("the folder of your notebooks cannot be made; name another with --folder: %w", err)
	}
	return atomicfile.Write(filepath.Join(folder, kept, owner), []byte(clone+"\n"), 0o666)
}

// taken is what a folder is renamed to whose files were taken over.
const taken = "-taken-over"

// TakeOver copies all files of an older folder of copies into the new one, once: a file stays as it is there, another of the same name is
// copied under a name of its own, and only when everything is on the disk the old folder gets another name, so that nothing is ever
// removed. What was interrupted goes on. It returns how many files have come.
func TakeOver(old, folder string) (count int, err error) {
	if info, err := os.Lstat(old); err != nil || !info.IsDir() {
		return 0, nil
	}
	err = filepath.WalkDir(old, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(old, path)
		if err != nil {
			return err
		}
		if !entry.Type().IsRegular() {
			return takeLink(path, filepath.Join(folder, name))
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to, err := free(filepath.Join(folder, name), text)
		if err != nil || to == "" {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := atomicfile.Write(to, text, info.Mode().Perm()); err != nil {
			return err
		}
		count++
		return os.Chtimes(to, info.ModTime(), info.ModTime())
	})
	if err != nil {
		return count, fmt.Errorf("your notebooks of %s stay there, since they cannot be taken to %s: %w", old, folder, err)
	}
	for n := 1; ; n++ {
		aside := old + taken
		if n > 1 {
			aside += "-" + strconv.Itoa(n)
		}
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return count, os.Rename(old, aside)
		} else if err != nil {
			return count, err
		}
	}
}

// takeLink makes a link, to whatever it leads, where nothing of its name is.
func takeLink(path, to string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return nil // a pipe or a socket holds nothing
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	if err := os.Symlink(target, to); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// free is a name that no other file has, or "" if the file is there.
func free(path string, text []byte) (string, error) {
	end := filepath.Ext(path)
	for n := 1; ; n++ {
		name := path
		if n > 1 {
			name = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, end), n, end)
		}
		there, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil
		case err != nil:
			return "", err
		case bytes.Equal(there, text):
			return "", nil
		}
	}
}
