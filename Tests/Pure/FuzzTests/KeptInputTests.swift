// SPDX-License-Identifier: MIT
// What fuzzing found once is found again in each run of the tests, without a fuzzer.

import FuzzTargets
import FuzzWire
import Testing

@Suite("Inputs that fuzzing kept")
struct KeptInputTests {
    /// `EscapedTextTests` has those of the target that starts other programs.
    @Test("hold in a debug build, each of them", arguments: FuzzTarget.all.filter { !$0.startsPrograms }.map(\.name))
    func hold(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for (number, input) in try KeptInputs(of: name).inputs.enumerated() {
            let bytes = try #require(input, "line \(number + 1) is no Base64")
            do {
                _ = try target.read(bytes)
            } catch {
                Issue.record("line \(number + 1): \(error)")
            }
        }
    }

    @Test("are there for each target, and for no other")
    func complete() throws {
        let names = try KeptInputs.names().sorted()
        let targets = FuzzTarget.all.map(\.name).sorted()
        #expect(names == targets)
    }

    @Test("are few, short and each there once", arguments: FuzzTarget.all.map(\.name))
    func small(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let kept = try KeptInputs(of: name)
        let bytes = kept.lines.reduce(0) { $0 + $1.utf8.count }
        let longest = kept.inputs.map { $0?.count ?? 0 }.max() ?? 0
        #expect(bytes > 0 && bytes <= 128 << 10)
        #expect(longest <= target.longest)
        #expect(Set(kept.lines).count == kept.lines.count)
    }
}
