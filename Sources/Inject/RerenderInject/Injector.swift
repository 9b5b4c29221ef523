// SPDX-License-Identifier: MIT
// Finds the views of this process and hooks their bodies; what the preloaded library and the thunks call.

import CInject
import Glibc
import Rerender
import Synchronization

#if RERENDER_PROBES
    /// Hooks each view once; keeps what it hooked for ever.
    struct Injector: ~Copyable {
        private let store = RerenderStore(named: "injected", of: .injectedViews)
        private var kept: [HookedView] = []
        /// How many views are counted.
        private var views: UInt32 = 0
        /// Views that no hook was left for.
        private var missed = 0
        /// Views whose table, or record, could not be changed.
        private var locked = 0
        /// Views whose body is the protocol's own, which tables get that are made at run time.
        private var withoutBody = 0
        /// The keys of views whose bodies are also called past their tables.
        private var uncounted: [String] = []
        private var names = ViewNames()
        /// The program's module, as of the last look.
        private var program: String?
        private var places = ViewPlaces()
        private var getters = BodyGetters()
        /// What was reported once.
        private var told: Set<String> = []
        /// Conformances that were looked at.
        private var known: Set<UInt> = []

        init(handler: @convention(c) (UnsafeMutablePointer<crerender_call>?) -> Void) {
            unsafe crerender_hook_set_handler(handler)
            InjectedView.observe(store) {
                crerender_hook_set_counting($0)
                if LiveStore.isSwitchedOff { crerender_hooks_put_back() }
            }
        }

        /// Hooks the views that are new; returns how many are counted.
        mutating func look() -> UInt32 {
            guard !LiveStore.isSwitchedOff, let memory = unsafe crerender_memory_of_process() else { return views }
            defer { unsafe free(UnsafeMutableRawPointer(memory)) }
            ProgramEngines.look()
            let all = unsafe FoundView.all(in: memory)
            let found = getters.meant(all)
            tellOfProtocols(among: found)
            for stranger in unsafe Adapters.prepare(for: found, in: memory) {
                unsafe crerender_report(stranger.isStripped ? "stripped" : "unknown", stranger.module)
                // From the start, in all that shows the store.
                store.noteGap("framework \(stranger.module)", stranger.gap)
            }
            let choice = ViewChoice(found, entry: ProgramModule.entry(among: found))
            let new = getters.naming(choice.views.filter { known.insert($0.conformance).inserted })
            for view in all {
                guard let fault = getters.fault(of: view) else { continue }
                tell("shape", "\(view.protocolModule).\(view.protocolPath) \(fault)")
            }
            if !new.isEmpty, getters.areNameless(new) {
                store.noteGap(
                    "symbols", "the program is stripped: places, and which views an optimiser hides, are unknown")
            }
            for view in new where getters.isGuess(of: view) {
                tell("guessed", "\(view.protocolModule).\(view.protocolName)")
            }
            program = ProgramModule.name(among: found)
            let keys = names.keys(of: new, program: program)
            let before = (missed, withoutBody, locked, uncounted.count)
            for (view, key) in zip(new, keys) { hook(view, key) }
            if uncounted.count > before.3 { store.noteGap("uncounted", ViewPlaces.gap(ofUncounted: uncounted)) }
            if missed > before.0 { unsafe crerender_report("full", "\(missed)") }
            if withoutBody > before.1 { unsafe crerender_report("resilient", "\(withoutBody)") }
            if locked > before.2 { unsafe crerender_report("locked", "\(locked)") }
            for view in choice.buildingBlocks where known.insert(view.conformance).inserted {
                hook(Adapters.hooks(ofBuildingBlock: view), of: view, for: nil)
            }
            return views
        }

        /// Says which protocols were found that the user named.
        private mutating func tellOfProtocols(among found: [FoundView]) {
            guard unsafe getenv("RERENDER_VIEW_PROTOCOLS") != nil else { return }
            for name in Set(found.map { "\($0.protocolModule).\($0.protocolName)" }) { tell("protocol", name) }
        }

        /// Reports something once.
        private mutating func tell(_ kind: String, _ text: String) {
            if told.insert("\(kind) \(text)").inserted { unsafe crerender_report(kind, text) }
        }

        private mutating func hook(_ view: FoundView, _ key: String) {
            let (hooks, observesModels) = Adapters.hooks(of: view)
            guard !hooks.isEmpty else { return }
            guard unsafe view.witness(view.getter) != nil else {
                withoutBody += 1
                return
            }
            let (place, mayBeMore) = (places.place(of: view), places.isCalledUncounted(view))
            if mayBeMore { uncounted.append(key) }
            let injected = InjectedView(
                key, in: store, file: place?.file ?? "", line: place?.line ?? 0, observesModels: observesModels,
                mayBeMore: mayBeMore)
            hook(hooks, of: view, for: injected)
        }

        private mutating func hook(_ hooks: [WitnessHook], of view: FoundView, for injected: InjectedView?) {
            let (own, before) = (OwnView(), kept.count)
            let areInMemory = view.hasBody && BodyResults.areInMemory(view)
            var subclasses: SubclassViews?
            if let injected { subclasses = SubclassViews(of: view, injected, program: program, in: store) }
            for hook in hooks {
                guard let witness = unsafe view.witness(hook.requirement) else { continue }
                let context = HookedView(
                    injected, found: view, own: own, subclasses: subclasses, in: store, handler: hook.handler)
                // Its address is the hook's context.
                let address = unsafe Unmanaged.passUnretained(context).toOpaque()
                var installed = unsafe crerender_hook()
                unsafe installed.context = address
                // A getter's arguments are addresses.
                unsafe installed.has_vectors = hook.requirement != view.getter || !areInMemory
                unsafe installed.only_counts = hook.onlyCounts
                guard unsafe crerender_hook_install(witness, installed) else { continue }
                kept.append(context)
            }
            guard let injected else { return }
            guard kept.count > before else {
                if crerender_hook_count() == UInt32(CRERENDER_HOOKS) { missed += 1 } else { locked += 1 }
                return
            }
            views += 1
            guard view.hasBody, !Adapters.showsItself(view) else { return }
            if !areInMemory { tell("outputs", "\(view.protocolModule).\(view.protocolName)") }
            UnseenViews.shared.withLock { $0.add(injected, of: view) }
        }
    }

    /// Looks for views in files that were not there at the last look, and returns how many kinds of views are counted now. The
    /// preloaded library calls it, one thread at a time: in front of `main`, and when a file with Swift code was loaded.
    ///
    /// Scripts/lib/inject takes it as the sign that a build has probes.
    @c
    public func rerender_inject_look() -> UInt32 {
        InjectedProcess.shared.withLock { $0.look() }
    }

    /// Counts what the main loop of this process calls, if no store of the process does so. The preloaded library calls it on the loop's
    /// thread, when the loop is about to run for the first time.
    ///
    /// - Parameter isAlone: Whether nothing else counts: then a store of the loop is made.
    @c
    public func rerender_loop_begin(_ isAlone: Bool) {
        LoopStore.begin(isAlone: isAlone)
    }

    /// What is injected into this process.
    enum InjectedProcess {
        static let shared = unsafe Mutex(Injector(handler: evaluateInjected))
    }

    /// Runs in the place of a function that was replaced.
    ///
    /// Proof: the thunk passes the registers of a call that lasts as long as this one, and its hook, whose context the injector
    /// keeps for ever.
    private func evaluateInjected(_ call: UnsafeMutablePointer<crerender_call>?) {
        guard let call = unsafe call, let context = unsafe call.pointee.hook.pointee.context else { return }
        unsafe Unmanaged<HookedView>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.take(WitnessCall(call)) }
        // Said where there is room for it.
        if crerender_refused_calls() != 0 { crerender_tell_refused_calls() }
        unsafe crerender_leave(call)
    }
#endif
