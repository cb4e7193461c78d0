/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.MemoryImporter;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Owns the device's imports of frames' memory. A GstMemory is imported when it first holds a picture, and the import lasts until the
 * memory is freed. Belongs to the streaming thread, except that any thread may free a memory and so close its import. Therefore
 * every user of the context holds {@link #contextLock}, so that no import is closed while the context uses it.
 *
 * <p>The import of ordinary memory pays only if the memory comes again, as that of a buffer pool does. If memories do not come
 * again, or the device refuses them, the cache stops importing them, and pictures are copied: that is cheaper then. The import of a
 * dmabuf always pays. The cache stops importing dmabufs only after {@link #PATIENCE} refusals in a row. {@link #retry} lets the
 * cache try again.
 */
final class ImportCache implements MemoryWatch.Listener, AutoCloseable {
    /**
     * Largest number of imports. More than the buffers of any known pool, and equal to the number of buffer pairs for which the device
     * keeps recorded work. The pictures under way use fewer by far, so that the import that was not used for longest is not in use.
     */
    static final int CAPACITY = 64;

    /** Number of imports in a row that were refused, or used only once, after which the cache stops importing. */
    static final int PATIENCE = 8;

    private static final String SYSTEM_MEMORY = "SystemMemory";

    /** Held while the context, one of its filters or one of its imports is used. */
    final Object contextLock = new Object();

    @GuardedBy("contextLock")
    private final Supplier<? extends MemoryImporter> context;

    private final MemoryWatch watch;
    private final ElementHost host;
    private final AtomicLong dmabufImports = new AtomicLong();
    private final AtomicLong poolImports = new AtomicLong();
    private final AtomicLong hostImports = new AtomicLong();
    private final AtomicLong hits = new AtomicLong();

    @GuardedBy("contextLock")
    private final Import[] entries = new Import[CAPACITY];

    /** Number of {@link #entries} in use, from the first on. */
    @GuardedBy("contextLock")
    private int size;

    /** Number of uses so far; the clock of {@link Import#lastUse}. */
    @GuardedBy("contextLock")
    private long time;

    /** Memories of the process in a row whose import was refused or used only once. */
    @GuardedBy("contextLock")
    private int useless;

    /** True if no further memory of the process is imported until {@link #retry}. */
    @GuardedBy("contextLock")
    private boolean givenUp;

    /** Dmabufs in a row that the device refused. */
    @GuardedBy("contextLock")
    private int refusedDmabufs;

    /** True once the user was warned, in this stream, that a dmabuf is copied. */
    @GuardedBy("contextLock")
    private boolean warned;

    /** See {@link #obstacle()}. */
    @GuardedBy("contextLock")
    private String obstacle = "";

    /** A GstMemory, or the GstMemories of a picture whose planes have one each, and the outcome of the import. */
    private static final class Import {
        private static final int PLANES = 3;

        /** The memory of each plane; only the first is set if all planes share it. */
        private final long[] memories = new long[PLANES];

        private final boolean dmabuf;

        /** Address to which the memory is mapped; 0 for a dmabuf. */
        private final long address;

        /** Length of the mapping; 0 for a dmabuf. */
        private final long sizeBytes;

        /** The import; empty if the device refused it. */
        private final Optional<DeviceMemory> device;

        /** Why {@link #device} is empty; else the empty string. */
        private final String obstacle;

        /** The last layout of a dmabuf's picture that the device was found to accept. */
        private Object layout;

        private int uses = 1;

        /** {@link ImportCache#time} of the last use. */
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

        /** True if the memory is mapped where it was when it was imported. */
        boolean isAt(MappedFrame frame) {
            return address == frame.pixels().address()
                    && sizeBytes == frame.pixels().sizeBytes();
        }

        /** True if a plane lies in this memory. */
        boolean has(long memory) {
            return memories[0] == memory || memories[1] == memory || memories[2] == memory;
        }

        /** True if the picture's planes lie in these dmabufs. */
        boolean isOf(DmabufFrame frame) {
            if (!dmabuf) {
                return false;
            }
            for (int plane = 0; plane < frame.layout().format().planes(); plane++) {
                if (memories[plane] != frame.memory(plane)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * @param context gives the substrate in use; {@link #forget} is called before it gives another
     */
    ImportCache(Supplier<? extends MemoryImporter> context, MemoryWatch watch, ElementHost host) {
        this.context = context;
        this.watch = watch;
        this.host = host;
    }

    /**
     * The device's import of the dmabuf that the located picture lies in. Null if the device cannot use the picture there; {@link
     * #obstacle} then says why. Nothing is allocated for a known memory.
     */
    @GuardedBy("contextLock")
    DeviceMemory place(DmabufFrame frame) {
        Import known = find(frame);
        if (known != null) {
            use(known);
        } else {
            if (refusedDmabufs >= PATIENCE) {
                obstacle = "the device refused all dmabufs before it";
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
     * The memory in which the device uses the mapped picture: the device's import of it, or else the host memory, from which the
     * picture is copied. {@link #obstacle} then says why. Nothing is allocated for a known memory.
     */
    @GuardedBy("contextLock")
    PictureMemory place(MappedFrame frame) {
        long memory = frame.memory();
        if (memory == 0) {
            obstacle = "it lies in several memories";
            return frame.pixels();
        }
        Import known = find(memory);
        if (known != null) {
            if (known.device.isPresent() && !known.isAt(frame)) {
                // A picture under way may still use the import.
                obstacle = "its memory was resized, or mapped elsewhere, after it was imported";
                return frame.pixels();
            }
            use(known);
        } else {
            if (givenUp || size == CAPACITY) {
                obstacle = "the device imports no memory like it, or the memory is not reused";
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

    /**
     * The import of a picture's dmabufs. Another picture may lie in some of them and in others: it has an import of its own, because
     * the device may still use this one.
     */
    @GuardedBy("contextLock")
    private Import find(DmabufFrame frame) {
        for (int at = 0; at < size; at++) {
            if (entries[at].isOf(frame)) {
                return entries[at];
            }
        }
        return null;
    }

    /** The import of a memory of the process. */
    @GuardedBy("contextLock")
    private Import find(long memory) {
        for (int at = 0; at < size; at++) {
            if (!entries[at].dmabuf && entries[at].memories[0] == memory) {
                return entries[at];
            }
        }
        return null;
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
            made = new Import(frame, Optional.of(context.get().importDmabuf(frame.picture())), "");
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

    /** Warns once a stream that a dmabuf is copied, and why; further lines go to the debug log. */
    @GuardedBy("contextLock")
    void copiesDmabuf(String why) {
        if (warned && !host.logs(LogLevel.DEBUG)) {
            return;
        }
        String line = "A dmabuf is copied, not used where it lies: " + why;
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
            Optional<DeviceMemory> imported = context.get()
                    .importHost(frame.pixels().address(), frame.pixels().sizeBytes());
            made = new Import(
                    frame, imported, imported.isPresent() ? "" : "the device does not import this process's memory");
        } else {
            // Other allocators may map a memory anew for each frame. The known address may then belong to other pages.
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
                    "pictures are copied to the device: their memory cannot be imported, or is not reused");
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

    /** Lets the cache import again. Called with new caps, after which other buffers may come. */
    @GuardedBy("contextLock")
    void retry() {
        useless = 0;
        givenUp = false;
        refusedDmabufs = 0;
        warned = false;
    }

    /** Why the device cannot use the picture of the last {@code place} call that failed, as a part of a sentence. */
    @GuardedBy("contextLock")
    String obstacle() {
        return obstacle;
    }

    /** Number of imported dmabufs of other elements; any thread. */
    long dmabufImports() {
        return dmabufImports.get();
    }

    /** Number of imported dmabufs of this element's own pools; any thread. */
    long poolImports() {
        return poolImports.get();
    }

    /** Number of imported memories of the process; any thread. */
    long hostImports() {
        return hostImports.get();
    }

    /** Number of pictures that lay in memory that was already imported; any thread. */
    long hits() {
        return hits.get();
    }

    /** Ends all imports; a second call does nothing. */
    @Override
    public void close() {
        forget();
    }

    /** Ends all imports, before the substrate changes. Called without {@link #contextLock}. */
    void forget() {
        Import[] known;
        synchronized (contextLock) {
            known = Arrays.copyOf(entries, size);
            for (int at = 0; at < size; at++) {
                entries[at].device.ifPresent(DeviceMemory::close);
                entries[at] = null;
            }
            size = 0;
            retry();
        }
        // Without the lock: a thread that frees one of these memories may be waiting for the lock.
        for (Import one : known) {
            for (long memory : one.memories) {
                if (memory != 0) {
                    watch.unwatch(memory, this);
                }
            }
        }
    }
}
