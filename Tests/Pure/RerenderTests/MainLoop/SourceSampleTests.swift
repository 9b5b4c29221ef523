// SPDX-License-Identifier: MIT
// What stacks of the main loop's thread say of sources that no row has.

import Testing

@testable import Rerender

@Suite("Samples of what the main loop calls")
struct SourceSampleTests {
    /// A stack from outside in: `c` is the C library, `G` is GLib, `l` another library that calls the program, `o` is ours, `g` is in no file,
    /// and a dot anything else. A place is its number from outside.
    private func files(_ stack: String) -> [StackFile] {
        stack.reversed().map { letter -> StackFile in
            switch letter {
            case "c": .libc
            case "G": .glib
            case "l": .library
            case "o": .own
            case "g": .generated
            default: .other
            }
        }
    }

    private func sample(_ stack: String, isInRow: Bool = false) -> LoopSample {
        let files = files(stack)
        return LoopSample(files.indices.reversed().map { UInt($0) }, files, isInRow: isInRow)
    }

    private func callee(_ stack: String) -> UInt? {
        let files = files(stack)
        return LoopSample.callee(files.indices.reversed().map { UInt($0) }, files)
    }

    private func tally(_ samples: [(LoopSample, Int)]) -> SampleTally {
        var tally = SampleTally()
        for (sample, count) in samples { for _ in 0..<count { tally.add(sample) } }
        return tally
    }

    /// How many of them tell of one function; nil where they tell of none.
    ///
    /// - Parameter areAlike: Whether all places are in one function. Otherwise each is in one of its own.
    private func count(_ samples: [(LoopSample, Int)], areAlike: Bool = true) -> Int? {
        tally(samples).most { areAlike ? "f" : "\($0)" }?.count
    }

    @Test(
        "the first function from outside that GLib calls is the source's",
        arguments: [".cc.GG.", ".cc.GG.GG.c", ".cc.GG.o"])
    func unseen(stack: String) {
        let sample = sample(stack)
        #expect(sample.isCalled && sample.unseen == 6 && sample.around == nil)
    }

    @Test("GLib's function of a thread calls the program's, and that is no source")
    func thread() {
        #expect(sample("ccG.GG.").unseen == 6)
        #expect(sample("ccG.GGo.").unseen == nil)
        #expect(sample("ccG.").unseen == nil)
    }

    @Test(
        "a poll, GLib's own work, and a stack that ends early say nothing",
        arguments: [".cc.GG", ".cc.GGc", ".cc.GGo", ".cc.GGoc", ".cc.GGo.", "..GG.", ".cc.", ""])
    func loop(stack: String) {
        #expect(!sample(stack).isCalled && sample(stack).unseen == nil && sample(stack).around == nil)
        #expect(sample(stack, isInRow: true).isCalled && sample(stack, isInRow: true).unseen == nil)
    }

    @Test("a function in which a loop runs that calls sources, or polls, is around them")
    func around() {
        let polls = sample(".cc.GG.Go")
        #expect(!polls.isCalled && polls.unseen == nil && polls.around == 6)
        let calls = sample(".cc.GG.Go.", isInRow: true)
        #expect(calls.isCalled && calls.unseen == nil && calls.around == 6)
        let both = [(sample(".cc.GG."), 20), (polls, 1)]
        #expect(count(both, areAlike: false) == nil, "it is on the stack whatever is called")
    }

    @Test("of a source in a library, the first function of the program in it is what it calls")
    func calledByLibrary() {
        #expect(callee(".cc.GGoGl.l.") == 9)
        #expect(callee(".cc.GGoGlglc.") == 12, "what a binding makes is not the program's")
        #expect(callee(".cc.GGoGl.GGoGl.") == 15, "a source that a loop in another one calls has its own")
        #expect(callee("GoGl.") == 4, "the stack may end early")
        for stack in [".cc.GGoGl", ".cc.GGoGlg", ".cc.GG.", ".cc.GG.Go", ""] { #expect(callee(stack) == nil) }
        #expect(sample(".cc.GGl").unseen == 6 && sample(".cc.GGg").unseen == 6, "GLib called these, whatever they are")
    }

    @Test("the function with half of the samples that are in no row has them, at the place where most were")
    func most() throws {
        let (first, second, third) = (sample(".cc.GG."), sample(".cc..GG."), sample(".cc...GG."))
        let seen = sample(".cc.GGo.", isInRow: true)
        let all = [(first, 6), (second, 5), (seen, 9), (sample(".cc.GGo"), 30)]
        let sum = tally(all)
        #expect(sum.called == 20 && sum.all == 50 && sum.isDone)
        let found = try #require(sum.most { _ in "f" })
        #expect(found.place == 6 && found.count == 11)
        #expect(count(all, areAlike: false) == 6)
        #expect(count([(first, 3), (second, 3), (third, 4), (seen, 10)], areAlike: false) == nil)
    }

    @Test("few samples tell nothing, and neither does a function that is in few of them")
    func few() {
        let (unseen, seen) = (sample(".cc.GG."), sample(".cc.GGo.", isInRow: true))
        #expect(count([(unseen, 9)]) == nil && count([(unseen, 10)]) == 10)
        #expect(count([(unseen, 4), (seen, 16)]) == nil && count([(unseen, 5), (seen, 15)]) == 5)
    }

    @Test("it is over where no stack can be had")
    func failures() {
        var tally = SampleTally()
        for _ in 0..<19 { tally.addNothing() }
        #expect(!tally.isDone)
        tally.addNothing()
        #expect(tally.isDone)
        tally.add(sample(".cc.GGo"))
        #expect(!tally.isDone, "some can")
    }
}
