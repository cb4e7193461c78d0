/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which JVM the plugin takes, and what it says where there is none to take. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class JavaRuntimeChoiceIT {
    private static final String PIPELINE = "-q videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink";

    @TempDir
    private Path folder;

    /** A pipeline on a machine where no Java is found. */
    private GstProcess withoutJava() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty"));
        return GstProcess.launch(PIPELINE).with("PATH", empty).with("GST_QPU_JVM_DIRS", empty);
    }

    /** A Java runtime that is none but looks like one; the library is a copy of one for this machine. */
    private Path pretend(String name, String release) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("lib/server"));
        Files.copy(GstProcess.pluginDirectory().resolve("libgstqpu.so"), home.resolve("lib/server/libjvm.so"));
        Files.createFile(home.resolve("lib/modules"));
        Files.writeString(home.resolve("release"), release);
        return home;
    }

    private static Path realJava() {
        return JavaRuntimes.usable().get(0);
    }

    private static void assertFails(GstProcess.Result result, String... parts) {
        assertNotEquals(0, result.exitCode(), result::output);
        List<String> errors = result.errors();
        assertEquals(1, errors.size(), result::output);
        for (String part : parts) {
            assertTrue(errors.get(0).contains(part), () -> "no \"" + part + "\" in: " + result.output());
        }
    }

    private static void assertRuns(GstProcess process, Path home) {
        GstProcess.Result result = process.with("GST_DEBUG", "qpuloopfilter:4").run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(
                result.output()
                        .lines()
                        .anyMatch(line -> line.endsWith("Java " + JavaRuntimes.version(home) + " in " + home)),
                result::output);
        assertTrue(result.output().lines().anyMatch(line -> line.contains("JVM in ")), result::output);
    }

    static Stream<Path> usableRuntimes() {
        return JavaRuntimes.usable().stream();
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void runsOnEachJavaOfThisMachineQuietly(Path home) {
        GstProcess.Result result =
                GstProcess.launch(PIPELINE).with("JAVA_HOME", home).run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals("", result.output());
        assertRuns(GstProcess.launch(PIPELINE).with("JAVA_HOME", home), home);
    }

    private static final String VECTORS = "the JVM has jdk.incubator.vector";

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void asksForTheVectorApi(Path home) {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("JAVA_HOME", home)
                .with("GST_QPU_JVM_OPTIONS", "-Xlog:class+load")
                .with("GST_DEBUG", "qpuloopfilter:5")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains(VECTORS), result::output);
        assertTrue(result.output().contains(" jdk.incubator.vector.Vector source: "), result::output);
        assertTrue(result.output().contains("JVM option -XX:PerMethodTrapLimit="), result::output);
        assertFalse(result.output().contains("WARNING: Using incubator"), result::output);
    }

    @Test
    void doesWithoutTheVectorApiOfARuntimeThatDoesNotNameIt() throws IOException {
        Path home = Files.createDirectory(folder.resolve("without"));
        try (Stream<Path> entries = Files.list(realJava())) {
            for (Path entry :
                    entries.filter(entry -> !entry.endsWith("release")).toList()) {
                Files.createSymbolicLink(home.resolve(entry.getFileName()), entry);
            }
        }
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17\"\nMODULES=\"java.base java.logging\"\n");
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("JAVA_HOME", home)
                .with("GST_DEBUG", "qpuloopfilter:5")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("JVM option "), result::output);
        assertFalse(result.output().contains(VECTORS), result::output);
    }

    @Test
    void whatTheJvmSaysAtItsStartIsSeen() {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("GST_QPU_JVM_OPTIONS", "-Xverify:none")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("-Xverify:none"), result::output);
    }

    @Test
    void takesJavaOnPathThroughLinks() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("java"), realJava().resolve("bin/java"));
        assertRuns(withoutJava().with("PATH", bin), realJava());
    }

    @Test
    void takesTheDistributionsDefaultBeforeOneThatIsTooNew() throws IOException {
        Path homes = Files.createDirectories(folder.resolve("homes"));
        pretend("homes/newer", "JAVA_VERSION=\"99\"\nMODULES=\"java.base jdk.incubator.vector jdk.management\"\n");
        Files.createSymbolicLink(homes.resolve("default-java"), realJava());
        GstProcess.Result result = withoutJava()
                .with("GST_QPU_JVM_DIRS", homes)
                .with("GST_DEBUG", "qpuloopfilter:4")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains(" in " + homes.resolve("default-java")), result::output);
    }

    @Test
    void takesTheNewestOfTheDistribution() throws IOException {
        pretend("homes/older", "JAVA_VERSION=\"17.0.1\"\n");
        Path newest = pretend("homes/newest", "JAVA_VERSION=\"25\"\n");
        pretend("homes/default-java", "JAVA_VERSION=\"21\"\n");
        /* It is no JVM, so that the error names what was taken. */
        assertFails(
                withoutJava().with("GST_QPU_JVM_DIRS", folder.resolve("homes")).run(),
                newest.toString(),
                "JNI_CreateJavaVM",
                "reinstall");
    }

    @Test
    void takesARuntimeWithTheVectorApiBeforeANewerOneWithout() throws IOException {
        pretend("homes/newer", "JAVA_VERSION=\"25\"\nMODULES=\"java.base\"\n");
        Path with = pretend(
                "homes/with", "JAVA_VERSION=\"17\"\nMODULES=\"java.base jdk.incubator.vector jdk.management\"\n");
        assertFails(
                withoutJava().with("GST_QPU_JVM_DIRS", folder.resolve("homes")).run(),
                with.toString(),
                "JNI_CreateJavaVM");
    }

    @Test
    void skipsATooOldJavaOnPath() throws IOException {
        Path old = pretend("old", "JAVA_VERSION=\"11.0.20\"\n");
        Files.createDirectories(old.resolve("bin"));
        Files.createFile(old.resolve("bin/java"));
        assertTrue(old.resolve("bin/java").toFile().setExecutable(true));
        Path homes = Files.createDirectories(folder.resolve("homes"));
        Path home = Files.createSymbolicLink(homes.resolve("default-java"), realJava());
        assertRuns(withoutJava().with("PATH", old.resolve("bin")).with("GST_QPU_JVM_DIRS", homes), home);
    }

    @Test
    void noJavaIsAnErrorThatTellsWhatToInstall() throws IOException {
        assertFails(withoutJava().run(), "No Java", "17 or newer", "apt install default-jre-headless");
    }

    @ParameterizedTest
    @CsvSource({"11.0.20, 11", "16, 16", "1.8.0_392, 8"})
    void onlyATooOldJavaIsAnErrorThatTellsWhichAndWhatToInstall(String version, String feature) throws IOException {
        Path old = pretend("homes/old", "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        assertFails(
                withoutJava().with("GST_QPU_JVM_DIRS", folder.resolve("homes")).run(),
                " " + feature + ", in " + old,
                "17 or newer",
                "apt install default-jre-headless");
    }

    @Test
    void aTooOldJavaHomeIsAnErrorEvenWithANewerJavaOnPath() throws IOException {
        Path old = pretend("old", "JAVA_VERSION=\"11.0.20\"\n");
        assertFails(
                GstProcess.launch(PIPELINE).with("JAVA_HOME", old).run(),
                "JAVA_HOME is " + old,
                "Java 11",
                "17 or newer");
    }

    @Test
    void aJavaHomeWithoutJavaIsAnErrorThatNamesIt() {
        assertFails(
                GstProcess.launch(PIPELINE).with("JAVA_HOME", folder).run(),
                "JAVA_HOME is " + folder,
                "correct or unset JAVA_HOME");
    }

    @Test
    void aJavaHomeForAnotherArchitectureIsAnErrorThatSaysSo() throws IOException {
        Path home = pretend("foreign", "JAVA_VERSION=\"21\"\n");
        Path libjvm = home.resolve("lib/server/libjvm.so");
        byte[] file = Files.readAllBytes(libjvm);
        file[18] ^= 0x55; // e_machine
        Files.write(libjvm, file);
        assertFails(
                GstProcess.launch(PIPELINE).with("JAVA_HOME", home).run(),
                "JAVA_HOME is " + home,
                "another architecture");
    }

    @Test
    void anEmptyJavaHomeCountsAsUnset() {
        assertEquals(0, GstProcess.launch(PIPELINE).with("JAVA_HOME", "").run().exitCode());
    }

    @Test
    void anOptionThatTheJvmRefusesIsAnErrorThatNamesIt() {
        assertFails(
                GstProcess.launch(PIPELINE)
                        .with("GST_QPU_JVM_OPTIONS", "-Dgood=1 --no-such-option")
                        .run(),
                "--no-such-option",
                "GST_QPU_JVM_OPTIONS");
    }

    @Test
    void optionsThatCannotBeReadAreAnError() {
        assertFails(
                GstProcess.launch(PIPELINE)
                        .with("GST_QPU_JVM_OPTIONS", "-Da='b")
                        .run(),
                "GST_QPU_JVM_OPTIONS cannot be read");
    }

    @Test
    void optionsReachTheJvm() {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("GST_QPU_JVM_OPTIONS", "'-Xlog:startuptime=off' -showversion -Xmx64m")
                .run();
        assertTrue(result.output().contains("-showversion"), result::output);
    }
}
