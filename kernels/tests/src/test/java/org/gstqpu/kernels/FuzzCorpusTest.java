/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.SideInformationFuzz;
import org.gstqpu.kernels.golden.GoldenFileFuzz;
import org.gstqpu.kernels.internal.stage.KernelRecordFuzz;
import org.gstqpu.kernels.picture.PictureLayoutFuzz;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gives what {@code it/fuzz} starts from, and what it once found, to its targets: the files of {@code src/test/resources/fuzz}, and
 * random changes of them. What filters a picture filters it on the Vulkan device, too.
 */
class FuzzCorpusTest {
    private static final int CHANGES = 300;

    @ParameterizedTest
    @ValueSource(
            classes = {GoldenFileFuzz.class, KernelRecordFuzz.class, PictureLayoutFuzz.class, SideInformationFuzz.class
            })
    void noInputDoesHarm(Class<?> target) throws Exception {
        long seed = RandomSeed.get();
        List<byte[]> inputs = inputs(target);
        assertFalse(inputs.isEmpty());
        for (byte[] input : inputs) {
            run(target, input);
        }
        Random random = new Random(seed);
        for (int i = 0; i < CHANGES; i++) {
            run(target, changed(inputs.get(random.nextInt(inputs.size())), random));
        }
    }

    @Test
    void theDeviceFiltersEveryLayoutAsTheCpuDoes() throws Exception {
        filterOnBoth(PictureLayoutFuzz.class, PictureLayoutFuzz::filter);
    }

    @Test
    void theDeviceFiltersBySideInformationAsTheCpuDoes() throws Exception {
        filterOnBoth(SideInformationFuzz.class, SideInformationFuzz::filter);
    }

    /** What an input asks for is checked before a device sees it, and is then the same on both. */
    private static void filterOnBoth(Class<?> target, BiFunction<FilterContext, byte[], Optional<byte[]>> filter)
            throws Exception {
        long seed = RandomSeed.get();
        List<byte[]> inputs = new ArrayList<>(inputs(target));
        Random random = new Random(seed);
        int files = inputs.size();
        for (int i = 0; i < CHANGES; i++) {
            inputs.add(changed(inputs.get(random.nextInt(files)), random));
        }
        int filtered = 0;
        try (FilterContext cpu =
                        Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
                FilterContext device = Substrates.open(SubstrateRequest.of(Substrate.QPU))) {
            for (byte[] input : inputs) {
                try {
                    Optional<byte[]> expected = filter.apply(cpu, input);
                    Optional<byte[]> found = filter.apply(device, input);
                    assertEquals(expected.isPresent(), found.isPresent(), "refused by one of the two");
                    assertArrayEquals(expected.orElse(null), found.orElse(null));
                    filtered += found.isPresent() ? 1 : 0;
                } catch (RuntimeException | AssertionError e) {
                    throw kept(target, input, e);
                }
            }
            assertTrue(device.counters().submits() > 0);
        }
        assertTrue(filtered > 0, "every input was refused");
    }

    private static void run(Class<?> target, byte[] input) throws IOException, ReflectiveOperationException {
        try {
            target.getMethod("fuzzerTestOneInput", byte[].class).invoke(null, (Object) input);
        } catch (InvocationTargetException e) {
            throw kept(target, input, e.getCause());
        }
    }

    private static AssertionError kept(Class<?> target, byte[] input, Throwable why) throws IOException {
        Path kept = Files.createTempFile("fuzz-" + target.getSimpleName() + "-", ".bin");
        Files.write(kept, input);
        return new AssertionError("the input is kept: " + kept, why);
    }

    private static byte[] changed(byte[] input, Random random) {
        byte[] bytes = input.clone();
        for (int i = random.nextInt(8); i >= 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private static List<byte[]> inputs(Class<?> target) throws Exception {
        Path folder = Path.of(FuzzCorpusTest.class.getResource("/fuzz").toURI()).resolve(target.getSimpleName());
        List<byte[]> inputs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        return inputs;
    }
}
