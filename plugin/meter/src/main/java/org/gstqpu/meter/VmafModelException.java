/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

/** A file that is not a model of VMAF, or one that cannot be evaluated here. The message is one line that names the cause. */
public final class VmafModelException extends Exception {
    private static final long serialVersionUID = 1;

    /** Longer messages are cut: a part of the file may be in them. */
    private static final int LONGEST = 400;

    VmafModelException(String message) {
        super(line(message));
    }

    VmafModelException(String message, Exception cause) {
        super(line(message), cause);
    }

    /** What of a file is in the message neither ends the line nor speaks to a terminal. */
    private static String line(String message) {
        String line = message.replaceAll("\\p{Cntrl}|[\u0080-\u009f\u2028\u2029]", "?");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
    }
}
