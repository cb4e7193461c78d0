package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memCopy;
import static org.lwjgl.system.MemoryUtil.nmemAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemFree;

import java.util.Random;
import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.PixelFormat;

/**
 * A deblocking kernel and the samples that it is tried on, flat but for noise, with chroma both ways: in planes of its own
 * and interleaved. Owns their memory; belongs to the thread that tries.
 */
final class DeblockTrial implements Runnable, AutoCloseable {
    private static final int MACROBLOCKS = 4;
    private static final int SAMPLES = 256 * MACROBLOCKS * MACROBLOCKS;

    private final DeblockKernel kernel;
    private final int sampleBytes;
    private final long strideBytes;

    /** The samples, then room for them to be filtered in. */
    private final long memory;

    /** Tries a kernel for samples such as those of {@code format}. */
    DeblockTrial(DeblockKernel kernel, PixelFormat format) {
        this.kernel = kernel;
        sampleBytes = format.sampleBytes();
        strideBytes = 16L * MACROBLOCKS * sampleBytes;
        memory = nmemAllocChecked(2L * SAMPLES * sampleBytes);
        kernel.configure(H264DeblockParameters.intra(30, 0, 0, 0, 0, false));
        SampleAccess access = SampleAccess.of(sampleBytes, format.sampleShift());
        Random random = new Random(1);
        for (long i = 0; i < SAMPLES; i++) {
            access.put(memory + i * sampleBytes, (100 + random.nextInt(8)) << (format.bitDepth() - 8));
        }
    }

    /** Filters the samples as luma; then, as if they were chroma, some of them in both layouts. */
    @Override
    public void run() {
        long bytes = (long) SAMPLES * sampleBytes;
        long picture = memory + bytes;
        memCopy(memory, picture, bytes);
        for (int row = 0; row < MACROBLOCKS; row++) {
            for (int column = 0; column < MACROBLOCKS; column++) {
                long at = picture + 16L * row * strideBytes + 16L * column * sampleBytes;
                kernel.luma(0, at, strideBytes, 16, 16, column > 0, row > 0);
            }
        }
        for (int column = 0; column < MACROBLOCKS; column++) {
            long cb = picture + 16L * strideBytes + 8L * column * sampleBytes;
            long cr = cb + strideBytes / 2;
            kernel.chroma(cb, strideBytes, cr, strideBytes, 1, 8, 8, column > 0, true);
        }
        for (int column = 0; column < MACROBLOCKS; column++) {
            long cb = picture + 32L * strideBytes + 16L * column * sampleBytes;
            kernel.chroma(cb, strideBytes, cb + sampleBytes, strideBytes, 2, 8, 8, column > 0, true);
        }
    }

    @Override
    public void close() {
        nmemFree(memory);
    }
}
