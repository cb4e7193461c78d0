/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9InterpolationFilter;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.internal.vulkan.block.BlockExchange;
import org.gstqpu.kernels.internal.vulkan.block.BlockWork;
import org.gstqpu.kernels.internal.vulkan.block.MotionWeights;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels for programs in C: their headers, and the example program on golden pictures, without a JVM of its own. */
class KernelPackTest {
    private static final Path PACK = Path.of("../pack");
    private static final String SHADERS = "target/classes/org/gstqpu/kernels/spir-v";
    private static final int LIMIT_SECONDS = 600;

    /** What the layouts of Java and the header of C have in common: a structure, a member or its whole size, and a number. */
    private static final Pattern LAYOUT =
            Pattern.compile("QPU_LAYOUT\\((?:offsetof\\(Qpu(\\w+), (\\w+)\\)|sizeof\\(Qpu(\\w+)\\)) == (\\d+)\\);");

    private static final Pattern CONSTANTS = Pattern.compile(
            "typedef struct Qpu(\\w+Constants) \\{\\n(.*?)\\} .*?\\n#define \\w+ \\{(.*?)}", Pattern.DOTALL);

    private record Outcome(int status, String output) {}

    @TempDir
    private static Path folder;

    private static Path example;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        assumeTrue(exists("gcc", "--version"), "gcc is missing: apt install gcc libc6-dev");
        assumeTrue(
                exists("gcc", "-fsyntax-only", "-include", "vulkan/vulkan.h", "-xc", "/dev/null"),
                "Vulkan's headers are missing: apt install libvulkan-dev");
        example = compile(PACK.resolve("qpu-kernels-example.c"), "-lvulkan");
    }

    private static boolean exists(String... command) throws InterruptedException {
        try {
            return run(command).status() == 0;
        } catch (IOException e) {
            // There is no such program.
            return false;
        }
    }

    private static Path compile(Path source, String... more) throws IOException, InterruptedException {
        Path program = folder.resolve(source.getFileName().toString().replace(".c", ""));
        List<String> command = new ArrayList<>(
                List.of("gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-I" + PACK, source.toString()));
        for (String module : List.of("filters", "blocks")) {
            command.add("-I../" + module + "/target/generated-sources/c");
        }
        command.addAll(List.of("-o", program.toString()));
        command.addAll(List.of(more));
        Outcome outcome = run(command.toArray(String[]::new));
        assertEquals(new Outcome(0, ""), outcome);
        return program;
    }

    private static Outcome run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (Boolean.getBoolean("org.gstqpu.validation")) {
            builder.environment().put("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(List.of(command) + " did not end");
        }
        return new Outcome(process.exitValue(), output);
    }

    /** A golden picture as the example reads it. */
    private static Path unpacked(String name) throws IOException {
        Path file = folder.resolve(name.replaceFirst(".*/", "") + ".gvp");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(TestVectors.named(name + ".gvp.gz")))) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    private static Outcome runExample(Path kernels, Path h264, Path av1) throws IOException, InterruptedException {
        return run(example.toString(), kernels.toString(), h264.toString(), av1.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "operations/h264i_p1_f1, av1i_328x200_b8_cq50_s6_f1",
        "operations/h264i_p2_f1, av1m_320x240_b8_cq40_s4_f0",
    })
    void theExampleMakesGoldenPictures(String h264, String av1) throws IOException, InterruptedException {
        Outcome outcome = runExample(Path.of("../filters", SHADERS), unpacked(h264), unpacked(av1));
        assertEquals(0, outcome.status(), outcome::output);
        // Whatever the validation layer says is another line.
        List<String> lines = outcome.output().lines().toList();
        assertEquals(3, lines.size(), outcome::output);
        assertTrue(lines.get(0).startsWith("device "), outcome::output);
        assertTrue(lines.get(1).matches("H.264 deblocking, .*: 320x240, 0 samples differ"), outcome::output);
        assertTrue(lines.get(2).matches("AV1 CDEF, .*: 32[08]x2[04]0, 0 samples differ"), outcome::output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"differs", "cut off", "packed", "another kernel", "another shader", "no shader"})
    void theExampleSaysInALineWhatIsWrong(String what) throws IOException, InterruptedException {
        Path h264 = unpacked("operations/h264i_p1_f1");
        Path av1 = unpacked("av1i_328x200_b8_cq50_s6_f1");
        Path kernels = Files.createDirectories(folder.resolve(what));
        for (String shader : List.of("h264/deblock", "cdef/direction", "cdef/filter", "cdef/filter_plain")) {
            Path file = kernels.resolve(shader + ".spv");
            Files.createDirectories(file.getParent());
            Files.write(file, Files.readAllBytes(Path.of("../filters", SHADERS, shader + ".spv")));
        }
        byte[] bytes = Files.readAllBytes(av1);
        Path shader = kernels.resolve("cdef/direction.spv");
        String said = switch (what) {
            case "differs" -> {
                // The last sample of Cr as the decoder has it; 1025 bytes and 24 of maps follow.
                bytes[bytes.length - 1025 - 24 - 1] ^= 1;
                Files.write(av1, bytes);
                yield "AV1 CDEF, .*: 328x200, 1 samples differ";
            }
            case "cut off" -> {
                Files.write(av1, Arrays.copyOf(bytes, bytes.length / 2));
                yield "qpu-kernels-example: .* is cut off";
            }
            case "packed" -> {
                Files.copy(TestVectors.named("av1i_328x200_b8_cq50_s6_f1.gvp.gz"), kernels.resolve("av1"));
                av1 = kernels.resolve("av1");
                yield "qpu-kernels-example: .* has no header; is it still packed\\? Try gunzip";
            }
            case "another kernel" -> {
                av1 = h264;
                yield "qpu-kernels-example: .* is no picture of \"av1_cdef_picture\"";
            }
            case "another shader" -> {
                byte[] spirv = Files.readAllBytes(shader);
                spirv[spirv.length - 1] ^= 1;
                Files.write(shader, spirv);
                yield "qpu-kernels-example: .* is not of the version of qpu-kernels.h, .*";
            }
            case "no shader" -> {
                Files.delete(shader);
                yield "qpu-kernels-example: .*direction.spv cannot be opened";
            }
            default -> throw new IllegalStateException(what);
        };
        Outcome outcome = runExample(kernels, h264, av1);
        assertEquals(1, outcome.status(), outcome::output);
        List<String> wrong = outcome.output()
                .lines()
                .filter(line -> !line.startsWith("device ") && !line.endsWith(" 0 samples differ"))
                .toList();
        assertEquals(1, wrong.size(), outcome::output);
        assertTrue(wrong.get(0).matches(said), outcome::output);
    }

    @Test
    void headersHaveTheLayoutsOfJava() throws IOException, ReflectiveOperationException {
        int found = 0;
        for (String module : List.of("filters", "blocks")) {
            String header = header(module);
            String layouts =
                    "org.gstqpu.kernels.internal.vulkan." + (module.equals("blocks") ? "block." : "") + "layout.";
            for (MatchResult line : LAYOUT.matcher(header).results().toList()) {
                boolean whole = line.group(1) == null;
                Class<?> layout = Class.forName(layouts + line.group(whole ? 3 : 1));
                String name = whole
                        ? "BYTES"
                        : line.group(2).replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
                assertEquals(layout.getField(name).getInt(null), Integer.parseInt(line.group(4)), line::group);
                found++;
            }
            for (MatchResult structure : CONSTANTS.matcher(header).results().toList()) {
                Object constants = Class.forName(layouts + structure.group(1))
                        .getConstructor()
                        .newInstance();
                List<String> words = ((List<?>)
                                constants.getClass().getMethod("words").invoke(constants))
                        .stream().map(String::valueOf).toList();
                assertEquals(words, List.of(structure.group(3).split(", ", -1)), structure.group(1));
                // Each name stands at its number: setting it changes that word.
                String[] names = structure
                        .group(2)
                        .replaceAll("\\s*uint32_t |;\\s*$", "")
                        .split(";", -1);
                assertEquals(words.size(), names.length, structure.group(1));
                for (int number = 0; number < names.length; number++) {
                    assertSets(constants, names[number], number);
                    found++;
                }
            }
        }
        assertTrue(found > 200, "only " + found + " found");
    }

    private static void assertSets(Object constants, String name, int number) throws ReflectiveOperationException {
        if (name.startsWith("unused")) {
            return;
        }
        Class<?> type = constants.getClass().getDeclaredField(name).getType();
        Object fresh = constants.getClass().getConstructor().newInstance();
        List<?> before = (List<?>) fresh.getClass().getMethod("words").invoke(fresh);
        Object other = type == boolean.class ? (Object) before.get(number).equals(0) : (Object) 77;
        fresh.getClass().getMethod(name, type).invoke(fresh, other);
        List<?> after = (List<?>) fresh.getClass().getMethod("words").invoke(fresh);
        for (int word = 0; word < after.size(); word++) {
            assertEquals(word != number, before.get(word).equals(after.get(word)), name + " and word " + word);
        }
    }

    private static String header(String module) throws IOException {
        return Files.readString(Path.of("../" + module + "/target/generated-sources/c/qpu-" + module + ".h"));
    }

    /** A device as C and as Java describe it. */
    private record Described(String c, BlockExchange exchange, boolean votes, int rows) {}

    private static final List<Described> DESCRIBED = List.of(
            new Described("1, 1, 32, 1, 1", new BlockExchange(true, 0), true, 1),
            new Described("1, 0, 16, 1, 0", new BlockExchange(false, 0), true, 8),
            new Described("0, 0, 8, 1, 1", new BlockExchange(true, 8), true, 1),
            new Described("0, 0, 4, 0, 0", new BlockExchange(false, 4), false, 1),
            new Described("1, 0, 64, 0, 1", new BlockExchange(false, 0), false, 1));

    @Test
    void callsByTheBlockAreThoseOfJava() throws IOException, InterruptedException {
        Path source = folder.resolve("calls.c");
        StringBuilder devices = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        try (CpuBlockContext blocks = new CpuBlockContext(1, "test");
                KernelBuffer records = blocks.newBuffer(1 << 16);
                KernelBuffer from = blocks.newBuffer(40000);
                KernelBuffer to = blocks.newBuffer(50000);
                KernelBuffer weights = blocks.newBuffer(50000)) {
            for (Described device : DESCRIBED) {
                devices.append("{ ").append(device.c).append(" }, ");
                BlockExchange exchange = device.exchange;
                for (int depth : List.of(8, 10)) {
                    append(expected, BlockWork.of(new CdefDirection(records, 1000, from, 100, depth, to)), 1000);
                    for (int size : List.of(8, 4)) {
                        boolean adjusted = size == 8;
                        for (Optional<KernelBuffer> searched :
                                List.of(Optional.<KernelBuffer>empty(), Optional.of(to))) {
                            CdefFilter call = new CdefFilter(
                                    records,
                                    700,
                                    from,
                                    100,
                                    to,
                                    120,
                                    size,
                                    depth,
                                    searched,
                                    adjusted && searched.isPresent());
                            append(expected, BlockWork.of(call, device.votes, device.rows), 700);
                        }
                    }
                }
                append(expected, BlockWork.of(new H264Edge(records, 900, from, 100, false), exchange), 900);
                append(expected, BlockWork.of(new H264Edge(records, 900, from, 100, true), exchange), 900);
                append(expected, BlockWork.of(new Vp9LoopFilter(records, 900, from, 100), exchange), 900);
                append(expected, BlockWork.of(new Vp9IdctAdd(to, records, 300, from, 100), exchange), 300);
                append(
                        expected,
                        BlockWork.of(new Vp9MotionCompensation(records, 300, from, 100, to, 120), exchange),
                        300);
                append(expected, BlockWork.of(new Shrinkage(from, records, 300, to, weights), exchange), 300);
            }
        }
        for (Vp9InterpolationFilter filter : Vp9InterpolationFilter.values()) {
            for (int i = 0; i < Vp9InterpolationFilter.PHASES * Vp9InterpolationFilter.TAPS; i++) {
                int weight = filter.tap(i / Vp9InterpolationFilter.TAPS, i % Vp9InterpolationFilter.TAPS);
                expected.append(MotionWeights.f16Of128ths(weight) & 0xffff).append(' ');
            }
        }
        Files.writeString(source, """
            #include <stdio.h>
            #include "qpu-block-calls.h"
            static int print (void *data, const QpuStep *step)
            {
              (void) data;
              printf ("%s |", step->kernel);
              for (uint32_t i = 0; i < step->constants_bytes / 4; i++)
                printf (" %u", ((const uint32_t *) step->constants)[i]);
              printf (" |");
              for (uint32_t i = 0; i < step->push_bytes / 4; i++)
                printf (" %u", ((const uint32_t *) step->push)[i]);
              printf (" | %u %u %u %d\\n", step->groups_x, step->groups_y, step->groups_z, step->after_barrier);
              return 0;
            }
            int main (void)
            {
              static const QpuDevice devices[] = { DEVICES };
              const QpuBlockBuffer from = { 100, 40000 }, to = { 120, 50000 };
              uint16_t weights[QPU_VP9_WEIGHTS_BYTES / 2];
              for (uint32_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
                const QpuDevice *d = &devices[i];
                for (uint32_t bytes = 1; bytes <= 2; bytes++) {
                  qpu_cdef_block_directions (d, 1000, bytes, &from, print, NULL);
                  for (uint32_t size = 8; size >= 4; size -= 4)
                    for (int searched = 0; searched < 2; searched++)
                      qpu_cdef_block_filter (d, 700, bytes, size, searched, searched && size == 8, &from, &to, print, NULL);
                }
                qpu_h264_edges (d, 900, 0, &from, print, NULL);
                qpu_h264_edges (d, 900, 1, &from, print, NULL);
                qpu_vp9_edges (d, 900, &from, print, NULL);
                qpu_vp9_idct8x8 (d, 300, &from, print, NULL);
                qpu_vp9_motion (d, 300, &from, &to, print, NULL);
                qpu_shrinkage_blocks (d, 300, print, NULL);
              }
              qpu_vp9_weights (weights);
              for (uint32_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
                printf ("%u ", weights[i]);
            }
            """.replace("DEVICES", devices));
        assertEquals(new Outcome(0, expected.toString()), run(compile(source).toString()));
    }

    private static void append(StringBuilder expected, BlockWork work, int most) {
        expected.append(work.kernel().path()).append(" |");
        work.constants().forEach(word -> expected.append(' ').append(Integer.toUnsignedString(word)));
        expected.append(" |");
        work.push().words().forEach(word -> expected.append(' ').append(Integer.toUnsignedString(word)));
        int groups = (most + work.recordsPerGroup() - 1) / work.recordsPerGroup();
        expected.append(" | ").append(groups).append(" 1 1 1\n");
    }

    @Test
    void theMapsAreThoseOfJava() throws IOException, InterruptedException {
        Path source = folder.resolve("values.c");
        Files.writeString(source, """
            #include <stdio.h>
            #include "qpu-kernels.h"
            int main (void)
            {
              QpuPicture p = { .width = 90, .height = 50, .planes = 3, .sub_width = 2, .sub_height = 2, .sample_bytes = 1 };
              uint32_t edge[2];
              printf ("%d %d %d %u %zu %zu\\n", QPU_BINDINGS, QPU_EDGE_MAP_MACROBLOCK_WORDS, QPU_EDGE_MAP_EDGE_WORDS,
                  QPU_EDGE_STRONG, qpu_edge_map_bytes (&p), qpu_block_map_bytes (&p));
              for (uint32_t component = 0; component < 3; component++)
                for (int horizontal = 0; horizontal < 2; horizontal++)
                  for (uint32_t i = 0; i < (component ? 2 : 4); i++)
                    {
                      uint32_t size = component ? 8 : 16, across = 2 * size + 4 * i, along = size;
                      printf ("%zu ", qpu_edge_at (&p, component, horizontal, horizontal ? along : across,
                          horizontal ? across : along));
                    }
              qpu_set_edge (edge, 200, 15, 0, (const int8_t[]){ -1, 3, 0, 25 });
              printf ("\\n%u %u ", edge[0], edge[1]);
              qpu_set_edge (edge, 255, 18, 1, (const int8_t[]){ 0, 0, 0, 0 });
              printf ("%u %u\\n", edge[0], edge[1]);
            }
            """);
        H264EdgeMap map = new H264EdgeMap(PixelFormat.I420, 90, 50);
        StringBuilder expected = new StringBuilder();
        expected.append("%d %d %d %d %d %d\n"
                .formatted(
                        KernelPipelines.BINDINGS,
                        H264EdgeMap.MACROBLOCK_INTS,
                        H264EdgeMap.EDGE_INTS,
                        H264EdgeMap.STRONG,
                        4 * map.words().length,
                        4 * 12 * 7));
        for (int component = 0; component < 3; component++) {
            for (EdgeDirection direction : List.of(EdgeDirection.VERTICAL, EdgeDirection.HORIZONTAL)) {
                for (int edge = 0; edge < (component == 0 ? 4 : 2); edge++) {
                    int macroblock = direction == EdgeDirection.VERTICAL ? map.at(2, 1) : map.at(1, 2);
                    expected.append(macroblock + map.edgeAt(component, direction, edge))
                            .append(' ');
                }
            }
        }
        map.add(0, EdgeDirection.VERTICAL, 4, 0, false, 200, 15, -1, 3, 0, 25);
        map.add(0, EdgeDirection.VERTICAL, 16, 0, true, 255, 18, 0, 0, 0, 0);
        int weak = map.at(0, 0) + map.edgeAt(0, EdgeDirection.VERTICAL, 1);
        int strong = map.at(1, 0) + map.edgeAt(0, EdgeDirection.VERTICAL, 0);
        int[] words = map.words();
        expected.append("\n%d %d %d %d\n".formatted(words[weak], words[weak + 1], words[strong], words[strong + 1]));
        assertEquals(new Outcome(0, expected.toString()), run(compile(source).toString()));
    }

    /** Random edges of all planes, in an order of which much depends. */
    @Test
    void runsOfEdgesAreTheLevelsOfJava() throws IOException, InterruptedException {
        Random random = new Random(41);
        StringBuilder edges = new StringBuilder();
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 96, 64, 64);
        List<String> expected = new ArrayList<>();
        try (CpuBlockContext context = new CpuBlockContext(1, "test");
                EdgeSchedule schedule = new EdgeSchedule(context, EdgeSchedule.Codec.H264, layout, 400)) {
            for (int i = 0; i < 400; i++) {
                int plane = random.nextInt(3);
                boolean horizontal = random.nextBoolean();
                EdgeDirection direction = horizontal ? EdgeDirection.HORIZONTAL : EdgeDirection.VERTICAL;
                int length = plane == 0 ? 16 : 8;
                int columns = layout.rowBytes(plane);
                int rows = layout.rows(plane);
                int x = horizontal
                        ? length * random.nextInt(columns / length)
                        : 4 + 4 * random.nextInt(columns / 4 - 1);
                int y = horizontal ? 4 + 4 * random.nextInt(rows / 4 - 1) : length * random.nextInt(rows / length);
                schedule.addH264(plane, direction, 40, 10, 1, 1, 1, 1, x, y);
                long offset = layout.offsetBytes(plane) + (long) y * layout.strideBytes(plane) + x;
                edges.append("{ %d, %d, %d, %d, %d, %d, %d },\n"
                        .formatted(plane, horizontal ? 1 : 0, x, y, plane > 0 && horizontal ? 2 : 4, length, offset));
            }
            schedule.arrange();
            assertTrue(schedule.levels() > 10);
            for (int level = 0; level < schedule.levels(); level++) {
                for (int i = schedule.levelStart(level); i < schedule.levelStart(level + 1); i++) {
                    expected.add(
                            level + " " + memGetInt(schedule.records().address() + (long) i * H264Edge.RECORD_BYTES));
                }
            }
        }
        Path source = folder.resolve("runs.c");
        Files.writeString(source, """
            #include <stdio.h>
            #include "qpu-kernels.h"
            #include "qpu-block-calls.h"
            static const uint32_t edges[][7] = {
            %s};
            int main (void)
            {
              static uint32_t runs[3][24 * 16];
              for (uint32_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
                const uint32_t *e = edges[i];
                printf ("%%u %%u\\n", qpu_edge_run (runs[e[0]], e[0] ? 12 : 24, e[1], e[2], e[3], e[4], e[5]), e[6]);
              }
            }
            """.formatted(edges));
        Outcome found = run(compile(source).toString());
        assertEquals(0, found.status());
        assertEquals(
                expected.stream().sorted().toList(),
                found.output().lines().sorted().toList());
    }
}
