/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/** What was handed over about one picture makes no sense, or is for another picture; {@link #part} says which of it. */
public final class PictureParametersException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String part;

    /**
     * @param part which of all that was handed over: the same for the same fault in every picture
     * @param message one line: what it holds and what it may hold
     */
    public PictureParametersException(String part, String message) {
        super(message);
        this.part = part;
    }

    static void checkRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new PictureParametersException(name, name + " is " + least + ".." + most + ", given " + value);
        }
    }

    /** Which of all that was handed over is at fault. */
    public String part() {
        return part;
    }
}
