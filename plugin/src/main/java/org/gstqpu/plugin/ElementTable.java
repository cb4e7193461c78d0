/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Finds the open elements of the process by their handle, the number by which C knows them. Does not own the elements; any thread.
 * A look-up takes no lock and allocates nothing.
 */
final class ElementTable {
    private volatile LoopFilterElement[] slots = new LoopFilterElement[0];

    /** Adds an element and returns its handle, which is greater than 0. A removed handle is used again. */
    synchronized int add(LoopFilterElement element) {
        int slot = 0;
        while (slot < slots.length && slots[slot] != null) {
            slot++;
        }
        LoopFilterElement[] changed = Arrays.copyOf(slots, Math.max(slots.length, slot + 1));
        changed[slot] = element;
        slots = changed;
        return slot + 1;
    }

    /** The element with this handle. */
    LoopFilterElement get(int handle) {
        LoopFilterElement[] current = slots;
        LoopFilterElement element = handle > 0 && handle <= current.length ? current[handle - 1] : null;
        if (element == null) {
            throw new IllegalArgumentException("no element has the handle " + handle);
        }
        return element;
    }

    /** Removes the element with this handle and returns it. */
    synchronized LoopFilterElement remove(int handle) {
        LoopFilterElement element = get(handle);
        LoopFilterElement[] changed = slots.clone();
        changed[handle - 1] = null;
        slots = changed;
        return element;
    }

    /** The open elements. */
    List<LoopFilterElement> all() {
        return Arrays.stream(slots).filter(Objects::nonNull).toList();
    }
}
