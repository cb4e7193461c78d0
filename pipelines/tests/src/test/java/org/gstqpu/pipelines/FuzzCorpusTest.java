/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.gstqpu.meter.VmafModelFuzz;
import org.gstqpu.pipelines.batch.BatchPlanFuzz;
import org.gstqpu.pipelines.batch.VideoNamesFuzz;
import org.gstqpu.pipelines.measure.Y4mVideoFuzz;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gives what {@code it/fuzz} starts from, and what it once found, to the targets of the command line: the files of {@code
 * src/test/resources/fuzz}, and changes of them.
 */
class FuzzCorpusTest {
    private static final int CHANGES = 300;

    @ParameterizedTest
    @ValueSource(classes = {BatchPlanFuzz.class, VideoNamesFuzz.class, VmafModelFuzz.class, Y4mVideoFuzz.class})
    void noInputDoesHarm(Class<?> target) throws Exception {
        List<byte[]> inputs = new ArrayList<>();
        Path folder = Path.of(FuzzCorpusTest.class.getResource("/fuzz").toURI()).resolve(target.getSimpleName());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        assertFalse(inputs.isEmpty());
        for (int i = 0; i < inputs.size(); i++) {
            run(target, inputs.get(i), "file " + i);
        }
        for (int i = 0; i < CHANGES; i++) {
            Random random = new Random(i);
            byte[] changed = inputs.get(random.nextInt(inputs.size())).clone();
            for (int changes = random.nextInt(8); changes >= 0; changes--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            run(target, changed, "change " + i);
        }
    }

    private static void run(Class<?> target, byte[] input, String name) throws ReflectiveOperationException {
        try {
            target.getMethod("fuzzerTestOneInput", byte[].class).invoke(null, (Object) input);
        } catch (InvocationTargetException e) {
            throw new AssertionError(target.getSimpleName() + ", " + name, e.getCause());
        }
    }
}
