// SPDX-License-Identifier: MIT
// The program `rerenderctl`. Its code is in RerenderTool.

import RerenderTool

await RerenderTool.main()
