// SPDX-License-Identifier: MIT
// What an evaluation keeps for the next one of the same instance, and the settings by which it does.

import RerenderModel
import RerenderWire
import Synchronization

/// What the last evaluation of an instance leaves for the next.
struct EvaluatedState: ~Copyable {
    /// The stored properties of the view.
    var properties = ValueSnapshot()
    /// The inputs that the caller named.
    var inputs = NamedInputs()
    /// Why the instance was last updated; nil if that is not known.
    var update: EvaluationCause?
    /// What the bodies of the last update read.
    var reads: ObservedReads?
    /// What the view's models were before its first body, while that runs.
    var before: ModelsBeforeBody?
    /// Raised when counting begins anew after a pause, in which nothing was remembered.
    var generation: UInt32 = 0
    /// Where the models hang off the view.
    var paths = ModelPaths()
    /// The values that the body read.
    var values = ObservedValues()
    /// What of the reads was noted as a proof.
    var notedReads: UInt = 0
    var output: (any KeptOutput)?
    /// Whether the last body threw an error, or has not returned yet.
    var hasThrown = false
    /// Clock nanoseconds when the last evaluation began.
    var beganAt: UInt64 = 0
    /// The reason and the chain that a parent's evaluation for a cause last gave.
    var parentReason = ParentReason()

    /// Whether there is anything to compare an evaluation by: properties of the view, named inputs, or what its body read.
    var hasInputs: Bool { properties.hasLeaves || reads != nil || inputs.hasLeaves }

    /// Whether there is nothing but properties of the view to compare an evaluation by, and the last one ended as usual.
    var isPlain: Bool {
        reads == nil && inputs.isEmpty && before == nil && output == nil && !hasThrown && update != nil
    }

    /// Whether nothing that was read for the view can have changed without a write that is known.
    func areReadsProved(_ reported: [ObservedReads], except foreign: ForeignWrites) -> Bool {
        if let reads, !values.areProved(reads, paths, except: foreign) { return false }
        return reported.allSatisfy { ObservedValues.areSettled($0) }
    }

    /// Lets go of everything that a comparison would need.
    mutating func forget() {
        update = nil
        properties.forget()
        inputs.forget()
        values = ObservedValues()
        paths = ModelPaths()
        output = nil
    }
}

/// A parent's reason and chain, kept because they are the same each time.
struct ParentReason {
    private var parent: ViewKey?
    private var parentCause = ""
    private(set) var reason = ""
    private(set) var chain = ""
    /// The step that led to the parent's evaluation.
    private(set) var link: CauseLink?
    /// The cause of the parent's evaluation, where that came without input.
    private(set) var work: WorkPlace?

    /// The texts for a parent that was evaluated for `cause`. Allocates only for another parent or cause.
    mutating func update(parent: ViewKey, cause: String, link: CauseLink?, work: WorkPlace?) {
        if link != nil || self.link != nil { self.link = link }
        self.work = work
        guard parent != self.parent || cause != parentCause else { return }
        self.parent = parent
        parentCause = cause
        reason = Reason.parent(parent)
        let chain = Self.bounded(cause.isEmpty ? parent.rawValue : "\(parent.rawValue) ← \(cause)")
        self.chain = LongText.bounded(chain, to: WireLimits.stringBytes)
    }

    /// As many levels as a reader can use; the nearest are kept.
    private static func bounded(_ chain: String) -> String {
        let levels = chain.split(separator: " ← ", maxSplits: StoreLimits.chainLevels)
        guard levels.count > StoreLimits.chainLevels else { return chain }
        return levels.prefix(StoreLimits.chainLevels).joined(separator: " ← ") + " ← …"
    }
}

/// Settings of one store that its evaluations and its hooks share, which may outlive the store. Every evaluation and every hooked
/// write reads them.
final class CauseSettings: Sendable {
    let recordsWriters = Atomic<Bool>(true)
    /// The step that runs on the calling thread, if it has one.
    let currentLink: @Sendable () -> CauseLink?
    /// Modules whose functions announce causes and are no writers.
    let frameworkModules = Mutex<Set<String>>([])
    /// Whether reads are tracked. False where Observation cannot be listened to: then nothing is inferred of what a body read.
    let tracksReads = Atomic<Bool>(ObservedReads.isAvailable)
    private let generationNumber = Atomic<UInt32>(0)
    private let depthValue = Atomic<Int>(StoreLimits.reflectionDepth)

    init(currentLink: @escaping @Sendable () -> CauseLink? = { nil }) { self.currentLink = currentLink }

    /// How often counting began anew.
    var generation: UInt32 { generationNumber.load(ordering: .relaxed) }

    func beginGeneration() { generationNumber.wrappingAdd(1, ordering: .relaxed) }

    /// How deep nested values are compared; brought to 1...``StoreLimits/deepestReflection``.
    var depth: Int {
        get { depthValue.load(ordering: .relaxed) }
        set { depthValue.store(min(max(newValue, 1), StoreLimits.deepestReflection), ordering: .relaxed) }
    }
}
