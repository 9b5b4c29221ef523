// SPDX-License-Identifier: MIT
// What the parts of a daemon share.

internal import NIOCore

/// The settings, state, event loop and log of one daemon. Confined to the event loop.
struct DaemonContext {
    let configuration: DaemonConfiguration
    let registry: Registry
    let loop: NIOIsolatedEventLoop
    let log: PeerLog
    let settings: CurrentSettings

    var limits: DaemonLimits { configuration.limits }
}
