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
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of the machine that runs this test, and the table of those that were sent. */
class ReportCommandIT {
    private static final long LIMIT_SECONDS = 300;

    @TempDir
    private Path folder;

    private static ChildProcess.Result report(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Installation.current().root().resolve("pipelines/qpu").toString());
        command.add("report");
        command.addAll(List.of(arguments));
        return new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
    }

    @Test
    void bothFilesSayTheSameAndNothingOfTheOwner() throws IOException {
        Path base = folder.resolve("mine");
        ChildProcess.Result result = report("--output", base.toString());
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String json = Files.readString(Path.of(base + ".json"));
        String text = Files.readString(Path.of(base + ".txt"));
        MachineReport read = new Gson().fromJson(json, MachineReport.class);
        assertEquals(MachineReport.SCHEMA, read.schema());
        assertEquals(text, ReportText.of(read));
        assertEquals(12, read.speeds().size(), text);
        // On a busy machine the golden vectors may take longer than a report has.
        assertTrue(
                read.verified().stream()
                        .allMatch(verified -> verified.isRight()
                                || verified.problem() != null
                                        && verified.problem().startsWith("not done within ")),
                text);
        assertTrue(read.speeds().stream().anyMatch(speed -> speed.framesPerSecond() > 0), text);
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
        ChildProcess.Result result = report("--part", what);
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String json = result.output()
                .lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow();
        return new Gson().fromJson(json, Speed.class);
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
