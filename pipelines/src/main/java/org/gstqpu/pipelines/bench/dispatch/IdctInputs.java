/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memCopy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Owns several inputs for {@link DispatchLadder#vp9Idct8x8}, and the expected result of each, computed on the CPU. Dispatches
 * use them in turn: if a dispatch does not run, the result of an earlier one is not the expected one. {@link #reset} and
 * {@link #check} do not allocate. Belongs to one thread.
 */
public final class IdctInputs {
    private static final int INPUTS = 16;
    private static final int PICTURE_BYTES = DispatchLadder.PICTURE_BYTES;
    private static final int COEFFICIENTS = DispatchLadder.BLOCKS * 64;

    private final ByteBuffer records = direct(DispatchLadder.BLOCKS * Vp9IdctAdd.RECORD_BYTES);
    private final ByteBuffer count = direct(DispatchLadder.COUNT_BYTES).putInt(0, DispatchLadder.BLOCKS);
    private final ByteBuffer[] coefficients = new ByteBuffer[INPUTS];
    private final ByteBuffer[] predictions = new ByteBuffer[INPUTS];
    private final ByteBuffer[] results = new ByteBuffer[INPUTS];
    private final long[][] addresses = new long[INPUTS][];

    /**
     * @param cpu computes the expected results
     * @param coefficientLimit largest absolute coefficient, 1 to 255, so that every intermediate value fits 16 bits
     * @param passes how often one run adds the residual to the picture
     */
    public IdctInputs(BlockContext cpu, int coefficientLimit, int passes) {
        for (int block = 0; block < DispatchLadder.BLOCKS; block++) {
            records.putInt(block * Vp9IdctAdd.RECORD_BYTES, block * 8);
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < INPUTS; i++) {
            coefficients[i] = direct(COEFFICIENTS * 2);
            for (int c = 0; c < COEFFICIENTS; c++) {
                long drawn = Long.remainderUnsigned(random.nextLong(), 2L * coefficientLimit + 1);
                coefficients[i].putShort(2 * c, (short) (drawn - coefficientLimit));
            }
            predictions[i] = direct(PICTURE_BYTES);
            for (int p = 0; p < PICTURE_BYTES; p++) {
                predictions[i].put(p, (byte) random.nextLong());
            }
            results[i] = direct(PICTURE_BYTES);
            addresses[i] = new long[] {memAddress(coefficients[i]), memAddress(count), memAddress(records)};
        }
        compute(cpu, passes);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void compute(BlockContext cpu, int passes) {
        try (KernelBuffer ownCoefficients = cpu.newBuffer(COEFFICIENTS * 2L);
                KernelBuffer ownRecords = cpu.newBuffer(records.capacity());
                KernelBuffer picture = cpu.newBuffer(PICTURE_BYTES);
                PreparedCall call = cpu.prepare(new Vp9IdctAdd(
                        ownCoefficients, ownRecords, DispatchLadder.BLOCKS, picture, DispatchLadder.STRIDE_BYTES))) {
            memCopy(memAddress(records), ownRecords.address(), records.capacity());
            for (int i = 0; i < INPUTS; i++) {
                memCopy(addresses[i][0], ownCoefficients.address(), COEFFICIENTS * 2L);
                memCopy(memAddress(predictions[i]), picture.address(), PICTURE_BYTES);
                for (int pass = 0; pass < passes; pass++) {
                    call.run(DispatchLadder.BLOCKS);
                }
                results[i].put(0, memByteBuffer(picture.address(), PICTURE_BYTES), 0, PICTURE_BYTES);
            }
        }
    }

    /** The addresses of the inputs of dispatch number {@code dispatch}. */
    long[] addresses(int dispatch) {
        return addresses[dispatch % INPUTS];
    }

    /** Copies the prediction of dispatch number {@code dispatch} to the start of {@code picture}. */
    void reset(int dispatch, ByteBuffer picture) {
        picture.put(0, predictions[dispatch % INPUTS], 0, PICTURE_BYTES);
    }

    /**
     * Compares {@code picture} with the expected result of dispatch number {@code dispatch}.
     *
     * @throws WrongResultException when a sample differs from the CPU's
     */
    void check(int dispatch, ByteBuffer picture) {
        ByteBuffer expected = results[dispatch % INPUTS];
        for (int i = 0; i < PICTURE_BYTES; i++) {
            if (picture.get(i) != expected.get(i)) {
                throw new WrongResultException("dispatch " + dispatch + ": sample " + i + " is "
                        + (picture.get(i) & 255) + ", on the CPU it is " + (expected.get(i) & 255));
            }
        }
    }
}
