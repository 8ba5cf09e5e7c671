package estimatortest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/prlab/prlab/prl/estimator"
)

// Checks of the context and of the report of progress.
var cancellationChecks = []Check{
	{Name: "cancelled before", run: cancelledBefore, shared: true},
	{Name: "cancelled during", run: cancelledDuring, shared: true},
	{Name: "progress", When: func(c Case) bool { return c.has("Progress") }, run: progress, shared: true},
}

// stopped checks the outcome of a cancelled fit.
func stopped(when string, model any, err error) error {
	if err == nil {
		return fmt.Errorf("cancelled %s, the fit returns a model and no error", when)
	}
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("cancelled %s, the error does not wrap context.Canceled: %w", when, err)
	}
	if !absent(model) {
		return fmt.Errorf("cancelled %s, the fit returns a model beside the error", when)
	}
	return nil
}

func cancelledBefore(s *subject) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	start := time.Now()
	model, err := s.fitCtx(ctx, s.data, s.options(s.data))
	if err := stopped("before the fit", model, err); err != nil {
		return err
	}
	if took := time.Since(start); took > 2*time.Second {
		return fmt.Errorf("a cancelled fit takes %v", took)
	}
	return nil
}

// A fuse is a context whose Err fails after a number of calls.
type fuse struct {
	context.Context
	calls, limit atomic.Int64
}

func newFuse(limit int64) *fuse {
	f := &fuse{Context: context.Background()}
	f.limit.Store(limit)
	return f
}

func (f *fuse) Err() error {
	if f.calls.Add(1) > f.limit.Load() {
		return context.Canceled
	}
	return nil
}

// cancelledDuring counts how often a fit looks at its context, and lets the context fail at the second, a middle and the last of these
// looks.
func cancelledDuring(s *subject) error {
	full := newFuse(math.MaxInt64)
	if _, err := s.fitCtx(full, s.data, s.options(s.data)); err != nil {
		return err
	}
	looks := full.calls.Load()
	for _, after := range []int64{1, looks / 2, looks - 1} {
		if after < 1 || after >= looks {
			continue
		}
		model, err := s.fitCtx(newFuse(after), s.data, s.options(s.data))
		if err := stopped(fmt.Sprintf("after %d of %d looks at the context", after, looks), model, err); err != nil {
			return err
		}
	}
	return nil
}

// progress checks that a fit reports iterations from 1 to the limit with finite objectives, and that reporting changes nothing.
func progress(s *subject) error {
	var reports []estimator.Progress
	d := s.data
	d.Progress = func(p estimator.Progress) { reports = append(reports, p) }
	model, err := s.fitOn(d)
	if err != nil {
		return err
	}
	if len(reports) == 0 {
		return errors.New("a fit of some iterations reports nothing")
	}
	for _, p := range reports {
		if p.Iteration < 1 || math.IsNaN(p.Objective) || math.IsInf(p.Objective, 0) || p.Of < 0 || p.Of > 0 && p.Iteration > p.Of {
			return fmt.Errorf("the report %+v makes no sense", p)
		}
	}
	if err := s.unchanged(model); err != nil {
		return fmt.Errorf("reporting changes the model: %w", err)
	}
	return nil
}
