/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.example;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.blocks.Blocks;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Adds VP9's inverse transform of one 8x8 block to a picture. */
public final class FilterBlocks {
    private static final int MOST_BLOCKS = 100;
    private static final int STRIDE_BYTES = 64;
    private static final int ROWS = 64;

    public static void main(String[] args) {
        SubstrateRequest request = SubstrateRequest.of(args.length > 0 ? Substrate.valueOf(args[0]) : Substrate.AUTO);
        try (BlockContext context = Blocks.open(request);
                KernelBuffer coefficients = context.newBuffer(MOST_BLOCKS * Vp9IdctAdd.COEFFICIENT_BYTES);
                KernelBuffer records = context.newBuffer(MOST_BLOCKS * Vp9IdctAdd.RECORD_BYTES);
                KernelBuffer picture = context.newBuffer(STRIDE_BYTES * ROWS);
                PreparedCall call =
                        context.prepare(new Vp9IdctAdd(coefficients, records, MOST_BLOCKS, picture, STRIDE_BYTES))) {
            // One block: column 16, row 8, a prediction of zeros, and a DC of 640, which adds 10 to each sample.
            // A decoder writes all blocks of a batch here, runs the call, and goes on with the next batch.
            Vp9IdctAdd.putRecord(records, 0, 8 * STRIDE_BYTES + 16);
            memPutShort(coefficients.address(), (short) 640);
            call.run(1);

            int sum = 0;
            for (int i = 0; i < STRIDE_BYTES * ROWS; i++) {
                sum += memGetByte(picture.address() + i) & 255;
            }
            System.out.println("All samples add up to " + sum);
            SubstrateChoice choice = call.choice(1);
            System.out.println(choice.substrate() + ", and why: " + choice.reason());
        } catch (SubstrateUnavailableException | DeviceException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
