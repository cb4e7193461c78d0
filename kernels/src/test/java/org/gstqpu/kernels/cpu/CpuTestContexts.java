package org.gstqpu.kernels.cpu;

import org.gstqpu.kernels.FilterContext;

/** CPU contexts that do what others do by circumstance. */
public final class CpuTestContexts {
    private CpuTestContexts() {}

    /** A context whose kernels never work in vectors; the caller closes it. */
    public static FilterContext plain(int threads) {
        return new CpuFilterContext(threads, "test", VectorUse.never());
    }

    /** A context whose kernels work in vectors at once; the caller closes it. */
    public static FilterContext inVectors(int threads) {
        return new CpuFilterContext(threads, "test", vectors());
    }

    /** Vectors in use from the first tile on, as after the trials of a longer run. */
    static VectorUse vectors() {
        Trials.await();
        return VectorUse.always();
    }

    /**
     * What the JVM compiles vector kernels to depends on what it saw of them first, and for some of what several threads at
     * once would show it, it allocates for ever. So it sees one thread first, as outside of tests.
     */
    private static final class Trials {
        static {
            try (VectorUse use = VectorUse.onceWarmWithoutDelay()) {
                for (VectorUse.Kernel kernel : VectorUse.Kernel.values()) {
                    use.expect(kernel, 1);
                }
                use.awaitTrials();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the JVM compiled", e);
            }
        }

        /** Waits for them; once a JVM. */
        static void await() {}
    }
}
