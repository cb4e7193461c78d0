/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Owns what the device knows of frames' memory: each GstMemory is imported when it first holds a picture, and stays so
 * until it is freed. Belongs to the streaming thread; but a memory may be freed by any thread, which then closes its
 * import. So whoever uses the context holds {@link #contextLock}, and no import ends while the device uses it.
 *
 * <p>Importing memory of the process is for memory that comes again, as a pool's does. Where it does not, or the device
 * imports nothing, the cache gives up, and pictures are copied, which is then cheaper. A dmabuf is always worth its import;
 * with them the cache gives up where the device refuses one after the other. {@link #retry} lets it try again.
 */
final class ImportCache implements MemoryWatch.Listener, AutoCloseable {
    /** More memories than any pool in use has, and as many pairs of buffers as the device keeps work recorded for. */
    static final int CAPACITY = 64;

    /** Imports that were refused or not used twice, before the cache gives up. */
    static final int PATIENCE = 8;

    private static final String SYSTEM_MEMORY = "SystemMemory";

    /** Held by whoever uses the context, its filters and its imports. */
    final Object contextLock = new Object();

    @GuardedBy("contextLock")
    private final FilterContext context;

    private final MemoryWatch watch;
    private final ElementHost host;
    private final AtomicLong dmabufImports = new AtomicLong();
    private final AtomicLong poolImports = new AtomicLong();
    private final AtomicLong hostImports = new AtomicLong();
    private final AtomicLong hits = new AtomicLong();

    @GuardedBy("contextLock")
    private final Import[] entries = new Import[CAPACITY];

    @GuardedBy("contextLock")
    private int size;

    @GuardedBy("contextLock")
    private long time;

    @GuardedBy("contextLock")
    private int useless;

    @GuardedBy("contextLock")
    private boolean givenUp;

    @GuardedBy("contextLock")
    private int refusedDmabufs;

    @GuardedBy("contextLock")
    private boolean warned;

    @GuardedBy("contextLock")
    private String obstacle = "";

    /** What is known of a GstMemory, or of those of a picture whose planes have one each. */
    private static final class Import {
        private static final int PLANES = 3;

        /** The memory of each plane, or in the first place the only one. */
        private final long[] memories = new long[PLANES];

        private final boolean dmabuf;

        /** Where it is mapped and how long it is; 0 for a dmabuf. */
        private final long address;

        private final long sizeBytes;
        private final Optional<DeviceMemory> device;

        /** Why there is no {@link #device}, else empty. */
        private final String obstacle;

        /** The last layout that is known to have no obstacle in a dmabuf. */
        private Object layout;

        private int uses = 1;
        private long lastUse;

        Import(MappedFrame frame, Optional<DeviceMemory> device, String obstacle) {
            memories[0] = frame.memory();
            dmabuf = false;
            address = frame.pixels().address();
            sizeBytes = frame.pixels().sizeBytes();
            this.device = device;
            this.obstacle = obstacle;
        }

        Import(DmabufFrame frame, Optional<DeviceMemory> device, String obstacle) {
            for (int plane = 0; plane < frame.layout().format().planes(); plane++) {
                memories[plane] = frame.memory(plane);
            }
            dmabuf = true;
            address = 0;
            sizeBytes = 0;
            this.device = device;
            this.obstacle = obstacle;
        }

        boolean has(long memory) {
            return memories[0] == memory || memories[1] == memory || memories[2] == memory;
        }

        /** Whether these are the memories of that picture, and not only its first plane's is the same. */
        boolean isOf(DmabufFrame frame) {
            for (int plane = 1; plane < frame.layout().format().planes(); plane++) {
                if (memories[plane] != frame.memory(plane)) {
                    return false;
                }
            }
            return true;
        }
    }

    ImportCache(FilterContext context, MemoryWatch watch, ElementHost host) {
        this.context = context;
        this.watch = watch;
        this.host = host;
    }

    /**
     * The dmabuf that the located picture lies in, null where the device is not let into it; {@link #obstacle} says why.
     * Nothing is allocated for a memory that is known.
     */
    @GuardedBy("contextLock")
    DeviceMemory place(DmabufFrame frame) {
        int at = find(frame.memory(0), true);
        if (at >= 0 && !entries[at].isOf(frame)) {
            remove(at);
            at = -1;
        }
        Import known;
        if (at >= 0) {
            known = entries[at];
            use(known);
        } else {
            if (refusedDmabufs >= PATIENCE) {
                obstacle = "the device was let into none of those before it";
                return null;
            }
            known = add(frame);
        }
        if (known.device.isEmpty()) {
            obstacle = known.obstacle;
            return null;
        }
        if (known.layout != frame.layout()) {
            Optional<String> found = known.device.get().obstacle(frame.layout());
            if (found.isPresent()) {
                obstacle = found.get();
                return null;
            }
            known.layout = frame.layout();
        }
        return known.device.get();
    }

    /**
     * The mapped picture as the device can best have it: where it lies, or else as memory of the host, and {@link
     * #obstacle} says why. Nothing is allocated for a memory that is known.
     */
    @GuardedBy("contextLock")
    PictureMemory place(MappedFrame frame) {
        long memory = frame.memory();
        if (memory == 0) {
            obstacle = "it lies in several memories";
            return frame.pixels();
        }
        int at = find(memory, false);
        Import known = null;
        if (at >= 0) {
            known = entries[at];
            if (known.address == frame.pixels().address()
                    && known.sizeBytes == frame.pixels().sizeBytes()) {
                use(known);
            } else {
                // Mapped elsewhere than before.
                remove(at);
                known = null;
            }
        }
        if (known == null) {
            if (givenUp || size == CAPACITY) {
                obstacle = "the device imports no memory like it, or the memory does not come again";
                return frame.pixels();
            }
            known = add(frame);
        }
        if (known.device.isEmpty()) {
            obstacle = known.obstacle;
            return frame.pixels();
        }
        return known.device.get();
    }

    @GuardedBy("contextLock")
    private int find(long memory, boolean dmabuf) {
        for (int at = 0; at < size; at++) {
            if (entries[at].memories[0] == memory && entries[at].dmabuf == dmabuf) {
                return at;
            }
        }
        return -1;
    }

    @GuardedBy("contextLock")
    private void use(Import known) {
        known.uses++;
        known.lastUse = ++time;
        if (known.device.isPresent()) {
            hits.incrementAndGet();
        }
    }

    @GuardedBy("contextLock")
    private Import add(DmabufFrame frame) {
        if (size == CAPACITY) {
            remove(longestUnused());
        }
        Import made;
        try {
            made = new Import(frame, Optional.of(context.importDmabuf(frame.picture())), "");
            refusedDmabufs = 0;
            (frame.isOwn() ? poolImports : dmabufImports).incrementAndGet();
        } catch (DmabufRefusedException e) {
            made = new Import(frame, Optional.empty(), e.getMessage());
            refusedDmabufs++;
            obstacle = e.getMessage();
        }
        keep(made);
        return made;
    }

    /** Takes notice that a dmabuf is copied, and says once a stream why. */
    @GuardedBy("contextLock")
    void copiesDmabuf(String why) {
        if (warned && !host.logs(LogLevel.DEBUG)) {
            return;
        }
        String line = "A dmabuf is copied, not filtered where it lies: " + why;
        if (warned) {
            host.log(LogLevel.DEBUG, line);
        } else {
            warned = true;
            host.warning(ErrorCode.RESOURCE_FAILED, line);
        }
    }

    @GuardedBy("contextLock")
    private Import add(MappedFrame frame) {
        Import made;
        if (frame.isMemoryOf(SYSTEM_MEMORY)) {
            Optional<DeviceMemory> imported =
                    context.importHost(frame.pixels().address(), frame.pixels().sizeBytes());
            made = new Import(
                    frame, imported, imported.isPresent() ? "" : "the device does not import this process's memory");
        } else {
            // Other allocators may map a memory anew each time, and other pages at the same address.
            made = new Import(frame, Optional.empty(), "its allocator may move it");
        }
        keep(made);
        if (made.device.isPresent()) {
            hostImports.incrementAndGet();
        } else {
            countUseless();
        }
        return made;
    }

    @GuardedBy("contextLock")
    private void keep(Import made) {
        for (long memory : made.memories) {
            if (memory != 0) {
                watch.watch(memory, this);
            }
        }
        made.lastUse = ++time;
        entries[size] = made;
        size++;
    }

    @GuardedBy("contextLock")
    private int longestUnused() {
        int chosen = 0;
        for (int at = 1; at < size; at++) {
            if (entries[at].lastUse < entries[chosen].lastUse) {
                chosen = at;
            }
        }
        return chosen;
    }

    @GuardedBy("contextLock")
    private void remove(int at) {
        Import removed = entries[at];
        size--;
        entries[at] = entries[size];
        entries[size] = null;
        removed.device.ifPresent(DeviceMemory::close);
        if (removed.device.isPresent() && !removed.dmabuf) {
            if (removed.uses < 2) {
                countUseless();
            } else {
                useless = 0;
            }
        }
    }

    @GuardedBy("contextLock")
    private void countUseless() {
        useless++;
        if (useless == PATIENCE) {
            givenUp = true;
            host.log(
                    LogLevel.INFO,
                    "pictures are copied to the device: their memory cannot be imported, or does not come again");
        }
    }

    @Override
    public void freed(long memory) {
        synchronized (contextLock) {
            for (int at = size - 1; at >= 0; at--) {
                if (entries[at].has(memory)) {
                    remove(at);
                }
            }
        }
    }

    /** Other buffers may come from now on. */
    @GuardedBy("contextLock")
    void retry() {
        useless = 0;
        givenUp = false;
        refusedDmabufs = 0;
        warned = false;
    }

    /** Why the last picture that was not found a place on the device has none: a part of a sentence. */
    @GuardedBy("contextLock")
    String obstacle() {
        return obstacle;
    }

    /** Dmabufs of other elements imported so far; any thread. */
    long dmabufImports() {
        return dmabufImports.get();
    }

    /** Dmabufs of this element's pools imported so far; any thread. */
    long poolImports() {
        return poolImports.get();
    }

    /** Memories of the process imported so far; any thread. */
    long hostImports() {
        return hostImports.get();
    }

    /** Pictures found in memory that was imported already; any thread. */
    long hits() {
        return hits.get();
    }

    /** Ends all imports; a second call does nothing. */
    @Override
    public void close() {
        Import[] known;
        synchronized (contextLock) {
            known = Arrays.copyOf(entries, size);
            for (int at = 0; at < size; at++) {
                entries[at].device.ifPresent(DeviceMemory::close);
                entries[at] = null;
            }
            size = 0;
        }
        // Not under the lock: a thread that frees one of these may be waiting for it.
        for (Import one : known) {
            for (long memory : one.memories) {
                if (memory != 0) {
                    watch.unwatch(memory, this);
                }
            }
        }
    }
}
