/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.HvsWeights;
import org.gstqpu.kernels.internal.quality.SsimWindow;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualitySums;

/**
 * Measures PSNR, SSIM and PSNR-HVS of pictures in strips. Workers take strips in turns, and the strips' results are
 * added in the order of the strips, so that rounding does not depend on the threads. Belongs to its caller's thread, one
 * thread at a time; {@link #measure} runs on all workers at once.
 */
final class QualityStrips {
    /** Rows of a strip: a multiple of the block rows of both SSIM and PSNR-HVS. */
    private static final int STRIP_ROWS = 32;

    private static final int BLOCK = 4;
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    // Sums kept for each block of 4x4 samples: of the reference, of the picture, of the squares of both, of the
    // products.
    private static final int SUMS = 4;

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int peak;
    private final float c1;
    private final float c2;
    private final float[] basis = HvsWeights.basis();
    private final float[] weights = HvsWeights.weights();
    private final Scratch[] workers;

    /** Number of strips for PSNR and SSIM: those of each component. */
    private final int similarityStrips;

    /** Number of all strips: the others, of luma, are for PSNR-HVS. */
    private final int strips;

    /** Squared error of each strip. */
    private final long[] squaredError;
    /** Sum of the SSIM of the windows that begin in each strip. */
    private final double[] ssim;
    /** Weighted error of each strip of luma, for PSNR-HVS. */
    private final double[] hvsError;

    private long reference;
    private PictureLayout referenceLayout;
    private long picture;
    private PictureLayout pictureLayout;

    /** Owns the working memory of one worker. */
    private static final class Scratch {
        final int[] reference;
        final int[] picture;
        int[] above;
        int[] here;
        final int[] differences;
        final float[] columns = new float[HvsWeights.BLOCK * HvsWeights.HALF];

        Scratch(int width) {
            // A row is rounded up to whole blocks. The samples beyond the picture stay 0.
            int samples = (width + HvsWeights.BLOCK - 1) / HvsWeights.BLOCK * HvsWeights.BLOCK;
            reference = new int[samples];
            picture = new int[samples];
            above = new int[samples / BLOCK * SUMS];
            here = new int[samples / BLOCK * SUMS];
            differences = new int[samples * HvsWeights.BLOCK];
        }
    }

    /**
     * @param workers number of workers
     * @param similarity true for PSNR and SSIM
     * @param hvs true for PSNR-HVS
     */
    QualityStrips(int workers, PixelFormat format, int width, int height, boolean similarity, boolean hvs) {
        // Throws for a size that the format does not allow.
        PictureLayout layout = PictureLayout.packed(format, width, height, 1);
        this.format = format;
        this.width = width;
        this.height = height;
        peak = format.peak();
        c1 = SsimWindow.c1(peak);
        c2 = SsimWindow.c2(peak);
        this.workers = new Scratch[workers];
        for (int i = 0; i < workers; i++) {
            this.workers[i] = new Scratch(width);
        }
        int count = 0;
        if (similarity) {
            for (PictureComponent component : COMPONENTS) {
                count += component.isIn(format) ? strips(component.rows(layout)) : 0;
            }
        }
        similarityStrips = count;
        strips = count + (hvs ? strips(height) : 0);
        squaredError = new long[strips];
        ssim = new double[strips];
        hvsError = new double[strips];
    }

    private static int strips(int rows) {
        return (rows + STRIP_ROWS - 1) / STRIP_ROWS;
    }

    /** Number of strips of a pair. */
    int count() {
        return strips;
    }

    /** Sets the pair whose strips are measured next. */
    void set(long reference, PictureLayout referenceLayout, long picture, PictureLayout pictureLayout) {
        this.reference = reference;
        this.referenceLayout = referenceLayout;
        this.picture = picture;
        this.pictureLayout = pictureLayout;
    }

    /** Adds the sums of all strips, once they are measured. */
    void addTo(QualitySums sums) {
        int strip = 0;
        if (similarityStrips > 0) {
            for (PictureComponent component : COMPONENTS) {
                if (component.isIn(format)) {
                    long error = 0;
                    double similarity = 0;
                    for (int i = strips(component.rows(referenceLayout)); i > 0; i--) {
                        error += squaredError[strip];
                        similarity += ssim[strip];
                        strip++;
                    }
                    sums.add(
                            component,
                            referenceLayout,
                            error,
                            SsimWindow.count(component, referenceLayout),
                            similarity);
                }
            }
        }
        if (strip < strips) {
            double hvs = 0;
            for (; strip < strips; strip++) {
                hvs += hvsError[strip];
            }
            sums.addSeen(referenceLayout, HvsWeights.inBlocks(referenceLayout), hvs);
        }
    }

    /** Measures a strip. */
    void measure(int worker, int strip) {
        Scratch scratch = workers[worker];
        if (strip >= similarityStrips) {
            measureHvs(scratch, (strip - similarityStrips) * STRIP_ROWS, strip);
            return;
        }
        int inComponent = strip;
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(format)) {
                int count = strips(component.rows(referenceLayout));
                if (inComponent < count) {
                    compare(scratch, component, inComponent * STRIP_ROWS, strip);
                    return;
                }
                inComponent -= count;
            }
        }
        throw new IllegalArgumentException("there are " + strips + " strips, asked for number " + strip);
    }

    /** Adds up the squared error of a strip's rows, and SSIM of the windows that begin in the strip. */
    private void compare(Scratch scratch, PictureComponent component, int firstRow, int strip) {
        int samples = component.rowSamples(referenceLayout);
        int rows = component.rows(referenceLayout);
        int windowsAcross = SsimWindow.count(samples);
        int windowsDown = SsimWindow.count(rows);
        int blocks = (samples + BLOCK - 1) / BLOCK;
        int end = firstRow + STRIP_ROWS;
        long error = 0;
        double similarity = 0;
        // Chroma is narrower than luma, whose samples the buffers may still hold.
        clearAfter(scratch.reference, samples);
        clearAfter(scratch.picture, samples);
        // Windows at the end of the strip reach one row of blocks into the next strip.
        for (int row = firstRow; row <= end && row < rows; row += BLOCK) {
            int[] sums = scratch.above;
            scratch.above = scratch.here;
            scratch.here = sums;
            Arrays.fill(sums, 0);
            for (int y = row; y < Math.min(row + BLOCK, rows); y++) {
                read(reference, referenceLayout, component, y, scratch.reference, samples);
                read(picture, pictureLayout, component, y, scratch.picture, samples);
                addRow(scratch.reference, scratch.picture, sums, blocks);
            }
            if (row < end) {
                for (int at = 0; at < blocks * SUMS; at += SUMS) {
                    error += sums[at + 2] - 2 * sums[at + 3];
                }
            }
            if (row > firstRow && row / BLOCK <= windowsDown) {
                similarity += similarity(scratch.above, sums, windowsAcross);
            }
        }
        squaredError[strip] = error;
        ssim[strip] = similarity;
    }

    private static void clearAfter(int[] samples, int end) {
        Arrays.fill(samples, end, samples.length, 0);
    }

    private static void addRow(int[] reference, int[] picture, int[] sums, int blocks) {
        int x = 0;
        for (int at = 0; at < blocks * SUMS; at += SUMS) {
            for (int end = x + BLOCK; x < end; x++) {
                int r = reference[x];
                int p = picture[x];
                sums[at] += r;
                sums[at + 1] += p;
                sums[at + 2] += r * r + p * p;
                sums[at + 3] += r * p;
            }
        }
    }

    private double similarity(int[] above, int[] here, int windows) {
        double sum = 0;
        for (int at = 0; at < windows * SUMS; at += SUMS) {
            long ofReference = sum(above, here, at);
            long ofPicture = sum(above, here, at + 1);
            long squares = sum(above, here, at + 2);
            long products = sum(above, here, at + 3);
            float variances = (float) (64 * squares - ofReference * ofReference - ofPicture * ofPicture);
            float covariance = (float) (64 * products - ofReference * ofPicture);
            sum += (2 * (float) (ofReference * ofPicture) + c1)
                    * (2 * covariance + c2)
                    / (((float) (ofReference * ofReference) + (float) (ofPicture * ofPicture) + c1) * (variances + c2));
        }
        return sum;
    }

    /** Adds up one of the sums over the four 4x4 blocks of a window. */
    private static int sum(int[] above, int[] here, int at) {
        return above[at] + above[at + SUMS] + here[at] + here[at + SUMS];
    }

    private void read(long memory, PictureLayout layout, PictureComponent component, int row, int[] into, int samples) {
        int step = component.sampleStep(format) * format.sampleBytes();
        long at = memory
                + layout.offsetBytes(component.plane(format))
                + (long) row * layout.strideBytes(component.plane(format))
                + (long) component.firstSample(format) * format.sampleBytes();
        if (format.sampleBytes() == 1) {
            for (int x = 0; x < samples; x++) {
                into[x] = memGetByte(at + (long) x * step) & 0xff;
            }
        } else {
            int shift = format.sampleShift();
            int peak = format.peak();
            for (int x = 0; x < samples; x++) {
                into[x] = memGetShort(at + (long) x * step) >> shift & peak;
            }
        }
    }

    /** Adds up the weighted error of a strip's whole 8x8 blocks. */
    private void measureHvs(Scratch scratch, int firstRow, int strip) {
        double error = 0;
        int stride = scratch.reference.length;
        int end = Math.min(firstRow + STRIP_ROWS, HvsWeights.inBlocks(height));
        for (int row = firstRow; row < end; row += HvsWeights.BLOCK) {
            for (int y = 0; y < HvsWeights.BLOCK; y++) {
                read(reference, referenceLayout, PictureComponent.Y, row + y, scratch.reference, width);
                read(picture, pictureLayout, PictureComponent.Y, row + y, scratch.picture, width);
                for (int x = 0; x < width; x++) {
                    scratch.differences[y * stride + x] = scratch.reference[x] - scratch.picture[x];
                }
            }
            for (int x = 0; x + HvsWeights.BLOCK <= width; x += HvsWeights.BLOCK) {
                for (int odd = 0; odd < 2; odd++) {
                    transformColumns(scratch.differences, x, stride, odd, scratch.columns);
                    error += hvsErrorOf(scratch.columns, odd);
                }
            }
        }
        hvsError[strip] = error;
    }

    private void transformColumns(int[] differences, int x, int stride, int odd, float[] columns) {
        for (int column = 0; column < HvsWeights.BLOCK; column++) {
            float a0 = 0;
            float a1 = 0;
            float a2 = 0;
            float a3 = 0;
            for (int y = 0; y < HvsWeights.HALF; y++) {
                int upper = differences[y * stride + x + column];
                int lower = differences[(HvsWeights.BLOCK - 1 - y) * stride + x + column];
                float sample = (float) (odd == 0 ? upper + lower : upper - lower);
                int at = (odd * HvsWeights.HALF + y) * HvsWeights.HALF;
                a0 += basis[at] * sample;
                a1 += basis[at + 1] * sample;
                a2 += basis[at + 2] * sample;
                a3 += basis[at + 3] * sample;
            }
            columns[column] = a0;
            columns[HvsWeights.BLOCK + column] = a1;
            columns[2 * HvsWeights.BLOCK + column] = a2;
            columns[3 * HvsWeights.BLOCK + column] = a3;
        }
    }

    /** Transforms the rows of four vertical frequencies, and returns the weighted sum of the squared coefficients. */
    private float hvsErrorOf(float[] columns, int odd) {
        float error = 0;
        for (int i = 0; i < HvsWeights.HALF; i++) {
            int at = i * HvsWeights.BLOCK;
            int weight = odd * HvsWeights.BLOCK * HvsWeights.HALF + i;
            for (int frequency = 0; frequency < HvsWeights.BLOCK; frequency++) {
                int basisAt = (frequency & 1) * HvsWeights.HALF * HvsWeights.HALF + frequency / 2;
                float coefficient = 0;
                for (int x = 0; x < HvsWeights.HALF; x++) {
                    float left = columns[at + x];
                    float right = columns[at + HvsWeights.BLOCK - 1 - x];
                    coefficient +=
                            basis[basisAt + x * HvsWeights.HALF] * ((frequency & 1) == 0 ? left + right : left - right);
                }
                error += coefficient * coefficient * weights[weight + frequency * HvsWeights.HALF];
            }
        }
        return error;
    }
}
