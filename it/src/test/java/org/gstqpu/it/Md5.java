/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Makes MD5 sums in the form that tools print. Holds no state; any thread. */
final class Md5 {
    private Md5() {}

    /** The sum of one buffer. */
    static String of(byte[] bytes) {
        return of(List.of(bytes));
    }

    /** The sum of several buffers, one after the other. */
    static String of(List<byte[]> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            parts.forEach(digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }
}
