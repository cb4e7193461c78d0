/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/** Parameters of a picture make no sense, or are for a picture of another size. {@link #part} names the part at fault. */
public final class PictureParametersException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String part;

    /**
     * @param part name of the part at fault, the same for the same fault in every picture
     * @param message one line: what the part holds and what it may hold
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

    /** Name of the part at fault, the same for the same fault in every picture. */
    public String part() {
        return part;
    }
}
