//go:build unix

package relay

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/wire"
)

// socket is a socket that may be written to from several goroutines.
type socket struct {
	zmq4.Socket
	mu  sync.Mutex
	key string
}

func (s *socket) send(m wire.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Socket.SendMulti(zmq4.NewMsgFrom(m.Frames(s.key)...))
}

func (s *socket) receive() (wire.Message, error) {
	for {
		frames, err := s.Socket.Recv()
		if err != nil {
			return wire.Message{}, err
		}
		if m, err := wire.Parse(frames.Frames, s.key); err == nil { // a message that is not signed is nobody's
			return m, nil
		}
	}
}

// side is the five sockets of a connection.
type side struct{ shell, control, stdin, iopub, heartbeat *socket }

func (s side) all() []*socket {
	return []*socket{s.shell, s.control, s.stdin, s.iopub, s.heartbeat}
}

func (s side) close() {
	for _, x := range s.all() {
		if x != nil {
			x.Close()
		}
	}
}

// ports are the ports of a connection in the order of side.
func ports(c wire.Connection) []int {
	return []int{c.Shell, c.Control, c.Stdin, c.IOPub, c.Heartbeat}
}

func address(c wire.Connection, port int) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", c.IP, port)
}

// listen opens the sockets that Jupyter speaks to.
func listen(ctx context.Context, c wire.Connection) (side, error) {
	s := side{
		&socket{
			Socket: zmq4.NewRouter(ctx),
			key:    c.Key,
		}, &socket{Socket: zmq4.NewRouter(ctx), key: c.Key}, &socket{Socket: zmq4.NewRouter(ctx), key: c.Key},
		&socket{Socket: zmq4.NewPub(ctx), key: c.Key}, &socket{Socket: zmq4.NewRep(ctx), key: c.Key},
	}
	for i, x := range s.all() {
		if err := x.Listen(address(c, ports(c)[i])); err != nil {
			s.close()
			return s, err
		}
	}
	return s, nil
}

// dial connects to GoNB, which listens as a kernel does. All its sockets must know us by one name, or it could not ask for input.
func dial(ctx context.Context, c wire.Connection) (side, error) {
	name := zmq4.WithID(zmq4.SocketIdentity("prl"))
	retry, often := zmq4.WithDialerRetry(10*time.Millisecond), zmq4.WithDialerMaxRetries(6000) // until it listens
	s := side{
		shell: &socket{
			Socket: zmq4.NewDealer(ctx, name, retry, often),
			key:    c.Key,
		}, control: &socket{Socket: zmq4.NewDealer(ctx, name, retry, often), key: c.Key},
		stdin: &socket{
			Socket: zmq4.NewDealer(ctx, name, retry, often),
			key:    c.Key,
		}, iopub: &socket{Socket: zmq4.NewSub(ctx, retry, often), key: c.Key},
	}
	for i, x := range []*socket{s.shell, s.control, s.stdin, s.iopub} {
		if err := x.Dial(address(c, ports(c)[i])); err != nil {
			s.close()
			return s, err
		}
	}
	return s, s.iopub.SetOption(zmq4.OptionSubscribe, "")
}

// inner is a connection for GoNB alone: sockets in the kernel's own folder, or ports of this machine where the path of the folder is too
// long for that.
func inner(c wire.Connection, folder string) (wire.Connection, error) {
	const longest = 100 // a socket's path may have 104 bytes on macOS
	if base := filepath.Join(folder, "s"); len(base)+2 <= longest {
		c.Transport, c.IP = "ipc", base
		c.Shell, c.Control, c.Stdin, c.IOPub, c.Heartbeat = 1, 2, 3, 4, 5
		return c, nil
	}
	c.Transport, c.IP = "tcp", "127.0.0.1"
	for _, port := range []*int{&c.Shell, &c.Control, &c.Stdin, &c.IOPub, &c.Heartbeat} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return c, err
		}
		defer l.Close()
		*port = l.Addr().(*net.TCPAddr).Port
	}
	return c, nil
}
