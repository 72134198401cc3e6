// SPDX-License-Identifier: Apache-2.0
#include "io/confine.hpp"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>

namespace tessera {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the numbers of the kernel's calls are known here for x86-64 and arm64"
#endif

constexpr unsigned kAllow = SECCOMP_RET_ALLOW, kRefuse = SECCOMP_RET_ERRNO | EPERM;

sock_filter load(unsigned offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
sock_filter answer(unsigned value) { return BPF_STMT(BPF_RET | BPF_K, value); }
/// Skips `yes` or `no` instructions.
sock_filter compare(unsigned how, unsigned value, unsigned char yes, unsigned char no) {
  return {static_cast<unsigned short>(BPF_JMP | how | BPF_K), yes, no, value};
}

/// Ends a process of another architecture, whose calls have other numbers, then loads the number.
std::vector<sock_filter> start_filter() {
  return {
    load(offsetof(seccomp_data, arch)), compare(BPF_JEQ, kArchitecture, 1, 0),
        answer(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
        compare(BPF_JGE, 0x40000000, 0, 1),  // the x32 calls
        answer(kRefuse),
#endif
  };
}

// Calls that no decoder or encoder needs.
constexpr int kNeverForPrograms[] = {
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kill,
    __NR_tkill,
    __NR_pidfd_open,
    __NR_pidfd_send_signal,
    __NR_kcmp,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_setns,
    __NR_unshare,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_userfaultfd,
    __NR_io_uring_setup,
    __NR_open_by_handle_at,
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_kexec_load,
    __NR_reboot,
    __NR_swapon,
    __NR_swapoff,
    __NR_unlinkat,
    __NR_renameat2,
    __NR_linkat,
    __NR_symlinkat,
    __NR_mkdirat,
    __NR_mknodat,
    __NR_fchmodat,
    __NR_fchmod,
    __NR_fchownat,
    __NR_fchown,
    __NR_setxattr,
    __NR_fsetxattr,
    __NR_truncate,
#if defined(__x86_64__)
    __NR_unlink,
    __NR_rename,
    __NR_renameat,
    __NR_link,
    __NR_symlink,
    __NR_mkdir,
    __NR_rmdir,
    __NR_mknod,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
#else
    __NR_renameat,
#endif
};

// Memory, time, open files and the end of the process.
constexpr int kAlwaysForReaders[] = {
    __NR_read,
    __NR_readv,
    __NR_pread64,
    __NR_write,
    __NR_writev,
    __NR_pwrite64,
    __NR_lseek,
    __NR_close,
    __NR_dup,
    __NR_fcntl,
    __NR_fstat,
    __NR_ftruncate,
    __NR_memfd_create,
    __NR_brk,
    __NR_munmap,
    __NR_mremap,
    __NR_madvise,
    __NR_futex,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_exit,
    __NR_exit_group,
    __NR_getpid,
    __NR_gettid,
    __NR_tgkill,
    __NR_clock_gettime,
    __NR_gettimeofday,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_getrandom,
    __NR_sysinfo,
    __NR_getrusage,
    __NR_restart_syscall,
#if defined(__NR_newfstatat)
    __NR_newfstatat,
#endif
#if defined(__NR_poll)
    __NR_poll,
#endif
    __NR_ppoll,
};

std::vector<sock_filter> program_filter() {
  std::vector<sock_filter> filter = start_filter();
  for (const int call : kNeverForPrograms) {
    filter.push_back(compare(BPF_JEQ, static_cast<unsigned>(call), 0, 1));
    filter.push_back(answer(kRefuse));
  }
  filter.push_back(answer(kAllow));
  return filter;
}

std::vector<sock_filter> reader_filter() {
  std::vector<sock_filter> filter = start_filter();
  for (const int call : kAlwaysForReaders) {
    filter.push_back(compare(BPF_JEQ, static_cast<unsigned>(call), 0, 1));
    filter.push_back(answer(kAllow));
  }
  // Memory, but none that can be run.
  filter.push_back(compare(BPF_JEQ, __NR_mmap, 1, 0));
  filter.push_back(compare(BPF_JEQ, __NR_mprotect, 0, 3));
  filter.push_back(
      load(offsetof(seccomp_data, args) + 2 * sizeof(__u64)));  // low half: little endian
  filter.push_back(compare(BPF_JSET, PROT_EXEC, 1, 0));
  filter.push_back(answer(kAllow));
  filter.push_back(answer(kRefuse));
  return filter;
}

bool install(const std::vector<sock_filter>& filter) noexcept {
  const sock_fprog program{static_cast<unsigned short>(filter.size()),
                           const_cast<sock_filter*>(filter.data())};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

void lower(__rlimit_resource which, rlim_t most) noexcept {
  rlimit limit{};
  if (::getrlimit(which, &limit) != 0) return;
  limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
  limit.rlim_cur = limit.rlim_cur < limit.rlim_max ? limit.rlim_cur : limit.rlim_max;
  ::setrlimit(which, &limit);
}

rlim_t limit_of(long long bytes) { return bytes > 0 ? static_cast<rlim_t>(bytes) : RLIM_INFINITY; }

std::atomic<bool> confined{false};

}  // namespace

ProgramConfinement::ProgramConfinement(const ProgramLimits& limits)
    : filter_(program_filter()),
      memory_(limit_of(limits.memory_bytes)),
      file_(limits.writes_file ? RLIM_INFINITY : 0) {}

void ProgramConfinement::apply() const noexcept {
  lower(RLIMIT_AS, memory_);
  lower(RLIMIT_FSIZE, file_);
  lower(RLIMIT_CORE, 0);
  install(filter_);
}

bool confine_self(long long memory_bytes) {
  const std::vector<sock_filter> filter = reader_filter();
  lower(RLIMIT_AS, limit_of(memory_bytes));
  lower(RLIMIT_CORE, 0);
  if (!install(filter)) return false;
  confined = true;
  return true;
}

bool is_confined() noexcept { return confined; }

}  // namespace tessera
