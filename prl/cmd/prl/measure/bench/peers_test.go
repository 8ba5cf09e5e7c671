package bench

import "testing"

func TestUnreachable(t *testing.T) {
	for text, want := range map[string]bool{
		"WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('...')': /simple/numpy/": true,
		"ERROR: Could not find a version that satisfies the requirement scipy==1 (from versions: none)":             true,
		"ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.":                                 false,
	} {
		if got := unreachable(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
