/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Java application that has the element from its class path alone, without an installed plugin and without variables. */
class QpuPluginIT {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path folder;

    private GstProcess.Result host(String classPath, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("-XX:+IgnoreUnrecognizedVMOptions", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("temporary"))));
        command.addAll(List.of("-cp", classPath));
        command.addAll(Arrays.asList(arguments));
        GstProcess.Result result = new GstProcess(command.toArray(String[]::new))
                .with("GST_PLUGIN_PATH", "")
                .with("GST_REGISTRY", GstProcess.buildDirectory().resolve("register-registry.bin"))
                .with("XDG_CACHE_HOME", folder.resolve("cache"))
                .with("GST_DEBUG", "qpuloopfilter:4")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        return result;
    }

    private String pipeline(String substrate, Path pictures) {
        return "videotestsrc num-buffers=4 pattern=ball ! video/x-raw,format=I420,width=320,height=180 ! qpuloopfilter name=qpu qp=40"
                + " substrate=" + substrate + " ! filesink location=" + pictures;
    }

    @Test
    void pipelinesInParallelRunOnDifferentDevicesAndGiveTheSame() throws IOException {
        Path cpu = folder.resolve("cpu.yuv");
        Path qpu = folder.resolve("qpu.yuv");
        GstProcess.Result result =
                host(CLASS_PATH, RegisteringHost.class.getName(), pipeline("cpu", cpu), pipeline("qpu", qpu));
        assertEquals(
                List.of("ended", "4 pictures on cpu", "4 pictures on qpu"),
                result.output()
                        .lines()
                        .filter(line -> line.equals("ended") || line.contains(" pictures on "))
                        .toList(),
                result::output);
        assertEquals(4L * 320 * 180 * 3 / 2, Files.size(cpu));
        assertArrayEquals(Files.readAllBytes(cpu), Files.readAllBytes(qpu));
        assertEquals(1, unpacked());
    }

    @Test
    void classLoadersOfTheApplicationsOwnMayComeAndGo() throws IOException {
        Path alone = Files.createDirectories(folder.resolve("alone/org/gstqpu/nativeloader"));
        String name = IsolatingHost.class.getSimpleName() + ".class";
        Files.write(
                alone.resolve(name),
                IsolatingHost.class.getResourceAsStream(name).readAllBytes());
        GstProcess.Result result = host(
                folder.resolve("alone").toString(),
                IsolatingHost.class.getName(),
                CLASS_PATH,
                pipeline("cpu", Path.of("/dev/null")));
        assertEquals(
                2, result.output().lines().filter("4 pictures on cpu"::equals).count(), result::output);
        assertTrue(result.output().contains("using the Java side that this process has"), result::output);
    }

    @Test
    void aPluginThatGStreamerHasFoundIsUsed() throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                CLASS_PATH,
                RegisteringHost.class.getName(),
                pipeline("cpu", Path.of("/dev/null")));
        GstProcess.Result result = new GstProcess(command.toArray(String[]::new))
                .with("XDG_CACHE_HOME", folder)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("4 pictures on cpu"), result::output);
        assertEquals(0, unpacked());
    }

    private long unpacked() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith("libgstqpu.so")).count();
        }
    }
}
