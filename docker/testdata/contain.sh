ip link set lo up
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
	touch dev/$name
	mount --bind /dev/$name dev/$name
done
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mkdir -m 1777 dev/shm
mount -t tmpfs -o mode=1777,size=1g,nosuid,nodev tmpfs tmp
mount --bind "$notebooks" lab/notebooks
mount --bind "$home" home/prl
mount --bind "$tests" mnt
mount -o remount,bind,ro mnt
mount -o remount,bind,ro "$root"
