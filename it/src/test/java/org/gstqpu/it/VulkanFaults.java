/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The Vulkan layer of module kernels that makes calls fail, built for one test, and environments in which processes have it. Immutable.
 *
 * @param folder holds the layer, its manifest, and the cache of the processes
 */
record VulkanFaults(Path folder) {
    private static final String NAME = "VK_LAYER_GSTQPU_faults";

    /** Bytes before the content of a cache file: a mark, then the CRC-32 of the content. */
    private static final int CACHE_PREFIX = 8;

    /** The race whose result decides what {@code substrate=auto} takes. */
    private static final String RACE = "all filters on 640x360 NV12";

    /** What {@link #in} makes: the layer and its manifest. They may be copied to another folder together. */
    static final List<String> FILES = List.of("libfaultlayer.so", "faultlayer.json");

    private static final List<String> SOURCES = List.of("faultlayer.c", "faultcalls.h");

    /** Builds the layer, unless an up-to-date one is there. */
    static VulkanFaults in(Path folder) throws IOException {
        VulkanFaults faults = new VulkanFaults(folder);
        if (faults.isUpToDate()) {
            return faults;
        }
        Processes.run(
                        List.of(
                                "gcc",
                                "-std=c11",
                                "-O2",
                                "-fPIC",
                                "-fvisibility=hidden",
                                "-shared",
                                "-o",
                                faults.library().toString(),
                                source(SOURCES.get(0)).toString()),
                        Processes.plainEnvironment(),
                        Path.of("/dev/null"),
                        Duration.ofMinutes(1))
                .requireSuccess();
        Files.writeString(folder.resolve(FILES.get(1)), """
                {
                    "file_format_version": "1.1.2",
                    "layer": {
                        "name": "%s",
                        "type": "GLOBAL",
                        "library_path": "./libfaultlayer.so",
                        "api_version": "1.3.0",
                        "implementation_version": "1",
                        "description": "Makes calls fail that a test names"
                    }
                }
                """.formatted(NAME), StandardCharsets.UTF_8);
        return faults;
    }

    private boolean isUpToDate() throws IOException {
        for (String source : SOURCES) {
            if (!Files.isRegularFile(library())
                    || Files.getLastModifiedTime(source(source)).compareTo(Files.getLastModifiedTime(library())) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static Path source(String name) {
        return BuildTree.root().resolve("kernels/tests/src/test/c").resolve(name);
    }

    Path library() {
        return folder.resolve(FILES.get(0));
    }

    private Path cache() {
        return folder.resolve("cache");
    }

    /** The standard environment with the layer. */
    GstEnvironment layered() {
        return GstEnvironment.standard()
                .with("VK_ADD_LAYER_PATH", folder.toString())
                .with("VK_INSTANCE_LAYERS", NAME);
    }

    /**
     * As {@link #layered}; the layer lets drivers on the CPU pass for GPUs, and the cache is this test's own. A GPU's patience would be
     * over while such a driver compiles on a busy machine, and the process would end under its threads.
     */
    GstEnvironment environment() {
        return layered()
                .with("GSTQPU_FAULTS_PASS_FOR_GPU", "1")
                .with("GST_QPU_JVM_OPTIONS", "-Dorg.gstqpu.patience=600")
                .with("XDG_CACHE_HOME", cache().toString())
                // The driver's own, which no test changes: else it would compile its shaders anew for each test.
                .with(
                        "MESA_SHADER_CACHE_DIR",
                        BuildTree.workFolder().resolve("shaders").toString());
    }

    /**
     * Changes the result of the race between the CPU and the device, which the cache of an earlier process holds: the device wins, so
     * that {@code substrate=auto} takes it.
     */
    void letTheDeviceWin() throws IOException {
        // On a busy machine the device may have been too slow, and the file have no line of the race.
        rewriteRecord(
                "calibration-",
                text -> text.replaceAll("(?m)^" + RACE + "\t.*\n", "") + RACE + "\t1\t900000000\t1000000\n");
    }

    /**
     * Changes what temporal fusion takes of the last pictures of an earlier process, which the cache holds.
     *
     * @param times nanoseconds of a picture without fusion; a tab; nanoseconds with it, separated by commas
     */
    void letFusionTake(String times) throws IOException {
        rewriteRecord("temporal-", text -> text.replaceAll("\t\\d+\t[0-9,]*\n$", "\t" + times + "\n"));
    }

    private void rewriteRecord(String kind, UnaryOperator<String> change) throws IOException {
        List<Path> records;
        try (Stream<Path> files = Files.list(cache().resolve("gst-qpu"))) {
            records = files.filter(file -> String.valueOf(file.getFileName()).startsWith(kind))
                    .toList();
        }
        assertEquals(1, records.size(), records.toString());
        byte[] old = Files.readAllBytes(records.get(0));
        String text = new String(old, CACHE_PREFIX, old.length - CACHE_PREFIX, StandardCharsets.UTF_8);
        String forged = change.apply(text);
        assertNotEquals(text, forged);
        byte[] content = forged.getBytes(StandardCharsets.UTF_8);
        CRC32 sum = new CRC32();
        sum.update(content);
        ByteBuffer all = ByteBuffer.allocate(CACHE_PREFIX + content.length).order(ByteOrder.LITTLE_ENDIAN);
        all.put(old, 0, Integer.BYTES).putInt((int) sum.getValue()).put(content);
        Files.write(records.get(0), all.array());
    }
}
