// SPDX-License-Identifier: MIT
// Says what programs that are counted bear less well than others, as far as they would inherit it from here.

/// Looks at the filter of system calls and the limit of stacks. The rest holds of each program.
struct HostCheck: Sendable {
    let system: any DoctorSystem

    private static let name = "counted programs"
    /// Here each level of widgets is felt. 99 stands for no limit.
    private static let smallStacks = 4_096...1 << 20

    func findings() -> [Finding] {
        let stack = PriorityCheck.limit("Max stack size", in: system.read("/proc/self/limits"))
        let filter = ProcStatus.words("Seccomp", in: system.read("/proc/self/status")).first ?? "0"
        var found = [Finding.ok(Self.name, "they have threads: the kernel refuses unshare(CLONE_NEWUSER)")]
        if filter != "0" { found.append(.ok(Self.name, "they inherit a filter (seccomp), which may end them")) }
        if Self.smallStacks ~= stack {
            let text = "their stacks have \(stack >> 10) KiB, and a widget inside another one takes 440 bytes more"
            found.append(.warn(Self.name, text, "Before programs with deep windows: ulimit -s 8192"))
        }
        return found
    }
}
