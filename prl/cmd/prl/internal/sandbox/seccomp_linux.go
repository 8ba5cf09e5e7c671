package sandbox

import (
	"fmt"
	"slices"
	"syscall"

	filter "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/moby/profiles/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
)

// refused are calls of the system that the profile of Docker gives to a program without rights, and the sandbox does not: those that look
// into another process, and those that take memory which belongs to no process and so is in no count.
var refused = []string{
	"memfd_create", "memfd_secret", "shmget", "shmat", "msgget", "semget", "mq_open",
	"ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise",
	"fanotify_mark", "add_key", "keyctl", "request_key", "io_uring_setup", "bpf", "userfaultfd", "perf_event_open",
}

// forbid takes from this thread, for good, all calls of the system but those that Docker's own profile allows to a program without rights.
func forbid() error {
	profile, err := seccomp.GetDefaultProfile(&specs.Spec{Process: &specs.Process{Capabilities: &specs.LinuxCapabilities{}}})
	if err != nil {
		return err
	}
	machine, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	known := func(name string) bool {
		_, is := machine.SyscallNames[name]
		return is && !slices.Contains(refused, name)
	}
	allowed := filter.SyscallGroup{Action: filter.ActionAllow}
	absent := filter.SyscallGroup{Action: filter.ActionErrno | filter.Action(syscall.ENOSYS)}
	always := map[string]bool{}
	for _, conditional := range []bool{false, true} {
		for _, rule := range profile.Syscalls {
			if (len(rule.Args) > 0) != conditional {
				continue
			}
			for _, name := range rule.Names {
				switch {
				case !known(name) || always[name]:
				case rule.Action == specs.ActErrno && rule.ErrnoRet != nil && *rule.ErrnoRet == uint(syscall.ENOSYS):
					absent.Names = append(absent.Names, name)
					always[name] = true
				case rule.Action != specs.ActAllow:
				case !conditional:
					allowed.Names = append(allowed.Names, name)
					always[name] = true
				default:
					conditions, err := conditionsOf(rule.Args)
					if err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
					allowed.NamesWithCondtions = append(allowed.NamesWithCondtions,
						filter.NameWithConditions{Name: name, Conditions: conditions})
				}
			}
		}
	}
	return filter.LoadFilter(filter.Filter{
		NoNewPrivs: true,
		Policy:     filter.Policy{DefaultAction: filter.ActionErrno, Syscalls: []filter.SyscallGroup{absent, allowed}},
	})
}

// conditionsOf are the conditions of a rule on the arguments of a call, which all must hold.
func conditionsOf(args []specs.LinuxSeccompArg) (all filter.ArgumentConditions, err error) {
	for _, a := range args {
		c := filter.Condition{Argument: uint32(a.Index), Value: a.Value}
		switch {
		case a.Op == specs.OpEqualTo:
			c.Operation = filter.Equal
		case a.Op == specs.OpNotEqual:
			c.Operation = filter.NotEqual
		case a.Op == specs.OpGreaterThan:
			c.Operation = filter.GreaterThan
		case a.Op == specs.OpLessThan:
			c.Operation = filter.LessThan
		case a.Op == specs.OpMaskedEqual && a.ValueTwo == 0:
			c.Operation = filter.BitsNotSet
		default:
			return nil, fmt.Errorf("the profile has a condition that is not known here, %s", a.Op)
		}
		all = append(all, c)
	}
	return all, nil
}
