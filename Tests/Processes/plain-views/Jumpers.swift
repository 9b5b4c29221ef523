// SPDX-License-Identifier: MIT
// Bodies that are left by a jump: `plain-views jumps longjmp|exception`. Prints what it counted.

import CJumps

private let kind = CommandLine.arguments.dropFirst(2).first == "exception" ? CJUMPS_EXCEPTION : CJUMPS_LONGJMP
nonisolated(unsafe) private var truth: [String: Int] = [:]

func note(_ key: String) { truth[key, default: 0] += 1 }

final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

@inline(never)
func catching(_ body: @escaping () -> Void) {
    let work = Work(body)
    _ = cjumps_catch(
        kind, { if let work = $0 { Unmanaged<Work>.fromOpaque(work).takeUnretainedValue().run() } },
        Unmanaged.passUnretained(work).toOpaque()
    )
    withExtendedLifetime(work) {}
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func show<Shown: View>(_ view: Shown) { _ = view.body }

/// Is left.
struct Leaving: View {
    let depth: Int
    var body: [Int] {
        note("left")
        if depth > 0 { show(Leaving(depth: depth - 1)) } else { cjumps_leave(kind) }
        return []
    }
}

struct Leaf: View {
    var body: [Int] {
        note("Leaf")
        return [1]
    }
}

/// Goes on where a body in it was left.
struct Holder: View {
    var body: [Int] {
        catching { show(Leaving(depth: 0)) }
        cjumps_overwrite(16)
        show(Leaf())
        note("Holder")
        return [1]
    }
}

@inline(never)
func deeper(_ calls: Int) {
    if calls == 0 { return show(Leaf()) }
    deeper(calls - 1)
    withExtendedLifetime(calls) {}
}

enum Jumpers {
    static func run() {
        for round in 0..<200 {
            show(Leaf())
            catching { show(Leaving(depth: 0)) }
            cjumps_overwrite(16)
            show(Leaf())
            show(Holder())
            catching { show(Leaving(depth: round % 7)) }
            deeper(round)
        }
        for _ in 0..<10_000 { catching { show(Leaving(depth: 0)) } }
        // That the last one was left shows here.
        show(Leaf())
        for (key, count) in truth { print("\(key)\t\(count)") }
    }
}
