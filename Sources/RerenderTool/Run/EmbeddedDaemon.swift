// SPDX-License-Identifier: MIT
import RerenderModel
struct EmbeddedDaemon { static let protocolVersion = 1 
 let session: Session
 static func start() async throws -> EmbeddedDaemon { throw ToolFailure.usage("not yet") }
 func stop() async {}
 func removeDirectory() {}
}
