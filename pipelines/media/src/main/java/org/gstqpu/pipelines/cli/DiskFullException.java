/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

/** The disk that is written to has no room left. */
public final class DiskFullException extends CommandFailedException {
    private static final long serialVersionUID = 1L;

    /** @param what could not be written */
    public DiskFullException(String what) {
        super(ExitStatus.PROBLEM, what + ": the disk is full: free some space, then run it again");
    }
}
