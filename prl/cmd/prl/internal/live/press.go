package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// errNoLZMA says that a Python was built without LZMA.
var errNoLZMA = errors.New("this Python has no LZMA")

const noLZMA = 3 // how the packer ends then

// packer has a Python pack its input.
const packer = `import sys
try:
    import lzma
except ImportError:
    sys.exit(3)
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), lzma.FORMAT_ALONE, preset=6))`

// unzipped is what is given as gzip.
func unzipped(zipped []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Pressed packs data as LZMA, in the format of the LZMA SDK, whose header ends with the length of what is packed. It needs a Python that
// was built with LZMA.
func Pressed(ctx context.Context, python string, data []byte) ([]byte, error) {
	cmd := process.Command(ctx, python, "-c", packer)
	cmd.Stdin = bytes.NewReader(data)
	packed, err := cmd.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() == noLZMA {
		return nil, errNoLZMA
	}
	const lengthAt, header = 5, 13
	if err == nil && len(packed) < header {
		err = errors.New("nothing came back")
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be packed: %w", err)
	}
	binary.LittleEndian.PutUint64(packed[lengthAt:], uint64(len(data))) // which Python leaves open
	return packed, nil
}
