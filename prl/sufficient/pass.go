package sufficient

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// A Pass reads rows once, batch after batch, and keeps how far it has come in a file, so that it goes on where it was killed. The zero
// value keeps no file.
type Pass struct {
	// Checkpoint is the file. When it is there at the begin, the pass goes on from it; it is removed at the end. A file that belongs to
	// other rows, or to rows that have changed since, is an error.
	Checkpoint string
	Every      time.Duration // between two checkpoints, default 30 s
	Batch      int           // rows of a batch, default 4096
	// Progress is called after each batch with the rows and the bytes (0 of what is no file) read so far, from the begin of the first try.
	Progress func(at datasets.Position)
}

// A Statistic is what a pass gathers: any type of this package, or the program's own.
type Statistic interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Run calls add with each batch of the rows, which is to take it into s. When it returns nil, s has seen every row once, however often the
// pass was killed and run again.
//
// Errors: those of reading, of add, of ctx, and of the file. Before it returns the error of ctx it writes a checkpoint.
func (p Pass) Run(ctx context.Context, rows *datasets.Rows, s Statistic, add func(b *datasets.Batch) error) error {
	const function = "sufficient.Pass.Run"
	estimator.Or(&p.Batch, 4096)
	if p.Every == 0 {
		p.Every = 30 * time.Second
	}
	if p.Batch < 2 || p.Every < 0 {
		return fault.Argument(function, "Batch and Every", fmt.Sprintf("%d rows, %v", p.Batch, p.Every), "at least 2 rows, a positive time", "")
	}
	at, err := p.restore(function, rows, s)
	if err != nil {
		return err
	}
	last := time.Now()
	for b, err := range rows.From(at).Batches(ctx, p.Batch) {
		if err != nil {
			if ctx.Err() != nil {
				return errors.Join(fmt.Errorf("%s: after %d rows: %w", function, at.Rows, err), p.save(rows, at, s))
			}
			return fmt.Errorf("%s: after %d rows: %w", function, at.Rows, err)
		}
		if err := add(b); err != nil {
			return fmt.Errorf("%s: in the %d rows after row %d: %w", function, b.Next.Rows-at.Rows, at.Rows, err)
		}
		at = b.Next
		if p.Progress != nil {
			p.Progress(at)
		}
		if now := time.Now(); now.Sub(last) >= p.Every {
			if err := p.save(rows, at, s); err != nil {
				return err
			}
			last = now
		}
	}
	if p.Checkpoint != "" {
		if err := os.Remove(p.Checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", function, err)
		}
	}
	return nil
}

type checkpoint struct {
	Identity  string
	At        datasets.Position
	Statistic string // encoded
}

// restore reads the checkpoint, if there is one.
func (p Pass) restore(function string, rows *datasets.Rows, s Statistic) (at datasets.Position, err error) {
	if p.Checkpoint == "" {
		return at, nil
	}
	data, err := os.ReadFile(p.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	var c checkpoint
	if err == nil {
		err = estimator.Decode(data, "sufficient.Pass", 1, &c)
	}
	if err != nil {
		return at, fmt.Errorf("%s: the checkpoint %s: %w", function, p.Checkpoint, err)
	}
	if c.Identity != rows.Identity {
		return at, fault.Argument(function, "the checkpoint "+p.Checkpoint, "of "+c.Identity, "of "+rows.Identity, "remove it to begin again")
	}
	if err := s.UnmarshalBinary([]byte(c.Statistic)); err != nil {
		return at, fmt.Errorf("%s: the checkpoint %s: %w", function, p.Checkpoint, err)
	}
	return c.At, nil
}

func (p Pass) save(rows *datasets.Rows, at datasets.Position, s Statistic) error {
	if p.Checkpoint == "" {
		return nil
	}
	statistic, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	data, err := estimator.Encode("sufficient.Pass", 1, checkpoint{rows.Identity, at, string(statistic)})
	if err != nil {
		return err
	}
	return atomicfile.Write(p.Checkpoint, data, 0o644)
}
