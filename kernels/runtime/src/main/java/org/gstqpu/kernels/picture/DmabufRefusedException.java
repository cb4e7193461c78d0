/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * A dmabuf did not pass a {@linkplain DmabufCheck check}, so the device does not use it. Nothing of the import is left. The
 * caller may map the dmabuf and filter the mapping as {@link HostMemory}.
 *
 * <p>The message is part of a line: what was found, what is needed and, if there is one, the cure.
 */
public final class DmabufRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final DmabufCheck check;

    /** The message has both numbers: the found one and the needed one. */
    public DmabufRefusedException(DmabufCheck check, String message) {
        super(message);
        this.check = check;
    }

    /** The check that the dmabuf did not pass. */
    public DmabufCheck check() {
        return check;
    }
}
