/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.FilterCounters;

/**
 * What one or several devices have counted, as {@link FilterCounters} describes it. Immutable.
 *
 * @param submits {@link FilterCounters#submits}
 * @param reRecords {@link FilterCounters#reRecords}
 * @param copies {@link FilterCounters#copies}
 * @param bytesCopied {@link FilterCounters#bytesCopied}
 * @param cpuWaits {@link FilterCounters#cpuWaits}
 * @param fencesImported {@link FilterCounters#fencesImported}
 * @param fencesExported {@link FilterCounters#fencesExported}
 */
record DeviceCounts(
        long submits,
        long reRecords,
        long copies,
        long bytesCopied,
        long cpuWaits,
        long fencesImported,
        long fencesExported) {
    static final DeviceCounts NONE = new DeviceCounts(0, 0, 0, 0, 0, 0, 0);

    /** These counts and what else was counted. */
    DeviceCounts plus(FilterCounters more) {
        return new DeviceCounts(
                submits + more.submits(),
                reRecords + more.reRecords(),
                copies + more.copies(),
                bytesCopied + more.bytesCopied(),
                cpuWaits + more.cpuWaits(),
                fencesImported + more.fencesImported(),
                fencesExported + more.fencesExported());
    }
}
