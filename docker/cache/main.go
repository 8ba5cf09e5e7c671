// Command prl-cache is the build cache of a lab that many people share. It answers the go command through GOCACHEPROG: what the image has
// compiled already comes from a folder that nobody can change, everything else goes to a folder of the person's own. So a new home begins
// warm without a byte copied into it.
//
//	GOCACHEPROG="prl-cache /usr/local/lib/prl/build" go build ...
//
// Both folders have the layout of Go's own cache, so the shared one is made by an ordinary go build. The own one is $GOCACHE, or else
// go-build in the user's cache directory; it is kept below 256 MB, and what was not used for longest goes first.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "prl-cache: it is started by go, as GOCACHEPROG=\"prl-cache DIR\"; DIR is the shared cache")
		os.Exit(2)
	}
	own := os.Getenv("GOCACHE")
	if own == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			base = os.TempDir()
		}
		own = filepath.Join(base, "go-build")
	}
	err := serve(os.Stdin, os.Stdout, store{shared: os.Args[1], own: own, now: time.Now, limit: ownLimit})
	if err != nil {
		fmt.Fprintln(os.Stderr, "prl-cache:", err)
		os.Exit(1)
	}
}

// request and response are the messages of GOCACHEPROG; see cmd/go/internal/cacheprog.
type request struct {
	ID                 int64
	Command            string
	ActionID, OutputID []byte
	BodySize           int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

// serve answers until the go command closes the cache or is gone.
func serve(in io.Reader, out io.Writer, s store) error {
	requests := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	written := bufio.NewWriter(out)
	responses := json.NewEncoder(written)
	answer := func(r response) error {
		if err := responses.Encode(r); err != nil {
			return err
		}
		return written.Flush()
	}
	if err := answer(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("a request cannot be read: %w", err)
		}
		a := response{ID: r.ID}
		switch r.Command {
		case "get":
			e, found := s.get(r.ActionID)
			if !found {
				a.Miss = true
				break
			}
			a.OutputID, a.Size, a.Time, a.DiskPath = e.output, e.size, &e.made, e.path
		case "put":
			var body []byte
			if r.BodySize > 0 {
				if err := requests.Decode(&body); err != nil {
					return fmt.Errorf("a body cannot be read: %w", err)
				}
			}
			path, err := s.put(r.ActionID, r.OutputID, body)
			if err != nil {
				a.Err = err.Error()
			}
			a.DiskPath = path
		case "close":
			s.trim()
			return answer(a)
		default:
			a.Err = fmt.Sprintf("unknown command %q", r.Command)
		}
		if err := answer(a); err != nil {
			return err
		}
	}
}
