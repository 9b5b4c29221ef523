// SPDX-License-Identifier: MIT
// Facts as another thread reads them.
#ifndef CRERENDER_GTK_FACT_TABLE_H
#define CRERENDER_GTK_FACT_TABLE_H

#include "crerender_facts.h"

#ifdef RERENDER_GTK

/// Puts the facts of a kind in the place of those that were there. Where another thread reads at this moment, nothing is put, and the
/// next call does it.
///
/// - Parameter epoch: What `fact_table_epoch` returned when the facts began.
void fact_table_put(enum crerender_fact_kind kind, const struct crerender_fact *facts, size_t count, uint32_t epoch);

/// How often the facts were forgotten. What was counted before is of no use.
uint32_t fact_table_epoch(void);

#endif
#endif
