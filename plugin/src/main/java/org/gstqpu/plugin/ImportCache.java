package org.gstqpu.plugin;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.DeviceMemory;
import org.gstqpu.kernels.FilterContext;
import org.gstqpu.kernels.PictureMemory;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Owns what the device knows of frames' memory: each GstMemory is imported when it first holds a picture, and stays so
 * until it is freed. Belongs to the streaming thread; but a memory may be freed by any thread, which then closes its
 * import. So whoever uses the context holds this object's monitor, and no import ends while the device uses it.
 *
 * <p>Importing is for memory that comes again, as a pool's does. Where it does not, or the device imports nothing, the
 * cache gives up, and pictures are copied, which is then cheaper; {@link #retry} lets it try again.
 */
final class ImportCache implements MemoryWatch.Listener, AutoCloseable {
    /** More memories than any pool in use has, and as many pairs of buffers as the device keeps work recorded for. */
    static final int CAPACITY = 64;

    /** Imports that were refused or not used twice, before the cache gives up. */
    static final int PATIENCE = 8;

    private static final String SYSTEM_MEMORY = "SystemMemory";

    private final FilterContext context;
    private final MemoryWatch watch;
    private final ElementHost host;
    private final AtomicLong imports = new AtomicLong();
    private final AtomicLong hits = new AtomicLong();

    private final long[] memories = new long[CAPACITY];
    private final Import[] entries = new Import[CAPACITY];
    private int size;
    private int useless;
    private boolean givenUp;

    /** What is known of one GstMemory. */
    private static final class Import {
        private final long address;
        private final long sizeBytes;
        private final Optional<DeviceMemory> device;
        private int uses = 1;

        Import(long address, long sizeBytes, Optional<DeviceMemory> device) {
            this.address = address;
            this.sizeBytes = sizeBytes;
            this.device = device;
        }
    }

    ImportCache(FilterContext context, MemoryWatch watch, ElementHost host) {
        this.context = context;
        this.watch = watch;
        this.host = host;
    }

    /**
     * The mapped picture as the device can best have it: where it lies, or else as memory of the host. Nothing is
     * allocated for a memory that is known. The monitor is held.
     */
    PictureMemory place(MappedFrame frame) {
        long memory = frame.memory();
        if (memory == 0) {
            return frame.pixels();
        }
        int at = 0;
        while (at < size && memories[at] != memory) {
            at++;
        }
        Import known = null;
        if (at < size) {
            known = entries[at];
            if (known.address == frame.pixels().address()
                    && known.sizeBytes == frame.pixels().sizeBytes()) {
                known.uses++;
                if (known.device.isPresent()) {
                    hits.incrementAndGet();
                }
            } else {
                // Mapped elsewhere than before.
                remove(at);
                known = null;
            }
        }
        if (known == null) {
            if (givenUp || size == CAPACITY) {
                return frame.pixels();
            }
            known = add(memory, frame);
        }
        return known.device.isPresent() ? known.device.get() : frame.pixels();
    }

    private Import add(long memory, MappedFrame frame) {
        long address = frame.pixels().address();
        long sizeBytes = frame.pixels().sizeBytes();
        // Other allocators may map a memory anew each time, and other pages at the same address.
        Import made = new Import(
                address,
                sizeBytes,
                frame.isMemoryOf(SYSTEM_MEMORY) ? context.importHost(address, sizeBytes) : Optional.empty());
        watch.watch(memory, this);
        memories[size] = memory;
        entries[size] = made;
        size++;
        if (made.device.isPresent()) {
            imports.incrementAndGet();
        } else {
            countUseless();
        }
        return made;
    }

    private void remove(int at) {
        Import removed = entries[at];
        size--;
        memories[at] = memories[size];
        entries[at] = entries[size];
        entries[size] = null;
        removed.device.ifPresent(DeviceMemory::close);
        if (removed.device.isPresent()) {
            if (removed.uses < 2) {
                countUseless();
            } else {
                useless = 0;
            }
        }
    }

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
    public synchronized void freed(long memory) {
        for (int at = 0; at < size; at++) {
            if (memories[at] == memory) {
                remove(at);
                return;
            }
        }
    }

    /** Other buffers may come from now on. The monitor is held. */
    void retry() {
        useless = 0;
        givenUp = false;
    }

    /** Memories imported so far; any thread. */
    long imports() {
        return imports.get();
    }

    /** Pictures found in memory that was imported already; any thread. */
    long hits() {
        return hits.get();
    }

    /** Ends all imports; a second call does nothing. */
    @Override
    public void close() {
        long[] known;
        synchronized (this) {
            known = Arrays.copyOf(memories, size);
            for (int at = 0; at < size; at++) {
                entries[at].device.ifPresent(DeviceMemory::close);
                entries[at] = null;
            }
            size = 0;
        }
        // Not under the monitor: a thread that frees one of these may be waiting for it.
        for (long memory : known) {
            watch.unwatch(memory, this);
        }
    }
}
