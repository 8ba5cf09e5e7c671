// Package gopls builds the completion server. That takes about as long as the rest of the kernel's programs, so it is done when somebody
// first asks for a completion, and not before the first chapter opens.
package gopls

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// Package is the one that is built, of the module in notebooks/kernel.
const Package = "golang.org/x/tools/gopls"

// Program is where the completion server of a clone is, once it is built.
func Program(root checkout.Checkout) string { return root.Bin("gopls") }

// Build builds the completion server of a clone unless it is there. Of several that build it at the same time the last one's stays.
func Build(ctx context.Context, root checkout.Checkout, goProgram string) error {
	if _, err := os.Stat(Program(root)); err == nil {
		return nil
	}
	fresh, err := os.MkdirTemp(filepath.Dir(Program(root)), "gopls-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	built := filepath.Join(fresh, "gopls")
	cmd := exec.CommandContext(ctx, goProgram, "build", "-buildvcs=false", "-ldflags=-s", "-trimpath", "-o", built, Package)
	cmd.Dir, cmd.Env = root.Path("notebooks", "kernel"), goenv.Pinned(os.Environ())
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("gopls cannot be built: %w\n%s", err, said)
	}
	return os.Rename(built, Program(root))
}
