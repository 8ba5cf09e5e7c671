// Package atomicfile replaces files in one step, and makes the folders they stand in.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Write writes data to the file path, as os.WriteFile does, but whole or not at all: at no moment, not even when the program is killed or
// the power fails, does the file hold half of it. mode, less the umask, is that of a new file; one that is there keeps its own, and must be
// one that the caller may write. A link stays a link, and the file it leads to is replaced. An error names the file and leaves it as it
// was.
func Write(path string, data []byte, mode fs.FileMode) error {
	if err := write(path, data, mode); err != nil {
		// The causes name a temporary file that nobody knows.
		var inPath *fs.PathError
		var inLink *os.LinkError
		switch {
		case errors.As(err, &inPath):
			err = inPath.Err
		case errors.As(err, &inLink):
			err = inLink.Err
		}
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

func write(path string, data []byte, mode fs.FileMode) (err error) {
	path = behindLinks(path)
	old, err := os.OpenFile(path, os.O_WRONLY, 0) // a rename needs no leave to write the file
	there := err == nil
	if there {
		info, err := old.Stat()
		old.Close()
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// os.CreateTemp would give the mode 0600, and a change of it would pass over the umask.
	name := filepath.Join(filepath.Dir(path), ".prl-"+strconv.FormatUint(rand.Uint64(), 36))
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(name)
		}
	}()
	_, err = temp.Write(data)
	if err == nil && there {
		err = temp.Chmod(mode)
	}
	if err == nil {
		err = temp.Sync() // or the new name may come to the disk before what it names
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err := os.Rename(name, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder has the names in a folder on the disk, where a system can be asked for that.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return nil // a folder in which one may write and which one may not read
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) &&
		!errors.Is(err, syscall.EINVAL) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// behindLinks is the file to which a path leads, which need not be there.
func behindLinks(path string) string {
	const most = 40 // as many as Linux follows
	for range most {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) { // joined as it is: the folder may be a link, and what ".." means is for the system to say
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		path = to
	}
	return path
}

// Folder makes a folder with those above it, as os.MkdirAll does, but tries before it asks: a test that has asked after a folder depends on
// the time at which another last put something in it, and is run again when nothing it depends on has changed.
func Folder(path string, mode fs.FileMode) error {
	if err := os.Mkdir(path, mode); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.MkdirAll(path, mode)
}
