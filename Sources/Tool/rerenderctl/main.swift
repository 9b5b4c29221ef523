// SPDX-License-Identifier: MIT
// The program `rerenderctl`; all of it is in the library.

import RerenderTool

await RerenderTool.main()
