// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// A user's tests with expectations that must fail, in both test libraries.
let package = Package(
    name: "TestingClient",
    dependencies: [.package(name: "rerender", path: "../../..", traits: [])],
    targets: [
        .testTarget(
            name: "WithSwiftTesting",
            dependencies: [
                .product(name: "Rerender", package: "rerender"),
                .product(name: "RerenderTesting", package: "rerender"),
            ]),
        .testTarget(
            name: "WithXCTest",
            dependencies: [
                .product(name: "Rerender", package: "rerender"),
                .product(name: "RerenderTesting", package: "rerender"),
            ]),
    ]
)
