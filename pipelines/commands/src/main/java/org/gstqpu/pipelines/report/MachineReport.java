/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.util.List;

/**
 * What {@code qpu report} writes as JSON. The components are its field names. Nothing in it
 * identifies the owner of the machine: no name, address, serial number or UUID.
 *
 * @param schema version of this form; a reader knows those up to its own
 * @param verdict what the machine does, in words, a sentence each
 * @param machine the machine and its software
 * @param verified whether the kernels computed what reference decoders do, by substrate
 * @param before the state of the processor before the measurements
 * @param speeds what was measured
 * @param after the state of the processor after the measurements
 * @param paths ways without a copy, tried one by one
 */
record MachineReport(
        int schema,
        List<String> verdict,
        MachineFacts machine,
        List<Verified> verified,
        PowerState before,
        List<Speed> speeds,
        PowerState after,
        List<CopyFreePath> paths) {
    /** The newest form. */
    static final int SCHEMA = 1;

    /**
     * What golden vectors said.
     *
     * @param substrate {@code cpu} or {@code qpu}
     * @param files number of files of golden vectors that were run
     * @param mismatches number of wrong samples or records in them
     * @param problem why they could not be run; null if they were
     */
    record Verified(String substrate, int files, long mismatches, String problem) {
        boolean isRight() {
            return problem == null && files > 0 && mismatches == 0;
        }
    }
}
