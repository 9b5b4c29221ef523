// SPDX-License-Identifier: MIT
// What the preloaded library calls, and what the thunks in witness tables call.

import CInject
import Rerender
import Synchronization

#if RERENDER_PROBES
    /// Looks for views in files that were not there at the last look, and returns how many kinds of views are counted now. The
    /// preloaded library calls it, one thread at a time: in front of `main`, and when a file with Swift code was loaded.
    ///
    /// Scripts/lib/inject takes it as the sign that a build has probes.
    @c
    public func rerender_inject_look() -> UInt32 {
        InjectedProcess.shared.withLock { $0.look() }
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
