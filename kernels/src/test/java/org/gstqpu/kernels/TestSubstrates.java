/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuTestContexts;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** The substrates that every exactness test runs on. */
public final class TestSubstrates {
    /**
     * A substrate that a test opens and closes by itself.
     *
     * @param randomPictures how many random pictures a test runs there, as many as its speed allows
     * @param longestSide largest width and height of those
     */
    public record Choice(String name, Opener opener, int randomPictures, int longestSide) {
        /** Opens it; the test closes it. */
        public FilterContext open() throws SubstrateUnavailableException {
            return opener.open();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** How a choice is opened. */
    public interface Opener {
        FilterContext open() throws SubstrateUnavailableException;
    }

    private TestSubstrates() {}

    private static Opener asUsual(Substrate substrate, int threads) {
        return () -> Substrates.open(new SubstrateRequest(substrate, Optional.empty(), threads));
    }

    private static Stream<Choice> smallGpu() {
        return Stream.of(new Choice("QPU, as on a small GPU", VulkanTestContexts::asOnSmallGpu, 25, 60));
    }

    /** Those as a user opens them, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#all")}. */
    public static Stream<Choice> all() {
        return Stream.of(
                new Choice("CPU, 1 thread", () -> CpuTestContexts.plain(1), 200, 200),
                new Choice("CPU, 3 threads", asUsual(Substrate.CPU, 3), 200, 200),
                new Choice("CPU, in vectors", () -> CpuTestContexts.inVectors(2), 200, 200),
                new Choice("QPU", asUsual(Substrate.QPU, 0), 30, 200));
    }

    /**
     * And every form of the block library's kernels, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")}.
     */
    public static Stream<Choice> forBlocks() {
        return Stream.of(
                        all(),
                        smallGpu(),
                        Stream.of(new Choice("QPU, subgroups of four", VulkanTestContexts::withSubgroupsOfFour, 0, 0)))
                .flatMap(choices -> choices);
    }

    /** That of large GPUs, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#chasing")}. */
    public static Stream<Choice> chasing() {
        return Stream.of(new Choice("QPU, rows chasing", VulkanTestContexts::chasing, 30, 200));
    }

    /**
     * Those of {@link #all} and a {@linkplain #sampleOf sample} of forms that the device is made to take, for {@code
     * @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")}.
     */
    public static Stream<Choice> forRandomPictures() {
        List<Choice> forms = Stream.of(
                        chasing(),
                        smallGpu(),
                        Stream.of(new Choice(
                                "QPU, rows chasing in large groups", VulkanTestContexts::chasingInLargeGroups, 25, 60)))
                .flatMap(choices -> choices)
                .toList();
        return Stream.concat(all(), sampleOf(forms));
    }

    /** One of these, by the number {@code GST_QPU_SAMPLE}; all of them without it. */
    public static <T> Stream<T> sampleOf(List<T> all) {
        String sample = System.getenv().getOrDefault("GST_QPU_SAMPLE", "");
        return sample.isEmpty() ? all.stream() : Stream.of(all.get((int) (Long.parseLong(sample) % all.size())));
    }
}
