/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.util.Collections;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.internal.picture.FieldwiseFilter;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Filters a picture of its own as a stream's pictures are filtered. Owns that picture, its result, the filter and the filter's
 * threads. Belongs to one thread at a time.
 *
 * <p>The JVM compiles only the branches that it has seen, and what it left out costs a stream's picture up to 0.4 s. So a small
 * picture, for one kernel alone, has flat parts, edges and noise of several strengths; and what it does not show, a copy of a
 * picture of the stream does.
 */
final class Exercise implements Runnable, AutoCloseable {
    /** As wide and high as a tile of CDEF: some vector steps are for whole tiles only. */
    private static final int SIZE = 64;

    private static final int BLOCK = 8;

    /** One more than the largest noise of the blocks, which take turns. */
    private static final int[] NOISE = {7, 1, 16, 3, 24, 40};

    private static final int ALIGNMENT_BYTES = 64;

    private final WorkerPool pool;
    private final PictureFilter filter;
    private final PicturePlan plan;
    private final long memory;
    private final long bytes;
    private final Picture source;
    private final Picture destination;

    private Exercise(PixelFormat format, int width, int height, PicturePlan plan, VectorUse vectors, int threads) {
        this.plan = plan;
        PictureLayout layout = PictureLayout.packed(format, width, height, ALIGNMENT_BYTES);
        bytes = (layout.sizeBytes() + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        memory = nmemAlignedAllocChecked(ALIGNMENT_BYTES, 2 * bytes);
        try {
            WorkerPool workers = new WorkerPool(threads);
            pool = workers;
            filter = new FieldwiseFilter(
                    format,
                    width,
                    height,
                    rows -> new CpuPictureFilter(workers, new WarmUp(vectors), new AtomicLong(), format, width, rows));
        } catch (RuntimeException | Error e) {
            nmemAlignedFree(memory);
            throw e;
        }
        source = Picture.of(new HostMemory().set(memory, bytes), layout);
        destination = Picture.of(new HostMemory().set(memory + bytes, bytes), layout);
    }

    /**
     * Runs one kernel, and all that calls it, on a small picture.
     *
     * @param parameters of the kernel to run, and of no other
     * @param measured whether the picture is also measured, as automatic strength does
     * @param vectors says whether the kernel runs in vectors
     */
    static Exercise ofKernel(PixelFormat format, FilterParameters parameters, boolean measured, VectorUse vectors) {
        PicturePlan plan = measured
                ? PicturePlan.automatic(new StrengthLadder(Collections.nCopies(StrengthTier.ALL.size(), parameters)))
                : PicturePlan.fixed(parameters);
        Exercise exercise = new Exercise(format, SIZE, SIZE, plan, vectors, 1);
        exercise.paint(format);
        return exercise;
    }

    /**
     * Runs all that a plan asks for, on a copy of a picture.
     *
     * @param picture in the process's memory; not used once this method has returned
     * @param threads that work on it
     */
    static Exercise ofPicture(Picture picture, PicturePlan plan, VectorUse vectors, int threads) {
        PictureLayout layout = picture.layout();
        Exercise exercise = new Exercise(layout.format(), layout.width(), layout.height(), plan, vectors, threads);
        try {
            exercise.filter.filter(picture, exercise.source, PicturePlan.fixed(FilterParameters.NONE));
            return exercise;
        } catch (RuntimeException | Error e) {
            exercise.close();
            throw e;
        }
    }

    /** Paints blocks of different brightness with little, much and no noise, and a part that is flat and another that is black. */
    private void paint(PixelFormat format) {
        Random random = new Random(1);
        int sampleBytes = format.sampleBytes();
        for (long i = 0; i < bytes / sampleBytes; i++) {
            long x = i % SIZE;
            long y = i / SIZE;
            boolean flat = y % SIZE >= SIZE - 2 * BLOCK;
            int noise = flat ? 1 : NOISE[(int) ((x / BLOCK + y / BLOCK) % NOISE.length)];
            int ground = flat && x < SIZE / 2 ? 0 : 60;
            int brightness = flat ? 0 : (int) (x / BLOCK + (x / BLOCK * 5 + y / BLOCK * 11) % 13);
            int sample = ground + brightness + random.nextInt(noise);
            if (sampleBytes == 1) {
                memPutByte(memory + i, (byte) sample);
            } else {
                memPutShort(memory + 2 * i, (short) (sample << (format.bitDepth() - 8 + format.sampleShift())));
            }
        }
    }

    /** Filters the picture once. */
    @Override
    public void run() {
        filter.filter(source, destination, plan);
    }

    @Override
    public void close() {
        filter.close();
        pool.close();
        nmemAlignedFree(memory);
    }
}
