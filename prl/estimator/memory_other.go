//go:build !linux

package estimator

// machineMemory returns 64 GB: what a machine has is not known everywhere, but hardly one has more.
func machineMemory() uint64 { return 64 << 30 }
