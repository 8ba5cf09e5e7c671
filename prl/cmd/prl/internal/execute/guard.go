package execute

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
)

// A Guard has a notebook executed in a sandbox: it sees the lab's programs and library, and no notebook of the lab, no file of a person, no
// network. What it changes is lost.
type Guard struct {
	Folder string // with the files that belong to the notebook, which it may change for itself; empty for none
	Cells  string // the folder with finished programs of cells
	Build  string // the cache of Go
	Keep   bool   // of this notebook the programs stay there

	Judge   string // with the sockets by which its answers are asked for; empty for none
	Student string // whose numbers it has
}

// Where things stand in the sandbox.
const (
	boxWork   = "/work"
	boxDriver = "/sandbox/execute.py"
	boxSource = "/sandbox/source.ipynb"
	boxResult = "/proc/self/fd/3"

	boxMemory    = 4 << 30
	boxProcesses = 300
	boxThreads   = 3000
	boxJudge     = "/judge"
)

// box is the sandbox for a notebook whose text stands in the file source; it is put together on the empty folder root.
func (s *Session) box(g *Guard, root, source string) sandbox.Box {
	lab := s.lab
	read := func(path string) sandbox.Place { return sandbox.Place{Path: path, Source: path, Kind: sandbox.Read} }
	places := []sandbox.Place{
		{Path: boxDriver, Source: filepath.Join(s.temp, "execute.py"), Kind: sandbox.Read},
		{Path: boxSource, Source: source, Kind: sandbox.Read},
		{Path: boxWork, Source: g.Folder, Kind: sandbox.Layer},
		read(filepath.Dir(filepath.Dir(lab.Go.Program))), read(lab.Go.Modules),
		read(lab.State("python")), read(lab.State("bin")), read(lab.State("shim")),
	}
	for _, part := range []string{"go.mod", "go.sum", "prl", "plotting", "datasets"} {
		places = append(places, read(lab.Path(part)))
	}
	cells := sandbox.Place{Path: lab.State("cells"), Source: g.Cells, Kind: sandbox.Layer}
	build := sandbox.Place{Path: g.Build, Source: g.Build, Kind: sandbox.Layer}
	if g.Keep {
		cells.Kind, build.Kind = sandbox.Write, sandbox.Write
	}
	places = append(places, cells, build)
	if g.Judge != "" {
		places = append(places, sandbox.Place{Path: boxJudge, Source: g.Judge, Kind: sandbox.Read})
	}
	// The environment of Python points to the Python that it was made with, which may stand anywhere.
	if python, err := filepath.EvalSymlinks(lab.Python()); err == nil {
		if prefix := filepath.Dir(filepath.Dir(python)); prefix != "/usr" && prefix != "/" {
			places = append(places, read(prefix))
		}
	}
	return sandbox.Box{
		Root: root, Dir: boxWork, Places: places, Memory: boxMemory, Processes: boxProcesses, Threads: boxThreads,
		Env: []string{
			"PATH=" + strings.Join([]string{filepath.Dir(lab.Python()), "/usr/local/bin", "/usr/bin", "/bin"}, string(os.PathListSeparator)),
			"HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", "USER=student", "LOGNAME=student", "PYTHONDONTWRITEBYTECODE=1",
			"GOCACHE=" + g.Build, "GOMODCACHE=" + lab.Go.Modules, "GOENV=off", "GOTELEMETRY=off",
			"JUPYTER_RUNTIME_DIR=/tmp/runtime", "JUPYTER_CONFIG_DIR=/tmp/config", "JUPYTER_DATA_DIR=/tmp/data", "IPYTHONDIR=/tmp/ipython",
			goenv.HeadlessVar + "=1", "PRL_RUNTIME=none", cell.CollectVar + "=answers", "PRL_STUDENT=" + g.Student,
		},
	}
}

// guarded is the driver in the sandbox, and the context that ends when it wants too much. The driver writes the executed notebook into the
// file result, which is open outside and has no name inside.
func (s *Session) guarded(ctx context.Context, g *Guard, dir, source string, result *os.File, args []string) (*Process, context.Context,
	error,
) {
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		return nil, nil, err
	}
	box := s.box(g, root, source)
	watched, cancel := context.WithCancelCause(ctx)
	cmd, err := box.Command(watched, []*os.File{result}, s.lab.Python(), append([]string{boxDriver, boxSource}, args...)...)
	if err != nil {
		cancel(err)
		return nil, nil, err
	}
	child := &Process{Cmd: cmd, ended: func() { cancel(context.Canceled) }}
	child.began = sync.OnceFunc(func() { go box.Watch(watched, cmd.Process.Pid, cancel) })
	return child, watched, nil
}

// largest is how large the executed notebook of somebody else may be.
const largest = 32 << 20
