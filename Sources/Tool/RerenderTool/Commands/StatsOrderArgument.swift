// SPDX-License-Identifier: MIT
// `--sort`'s values; a conformance of a public type needs public imports.

public import ArgumentParser
public import RerenderModel

extension StatsOrder: ExpressibleByArgument {}
