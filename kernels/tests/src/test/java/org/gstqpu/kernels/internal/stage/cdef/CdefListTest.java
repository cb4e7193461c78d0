/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.CdefStrengthTable;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CDEF that searches listed blocks only, as many as the device itself counted, against the search of all and the CPU. */
class CdefListTest {
    private static final int SEARCH_BLOCKS = 64;
    private static final long TIMEOUT_NANOS = 600_000_000_000L;
    private static final CdefStrength WITH_PRIMARY = new CdefStrength(5, 2, 3, 1);
    private static final CdefStrength ONLY_SECONDARY = new CdefStrength(0, 4, 0, 2);
    private static final CdefStrength ONLY_CHROMA_PRIMARY = new CdefStrength(0, 1, 7, 0);
    private static final CdefStrength NOTHING = new CdefStrength(0, 0, 0, 0);
    private static final List<CdefStrength> STRENGTHS =
            List.of(WITH_PRIMARY, ONLY_SECONDARY, ONLY_CHROMA_PRIMARY, NOTHING);

    private final long seed = RandomSeed.get();
    private final Random random = new Random(seed);

    private static VulkanFilterContext context(boolean listsBlocks) throws SubstrateUnavailableException {
        return VulkanFilterContext.open(VulkanOptions.bestDevice()
                .allowing(DeviceAllowances.ALL)
                .tuned(new KernelTuning(DeblockForm.DIAGONALS, 64, 4, 0, 1, listsBlocks, 1, 16 << 10, 32, 3, false)));
    }

    /** A map of which this share of 8x8 blocks is left alone. */
    private CdefBlockMap map(int width, int height, int idlePercent) {
        byte[] strengthIndex64 = new byte[((width + 63) / 64) * ((height + 63) / 64)];
        for (int i = 0; i < strengthIndex64.length; i++) {
            strengthIndex64[i] = (byte) (random.nextInt(STRENGTHS.size() + 1) - 1);
        }
        byte[] filtered8 = new byte[((width + 7) / 8) * ((height + 7) / 8)];
        for (int i = 0; i < filtered8.length; i++) {
            filtered8[i] = (byte) (random.nextInt(100) < idlePercent ? 0 : 1);
        }
        return new CdefBlockMap(width, height, strengthIndex64, filtered8);
    }

    @ParameterizedTest
    @CsvSource({
        "NV12, 200, 136, 0",
        "NV12, 1000, 600, 70",
        "I420, 333, 77, 95",
        "GRAY8, 64, 64, 100",
        "P010_10LE, 258, 130, 50",
        "I420_10LE, 97, 33, 20",
        "NV16, 97, 33, 20",
        "GRAY8, 1, 1, 0"
    })
    void listedAndDirectSearchAndTheCpuAgreePictureAfterPicture(
            PixelFormat format, int width, int height, int idlePercent) throws Exception {
        PictureLayout layout = PictureLayout.packed(format, width, height, 16);
        try (VulkanFilterContext listing = context(true);
                VulkanFilterContext direct = context(false);
                FilterContext cpu = new CpuFilterContext(1, "results to compare with");
                PictureFilter byList = listing.newPictureFilter(format, width, height);
                PictureFilter searchingAll = direct.newPictureFilter(format, width, height);
                PictureFilter onCpu = cpu.newPictureFilter(format, width, height)) {
            for (int picture = 0; picture < 4; picture++) {
                // The third is without a map, which needs no list.
                Optional<CdefBlockMap> map =
                        picture == 2 ? Optional.empty() : Optional.of(map(width, height, idlePercent));
                FilterParameters parameters =
                        new FilterParameters(Optional.empty(), Optional.of(new CdefParameters(5, STRENGTHS, map)));
                try (MappedPicture source = new MappedPicture(layout, random);
                        MappedPicture a = new MappedPicture(layout, new Random(seed));
                        MappedPicture b = new MappedPicture(layout, new Random(seed));
                        MappedPicture c = new MappedPicture(layout, new Random(seed))) {
                    source.write(SamplePicture.random(random, format.bitDepth(), format.chroma(), width, height));
                    run(byList, parameters, source, a);
                    run(searchingAll, parameters, source, b);
                    run(onCpu, parameters, source, c);
                    String where = "picture " + picture + ", -Dgstqpu.seed=" + seed;
                    assertArrayEquals(c.bytes(), b.bytes(), "all searched, " + where);
                    assertArrayEquals(c.bytes(), a.bytes(), "listed, " + where);
                }
            }
        }
    }

    private static void run(
            PictureFilter filter, FilterParameters parameters, MappedPicture source, MappedPicture destination) {
        filter.filter(source, destination, PicturePlan.fixed(parameters));
    }

    @Test
    void theListHoldsTheBlocksWithPrimaryStrengthAndTheWorkgroupsForThem() throws Exception {
        final int width = 520;
        final int height = 200;
        CdefBlockMap map = map(width, height, 40);
        TreeSet<Integer> expected = new TreeSet<>();
        for (int y = 0; y < height / 8; y++) {
            for (int x = 0; x < width / 8; x++) {
                int index = map.strengthIndex(x, y);
                if (index >= 0
                        && (STRENGTHS.get(index).yPrimary()
                                        | STRENGTHS.get(index).uvPrimary())
                                != 0) {
                    expected.add(x | y << 16);
                }
            }
        }
        CdefDecisions decisions = new CdefDecisions(width, height);
        decisions.set(new CdefParameters(5, STRENGTHS, Optional.of(map)));
        int[] words = decisions.map();
        try (VulkanFilterContext context = context(true);
                DeviceBuffer strengths = new DeviceBuffer(
                        context.runtime().device(), MemoryKind.UPLOAD, ParameterRoom.align(CdefStrengthTable.BYTES));
                DeviceBuffer blockMap =
                        new DeviceBuffer(context.runtime().device(), MemoryKind.UPLOAD, 4L * words.length);
                DeviceBuffer blocks = new DeviceBuffer(
                        context.runtime().device(), MemoryKind.DOWNLOAD, CdefPass.blocksBytes(width, height));
                DeviceBuffer list = new DeviceBuffer(
                        context.runtime().device(), MemoryKind.DOWNLOAD, CdefPass.listBytes(width, height));
                SubmitRing ring = new SubmitRing(
                        context.runtime().device(),
                        context.runtime().pipelines().setLayout(),
                        1,
                        1)) {
            CdefStage.write(decisions, new ParameterRoom().set(0, strengths.address(), false));
            for (int i = 0; i < words.length; i++) {
                memPutInt(blockMap.address() + 4L * i, words[i]);
            }
            CdefPass.emptyList(list.address());
            SubmitSlot slot = ring.slot(0);
            BufferRange any = blocks.range();
            slot.writeDescriptors(0, List.of(any, any, strengths.range(), any, blockMap.range(), any, list.range()));
            Commands commands = slot.record(context.runtime().pipelines().layout());
            commands.bindDescriptorSet(slot.descriptorSet(0));
            new CdefPass(
                            context.runtime().pipelines(),
                            KernelTuning.of(VulkanTestContexts.capabilities()),
                            false,
                            PixelFormat.GRAY8,
                            width,
                            height)
                    .recordList(commands);
            slot.recorded(commands);
            slot.submit();
            slot.await(TIMEOUT_NANOS);
            int count = memGetInt(list.address() + 12);
            int[] found = new int[count];
            Arrays.setAll(found, i -> memGetInt(list.address() + 16 + 4L * i));
            Arrays.sort(found);
            assertArrayEquals(expected.stream().mapToInt(Integer::intValue).toArray(), found, "-Dgstqpu.seed=" + seed);
            assertEquals((count + SEARCH_BLOCKS - 1) / SEARCH_BLOCKS, memGetInt(list.address()));
            assertEquals(1, memGetInt(list.address() + 4));
            assertEquals(1, memGetInt(list.address() + 8));
        }
    }
}
