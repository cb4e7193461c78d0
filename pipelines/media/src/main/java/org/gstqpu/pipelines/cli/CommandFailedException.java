/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

/** A command cannot continue, for a reason that the user can remove. The message is one line with the cause and the cure. */
public class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    /**
     * Makes one.
     *
     * @param message may quote what strangers wrote: it is made {@linkplain Wording#oneLine one line}
     */
    public CommandFailedException(int exitStatus, String message) {
        super(Wording.oneLine(message));
        this.exitStatus = exitStatus;
    }

    /** As {@link #CommandFailedException(int, String)}. */
    public CommandFailedException(int exitStatus, String message, Throwable cause) {
        super(Wording.oneLine(message), cause);
        this.exitStatus = exitStatus;
    }

    /** The command line is wrong, or a file cannot be read or is of an unknown kind. */
    public static CommandFailedException unusable(String message) {
        return new CommandFailedException(ExitStatus.UNUSABLE_INPUT, message);
    }

    /** As {@link #unusable(String)}. */
    public static CommandFailedException unusable(String message, Throwable cause) {
        return new CommandFailedException(ExitStatus.UNUSABLE_INPUT, message, cause);
    }

    /** The work could not be done: a substrate, a program or a part of the build is missing. */
    public static CommandFailedException unavailable(String message) {
        return new CommandFailedException(ExitStatus.UNAVAILABLE, message);
    }

    /** As {@link #unavailable(String)}. */
    public static CommandFailedException unavailable(String message, Throwable cause) {
        return new CommandFailedException(ExitStatus.UNAVAILABLE, message, cause);
    }

    /** A problem was found, or came up during the work. */
    public static CommandFailedException problem(String message) {
        return new CommandFailedException(ExitStatus.PROBLEM, message);
    }

    /** As {@link #problem(String)}. */
    public static CommandFailedException problem(String message, Throwable cause) {
        return new CommandFailedException(ExitStatus.PROBLEM, message, cause);
    }

    /** One of {@link ExitStatus}. */
    public int exitStatus() {
        return exitStatus;
    }
}
