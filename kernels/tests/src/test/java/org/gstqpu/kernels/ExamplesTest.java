/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.example.FilterBlocks;
import org.example.FilterDmabuf;
import org.example.FilterOnePicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.memory.TestDmabuf;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The programs of src/examples: the first page of the Javadoc and docs/LIBRARY.md show them as they are, and they do what the pages
 * say. They run as a user runs them, in a JVM of their own.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class ExamplesTest {
    private static final Path SOURCES = Path.of("src/examples/java/org/example");
    private static final Path OVERVIEW = Path.of("../filters/src/main/javadoc/overview.html");
    private static final Path LIBRARY_PAGE = Path.of("../../docs/LIBRARY.md");
    private static final int WIDTH = 70;
    private static final int HEIGHT = 52;

    @TempDir
    private Path folder;

    /** Runs a program in a JVM of its own, under the validation layer, with a cache folder of its own. */
    private ChildJvm run(Class<?> program, Object... arguments) throws Exception {
        ChildJvm run = ChildJvm.run(
                List.of(),
                Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()),
                List.of(
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dorg.gstqpu.validation=true"),
                program,
                Arrays.stream(arguments).map(Object::toString).toList());
        assertFalse(run.output().contains("Vulkan validation:"), run.output());
        return run;
    }

    private static SamplePicture samples() {
        return SamplePicture.random(new Random(15), 8, PixelFormat.Chroma.HALF_BOTH, WIDTH, HEIGHT);
    }

    /** What the programs make of {@link #samples}, in the specifications' own words. */
    private static SamplePicture expected() {
        SamplePicture deblocked = ReferenceDeblock.apply(samples(), H264DeblockParameters.intra(34, 0, 0, 0, 0, false));
        return ReferenceCdef.apply(deblocked, CdefParameters.uniform(5, new CdefStrength(4, 2, 2, 1)));
    }

    private static byte[] bytes(SamplePicture samples, PictureLayout layout) {
        try (MappedPicture picture = new MappedPicture(layout, new Random(1))) {
            picture.write(samples);
            return picture.picture();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Substrate.class,
            names = {"CPU", "QPU", "AUTO"})
    void aPictureIsFilteredAsTheSpecificationsSay(Substrate substrate) throws Exception {
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, WIDTH, HEIGHT, 1);
        Path source = Files.write(folder.resolve("source.nv12"), bytes(samples(), layout));
        Path result = folder.resolve("result.nv12");
        ChildJvm run = run(FilterOnePicture.class, WIDTH, HEIGHT, source, result, substrate);
        assertEquals(0, run.exitValue(), run.output());
        assertFalse(Arrays.equals(Files.readAllBytes(source), Files.readAllBytes(result)));
        assertArrayEquals(bytes(expected(), layout), Files.readAllBytes(result));
        String words =
                substrate == Substrate.CPU ? "the CPU was asked for" : substrate == Substrate.AUTO ? "auto: " : "";
        assertTrue(run.output().contains(": " + words), run.output());
        assertEquals(1, run.output().lines().count(), run.output());
    }

    @Test
    void aFileThatIsTooShortIsNamed() throws Exception {
        Path source = Files.write(folder.resolve("short.nv12"), new byte[100]);
        Path result = folder.resolve("result.nv12");
        ChildJvm run = run(FilterOnePicture.class, WIDTH, HEIGHT, source, result, Substrate.CPU);
        assertEquals(1, run.exitValue(), run.output());
        assertEquals(
                source + " is shorter than a picture of " + WIDTH * HEIGHT * 3 / 2 + " bytes",
                run.output().strip());
        assertFalse(Files.exists(result));
    }

    @Test
    void aDmabufIsFilteredAsTheSpecificationsSay() throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        try (FilterContext context = Substrates.open(SubstrateRequest.of(Substrate.QPU))) {
            assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
        }
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, WIDTH, HEIGHT, 64);
        byte[] source = bytes(samples(), layout);
        long messages = ValidationMessages.count();
        // A page more than the picture, for what a device reads past the end.
        int sizeBytes = (source.length + 2 * 4096 - 1) & -4096;
        try (TestDmabuf from = TestDmabuf.of(sizeBytes);
                TestDmabuf to = TestDmabuf.of(sizeBytes)) {
            from.write(source);
            // In this process, which has the descriptors.
            FilterDmabuf.main(new String[] {"" + WIDTH, "" + HEIGHT, "" + from.descriptor(), "" + to.descriptor()});
            byte[] found = to.bytes();
            byte[] wanted = bytes(expected(), layout);
            for (int plane = 0; plane < 2; plane++) {
                for (int row = 0; row < layout.rows(plane); row++) {
                    int at = Math.toIntExact(layout.offsetBytes(plane, row, 0));
                    int end = at + layout.rowBytes(plane);
                    assertArrayEquals(Arrays.copyOfRange(wanted, at, end), Arrays.copyOfRange(found, at, end));
                }
            }
        }
        assertEquals(messages, ValidationMessages.count());
    }

    @ParameterizedTest
    @EnumSource(
            value = Substrate.class,
            names = {"CPU", "QPU"})
    void whatIsNoDmabufIsRefusedWithTheReason(Substrate substrate) throws Exception {
        // Descriptors 0 and 1 are pipes.
        ChildJvm run = run(FilterDmabuf.class, WIDTH, HEIGHT, 0, 1, substrate);
        assertEquals(3, run.exitValue(), run.output());
        String refusal = substrate == Substrate.CPU
                ? "refused by check DEVICE: the CPU works on mapped memory[^\n]*\n"
                : "refused by check (DEVICE|DESCRIPTOR): [^\n]+\n";
        assertTrue(run.output().matches(refusal), run.output());
    }

    @ParameterizedTest
    @EnumSource(Substrate.class)
    void blocksAreAdded(Substrate substrate) throws Exception {
        ChildJvm run = run(FilterBlocks.class, substrate);
        assertEquals(0, run.exitValue(), run.output());
        List<String> lines = run.output().lines().toList();
        assertEquals(2, lines.size(), run.output());
        assertEquals("All samples add up to 640", lines.get(0));
        String prefix = substrate == Substrate.AUTO ? "(CPU|QPU), and why: auto: .+" : substrate + ", and why: .+";
        assertTrue(lines.get(1).matches(prefix), run.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"FilterOnePicture", "FilterDmabuf", "FilterBlocks"})
    void thePagesShowTheProgram(String name) throws Exception {
        String source = Files.readString(SOURCES.resolve(name + ".java"));
        String program = source.substring(source.indexOf("package org.example;"));
        assertTrue(
                Files.readString(OVERVIEW).contains("<pre id=\"" + name + "\">" + html(program) + "</pre>"),
                () -> OVERVIEW + " does not show " + name + ".java as it is");
        assertTrue(
                Files.readString(LIBRARY_PAGE).contains("```java\n" + program + "```\n"),
                () -> LIBRARY_PAGE + " does not show " + name + ".java as it is");
    }

    private static String html(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** The dependency that a user writes is the filters' module as the build calls it; LWJGL and its natives come with the runtime. */
    @Test
    void thePagesShowTheDependency() throws Exception {
        String pom = Files.readString(Path.of("../filters/pom.xml"));
        String parent = pom.substring(pom.indexOf("<parent>"), pom.indexOf("</parent>"));
        String dependency = String.join(
                "\n",
                "<dependency>",
                "  <groupId>" + first("<groupId>([^<]+)", parent) + "</groupId>",
                "  <artifactId>" + first("</parent>\\s*<artifactId>([^<]+)", pom) + "</artifactId>",
                "  <version>" + first("<version>([^<]+)", parent) + "</version>",
                "</dependency>",
                "");
        assertTrue(Files.readString(OVERVIEW).contains("<pre>" + html(dependency) + "</pre>"), dependency);
        assertTrue(Files.readString(LIBRARY_PAGE).contains("```xml\n" + dependency + "```\n"), dependency);
        String runtime = Files.readString(Path.of("../runtime/pom.xml"));
        for (String machine : List.of("natives-linux", "natives-linux-arm64")) {
            assertTrue(
                    runtime.matches("(?s).*<classifier>" + machine + "</classifier>\\s*<scope>runtime</scope>.*"),
                    machine);
        }
    }

    private static String first(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), pattern);
        return matcher.group(1);
    }

    /** A reader can paste each Java block of the pages into a file: the block begins with its package or its imports. */
    @Test
    void javaOnThePagesHasItsImports() throws Exception {
        List<Path> pages = new ArrayList<>(List.of(Path.of("../../README.md")));
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("../../docs"), "*.md")) {
            all.forEach(pages::add);
        }
        int blocks = 0;
        for (Path page : pages) {
            Matcher java = Pattern.compile("(?s)```java\n(.*?)```").matcher(Files.readString(page));
            for (; java.find(); blocks++) {
                String block = java.group(1);
                assertTrue(block.startsWith("import ") || block.startsWith("package "), page + ":\n" + block);
            }
        }
        assertTrue(blocks >= 3, () -> pages + " have no Java");
    }
}
