package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const self = "/proc/self/exe"

const remedy = `Linux 5.12 or newer gives it to every user, unless it is switched off:
    sysctl user.max_user_namespaces                                      is above 0 where it is on
    sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0        Ubuntu 24.04 and newer, until the next start
Inside a container it is not available; collect on the machine itself, as yourself: root is not needed, and root of a container not enough.`

// nobody is the user, and the group, that programs of a sandbox have which root has made: what is the machine's is also what root may
// change, in whatever namespaces.
const nobody = 65534

// root reports whether this process is the machine's administrator.
func root() bool { return os.Geteuid() == 0 }

// Give lets programs of a sandbox have files and folders, with all that lies in them.
func Give(paths ...string) error {
	if !root() {
		return nil
	}
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isolate gives the command namespaces of its own: users, files, network, processes, names, and shared memory.
func isolate(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET |
		unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	if root() { // the program is nobody, in the sandbox and outside
		nobody := syscall.SysProcIDMap{ContainerID: nobody, HostID: nobody, Size: 1}
		cmd.SysProcAttr.UidMappings = append(cmd.SysProcAttr.UidMappings, nobody)
		cmd.SysProcAttr.GidMappings = append(cmd.SysProcAttr.GidMappings, nobody)
		cmd.SysProcAttr.GidMappingsEnableSetgroups = true
	}
	// The other end of its input closes with this program, in whatever way that ends, and the sandbox with it.
	_, err := cmd.StdinPipe()
	return err
}

// Init makes this process the sandbox if it was started as one, and does not return then. The first line of main calls it.
func Init() {
	if len(os.Args) != 2 {
		return
	}
	switch os.Args[0] {
	case name:
		runtime.LockOSThread() // rights are those of a thread, and the thread that calls exec gives its own to the program
		fail(enter(os.Args[1]))
	case name + "-first":
		os.Exit(first(os.Args[1]))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, strings.TrimSpace(err.Error()))
	os.Exit(125)
}

// enter builds the file system, lets go of all rights, and becomes the first process of the sandbox.
func enter(text string) error {
	var o orders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	if err := o.build(); err != nil {
		return err
	}
	if err := loopback(); err != nil {
		return fmt.Errorf("the loopback of the sandbox: %w", err)
	}
	os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0) // no sandbox within; where it cannot be said, one has no more rights
	if err := unix.Chdir(o.Dir); err != nil {
		return fmt.Errorf("%s: %w", o.Dir, err)
	}
	if err := guardKernel(); err != nil {
		return fmt.Errorf("the settings of the machine cannot be kept from being written: %w", err)
	}
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 512 << 20, unix.RLIMIT_NOFILE: 4096, unix.RLIMIT_MEMLOCK: 1 << 20}
	if o.Threads > 0 && countsApart() {
		limits[unix.RLIMIT_NPROC] = uint64(o.Threads)
	}
	for limit, value := range limits {
		if err := unix.Setrlimit(limit, &unix.Rlimit{Cur: value, Max: value}); err != nil {
			return err
		}
	}
	if err := renounce(o.Nobody); err != nil {
		return fmt.Errorf("rights cannot be given up: %w", err)
	}
	if err := forbid(); err != nil {
		return fmt.Errorf("calls of the system cannot be forbidden: %w", err)
	}
	return unix.Exec(self, []string{name + "-first", text}, o.Env)
}

// countsApart reports whether the system counts the threads of a user in each sandbox apart, as Linux 5.14 and newer do.
func countsApart() bool {
	var name unix.Utsname
	var major, minor int
	if err := unix.Uname(&name); err != nil {
		return false
	}
	fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return major > 5 || major == 5 && minor >= 14
}

// guardKernel keeps what of the machine is set and told in /proc from being written, and from being read where it tells too much: the
// places of runc, which runs containers.
func guardKernel() error {
	for _, path := range []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/asound", "/proc/mtrr"} {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		set := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOEXEC}
		if err := unix.MountSetattr(-1, path, unix.AT_RECURSIVE, set); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, path := range []string{"/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/sched_debug", "/proc/kallsyms"} {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if err := unix.Mount("/dev/null", path, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// renounce gives up every right, for good, and the user root if asked for.
func renounce(toNobody bool) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	for right := 0; ; right++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(right), 0, 0, 0); err == unix.EINVAL { // beyond the last
			break
		} else if err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	if toNobody {
		if err := errors.Join(syscall.Setgroups([]int{}), syscall.Setresgid(nobody, nobody, nobody),
			syscall.Setresuid(nobody, nobody, nobody)); err != nil {
			return err
		}
	}
	var none [2]unix.CapUserData
	return unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])
}

// first runs the program, buries what has no parent any more, and returns the exit status.
func first(text string) int {
	var o orders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fail(err)
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // the program cannot look into this process
		fail(err)
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(126)
	}()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	null, err := os.Open(os.DevNull)
	if err != nil {
		fail(err)
	}
	files := []uintptr{null.Fd(), 1, 2}
	for i := range o.Files {
		files = append(files, uintptr(3+i))
	}
	pid, err := syscall.ForkExec(o.Program[0], o.Program, &syscall.ProcAttr{Env: o.Env, Files: files})
	if err != nil {
		fail(fmt.Errorf("%s: %w", o.Program[0], err))
	}
	go func() {
		for s := range signals {
			unix.Kill(pid, s.(syscall.Signal))
		}
	}()
	for {
		var status unix.WaitStatus
		ended, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			fail(err)
		case ended == pid && status.Signaled():
			return 128 + int(status.Signal())
		case ended == pid && status.Exited():
			return status.ExitStatus()
		}
	}
}

// system is what programs of the machine need, and no file of a person.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
}

// filesRoom is how much the files in memory may hold, and filesMost how many there may be.
const (
	filesRoom = 2 << 30
	filesMost = 300_000
)

// build puts the file system together in memory, on the folder Root, and makes it the only one.
func (o *orders) build() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("the file system cannot be parted from that of the machine: %w", err)
	}
	root := o.Root
	room := fmt.Sprintf("mode=755,size=%d,nr_inodes=%d", filesRoom, filesMost)
	if err := unix.Mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, room); err != nil {
		return fmt.Errorf("a file system in memory cannot be mounted: %w", err)
	}
	at := func(path string) string { return filepath.Join(root, path) }
	for _, dir := range []string{"/proc", "/dev/shm", "/tmp", "/etc", "/.old", "/.layers"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			return err
		}
	}
	if err := errors.Join(os.Chmod(at("/tmp"), 0o1777), os.Chmod(at("/dev/shm"), 0o1777)); err != nil {
		return err
	}
	for file, text := range map[string]string{
		"/etc/passwd":        "root:x:0:0::/tmp:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n",
		"/etc/group":         "root:x:0:\nnogroup:x:65534:\n",
		"/etc/hosts":         "127.0.0.1 localhost\n",
		"/etc/nsswitch.conf": "hosts: files\n",
	} {
		if err := os.WriteFile(at(file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := unix.Mount("proc", at("/proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("a view of its own processes cannot be mounted: %w", err)
	}
	for _, device := range []string{"null", "zero", "full", "random", "urandom"} {
		if err := bind("/dev/"+device, at("/dev/"+device), true); err != nil {
			return err
		}
	}
	for link, target := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1",
		"stderr": "/proc/self/fd/2",
	} {
		if err := os.Symlink(target, at("/dev/"+link)); err != nil {
			return err
		}
	}
	places := slices.Clone(o.Places)
	for _, path := range system {
		switch info, err := os.Lstat(path); {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			if err := os.Symlink(target, at(path)); err != nil {
				return err
			}
		default:
			places = append(places, Place{Path: path, Source: path, Kind: Read})
		}
	}
	slices.SortStableFunc(places, func(a, b Place) int { return cmp.Compare(len(a.Path), len(b.Path)) }) // a folder before what lies in it
	for i, p := range places {
		if err := o.place(p, at, i); err != nil {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
	}
	if err := unix.PivotRoot(root, at("/.old")); err != nil {
		return fmt.Errorf("the file system of the machine cannot be left: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	if err := unix.Unmount("/.old", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("the file system of the machine cannot be left: %w", err)
	}
	return os.Remove("/.old")
}

func (o *orders) place(p Place, at func(string) string, number int) error {
	if p.Source == "" {
		return errors.Join(os.MkdirAll(at(p.Path), 0o755), o.own(at(p.Path)))
	}
	switch p.Kind {
	case Read, Write:
		return bind(p.Source, at(p.Path), p.Kind == Write)
	case Layer:
		if strings.ContainsAny(p.Source, `:,\`) {
			return fmt.Errorf("the path %s has a colon, comma or backslash, which a layer cannot have", p.Source)
		}
		upper, work := at("/.layers/"+strconv.Itoa(number)+"/upper"), at("/.layers/"+strconv.Itoa(number)+"/work")
		if err := errors.Join(os.MkdirAll(upper, 0o755), os.MkdirAll(work, 0o755), os.MkdirAll(at(p.Path), 0o755)); err != nil {
			return err
		}
		err := unix.Mount("overlay", at(p.Path), "overlay", unix.MS_NOSUID|unix.MS_NODEV,
			"lowerdir="+p.Source+",upperdir="+upper+",workdir="+work+",userxattr")
		if err != nil {
			return fmt.Errorf("a layer cannot be put on it: %w", err)
		}
		return o.own(at(p.Path))
	}
	return fmt.Errorf("it is of no known kind, %q", p.Kind)
}

// largestCopied is how large a file of a layer may be that somebody else owns and that the program may change.
const largestCopied = 16 << 20

// own lets the program change what lies in a folder of its own: changing the owner of a file in a layer copies it there.
func (o *orders) own(folder string) error {
	if !o.Nobody {
		return nil
	}
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if stat, is := info.Sys().(*syscall.Stat_t); is && stat.Uid == nobody || info.Mode().IsRegular() && info.Size() > largestCopied {
			return nil
		}
		return os.Lchown(path, nobody, nobody)
	})
}

// bind shows a file or folder of the machine at another place, with all that is mounted in it.
func bind(source, target string, writable bool) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = os.WriteFile(target, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("it cannot be shown: %w", err)
	}
	set := uint64(unix.MOUNT_ATTR_NOSUID)
	if !writable {
		set |= unix.MOUNT_ATTR_RDONLY
	}
	if err := unix.MountSetattr(-1, target, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: set}); err != nil {
		return fmt.Errorf("it cannot be kept from being written: %w", err)
	}
	return nil
}

// loopback switches on the only network there is, by which a kernel and its client speak.
func loopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}

// taken is how many threads processes have, and how much memory: those parts counted several times that they share, and with the files
// that lie in the memory of their sandbox.
func taken(pids []int) (threads int, bytes uint64) {
	files := false
	for _, pid := range pids {
		if list, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task")); err == nil {
			threads += len(list)
		}
		var room unix.Statfs_t
		if err := unix.Statfs(filepath.Join("/proc", strconv.Itoa(pid), "root"), &room); err == nil && !files && room.Type == unix.TMPFS_MAGIC {
			bytes += (room.Blocks - room.Bfree) * uint64(room.Bsize)
			files = true
		}
	}
	return threads, bytes + resident(pids)
}

// resident is how much memory processes have, those parts counted several times that they share.
func resident(pids []int) (bytes uint64) {
	for _, pid := range pids {
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ := strconv.ParseUint(fields[1], 10, 64)
			bytes += pages * uint64(os.Getpagesize())
		}
	}
	return bytes
}
