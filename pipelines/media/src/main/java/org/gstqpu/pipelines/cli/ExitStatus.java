/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

/** The exit statuses, which are the same for all commands. */
public final class ExitStatus {
    /** Success. */
    public static final int OK = 0;

    /** A problem was found: a mismatch, something missing, a wrong result. Takes precedence over {@link #UNUSABLE_INPUT}. */
    public static final int PROBLEM = 1;

    /** The command line is wrong, or a file cannot be read or is of an unknown kind. */
    public static final int UNUSABLE_INPUT = 2;

    /** The command could not do its work: the requested substrate, a program or the build is missing. */
    public static final int UNAVAILABLE = 3;

    private ExitStatus() {}
}
