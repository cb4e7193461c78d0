/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

/** What the command line's exit statuses mean, the same for all commands. Holds nothing else. */
public final class ExitStatus {
    /** All is as it should be. */
    public static final int OK = 0;

    /** Something is not: a mismatch, something missing, a result that is not right. Goes before {@link #UNUSABLE_INPUT}. */
    public static final int PROBLEM = 1;

    /** The command line is wrong, or a file cannot be read or is of no known kind. */
    public static final int UNUSABLE_INPUT = 2;

    /** The command could not do its work: the substrate that was asked for, a program, or the build is not there. */
    public static final int UNAVAILABLE = 3;

    private ExitStatus() {}
}
