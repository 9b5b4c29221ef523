// SPDX-License-Identifier: MIT
// Checks whether the system lets `attach` look into programs that run.

/// Looks at the kernel's setting, ptrace_scope. A kernel without one lets a user look into programs of the same user.
struct AttachCheck: Sendable {
    let system: any DoctorSystem

    func finding() -> Finding {
        let (name, scope) = ("attach", system.read("/proc/sys/kernel/yama/ptrace_scope").first)
        if scope == "3" {
            return .warn(
                name, "the system lets no process look into another one until it is started anew (ptrace_scope)",
                "Start programs by: rerenderctl run -- PROGRAM")
        }
        let needsRoot = system.uid != 0 && (scope == "1" || scope == "2")
        let limit = "it needs --sudo: the system lets a process look only into those that it started (ptrace_scope)"
        return .ok(name, needsRoot ? limit : "the system lets it look into programs that run")
    }
}
