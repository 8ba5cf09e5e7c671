package copies

import (
	"fmt"
	"path/filepath"
	"strings"
	gosync "sync"
	"testing"
)

func chapterText(text string) string {
	return `{"cells":[{"cell_type":"markdown","id":"a","metadata":{},"source":["` + text + `"]}],"metadata":{},` +
		`"nbformat":4,"nbformat_minor":5}`
}

// TestClock puts copies aside while the clock stands still, as it does when it is set back: none replaces another.
func TestClock(t *testing.T) {
	folder := t.TempDir()
	const most = 50
	for i := range most {
		if err := keep(folder, "01-a", []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for _, text := range files(t, filepath.Join(folder, kept, "before")) {
		seen[text] = true
	}
	if len(seen) != most {
		t.Errorf("%d of %d copies are there", len(seen), most)
	}
}

// TestTwoLabs starts labs on one folder at once, while its reader saves: the reader's last save stands in the copy or was put aside.
func TestTwoLabs(t *testing.T) {
	from, folder := t.TempDir(), t.TempDir()
	put(t, from, map[string]string{"01-a.ipynb": chapterText("one")})
	if _, err := Sync(from, folder, Options{}); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		put(t, from, map[string]string{"01-a.ipynb": chapterText(fmt.Sprint("version ", round))})
		saved := chapterText(fmt.Sprint("my work of round ", round))
		put(t, folder, map[string]string{"01-a.ipynb": saved})
		var wait gosync.WaitGroup
		for range 3 {
			wait.Go(func() {
				if _, err := Sync(from, folder, Options{Merge: true}); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		found := false
		for _, text := range files(t, folder) {
			found = found || strings.Contains(text, fmt.Sprint("my work of round ", round, "\""))
		}
		if !found {
			t.Fatalf("round %d: the work is lost", round)
		}
	}
}
