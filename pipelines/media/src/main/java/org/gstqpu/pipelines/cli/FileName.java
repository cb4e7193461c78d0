/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

/** Names of files and addresses, as far as they are text. Stateless. */
public final class FileName {
    private FileName() {}

    /**
     * Requires that a name can be found again by its text, and does not break the lines that tell of it.
     *
     * @throws CommandFailedException when it is not UTF-8, for which Java has put a replacement character, or has control characters
     */
    public static void requireText(String name) {
        if (name.indexOf('\ufffd') >= 0 || name.codePoints().anyMatch(Character::isISOControl)) {
            throw unusable(name.replaceAll("\\p{Cntrl}", "?")
                    + ": the name is not UTF-8, or has control characters: rename it, or move it away");
        }
    }
}
