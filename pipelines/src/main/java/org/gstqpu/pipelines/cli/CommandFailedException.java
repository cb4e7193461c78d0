/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

/** A command cannot continue, for a reason that the user can remove. The message is one line with the cause and the cure. */
public class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    public CommandFailedException(int exitStatus, String message) {
        super(message);
        this.exitStatus = exitStatus;
    }

    public CommandFailedException(int exitStatus, String message, Throwable cause) {
        super(message, cause);
        this.exitStatus = exitStatus;
    }

    /** One of {@link ExitStatus}. */
    public int exitStatus() {
        return exitStatus;
    }
}
