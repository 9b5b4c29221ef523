// SPDX-License-Identifier: MIT
// Programs that hand over to an instance of theirs which runs already.
#ifndef CRERENDER_GTK_HANDOVER_H
#define CRERENDER_GTK_HANDOVER_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// Tells `report` of a hand-over: `handed PROCESS`, where the running instance is, or 0 where that is not known.
void handover_listen(void);

#endif
#endif
