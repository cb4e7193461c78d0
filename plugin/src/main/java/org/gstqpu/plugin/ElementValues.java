/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Pointer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A view of the native element's {@code gint32 values[]}, which has one value for each {@link ElementProperty}. C writes the values
 * with atomic stores. Owns nothing; valid until the element is closed; any thread. Reading allocates nothing.
 */
final class ElementValues {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer values;

    ElementValues(ByteBuffer values) {
        this.values = values;
    }

    /** The values at this address. */
    static ElementValues at(long address) {
        return new ElementValues(
                new Pointer(address).getByteBuffer(0, (long) Integer.BYTES * ElementProperty.values().length));
    }

    /** The current value of the property. */
    int get(ElementProperty property) {
        return (int) INT.getVolatile(values, Integer.BYTES * property.slot());
    }
}
