/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.pipelines.batch.BatchCommand;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.TopCommand;
import org.gstqpu.pipelines.play.PlayCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class QpuCommandTest {
    private static final Path VECTORS =
            Installation.current().root().resolve("kernels/tests/src/test/resources/vectors");
    private static final Path DEBLOCK = VECTORS.resolve("h264_picture_real_208x144_qp33_a0_b0_c0.gvp.gz");
    private static final Path CDEF = VECTORS.resolve("av1_cdef_picture_s1B_200x136_b8.gvp.gz");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void verifySaysOneLineAFileAndEndsWithZeroWhenAllIsEqual() {
        assertEquals(0, execute("verify", "--threads", "1", DEBLOCK.toString(), CDEF.toString()), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals(
                List.of(
                        DEBLOCK.getFileName() + "  cpu  CPU, 1 thread  1 record  0 mismatches",
                        CDEF.getFileName() + "  cpu  CPU, 1 thread  1 record  0 mismatches"),
                lines);
        assertEquals("", err.toString());
    }

    @Test
    void verifyRunsAllThatComeWithItWhereNoneIsNamed() throws IOException {
        assertEquals(0, execute("verify"), err::toString);
        try (Stream<Path> files = Files.walk(VECTORS)) {
            assertEquals(
                    files.filter(file -> file.toString().endsWith(".gz"))
                            .sorted()
                            .map(file -> file.getFileName().toString())
                            .toList(),
                    out.toString().lines().map(line -> line.split("  ", 2)[0]).toList());
        }
    }

    @Test
    void verifyEndsWithOneOnAMismatchAndSaysWhereItIs() throws IOException {
        assertEquals(1, execute("verify", withOtherQp().toString(), CDEF.toString()), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size());
        assertFalse(lines.get(0).contains("  0 mismatches"), lines.get(0));
        assertTrue(lines.get(0).contains("; first: "), lines.get(0));
        assertTrue(lines.get(1).contains("  0 mismatches"), lines.get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"transcode", "compare", "batch", "verify"})
    void aNameThatIsNoTextIsRefusedInOneLine(String command) {
        for (String name : List.of("a\nb.mp4", "a\u001bb.mp4", "a\ufffdb.mp4")) {
            err.getBuffer().setLength(0);
            assertEquals(ExitStatus.UNUSABLE_INPUT, execute(command, name, "out.mp4"));
            assertEquals(
                    "qpu " + command + ": " + name.replaceAll("\\p{Cntrl}", "?")
                            + ": the name is not UTF-8, or has control characters: rename it, or move it away"
                            + System.lineSeparator(),
                    err.toString());
        }
    }

    @Test
    void aDeviceThatFailsIsTold() throws Exception {
        CommandLine commandLine = QpuCommand.commandLine().setErr(new PrintWriter(err, true));
        int status = commandLine
                .getExecutionExceptionHandler()
                .handleExecutionException(new DeviceException("it did not\nfinish"), commandLine, null);
        assertEquals(ExitStatus.PROBLEM, status);
        assertEquals("qpu: it did not; finish" + System.lineSeparator(), err.toString());
    }

    @Test
    void aMismatchGoesBeforeAFileThatCannotBeRead() throws IOException {
        Path missing = folder.resolve("missing.gv.gz");
        assertEquals(1, execute("verify", missing.toString(), withOtherQp().toString()));
        assertTrue(err.toString().contains(missing + ": no such file"), err.toString());
    }

    @Test
    void verifyEndsWithTwoOnFilesThatItCannotReadAndStillRunsTheOthers() throws IOException {
        byte[] whole = Files.readAllBytes(DEBLOCK);
        Path truncated = Files.write(folder.resolve("truncated.gvp.gz"), copyOf(whole, whole.length / 2));
        byte[] bytes = whole.clone();
        bytes[bytes.length / 2] ^= 0x55;
        Path damaged = Files.write(folder.resolve("damaged.gvp.gz"), bytes);
        Path text = Files.writeString(folder.resolve("text.gvp.gz"), "not gzip at all");
        Path empty = Files.write(folder.resolve("empty.gvp.gz"), new byte[0]);
        for (Path file : List.of(truncated, damaged, text, empty, folder, folder.resolve("missing.gv.gz"))) {
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            assertEquals(2, execute("verify", file.toString(), CDEF.toString()), file.toString());
            assertEquals(1, err.toString().lines().count(), err.toString());
            assertTrue(err.toString().contains(file.getFileName().toString()), err.toString());
            assertTrue(out.toString().contains("  0 mismatches"), out.toString());
        }
    }

    /** As a runtime that jlink made of some modules is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "java.base; java.desktop",
                "java.desktop; java.logging",
                "java.desktop,java.logging; jdk.management",
                "java.desktop,java.logging,jdk.management; jdk.unsupported"
            })
    void aModuleThatTheJavaRuntimeLacksIsNamed(String modules, String missing) {
        ChildProcess.Result result = qpuWithModules(modules, "--version");
        assertEquals(
                "qpu: this Java runtime lacks the module " + missing
                        + ": use a whole one, such as default-jre-headless, or add java.desktop, java.logging, jdk.management, jdk.unsupported"
                        + " to yours\n",
                result.output());
        assertEquals(ExitStatus.UNAVAILABLE, result.status());
    }

    @Test
    void theModulesThatAreAskedForAreEnough() {
        String needed = String.join(",", TopCommand.MODULES);
        ChildProcess.Result result = qpuWithModules(needed, "verify", CDEF.toString());
        assertEquals(0, result.status(), result.output());
        assertTrue(result.output().contains("  0 mismatches"), result.output());

        ChildProcess.Result all = java("--limit-modules", needed, "--list-modules");
        Set<String> present =
                all.output().lines().map(line -> line.split("@", 2)[0]).collect(Collectors.toSet());
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said, true);
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        List<String> options = new ArrayList<>(List.of("-s", "--multi-release", "17", "--ignore-missing-deps"));
        for (Class<?> each : List.of(QpuCommand.class, BatchCommand.class, PlayCommand.class, TopCommand.class)) {
            options.add(each.getProtectionDomain().getCodeSource().getLocation().getPath());
        }
        assertEquals(0, jdeps.run(to, to, options.toArray(String[]::new)), said::toString);
        List<String> used = said.toString()
                .lines()
                .filter(line -> line.contains(" -> "))
                .map(line -> line.replaceFirst(".* -> ", ""))
                .filter(module -> module.startsWith("java.") || module.startsWith("jdk."))
                .toList();
        assertTrue(used.contains("jdk.management"), said::toString);
        assertTrue(present.containsAll(used), () -> used + " of " + present);
    }

    private static ChildProcess.Result qpuWithModules(String modules, String... arguments) {
        List<String> options = new ArrayList<>(List.of(
                "--limit-modules",
                modules,
                "-Dorg.gstqpu.root=" + Installation.current().root(),
                "-cp",
                System.getProperty("java.class.path"),
                QpuCommand.class.getName()));
        options.addAll(List.of(arguments));
        return java(options.toArray(String[]::new));
    }

    private static ChildProcess.Result java(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        return new ChildProcess(command, Map.of()).run(600).orElseThrow();
    }

    @Test
    void compareEndsWithTwoAndOneLineOnWhatItCannotUse() throws IOException {
        Path text = Files.writeString(folder.resolve("text.mp4"), "no video at all");
        String missing = folder.resolve("missing.mp4").toString();
        List<List<String>> commands = List.of(
                List.of("compare", "--frames", "0", text.toString()),
                List.of("compare", "--seconds", "-1", text.toString()),
                List.of("compare", text.toString(), "--reference", missing, "--reference", missing),
                List.of(
                        "compare",
                        text.toString(),
                        "--output",
                        folder.resolve("none/page.html").toString()),
                List.of("compare"));
        for (List<String> command : commands) {
            err.getBuffer().setLength(0);
            assertEquals(2, execute(command.toArray(new String[0])), command.toString());
            assertEquals(1, err.toString().lines().count(), err.toString());
            assertTrue(err.toString().startsWith("qpu compare: "), err.toString());
        }
    }

    @Test
    void verifyEndsWithTwoOnAKernelThatItDoesNotKnow() throws IOException {
        Path unknown = folder.resolve("unknown.gvp.gz");
        rewrite(DEBLOCK, unknown, "h264_deblock_picture", "h265_deblock_picture");
        assertEquals(2, execute("verify", unknown.toString()));
        assertTrue(err.toString().contains("h265_deblock_picture"), err.toString());
    }

    @Test
    void verifyLeavesOutWhatIsNotNormative() throws IOException {
        Path informative = folder.resolve("informative.gvp.gz");
        rewrite(DEBLOCK, informative, "\"kernel\"", "\"normative\":false,\"kernel\"");
        assertEquals(0, execute("verify", informative.toString(), CDEF.toString()), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals("informative.gvp.gz  not normative, not run", lines.get(0));
        assertTrue(lines.get(1).endsWith("  0 mismatches"), lines.get(1));
    }

    @Test
    void verifyHoldsTheDeviceToAProfile() {
        assertEquals(
                0,
                execute("verify", "--substrate", "qpu", "--profile", "v3d", DEBLOCK.toString(), CDEF.toString()),
                err::toString);
        assertTrue(out.toString().lines().allMatch(line -> line.contains(" as V3D  ")), out.toString());
        assertTrue(out.toString().lines().allMatch(line -> line.endsWith("  0 mismatches")), out.toString());
    }

    @Test
    void tablesNeedNoDevice() {
        Path tables = DEBLOCK.resolveSibling("h264_tables.gv.gz");
        assertEquals(0, execute("verify", "--substrate", "qpu", tables.toString()), err::toString);
        assertEquals(
                "h264_tables.gv.gz  qpu  tables, computed on the CPU on every substrate  52 records  0 mismatches",
                out.toString().strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bogus",
                "verify --substrate gpu x",
                "verify --substrate auto x",
                "verify --device 0 x",
                "verify --profile v3d x",
                "verify --substrate qpu --profile pi x",
                "verify --threads -1 x",
                "verify --threads 100000 x",
                "verify --bogus x",
                "demo --frames 0",
                "demo --frames 251",
                "demo --set nothing"
            })
    void aWrongCommandLineEndsWithTwoAndOneLine(String line) {
        assertEquals(2, execute(line.isEmpty() ? new String[0] : line.split(" ", -1)), err::toString);
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertEquals("", out.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "help nonsense| qpu: Unknown subcommand 'nonsense'; see qpu --help",
                "transcod a b| qpu: no command transcod (did you mean transcode or compare?); see qpu --help",
                "transcode --encodr x a b| qpu transcode: no option --encodr (did you mean --encoder?); see qpu transcode --help",
                "transcode -i a -o b| qpu transcode: no option -i: files stand by themselves, IN before OUT; see qpu transcode --help",
                "transcode a b c| qpu transcode: too many arguments: c; see qpu transcode --help"
            })
    void whatIsMeantIsNamed(String line, String message) {
        assertEquals(2, execute(line.split(" ", -1)));
        assertEquals(message + System.lineSeparator(), err.toString());
    }

    @Test
    void helpOfACommandIsThatOfItsOption() {
        assertEquals(0, execute("help", "transcode"), err::toString);
        String help = out.toString();
        out.getBuffer().setLength(0);
        assertEquals(0, execute("transcode", "--help"), err::toString);
        assertEquals(out.toString(), help);
    }

    @Test
    void everyCommandHasHelpWithItsExitStatusesAndTheVersion() {
        for (String command : List.of("", "doctor", "verify", "demo")) {
            out.getBuffer().setLength(0);
            String[] help = command.isEmpty() ? new String[] {"--help"} : new String[] {command, "--help"};
            assertEquals(0, execute(help), command);
            assertTrue(out.toString().contains("Exit status:"), out.toString());
        }
        out.getBuffer().setLength(0);
        assertEquals(0, execute("--version"));
        assertTrue(out.toString().matches("qpu \\d+\\.\\d+\\.\\d+.*\\R"), out.toString());
    }

    @Test
    void aDeviceThatIsNotThereEndsWithThreeAndOneLine() {
        assertEquals(
                3,
                execute("verify", "--substrate", "qpu", "--device", "no such device", DEBLOCK.toString()),
                out::toString);
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void doctorNamesJavaAndWhatAutoPicksAndWhatItsStatusMeans() {
        int status = execute("doctor");
        String report = out.toString();
        assertEquals(report.contains("MISSING") ? 1 : 0, status, report);
        assertTrue(report.contains("in " + System.getProperty("java.home")), report);
        assertTrue(report.lines().anyMatch(line -> line.matches("ok +auto +picks (CPU|QPU) .*: .+")), report);
        assertTrue(
                report.lines().skip(1).allMatch(line -> line.matches("(ok| ) +.*|(none|MISSING) .*; cure: .+")),
                report);
    }

    /** A valid file, except that its header has another quantiser than that of its result. */
    private Path withOtherQp() throws IOException {
        Path file = folder.resolve("other-qp.gvp.gz");
        rewrite(DEBLOCK, file, "\"qp\":33", "\"qp\":40");
        return file;
    }

    private static void rewrite(Path from, Path to, String old, String replacement) throws IOException {
        byte[] bytes;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(from))) {
            bytes = in.readAllBytes();
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int lineEnd = text.indexOf('\n');
        String header = text.substring(0, lineEnd).replace(old, replacement);
        assertNotEquals(text.substring(0, lineEnd), header, "the header has no " + old);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write((header + text.substring(lineEnd)).getBytes(StandardCharsets.ISO_8859_1));
        }
        Files.write(to, compressed.toByteArray());
    }

    private static byte[] copyOf(byte[] bytes, int length) {
        return Arrays.copyOf(bytes, length);
    }

    private int execute(String... arguments) {
        CommandLine command =
                QpuCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
