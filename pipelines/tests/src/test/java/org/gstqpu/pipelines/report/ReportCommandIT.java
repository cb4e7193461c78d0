/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The report of the machine that runs this test, and the table of those that were sent. */
class ReportCommandIT {
    private static final long LIMIT_SECONDS = 1200;
    private static final Path RESULTS = Installation.current().root().resolve("docs/results");

    @TempDir
    private Path folder;

    private static ChildProcess.Result report(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Installation.current().root().resolve("pipelines/qpu").toString());
        command.add("report");
        command.addAll(List.of(arguments));
        return new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
    }

    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void bothFilesSayTheSameAndNothingOfTheOwner() throws IOException {
        Path base = folder.resolve("mine");
        ChildProcess.Result result = report("--output", base.toString(), "--milliseconds", "100", "--unhurried");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String json = Files.readString(Path.of(base + ".json"));
        String text = Files.readString(Path.of(base + ".txt"));
        MachineReport read = new Gson().fromJson(json, MachineReport.class);
        assertEquals(MachineReport.SCHEMA, read.schema());
        assertEquals(text, ReportText.of(read));
        assertEquals(12, read.speeds().size(), text);
        assertTrue(read.verified().stream().allMatch(verified -> verified.isRight()), text);
        assertTrue(read.speeds().stream().allMatch(speed -> speed.framesPerSecond() > 0), text);
        assertTrue(text.startsWith(read.verdict().get(0)), text);
        for (String own : List.of(
                "/" + System.getProperty("user.name"),
                System.getProperty("user.home"),
                InetAddress.getLocalHost().getHostName(),
                folder.toString())) {
            // A host may be called vm, which is in llvmpipe.
            assertFalse(
                    Pattern.compile("(?<!\\w)" + Pattern.quote(own) + "(?!\\w)")
                            .matcher(json)
                            .find(),
                    own + " is in " + json);
        }
    }

    /** One measurement, as the report starts it: both substrates filter alike, and the device's is its own. */
    @Test
    void bothSubstratesOfAMeasurementFilterAlike() {
        // The last row does not end with a whole word.
        Speed cpu = part("cpu,fast,158x94");
        Speed qpu = part("qpu,fast,158x94");
        Speed other = part("cpu,best,158x94");
        assertEquals(cpu.checksum(), qpu.checksum());
        assertNotEquals(cpu.checksum(), other.checksum());
        assertNotEquals(cpu.device(), qpu.device());
        assertNull(qpu.problem());
        assertTrue(cpu.framesPerSecond() > 0 && cpu.cores() > 0, cpu.toString());
    }

    private static Speed part(String what) {
        ChildProcess.Result result = report("--part", what, "--milliseconds", "300");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String json = result.output()
                .lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow();
        return new Gson().fromJson(json, Speed.class);
    }

    @Test
    void aFolderThatIsNotThereIsToldBeforeTheWork() {
        ChildProcess.Result result =
                report("--output", folder.resolve("nowhere/mine").toString());
        assertEquals(ExitStatus.UNUSABLE_INPUT, result.status(), result.output());
        assertEquals(1, result.output().lines().count(), result.output());
    }

    /** Beside each JSON report is the text that it makes, and the page has the table of all. */
    @Test
    void theTableOfResultsIsThatOfItsReports() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--table"));
        try (Stream<Path> files = Files.list(RESULTS)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".json"))
                    .sorted()
                    .forEach(arguments::add);
        }
        assertTrue(arguments.size() > 1, "there are reports");
        for (String file : arguments.subList(1, arguments.size())) {
            MachineReport read = new Gson().fromJson(Files.readString(Path.of(file)), MachineReport.class);
            assertEquals(ReportText.of(read), Files.readString(Path.of(file.replace(".json", ".txt"))), file);
        }
        ChildProcess.Result result = report(arguments.toArray(String[]::new));
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String page = Files.readString(RESULTS.resolve("README.md"));
        assertTrue(page.contains(result.output()), result.output());
    }

    @Test
    void whatIsNoReportIsRefusedInOneLine() throws IOException {
        Path newer = folder.resolve("newer.json");
        Files.writeString(newer, "{\"schema\": 99}");
        Path broken = folder.resolve("broken.json");
        Files.writeString(broken, "{\"schema\": ");
        for (Path file : List.of(newer, broken)) {
            ChildProcess.Result result = report("--table", file.toString());
            assertEquals(ExitStatus.UNUSABLE_INPUT, result.status(), result.output());
            assertEquals(1, result.output().lines().count(), result.output());
            assertTrue(result.output().contains(file + " is no report of "), result.output());
        }
    }
}
