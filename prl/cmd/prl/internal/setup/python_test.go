package setup

import (
	"strings"
	"testing"
)

func TestPipWithoutNetworkIsRecognised(t *testing.T) {
	printed := `Ignoring pywinpty: markers 'os_name == "nt"' don't match your environment
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('... Temporary failure in name resolution')': ` +
		`/simple/anyio/
ERROR: No matching distribution found for anyio==4.16.0
`
	if !offline(printed) {
		t.Error("a missing network is not recognised")
	}
	if offline("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n") {
		t.Error("a wrong hash is taken for a missing network")
	}
	told := complaints("github.com/x/y\n" + printed)
	if strings.Contains(told, "Ignoring") || strings.Contains(told, "github.com/x/y") || !strings.Contains(told, "ERROR: No matching") {
		t.Errorf("told: %s", told)
	}
}
