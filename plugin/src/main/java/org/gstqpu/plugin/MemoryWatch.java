/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Callback;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells who wants to know when a GstMemory is freed. Owns one weak reference to each memory that somebody asked about,
 * until that memory's end: it is never taken back, because the memory may be on its way out on another thread. One for
 * the process, for ever; any thread.
 */
final class MemoryWatch {
    /** Somebody who keeps something for a GstMemory. */
    interface Listener {
        /** The memory is being freed, by the calling thread, and is gone when this returns. */
        void freed(long memory);
    }

    /** GstMiniObjectNotify. */
    interface WeakNotifyCallback extends Callback {
        /** The object that was there is being freed. */
        void invoke(long data, long object);
    }

    private final ConcurrentHashMap<Long, Set<Listener>> watched = new ConcurrentHashMap<>();
    private final WeakNotifyCallback notify = this::freed;

    MemoryWatch() {
        Native.setCallbackThreadInitializer(notify, new CallbackThreadInitializer(true, false, "qpuloopfilter"));
    }

    /** Lets {@code listener} know once when the memory, which the caller keeps alive during this call, is freed. */
    void watch(long memory, Listener listener) {
        watched.compute(memory, (address, listeners) -> {
            Set<Listener> changed = listeners;
            if (changed == null) {
                changed = new HashSet<>();
                GstVideoLibrary.gst_mini_object_weak_ref(memory, notify, 0);
            }
            changed.add(listener);
            return changed;
        });
    }

    /** Lets {@code listener} know no more, if it still would be. */
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

    /** Number of memories that have not been freed yet. */
    int size() {
        return watched.size();
    }
}
