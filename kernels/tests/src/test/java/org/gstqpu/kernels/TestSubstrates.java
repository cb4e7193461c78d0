/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.List;
import java.util.stream.Stream;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuTestContexts;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.internal.cpu.quality.CpuMeterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** The substrates that every exactness test runs on. */
public final class TestSubstrates {
    /**
     * A substrate that a test opens and closes by itself, for whichever product.
     *
     * @param filters opens it for pictures
     * @param blocks opens it for block calls
     * @param meters opens it for metrics
     * @param randomPictures how many random pictures a test runs there, as many as its speed allows
     * @param longestSide largest width and height of those
     */
    public record Choice(
            String name,
            Opener<FilterContext> filters,
            Opener<BlockContext> blocks,
            Opener<MeterContext> meters,
            int randomPictures,
            int longestSide) {
        /** Opens it for pictures; the test closes it. */
        public FilterContext open() throws SubstrateUnavailableException {
            return filters.open();
        }

        /** Opens it for block calls; the test closes it. */
        public BlockContext openBlocks() throws SubstrateUnavailableException {
            return blocks.open();
        }

        /** Opens it for metrics; the test closes it. */
        public MeterContext openMeters() throws SubstrateUnavailableException {
            return meters.open();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** How something is opened. */
    public interface Opener<T> {
        T open() throws SubstrateUnavailableException;
    }

    private TestSubstrates() {}

    private static Choice cpu(String name, int threads, Opener<FilterContext> filters) {
        return new Choice(
                name,
                filters,
                () -> new CpuBlockContext(threads, "test"),
                () -> new CpuMeterContext(threads),
                allRun() ? 200 : 100,
                200);
    }

    private static Choice device(String name, Opener<VulkanOptions> options, int randomPictures, int longestSide) {
        return new Choice(
                name,
                () -> VulkanFilterContext.open(options.open()),
                () -> VulkanBlockContext.open(options.open()),
                () -> VulkanMeterContext.open(options.open()),
                randomPictures,
                longestSide);
    }

    private static Stream<Choice> smallGpu() {
        return Stream.of(device("QPU, as on a small GPU", VulkanTestContexts::asOnSmallGpu, 25, 60));
    }

    /** Those as a user opens them, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#all")}. */
    public static Stream<Choice> all() {
        return Stream.of(
                cpu("CPU, 1 thread", 1, () -> CpuTestContexts.plain(1)),
                cpu(
                        "CPU, 3 threads",
                        3,
                        () -> Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(3))),
                cpu("CPU, in vectors", 2, () -> CpuTestContexts.inVectors(2)),
                device("QPU", VulkanOptions::bestDevice, 30, 200));
    }

    /**
     * And every form of the block library's kernels, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")}.
     */
    public static Stream<Choice> forBlocks() {
        return Stream.of(
                        all(),
                        smallGpu(),
                        Stream.of(device("QPU, subgroups of four", VulkanTestContexts::withSubgroupsOfFour, 0, 0)))
                .flatMap(choices -> choices);
    }

    /** That of large GPUs, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#chasing")}. */
    public static Stream<Choice> chasing() {
        return Stream.of(device("QPU, rows chasing", VulkanTestContexts::chasing, 30, 200));
    }

    /**
     * Those of {@link #all} and, where all tests run, the forms that the device is made to take, for {@code
     * @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")}.
     */
    public static Stream<Choice> forRandomPictures() {
        return !allRun()
                ? all()
                : Stream.of(
                                all(),
                                chasing(),
                                smallGpu(),
                                Stream.of(device(
                                        "QPU, rows chasing in large groups",
                                        VulkanTestContexts::chasingInLargeGroups,
                                        25,
                                        60)))
                        .flatMap(choices -> choices);
    }

    /** The first of these; all of them where {@code GST_QPU_TESTS} is {@code all}. */
    public static <T> Stream<T> firstOrAll(List<T> all) {
        return allRun() ? all.stream() : all.stream().limit(1);
    }

    private static boolean allRun() {
        return "all".equals(System.getenv("GST_QPU_TESTS"));
    }
}
