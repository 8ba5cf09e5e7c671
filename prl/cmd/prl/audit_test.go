package main

import (
	"errors"
	"os/exec"
	"testing"
)

// TestAudits reads what the programs say, among it what they say of a database that they have not reached, with 0 as their status.
func TestAudits(t *testing.T) {
	one := exec.Command("sh", "-c", "exit 1").Run()
	two := exec.Command("sh", "-c", "exit 2").Run()
	for name, c := range map[string]struct {
		read   func([]byte, error) (auditVerdict, string)
		output string
		failed error
		want   auditVerdict
	}{
		"go, clean":       {readGo, `{"config":{"db":"https://vuln.go.dev"}} {"progress":{"message":"x"}}`, nil, auditClean},
		"go, not called":  {readGo, `{"config":{}} {"finding":{"osv":"GO-1","trace":[{"module":"m"}]}}`, nil, auditClean},
		"go, called":      {readGo, `{"config":{}} {"finding":{"osv":"GO-1","trace":[{"module":"m","function":"F"}]}}`, nil, auditFound},
		"go, no database": {readGo, `{"config":{}}`, one, auditNotReached},
		"go, silent":      {readGo, ``, nil, auditNotReached},
		"go, broken":      {readGo, `{"config"`, nil, auditNotReached},
		"python, clean":   {readPython, `{"dependencies":[{"name":"a","version":"1","vulns":[]}]}`, nil, auditClean},
		"python, found":   {readPython, `{"dependencies":[{"name":"a","version":"1","vulns":[{"id":"CVE-1"}]}]}`, one, auditFound},
		"python, skipped": {readPython, `{"dependencies":[{"name":"a","skip_reason":"could not be audited"}]}`, nil, auditNotReached},
		"python, nothing": {readPython, `{"dependencies":[]}`, nil, auditNotReached},
		"python, absent":  {readPython, ``, errors.New("no such file"), auditNotReached},
		"python, crash":   {readPython, `{"dependencies":[{"name":"a","vulns":[]}]}`, two, auditNotReached},
		"npm, clean":      {readNpm, `{"vulnerabilities":{},"metadata":{"dependencies":{"total":3}}}`, nil, auditClean},
		"npm, found":      {readNpm, `{"vulnerabilities":{"x":{"severity":"high"}},"metadata":{"dependencies":{"total":3}}}`, one, auditFound},
		"npm, offline":    {readNpm, `{"error":{"code":"ENOTFOUND"}}`, one, auditNotReached},
		"npm, a message":  {readNpm, `{"message":"request failed"}`, one, auditNotReached},
		"docker, clean":   {readDocker, `[{"code":"DL3008","level":"warning","line":3,"message":"pin"}]`, nil, auditClean},
		"docker, found":   {readDocker, `[{"code":"DL3000","level":"error","line":3,"message":"x"}]`, one, auditFound},
		"docker, absent":  {readDocker, ``, errors.New("no such file"), auditNotReached},
	} {
		if got, said := c.read([]byte(c.output), c.failed); got != c.want || got == auditFound && said == "" {
			t.Errorf("%s: %s, %q", name, got, said)
		}
	}
}
