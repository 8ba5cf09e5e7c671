package estimatortest

import (
	"fmt"
	"sync"
)

// Checks of concurrent use; they see most under the race detector.
var concurrencyChecks = []Check{
	{Name: "concurrent use", run: concurrent, shared: true},
}

// concurrent asks one model, and fits on the same data, from several goroutines.
func concurrent(s *subject) error {
	var wait sync.WaitGroup
	failures := make(chan error, 8)
	for worker := range 6 {
		wait.Go(func() {
			model := s.model
			if worker >= 4 {
				var err error
				if model, err = s.fitOn(s.data); err != nil {
					failures <- err
					return
				}
			}
			held(model)
			if err := s.unchanged(model); err != nil {
				failures <- fmt.Errorf("several goroutines at once: %w", err)
			}
		})
	}
	wait.Wait()
	close(failures)
	return <-failures
}
