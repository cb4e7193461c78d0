package org.gstqpu.kernels.cpu;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.DeviceMemory;
import org.gstqpu.kernels.FilterContext;
import org.gstqpu.kernels.PictureFilter;
import org.gstqpu.kernels.PixelFormat;
import org.gstqpu.kernels.Substrate;

/**
 * Owns the threads that the CPU kernels run on. Its filters belong to one thread at a time, which works along with
 * them; with one thread none is started.
 */
public final class CpuFilterContext implements FilterContext {
    private final WorkerPool pool;
    private final String reason;
    private final AtomicLong scratchBytes = new AtomicLong();

    /**
     * Starts the threads.
     *
     * @param threads threads that work on a picture, the caller's included; 0 for one a processor
     * @param reason one line: why the CPU was chosen
     */
    public CpuFilterContext(int threads, String reason) {
        if (threads < 0) {
            throw new IllegalArgumentException("threads is 0 (one a processor) or more, given " + threads);
        }
        this.pool = new WorkerPool(threads == 0 ? Runtime.getRuntime().availableProcessors() : threads);
        this.reason = reason;
    }

    @Override
    public Substrate substrate() {
        return Substrate.CPU;
    }

    @Override
    public String deviceName() {
        return "CPU, " + pool.threads() + (pool.threads() == 1 ? " thread" : " threads");
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public PictureFilter newPictureFilter(PixelFormat format, int width, int height) {
        return new CpuPictureFilter(pool, scratchBytes, format, width, height);
    }

    @Override
    public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
        return Optional.empty();
    }

    @Override
    public long submits() {
        return 0;
    }

    @Override
    public long bytesCopied() {
        return 0;
    }

    @Override
    public long reRecords() {
        return 0;
    }

    @Override
    public long poolBytes() {
        return scratchBytes.get();
    }

    @Override
    public void close() {
        pool.close();
    }
}
