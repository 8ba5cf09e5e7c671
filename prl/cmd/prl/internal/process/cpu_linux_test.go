package process

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestCPU compares with what the system says of a child that has worked, with and without a shell between.
func TestCPU(t *testing.T) {
	before, err := CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; true`)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	want := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	after, err := CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if got := after - before; want < 5*tick || got < want-3*tick || got > want+want/2+20*tick {
		t.Errorf("%v of processor time seen of %v used", got, want.Round(time.Millisecond))
	}
	if _, err := CPU(1 << 30); err == nil {
		t.Error("a process that there is not has used time")
	}
}
