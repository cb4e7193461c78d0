package org.gstqpu.kernels.cpu;

import java.lang.reflect.Constructor;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says whether the CPU kernels work in vectors, for the filters of one context: where the JVM offers its Vector API (the
 * module {@value #MODULE}) and once that is faster. Until the JVM has compiled a vector kernel, it is hundreds of times
 * slower than a plain one, so a thread of this class runs it on a tile of its own until it wins. Both give the same samples.
 *
 * <p>Owns that thread, which begins after some thousand tiles: a short run is over before it pays. Any thread may ask.
 */
final class VectorUse implements AutoCloseable {
    static final String MODULE = "jdk.incubator.vector";

    /** Four pictures of 1920x1080. */
    private static final int TILES_BEFORE_TRIAL = 2000;

    private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int TIMED_TILES = 16;

    private final boolean offered;
    private final AtomicInteger tilesToTrial;
    private volatile boolean inUse;
    private volatile boolean closed;
    private volatile Thread trial;

    private VectorUse(boolean offered, boolean inUse, int tilesBeforeTrial) {
        this.offered = offered;
        this.inUse = inUse;
        this.tilesToTrial = new AtomicInteger(tilesBeforeTrial);
    }

    /** Whether this JVM offers its Vector API. */
    static boolean isOffered() {
        return ModuleLayer.boot().findModule(MODULE).isPresent();
    }

    /** In use once that is faster, if ever. */
    static VectorUse onceWarm() {
        return new VectorUse(isOffered(), false, TILES_BEFORE_TRIAL);
    }

    /** The same, with a trial that begins at once. */
    static VectorUse onceWarmWithoutDelay() {
        return new VectorUse(isOffered(), false, 1);
    }

    /** Not in use. */
    static VectorUse never() {
        return new VectorUse(false, false, 0);
    }

    /**
     * In use from the first tile on, fast or not.
     *
     * @throws IllegalStateException if this JVM does not offer vectors
     */
    static VectorUse always() {
        if (!isOffered()) {
            throw new IllegalStateException(
                    "this JVM runs without its Vector API; start it with --add-modules=" + MODULE);
        }
        return new VectorUse(true, true, 0);
    }

    /** Whether to take a vector kernel for the next tile. */
    boolean inUse() {
        return inUse;
    }

    /** CDEF in vectors, for samples of {@code bitDepth} bits; empty where it will not be used. */
    Optional<CdefKernel> newCdefKernel(int bitDepth) {
        return offered ? Optional.of(vectorCdefKernel(bitDepth)) : Optional.empty();
    }

    // By name, since without its module the class cannot be loaded.
    private static CdefKernel vectorCdefKernel(int bitDepth) {
        try {
            Constructor<?> constructor =
                    Class.forName("org.gstqpu.kernels.cpu.VectorCdefKernel").getDeclaredConstructor(int.class);
            return (CdefKernel) constructor.newInstance(bitDepth);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the vector kernels are not complete: " + e, e);
        }
    }

    /** Counts tiles that are about to be filtered; begins the trial when there were enough. Allocates nothing else. */
    void expect(int tiles) {
        if (!offered || tilesToTrial.get() <= 0) {
            return;
        }
        int before = tilesToTrial.getAndAdd(-tiles);
        if (before > 0 && before <= tiles) {
            Thread thread = new Thread(this::tryOut, "qpu-cpu-vectors");
            thread.setDaemon(true);
            trial = thread;
            thread.start();
        }
    }

    private void tryOut() {
        CdefConstraints constraints = new CdefConstraints(8);
        Trial plain = new Trial(new PlainCdefKernel(constraints, 8), constraints);
        Trial vector = new Trial(vectorCdefKernel(8), constraints);
        long start = System.nanoTime();
        while (!closed && System.nanoTime() - start < TRIAL_NANOS) {
            if (vector.bestNanos() < plain.bestNanos()) {
                inUse = true;
                return;
            }
        }
    }

    /** Waits for the trial, if there is one. */
    void awaitTrial() throws InterruptedException {
        Thread thread = trial;
        if (thread != null) {
            thread.join();
        }
    }

    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Thread thread = trial; thread != null && thread.isAlive(); ) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A kernel and what it is tried on. */
    private static final class Trial {
        private static final int DAMPING = 5;
        private static final int PRIMARY = 2;
        private static final int SECONDARY = 2;

        private final CdefKernel kernel;
        private final CdefTile tile = new CdefTile();

        Trial(CdefKernel kernel, CdefConstraints constraints) {
            this.kernel = kernel;
            constraints.prepare(PRIMARY, DAMPING);
            constraints.prepare(SECONDARY, DAMPING);
            Random random = new Random(1);
            for (int i = 0; i < tile.in.length; i++) {
                tile.in[i] = (short) (100 + random.nextInt(16));
            }
        }

        /** The least time for a tile, of a few. */
        long bestNanos() {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < TIMED_TILES; i++) {
                long start = System.nanoTime();
                filter();
                best = Math.min(best, System.nanoTime() - start);
            }
            return best;
        }

        private void filter() {
            kernel.begin(tile, 64, 64);
            for (int y = 0; y < 64; y += 8) {
                for (int x = 0; x < 64; x += 8) {
                    int index = CdefTile.ORIGIN + y * CdefTile.STRIDE + x;
                    kernel.filter(tile, index, 8, 1, PRIMARY, SECONDARY, kernel.search(x, y), DAMPING);
                }
            }
        }
    }
}
