/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs pipelines/setup with fake programs in place of those that it calls. The fakes record their arguments. */
class SetupScriptTest {
    @TempDir
    private Path folder;

    private Path programs;
    private Path calls;
    private Path script;

    @BeforeEach
    void makeMachineThatLacksNothing() throws IOException {
        programs = Files.createDirectories(folder.resolve("bin"));
        calls = folder.resolve("calls");
        script = Files.createDirectories(folder.resolve("copy/pipelines")).resolve("setup");
        Files.copy(Installation.current().root().resolve("pipelines/setup"), script);
        for (String real : List.of("bash", "sed", "readlink", "dirname", "mkdir", "tee", "tail", "env")) {
            Files.createSymbolicLink(programs.resolve(real), find(real));
        }
        for (String tool : List.of("mvn", "gcc", "pkg-config", "gst-launch-1.0", "ffmpeg", "dav1d")) {
            standIn(tool, "exit 9");
        }
        standIn("javac", "echo javac 17.0.1");
        standIn("id", "echo 1000");
        standIn("dpkg-query", "echo -n installed");
        standIn("apt-get", "exit 0");
    }

    @Test
    void whereNothingIsMissingNothingIsInstalledAndNoRootNeeded() throws IOException {
        ChildProcess.Result result = setup("demo");
        assertEquals(0, result.status(), result.output());
        assertTrue(result.output().contains("all packages for 'demo' are installed"), result.output());
        assertFalse(called().contains("apt-get"), called());
    }

    @Test
    void withoutSudoItSaysWhatRootIsToInstall() throws IOException {
        lackPackage("libvulkan1");
        ChildProcess.Result result = setup("demo");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("as root run: apt-get install libvulkan1"), result.output());
        assertFalse(called().contains("apt-get"), called());
    }

    @Test
    void whatIsMissingIsInstalledThroughSudoWithoutRenewingListsThatAreGood() throws IOException {
        lackPackage("libvulkan1");
        standIn("sudo", "exec \"$@\"");
        ChildProcess.Result result = setup("demo");
        assertEquals(0, result.status(), result.output());
        assertEquals(
                1, called().lines().filter(call -> call.startsWith("sudo ")).count(), called());
        assertTrue(called().lines().anyMatch(call -> call.matches("apt-get -q -y .*install .* libvulkan1")), called());
        assertFalse(called().contains(" update"), called());
    }

    @Test
    void listsThatDoNotKnowThePackageAreRenewedFirst() throws IOException {
        lackPackage("libvulkan1");
        standIn("id", "echo 0");
        standIn("apt-get", "[ \"$2\" != -s ]");
        ChildProcess.Result result = setup("demo");
        assertEquals(0, result.status(), result.output());
        List<String> apt = called().lines()
                .filter(call -> call.startsWith("apt-get -q -y"))
                .toList();
        assertEquals(2, apt.size(), called());
        assertTrue(apt.get(0).endsWith(" update") && apt.get(1).endsWith(" libvulkan1"), called());
    }

    @Test
    void aFailingAptEndsTheSetupWithWhatItSaid() throws IOException {
        lackPackage("libvulkan1");
        standIn("id", "echo 0");
        standIn("apt-get", "echo no space left; exit 100");
        ChildProcess.Result result = setup("demo");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("no space left"), result.output());
        assertTrue(result.output().contains("apt could not install: libvulkan1"), result.output());
    }

    @Test
    void theTestsNeedMoreThanTheDemo() throws IOException {
        lackPackage("vulkan-validationlayers");
        assertEquals(0, setup("demo").status());
        ChildProcess.Result result = setup("check");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("apt-get install vulkan-validationlayers"), result.output());
    }

    @Test
    void anOldJdkBesideAnInstalledDefaultIsAnErrorThatNamesIt() throws IOException {
        standIn("javac", "echo javac 11.0.2");
        ChildProcess.Result result = setup("demo");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("needs a JDK 17 or newer, found 11"), result.output());
    }

    private ChildProcess.Result setup(String purpose) {
        Map<String, String> environment =
                Map.of("PATH", programs.toString(), "JAVA_HOME", "", "CALLS", calls.toString());
        return new ChildProcess(List.of(script.toString(), "--packages-only", purpose), environment)
                .run(600)
                .orElseThrow();
    }

    private String called() throws IOException {
        return Files.exists(calls) ? Files.readString(calls) : "";
    }

    private void lackPackage(String name) throws IOException {
        standIn("dpkg-query", "[ \"${*: -1}\" = " + name + " ] || echo -n installed");
    }

    private void standIn(String name, String body) throws IOException {
        Path program = programs.resolve(name);
        Files.deleteIfExists(program);
        Files.writeString(program, "#!" + find("bash") + "\necho \"${0##*/} $*\" >>\"$CALLS\"\n" + body + "\n");
        assertTrue(program.toFile().setExecutable(true));
    }

    private static Path find(String program) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            Path candidate = Path.of(place, program);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new AssertionError("no program " + program + " on the path");
    }
}
