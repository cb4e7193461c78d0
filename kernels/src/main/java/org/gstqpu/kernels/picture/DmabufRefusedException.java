/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * A dmabuf did not pass a check, and the device was not let into it; nothing is left behind. The message is part of a line:
 * what was found, what is needed and, where there is one, the cure.
 */
public final class DmabufRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final DmabufCheck check;

    /** The message has both numbers, that found and that needed. */
    public DmabufRefusedException(DmabufCheck check, String message) {
        super(message);
        this.check = check;
    }

    /** Which check it did not pass. */
    public DmabufCheck check() {
        return check;
    }
}
