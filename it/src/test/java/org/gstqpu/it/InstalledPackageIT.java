/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Debian package on machines that never had gst-qpu: installed, used, upgraded and removed. */
@Execution(ExecutionMode.CONCURRENT)
final class InstalledPackageIT {
    private static final String OLD_VERSION = "0.0.1-1";
    private static final String VECTORS = "/usr/share/gst-qpu/vectors/";

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedMachines MACHINES = new SharedMachines();

    private static Path current;
    private static Path old;

    @BeforeAll
    static void makeThePackageBefore() throws IOException {
        try (Stream<Path> files = Files.list(BuildTree.root().resolve("pipelines/target/packages"))) {
            current = files.filter(file -> file.toString().endsWith("_" + architecture() + ".deb"))
                    .findFirst()
                    .orElseThrow();
        }
        old = makeOld();
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }

    /** A package of a lower version, with a file that the current package no longer has. */
    private static Path makeOld() throws IOException {
        Path tree = folder.resolve("old");
        run("dpkg-deb", "-R", current.toString(), tree.toString());
        Path control = tree.resolve("DEBIAN/control");
        Files.writeString(
                control, Files.readString(control).replaceFirst("(?m)^Version: .*$", "Version: " + OLD_VERSION));
        Files.writeString(tree.resolve("usr/share/gst-qpu/old.txt"), "no more\n");
        Path file = folder.resolve("gstreamer1.0-qpu_" + OLD_VERSION + "_" + architecture() + ".deb");
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", tree.toString(), file.toString());
        return file;
    }

    private static void run(String... command) throws IOException {
        ProcessOutcome outcome = Processes.run(
                List.of(command), Processes.plainEnvironment(), Path.of("/dev/null"), Duration.ofMinutes(5));
        assertEquals(0, outcome.exitCode(), () -> outcome.describe("a package for the test could not be made"));
    }

    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ParameterizedTest
    @ValueSource(strings = {"bookworm", "trixie"})
    void aPackageIsInstalledUsedUpgradedAndGone(String suite) throws IOException, InterruptedException {
        try (CleanMachine machine = new CleanMachine(MACHINES.get().image(suite))) {
            Set<String> before = machine.files();
            install(machine, old);
            assertEquals(OLD_VERSION, version(machine));
            String oldArchive = classArchive(machine);

            install(machine, current);
            assertTrue(current.toString().contains("_" + version(machine) + "_"), version(machine));
            machine.asRoot("! test -e /usr/share/gst-qpu/old.txt");
            assertNotEquals(oldArchive, classArchive(machine), "the archive of the package before");
            filters(machine);
            answers(machine);
            documentedLinesRun(machine);

            assertTrue(page("docs/INSTALL.md").contains("`sudo apt purge gstreamer1.0-qpu`"));
            machine.asRoot("apt purge gstreamer1.0-qpu");
            assertNothingIsLeft(before, machine.files());
        }
    }

    /** Installs the package as README says. */
    private static void install(CleanMachine machine, Path file) throws IOException, InterruptedException {
        machine.put(file);
        String install = line("README.md", "sudo apt install ./gstreamer1.0-qpu_");
        machine.asRoot("sudo() { \"$@\"; }; cd /work && " + install + " && rm *.deb");
    }

    private static String version(CleanMachine machine) throws IOException, InterruptedException {
        return machine.asRoot("dpkg-query -W -f '${Version}' gstreamer1.0-qpu");
    }

    /** The archive of classes that the installation made. */
    private static String classArchive(CleanMachine machine) throws IOException, InterruptedException {
        List<String> archives =
                machine.asRoot("ls -i /var/cache/gst-qpu").lines().toList();
        assertEquals(1, archives.size(), archives::toString);
        return archives.get(0);
    }

    private static void filters(CleanMachine machine) throws IOException, InterruptedException {
        for (String substrate : List.of("cpu", "qpu")) {
            String said = machine.asUser(
                    "GST_DEBUG=qpuloopfilter:5 gst-launch-1.0 videotestsrc num-buffers=10 ! qpuloopfilter"
                            + " substrate=" + substrate + " ! fakesink");
            assertTrue(said.contains("substrate=(string)" + substrate), said);
            assertTrue(said.contains("frames=(guint64)10"), said);
            assertTrue(said.contains("-XX:SharedArchiveFile=/var/cache/gst-qpu/classes-java"), said);
            assertFalse(said.contains("[LWJGL]"), said);
        }
    }

    private static List<String> subjects(String said, String verdict) {
        return said.lines()
                .filter(line -> line.matches("(ok|none) +.*") && line.startsWith(verdict))
                .map(line -> line.split(" +", -1)[1])
                .toList();
    }

    private static void answers(CleanMachine machine) throws IOException, InterruptedException {
        String doctor = machine.asUser("qpu doctor");
        assertTrue(doctor.lines().anyMatch(line -> line.matches("ok +plugin +qpuloopfilter, in /usr/lib/.*")), doctor);
        assertTrue(doctor.lines().anyMatch(line -> line.matches("ok +Vulkan +0: llvmpipe .*")), doctor);
        assertTrue(doctor.lines().count() <= 25, doctor);
        String list = machine.asUser("qpu list");
        assertEquals(
                1,
                list.lines().filter(line -> line.contains(" not installed: ")).count(),
                list);
        List<String> lacking = subjects(list, "none");
        assertTrue(lacking.contains("hevc-pi5"), list);
        // Both say the same of each pipeline.
        List<String> doctored = new ArrayList<>(subjects(doctor, "none"));
        doctored.retainAll(subjects(list, ""));
        assertEquals(lacking, doctored, doctor + list);
        for (String substrate : List.of("cpu", "qpu")) {
            String verified = machine.asUser("qpu verify --substrate " + substrate + " " + VECTORS
                    + "h264_picture_real_208x144_qp33_a0_b0_c0.gvp.gz " + VECTORS
                    + "av1_cdef_picture_s1B_200x136_b8.gvp.gz");
            assertEquals(
                    2,
                    verified.lines()
                            .filter(line -> line.endsWith(" 0 mismatches"))
                            .count(),
                    verified);
        }
        assertFalse(machine.asUser("zcat /usr/share/man/man1/qpu.1.gz").isEmpty());
    }

    /** Runs commands of the documents on a video of the user's. */
    private static void documentedLinesRun(CleanMachine machine) throws IOException, InterruptedException {
        machine.asUser(
                "gst-launch-1.0 -q videotestsrc num-buffers=10 ! theoraenc ! oggmux ! filesink location=video.mp4");
        // A container has no display, where autovideosink of Debian 12 takes a sink that crashes.
        String played = machine.asUser("GST_PLUGIN_FEATURE_RANK=fakevideosink:MAX "
                + line("README.md", "gst-launch-1.0 filesrc location=video.mp4"));
        assertTrue(played.contains("Got EOS from element"), played);
        String transcoded = machine.asUser("qpu transcode video.mp4 again.mkv");
        assertTrue(transcoded.contains("again.mkv: 10 pictures in "), transcoded);
        assertTrue(transcoded.contains("encoded by x264enc"), transcoded);
        String element = machine.asUser(line("docs/INSTALL.md", "gst-inspect-1.0 qpuloopfilter"));
        assertTrue(element.contains("queue-depth"), element);
    }

    private static String line(String document, String begin) throws IOException {
        return page(document)
                .lines()
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElseThrow();
    }

    private static String page(String document) throws IOException {
        return Files.readString(BuildTree.root().resolve(document));
    }

    private static void assertNothingIsLeft(Set<String> before, Set<String> after) {
        Set<String> more = new TreeSet<>(after);
        more.removeAll(before);
        Set<String> less = new TreeSet<>(before);
        less.removeAll(after);
        assertEquals(Set.of(), more, "left behind");
        assertEquals(Set.of(), less, "taken away or changed");
    }
}
