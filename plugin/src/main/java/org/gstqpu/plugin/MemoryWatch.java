/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells listeners when a GstMemory is freed. Owns one weak reference to each watched memory until the memory is freed. A weak
 * reference is never removed earlier, because another thread may be freeing the memory at that moment. One instance serves the
 * process and is never closed; any thread.
 */
final class MemoryWatch {
    /** Keeps something for a GstMemory for as long as the memory exists. */
    interface Listener {
        /** The calling thread is freeing the memory; the memory is gone when this method returns. */
        void freed(long memory);
    }

    private final ConcurrentHashMap<Long, Set<Listener>> watched = new ConcurrentHashMap<>();
    private final GstQpuLibrary.FreedCallback notify = this::freed;

    MemoryWatch() {
        Native.setCallbackThreadInitializer(notify, new CallbackThreadInitializer(true, false, "qpuloopfilter"));
    }

    /** Tells {@code listener} once when the memory is freed. The caller keeps the memory alive during this call. */
    void watch(long memory, Listener listener) {
        watched.compute(memory, (address, listeners) -> {
            Set<Listener> changed = listeners;
            if (changed == null) {
                changed = new HashSet<>();
                GstQpuLibrary.gst_qpu_watch_memory(memory, notify);
            }
            changed.add(listener);
            return changed;
        });
    }

    /** Removes {@code listener} from a memory's listeners; does nothing if the memory is not watched. */
    void unwatch(long memory, Listener listener) {
        watched.computeIfPresent(memory, (address, listeners) -> {
            listeners.remove(listener);
            return listeners;
        });
    }

    private void freed(long data, long memory) {
        Set<Listener> listeners = watched.remove(memory);
        if (listeners != null) {
            for (Listener listener : listeners) {
                listener.freed(memory);
            }
        }
    }

    /** Number of watched memories that have not been freed yet. */
    int size() {
        return watched.size();
    }
}
