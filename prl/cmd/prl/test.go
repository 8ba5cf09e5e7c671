package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/results"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// testOptions are the flags of test.
type testOptions struct {
	runOptions
	all bool // fresh is of use with it only
}

func newTest() *cobra.Command {
	options := testOptions{runOptions: runOptions{check: true}}
	command := &cobra.Command{
		Use:   "test",
		Short: "Prove that everything works: vet, tests, every notebook executed and compared; with --all also races, the image, a class",
		Long: `Prove that everything works: go vet, go test -short, and every notebook executed and compared with its file. What has passed is
remembered for as long as nothing it depends on changes: packages by go test, notebooks by their text, the packages of the library that
they use, Go, and the kernel.

With --all it also runs staticcheck and gofumpt; tests in full, which make and print every handout; the library under the race detector;
pipelines of Apache Beam, whose SDK is fetched from the Go proxy; the container image, built and tried out, and a class of ten students in
it. The image needs Linux, root, buildah and debootstrap; where one is missing, a line says so. What has passed on this machine is
remembered for other clones too: packages by their sources, notebooks and handouts by chapter, the image and the class by the files of
docker, of the command and of its set-up. With --fresh everything is done again.

All that was printed stands in the file named at the end. The last line counts Go tests and notebook cells: "N passed, N failed".
A notebook that fails counts as one failure.`,
		Args: verb.NoArguments,
	}
	options.flags(command)
	command.Flags().BoolVar(&options.all, "all", false, "everything, as continuous integration does it: more than an hour on two processors")
	command.Flags().BoolVar(&options.fresh, "fresh", false, "do again also what has passed before")
	command.Flags().Lookup("jobs").DefValue = "number of processors"
	options.jobs = runtime.NumCPU()
	command.RunE = func(c *cobra.Command, _ []string) error {
		if err := options.valid(); err != nil {
			return err
		}
		if options.fresh {
			os.Setenv(results.FreshVar, "1") // for the tests that remember, too
		}
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		return testAll(c.Context(), lab, options)
	}
	return command
}

// testLog is where all that a call has printed is kept, in the lab's own folder.
const testLog = "test.log"

// roomForAll is how many gigabytes the programs of all cells of all notebooks take, so that the next test finds them.
const roomForAll = "7"

// testAll goes on after a failure, so that one call shows all there is to mend.
func testAll(ctx context.Context, lab *setup.Lab, options testOptions) (err error) {
	path := lab.Own(testLog)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	log, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	lab.Console = lab.Console.Copy(log)
	began := time.Now()
	if os.Getenv(goenv.RoomVar) == "" {
		os.Setenv(goenv.RoomVar, roomForAll) // for the kernels of Go tests too, which would throw out what the notebooks need
	}

	passed, failed := 0, 0
	vets := []suite{
		{args: []string{"./..."}}, {args: []string{"./..."}, dir: measuring.folder}, {args: []string{"-tags", "image", "./docker"}},
	}
	if options.all {
		vets = append(vets, suite{args: []string{"./..."}, dir: beamModule})
	}
	count := func(err error) {
		if err != nil {
			failed++
			lab.Console.Line("%v", err)
		} else {
			passed++
		}
	}
	for _, part := range vets {
		count(vet(ctx, lab, part))
	}
	if options.all {
		count(lint(ctx, lab, "", "staticcheck", "./..."))
		count(lint(ctx, lab, measuring.folder, "staticcheck", "./..."))
		count(lint(ctx, lab, "", "gofumpt", "-l", "datasets", "docker", "notebooks", "plotting", "prl"))
	}
	suites := []suite{
		{title: "go test", args: shortTests},
		{title: "go test " + measuring.folder, args: append([]string{"-short"}, moduleTests...), dir: measuring.folder},
	}
	if options.all {
		race, err := raceTests(ctx, lab)
		if err != nil {
			return err
		}
		// The image comes after the rest, alone, because it is tried out with a clock.
		suites = []suite{
			{title: "go test", args: allTests},
			race,
			{title: "go test " + measuring.folder, args: moduleTests, dir: measuring.folder},
			{title: "go test " + beamModule, args: moduleTests, dir: beamModule},
			{title: "container image and class", args: imageTests, tell: true, files: imageFiles, alone: true},
		}
	}
	notebooks, err := verb.NotebooksIn(lab.Notebooks())
	if err != nil {
		return err
	}
	// Tests wait for browsers and kernels half of their time, and the longest decides when all are done: notebooks are executed meanwhile, and
	// what is said of these comes behind.
	var executed outcome
	var execution error
	options.yields = true
	beside := *lab
	held, release := lab.Console.Hold()
	beside.Console = held
	var meanwhile sync.WaitGroup
	meanwhile.Go(func() { executed, execution = checkNotebooks(ctx, &beside, notebooks, options.runOptions) })
	notebooksEnd := sync.OnceFunc(func() { release(); meanwhile.Wait() })
	goPassed, goFailed := 0, 0
	var ended error
	for _, part := range suites {
		if part.alone {
			notebooksEnd()
		}
		partPassed, partFailed, err := remembered(ctx, lab, part, log)
		if ended = err; ended != nil {
			break
		}
		if part.again {
			partPassed = 0
		}
		goPassed, goFailed = goPassed+partPassed, goFailed+partFailed
	}
	notebooksEnd()
	if ended != nil {
		return ended
	}
	if execution != nil {
		return execution
	}
	passed += goPassed + executed.cells
	failed += goFailed + executed.failed
	lab.Console.Line("%s, %s in %s, in %s. All that was printed: %s", plural(goPassed+goFailed, "Go test"), plural(executed.cells, "cell"),
		plural(len(notebooks), "notebook"), console.Duration(time.Since(began)), path)
	verdict := fmt.Sprintf("%d passed, %d failed\n", passed, failed)
	fmt.Fprint(log, verdict)
	fmt.Print(verdict)
	if failed > 0 {
		return verb.ErrTold
	}
	return nil
}

func vet(ctx context.Context, lab *setup.Lab, part suite) error {
	step := lab.Console.Step(strings.TrimSpace("go vet "+strings.Join(part.args, " ")+" "+part.dir), 0)
	cmd := process.Command(ctx, lab.Go.Program, slices.Concat([]string{"vet"}, building, part.args)...)
	cmd.Env = goenv.Many(os.Environ())
	cmd.Dir = filepath.Join(string(lab.Checkout), part.dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		step.Fail()
		return fmt.Errorf("go vet: %w\n%s", err, indent(strings.TrimSpace(string(out))))
	}
	step.Done("")
	return nil
}

// lint calls one of the linters that the module prl/cmd/lint pins, in the folder of a module. What it says at all is a failure.
func lint(ctx context.Context, lab *setup.Lab, module, name string, args ...string) error {
	step := lab.Console.Step(strings.TrimSpace(name+" "+module), 0)
	find := process.Command(ctx, lab.Go.Program, "tool", "-n", name)
	find.Dir = lab.Path("prl", "cmd", "lint")
	program, err := find.Output()
	if err != nil {
		step.Fail()
		return fmt.Errorf("%s cannot be built: %w", name, err)
	}
	cmd := process.Command(ctx, strings.TrimSpace(string(program)), args...)
	cmd.Env = append(goenv.Many(os.Environ()), "GOFLAGS="+strings.Join(building, " "))
	cmd.Dir = lab.Path(module)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		step.Fail()
		return fmt.Errorf("%s: %v\n%s", name, err, indent(strings.TrimSpace(string(out))))
	}
	step.Done("")
	return nil
}

// building are the flags with which vet, linters and tests compile what they look at, once for all of them and the same for each clone.
var building = append([]string{"-trimpath"}, goenv.Apart(runtime.GOARCH)...)

// suite is a call of go test, or of go vet.
type suite struct {
	title string
	args  []string
	dir   string   // of the module, "" for that of the lab
	tell  bool     // what its tests log is for everybody to read
	again bool     // its tests are among those of another call and count once
	alone bool     // nothing runs beside it
	files []string // on which it depends, if it is remembered by them; go test remembers the others
	lacks string   // what the machine lacks for it, and how to get that; empty if nothing
}

// Tests may take longer than the ten minutes that go test grants a package, on a machine that is busy with other things. The short ones
// leave out what takes minutes, such as every handout printed.
var (
	shortTests  = append([]string{"-short", "-timeout", "30m", "-p", strconv.Itoa(runtime.NumCPU() + len(waiting) - 1)}, allPackages...)
	allTests    = append([]string{"-timeout", "70m", "-p", strconv.Itoa(runtime.NumCPU() + 1)}, allPackages...)
	moduleTests = []string{"-timeout", "45m", "./..."}
)

// waiting are packages whose tests take longest and for most of that time wait, for browsers and for kernels. They are named first, because
// go test begins in the order of names. More of them run side by side than there are processors; in full their tests do more than wait.
var waiting = []string{
	"./prl/cmd/prl/internal/handouts", "./prl/cmd/prl/internal/labtest", "./prl/cmd/prl/internal/execute", "./plotting/browsertest",
}

var allPackages = append(slices.Clone(waiting), "./...")

// beamModule is a module of its own, whose dependencies are larger than the lab: only --all fetches them.
const beamModule = "prl/sufficient/prlbeam"

// imageTests builds the container image and tries it out. A build tag keeps it out of a plain go test ./...
var imageTests = []string{"-tags", "image", "-count=1", "-timeout", "60m", "./docker"}

// driving are tests of the library whose work is done by other processes, a compiler and node. The detector sees nothing of these; that
// the tests pass without it is the matter of another suite.
const driving = "^(TestPagesLinkLittle|TestPagesAnswerAlike)$"

// raceTests is the library under the race detector, with the concurrent use of every estimator in the contract suite. The tests of the
// command, of notebooks and of the image are left out: they start other processes, which the detector does not see.
func raceTests(ctx context.Context, lab *setup.Lab) (suite, error) {
	part := suite{title: "go test -race", args: []string{"-race", "-timeout", "30m", "-skip", driving}, again: true}
	ask := func(args ...string) ([]string, error) {
		said, err := lab.Machine.Output(ctx, string(lab.Checkout), lab.Go.Program, args...)
		return strings.Fields(string(said)), err
	}
	if cgo, err := ask("env", "CGO_ENABLED"); err != nil || !slices.Equal(cgo, []string{"1"}) {
		part.lacks = "a C compiler (sudo apt install gcc libc6-dev)"
		return part, err
	}
	packages, err := ask("list", "./...")
	for _, path := range packages {
		if name := filepath.Base(path); !strings.Contains(path+"/", "/prl/cmd/") && name != "browsertest" && name != "docker" &&
			name != "notebooks" {
			part.args = append(part.args, path)
		}
	}
	return part, err
}

// imageFiles are what the tests of the image and of a class are about: the image's own files, and the command that is set up in it. Other
// packages of the library are in the image too, but other tests are about them.
var imageFiles = []string{"docker", "go.mod", "go.sum", "notebooks/kernel", "notebooks/handouts", "notebooks/items.json", "prl/cmd/prl"}

// remembered is goTest for a part that has not passed yet with the files as they are.
func remembered(ctx context.Context, lab *setup.Lab, part suite, log io.Writer) (passed, failed int, err error) {
	if part.files == nil {
		return goTest(ctx, lab, part, log)
	}
	store, err := results.Open(ctx, lab)
	if err != nil {
		return 0, 0, err
	}
	name := strings.ReplaceAll(part.title, " ", "-")
	key, err := store.Part(lab.Path(), part.files)
	if err != nil {
		return 0, 0, err
	}
	if r, found := store.Find(name, key); found {
		lab.Console.Line("  ✓ %s  (cached)  %s", part.title, plural(r.Cells, "test"))
		return r.Cells, 0, nil
	}
	passed, failed, err = goTest(ctx, lab, part, log)
	if err == nil && failed == 0 && part.lacks == "" {
		err = store.Keep(name, results.Result{Key: key, Cells: passed})
	}
	return passed, failed, err
}

// goTest runs tests, prints what failing ones say, and writes what each says to log. Continuous integration lacks nothing.
func goTest(ctx context.Context, lab *setup.Lab, part suite, log io.Writer) (passed, failed int, err error) {
	if part.lacks != "" {
		lab.Console.Line("%s was not run: it needs %s", part.title, part.lacks)
		if os.Getenv("CI") != "" {
			failed++
		}
		return 0, failed, nil
	}
	step := lab.Console.Step(part.title, 0)
	args := slices.Concat([]string{"test", "-json", "-vet=off"}, building, part.args) // vet has looked at all
	if os.Getenv(results.FreshVar) != "" {
		args = append(args, "-count=1")
	}
	cmd := process.Command(ctx, lab.Go.Program, args...)
	cmd.Dir = filepath.Join(string(lab.Checkout), part.dir)
	cmd.Stderr = lab.Console
	count := newTestCount()
	count.tell, count.log = part.tell, log
	if !lab.Console.Moves() {
		count.ended = func(line string) { lab.Console.Line("    %s", line) }
	}
	err = process.Lines(cmd, func(line string) {
		count.add([]byte(line))
		step.Say(fmt.Sprintf("%d passed, %d failed, %s", count.passed, count.failed, count.at))
	})
	if ctx.Err() != nil {
		step.Fail()
		return count.passed, count.failed, context.Cause(ctx)
	}
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		step.Fail()
		return count.passed, count.failed, err
	}
	if err != nil && count.failed == 0 {
		count.failed++ // a failure that go test told only by its exit status
	}
	if count.failed > 0 {
		step.Fail()
		lab.Console.Line("%s", strings.Join(count.said, ""))
	} else {
		step.Done(fmt.Sprintf("%d tests, slowest package %s (%s)", count.passed, count.slowest, console.Duration(count.took)))
	}
	if len(count.told) > 0 {
		lab.Console.Line("%s", strings.TrimRight(strings.Join(count.told, ""), "\n"))
	}
	return count.passed, count.failed, nil
}

// testCount reads the events of go test -json. Tests are counted without their parts (subtests); a package that does not build
// or ends outside a test counts as one failure.
type testCount struct {
	passed, failed int
	at             string
	said           []string            // by what failed
	tell           bool                // keep what passes or is skipped has to say
	told           []string            // by it, each line once
	output         map[string][]string // of tests that have not ended
	failedIn       map[string]bool
	slowest        string
	took           time.Duration
	log            io.Writer         // gets all that tests print
	ended          func(line string) // told how each package ends, or nil
}

func newTestCount() *testCount {
	return &testCount{output: map[string][]string{}, failedIn: map[string]bool{}, log: io.Discard}
}

func (c *testCount) add(line []byte) {
	var e struct {
		Action, Package, ImportPath, Test, Output string
		Elapsed                                   float64
	}
	if json.Unmarshal(line, &e) != nil {
		c.said = append(c.said, string(line)+"\n")
		fmt.Fprintf(c.log, "%s\n", line)
		return
	}
	pkg := e.Package
	if pkg == "" {
		pkg, _, _ = strings.Cut(e.ImportPath, " ")
	}
	top, _, isPart := strings.Cut(e.Test, "/")
	key := pkg + "\x00" + top
	switch e.Action {
	case "output", "build-output":
		c.output[key] = append(c.output[key], e.Output)
		io.WriteString(c.log, e.Output)
		if c.ended != nil && e.Test == "" && packageEnd.MatchString(e.Output) {
			c.ended(strings.Join(strings.Fields(e.Output), " "))
		}
	case "pass", "fail", "skip":
		if isPart {
			return
		}
		if e.Action == "fail" && (e.Test != "" || !c.failedIn[pkg]) {
			c.failed++
			c.failedIn[pkg] = true
			c.said = append(c.said, c.output[key]...)
		}
		if e.Action == "pass" && e.Test != "" {
			c.passed++
		}
		if c.tell && e.Action != "fail" && e.Test != "" {
			c.listen(c.output[key])
		}
		if took := time.Duration(e.Elapsed * float64(time.Second)); e.Test == "" && took > c.took {
			c.slowest, c.took = filepath.Base(pkg), took
		}
		delete(c.output, key)
		c.at = filepath.Base(pkg)
	}
}

// listen keeps what a test logged, without the frame that go test puts around it.
func (c *testCount) listen(output []string) {
	for _, line := range output {
		if trimmed := strings.TrimSpace(line); trimmed == "" || strings.HasPrefix(trimmed, "=== ") || strings.HasPrefix(trimmed, "--- ") {
			continue
		}
		if line = "  " + place.ReplaceAllString(line, ""); !slices.Contains(c.told, line) {
			c.told = append(c.told, line)
		}
	}
}

// place is the file and line that begin what a test logs.
var place = regexp.MustCompile(`^ +[a-z_]+_test\.go:[0-9]+: `)

// packageEnd is the line with which go test tells how a package has ended.
var packageEnd = regexp.MustCompile(`^(ok|FAIL)\s+\S+/`)
