/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memCopy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanOptions;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCalls;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DispatchLadderTest {
    private static final int BLOCKS = DispatchLadder.BLOCKS;
    private static final int PAGE_BYTES = 4096;

    private final Random random = new Random(1);
    private final ByteBuffer coefficients = buffer(BLOCKS * Vp9IdctAdd.COEFFICIENT_BYTES);
    private final ByteBuffer count = buffer(DispatchLadder.COUNT_BYTES);
    private final ByteBuffer records = buffer(BLOCKS * Vp9IdctAdd.RECORD_BYTES);
    private final ByteBuffer prediction = buffer(DispatchLadder.PICTURE_BYTES);
    private final ByteBuffer destination =
            ByteBuffer.allocateDirect(2 * PAGE_BYTES).alignedSlice(PAGE_BYTES);
    private final long[] inputs = {memAddress(coefficients), memAddress(count), memAddress(records)};

    private VulkanFilterContext context;
    private DispatchLadder ladder;

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @BeforeEach
    void open() throws SubstrateUnavailableException {
        context = VulkanFilterContext.open(VulkanOptions.bestDevice());
        ladder = new DispatchLadder(context);
        count.putInt(0, BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            records.putInt(4 * i, 8 * i);
        }
        draw();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void draw() {
        for (int i = 0; i < coefficients.capacity(); i += 2) {
            coefficients.putShort(i, (short) (random.nextInt(41) - 20));
        }
        for (int i = 0; i < prediction.capacity(); i++) {
            prediction.put(i, (byte) random.nextInt());
        }
        destination.put(0, prediction, 0, prediction.capacity());
    }

    /** The picture after this many additions of the residual, computed on the CPU. */
    private ByteBuffer expected(int passes) {
        try (CpuFilterContext cpu = new CpuFilterContext(1, "test");
                KernelBuffer ownCoefficients = cpu.newBuffer(coefficients.capacity());
                KernelBuffer ownRecords = cpu.newBuffer(records.capacity());
                KernelBuffer picture = cpu.newBuffer(prediction.capacity());
                PreparedCall call = cpu.prepare(
                        new Vp9IdctAdd(ownCoefficients, ownRecords, BLOCKS, picture, DispatchLadder.STRIDE_BYTES))) {
            memCopy(memAddress(coefficients), ownCoefficients.address(), coefficients.capacity());
            memCopy(memAddress(records), ownRecords.address(), records.capacity());
            memCopy(memAddress(prediction), picture.address(), prediction.capacity());
            for (int i = 0; i < passes; i++) {
                call.run(BLOCKS);
            }
            ByteBuffer result = buffer(prediction.capacity());
            result.put(0, memByteBuffer(picture.address(), prediction.capacity()), 0, prediction.capacity());
            return result;
        }
    }

    private ByteBuffer result() {
        return destination.slice(0, prediction.capacity());
    }

    @ParameterizedTest
    @EnumSource
    void everyStageGivesTheCpusResultEachTime(DispatchStage stage) {
        try (StagedDispatch staged = ladder.open(stage, ladder.vp9Idct8x8(), memAddress(destination))) {
            for (int i = 0; i < 3; i++) {
                draw();
                staged.dispatch(inputs);
                assertEquals(expected(1), result());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyModeGivesTheResultOfAllItsExecutes(CommandMode mode) {
        try (CommandReplay replay = ladder.openReplay(mode, ladder.vp9Idct8x8(), memAddress(destination), 5)) {
            replay.addPrimaries(2);
            replay.addPrimaries(1);
            for (int i = 0; i < 6; i++) {
                draw();
                replay.replay(inputs);
                assertEquals(expected(5), result());
            }
        }
    }

    @Test
    void aReplayedCommandBufferIsRecordedAgainOnlyForOtherBuffers() {
        try (StagedDispatch staged =
                ladder.open(DispatchStage.PERSISTENT_COMMAND_BUFFER, ladder.vp9Idct8x8(), memAddress(destination))) {
            staged.dispatch(inputs);
            VulkanCalls before = ladder.calls();
            staged.dispatch(inputs);
            assertEquals(0, ladder.calls().since(before).reRecords());
            // Takes the free buffers out of the pool, so that the next dispatch gets other ones.
            try (WorkBuffers taken = WorkBuffers.acquire(context.pool(), ladder.vp9Idct8x8())) {
                assertFalse(taken.ranges().isEmpty());
                draw();
                staged.dispatch(inputs);
            }
            assertEquals(expected(1), result());
            assertEquals(1, ladder.calls().since(before).reRecords());
        }
    }

    @Test
    void aKeptDispatchMakesNothing() {
        try (StagedDispatch staged =
                ladder.open(DispatchStage.PREMADE_FENCE_AND_SET, ladder.vp9Idct8x8(), memAddress(destination))) {
            VulkanCalls before = ladder.calls();
            for (int i = 0; i < 4; i++) {
                staged.dispatch(inputs);
            }
            assertEquals(new VulkanCalls(0, 0, 0, 4, 4, 0), ladder.calls().since(before));
        }
    }

    @Test
    void aPersistentPrimaryIsSubmittedAsItIs() {
        try (CommandReplay replay =
                ladder.openReplay(CommandMode.PERSISTENT, ladder.vp9Idct8x8(), memAddress(destination), 2)) {
            replay.addPrimaries(3);
            VulkanCalls before = ladder.calls();
            for (int i = 0; i < 4; i++) {
                replay.replay(inputs);
            }
            assertEquals(new VulkanCalls(0, 0, 0, 4, 4, 0), ladder.calls().since(before));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedStageGivesItsBuffersBack(DispatchStage stage) {
        openAndClose(stage);
        long bytes = context.poolBytes();
        for (int i = 0; i < 5; i++) {
            openAndClose(stage);
        }
        assertEquals(bytes, context.poolBytes());
    }

    private void openAndClose(DispatchStage stage) {
        StagedDispatch staged = ladder.open(stage, ladder.vp9Idct8x8(), memAddress(destination));
        staged.dispatch(inputs);
        staged.close();
        staged.close();
    }

    @Test
    void aDeviceWithoutImportDoesNotOfferTheLastStage() throws SubstrateUnavailableException {
        assertTrue(ladder.offers(DispatchStage.IMPORTED_DESTINATION));
        try (VulkanFilterContext small =
                VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(new DeviceAllowances(false, false)))) {
            DispatchLadder without = new DispatchLadder(small);
            assertFalse(without.offers(DispatchStage.IMPORTED_DESTINATION));
            assertTrue(without.offers(DispatchStage.PREMADE_FENCE_AND_SET));
            DispatchWork work = without.vp9Idct8x8();
            assertThrows(
                    DeviceException.class,
                    () -> without.open(DispatchStage.IMPORTED_DESTINATION, work, memAddress(destination)));
        }
    }
}
