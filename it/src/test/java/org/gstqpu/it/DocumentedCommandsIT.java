/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell commands in the documents are run as they stand, in a folder that looks like the project's folder and holds a {@code
 * video.mp4}. {@link #ELSEWHERE} names the tests and scripts that run the commands which build, install or take long.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class DocumentedCommandsIT {
    private static final String IT = "it/src/test/java/org/gstqpu/it/";

    /** By the beginning of a command that is not run here: the test or script that runs it. */
    private static final Map<String, Runner> ELSEWHERE = Map.of(
            "sudo apt install ./gstreamer1.0-qpu",
            new Runner(IT + "InstalledPackageIT.java", "line(\"README.md\", \"sudo apt install ./gstreamer1.0-qpu_\")"),
            "pipelines/setup check",
            new Runner("it/check", "\npipelines/setup --packages-only check "),
            "qpu play ",
            new Runner(
                    "pipelines/tests/src/test/java/org/gstqpu/pipelines/play/ReadyPipelinesIT.java",
                    "qpu(\"play\", video.toString(), "),
            "pipelines/demo",
            new Runner("pipelines/tests/src/test/java/org/gstqpu/pipelines/demo/DemoCommandIT.java", "qpu(\"demo\", "),
            "it/check",
            new Runner(".ci/run", "/../it/check\""),
            "mvn ",
            new Runner("it/check", " mvn -B -ntp -T 2 verify "),
            "it/rig/build",
            new Runner("it/check", " it/rig/build;"),
            "it/rig/run --mount ",
            new Runner(IT + "RigIT.java", "resolve(\"it/rig/run\")"),
            "it/machines/engine it/machines/build",
            new Runner("it/check", " it/machines/engine it/machines/build;"),
            "pipelines/bench v3d --tool ",
            new Runner(
                    "pipelines/benches/src/test/java/org/gstqpu/pipelines/bench/kernels/V3dCostTest.java",
                    "new V3dCompiler(tool())"));

    /** A test or script, and the place in it where it runs the command. */
    private record Runner(String file, String place) {}

    /** The class, the modules or the plugin that a Maven command names. */
    private static final Pattern MAVEN_NAMES = Pattern.compile("-Dit\\.test=(\\w+)|-pl ([\\w-]+)|(\\w+):\\w+$");

    private static final Pattern FENCE = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("(^|\\s+)#.*$");

    /** What a command has before it: values of variables. */
    private static final Pattern VARIABLES = Pattern.compile("^(\\w+=\\S+ +)+");

    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);
    private static final int FRAMES = 5;

    @TempDir
    static Path folder;

    @TestFactory
    Stream<DynamicTest> everyBlockOfCommandsRuns() throws IOException {
        prepareFolder();
        Map<String, String> scripts = new LinkedHashMap<>();
        for (String document : documents()) {
            List<List<String>> blocks = commandsIn(document);
            for (int i = 0; i < blocks.size(); i++) {
                List<String> own = blocks.get(i).stream()
                        .filter(command -> !isElsewhere(command))
                        .toList();
                if (own.stream().anyMatch(command -> !command.startsWith("export "))) {
                    scripts.put(document + ", block " + (i + 1), String.join("\n", own));
                }
            }
        }
        assertFalse(scripts.isEmpty(), "no commands found in " + documents());
        return scripts.entrySet().stream().map(script -> dynamicTest(script.getKey(), () -> run(script.getValue())));
    }

    @Test
    void nothingIsSaidToRunElsewhereThatNoDocumentShows() throws IOException {
        List<String> shown = new ArrayList<>();
        for (String document : documents()) {
            commandsIn(document).forEach(shown::addAll);
        }
        Set<String> unused = new TreeSet<>(ELSEWHERE.keySet());
        unused.removeIf(begin -> shown.stream().anyMatch(command -> command.startsWith(begin)));
        assertEquals(Set.of(), unused);
    }

    @Test
    void whatIsSaidToRunElsewhereRunsThere() throws IOException {
        for (Map.Entry<String, Runner> entry : ELSEWHERE.entrySet()) {
            Runner runner = entry.getValue();
            assertTrue(
                    Files.readString(BuildTree.root().resolve(runner.file())).contains(runner.place()),
                    () -> entry.getKey() + " is not run by " + runner);
        }
    }

    /** Maven commands are too slow to be run, but whatever they name exists. */
    @Test
    void mavensCommandsNameModulesTestsAndPluginsThatThereAre() throws IOException {
        List<String> commands = new ArrayList<>();
        for (String document : documents()) {
            commandsIn(document).forEach(commands::addAll);
        }
        commands.removeIf(command -> !plain(command).startsWith("mvn "));
        assertFalse(commands.isEmpty());
        for (String command : commands) {
            Matcher names = MAVEN_NAMES.matcher(command);
            while (names.find()) {
                if (names.group(1) != null) {
                    assertTrue(Files.exists(BuildTree.root().resolve(IT + names.group(1) + ".java")), command);
                } else if (names.group(2) != null) {
                    assertTrue(Files.exists(BuildTree.root().resolve(names.group(2) + "/pom.xml")), command);
                } else {
                    String plugin = names.group(3) + "-maven-plugin<";
                    assertTrue(
                            Files.readString(BuildTree.root().resolve("pom.xml"))
                                    .contains(plugin),
                            command);
                }
            }
        }
    }

    private static void prepareFolder() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        try (Stream<Path> entries = Files.list(BuildTree.root())) {
            for (Path entry : entries.toList()) {
                Files.createSymbolicLink(folder.resolve(entry.getFileName()), entry);
            }
        }
        GstLaunch.succeed("videotestsrc num-buffers=" + FRAMES
                + " ! video/x-raw,format=I420,width=176,height=144 ! x264enc ! h264parse ! mp4mux ! filesink location="
                + folder.resolve("video.mp4"));
    }

    /** The documents in the project's folder, all pages of docs, and the notes on speed. */
    private static List<String> documents() throws IOException {
        Path root = BuildTree.root();
        List<String> documents = new ArrayList<>(List.of("kernels/PERFORMANCE.md"));
        try (Stream<Path> top = Files.list(root);
                Stream<Path> pages = Files.walk(root.resolve("docs"))) {
            Stream.concat(top, pages)
                    .map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".md"))
                    .sorted()
                    .forEach(documents::add);
        }
        return documents;
    }

    private static boolean isElsewhere(String command) {
        return ELSEWHERE.keySet().stream().anyMatch(plain(command)::startsWith);
    }

    private static String plain(String command) {
        return VARIABLES.matcher(command).replaceFirst("");
    }

    /** The lines of each block of commands, without comments. */
    private static List<List<String>> commandsIn(String document) throws IOException {
        List<List<String>> blocks = new ArrayList<>();
        Matcher fences = FENCE.matcher(
                Files.readString(BuildTree.root().resolve(document)).replace("\\\n", ""));
        while (fences.find()) {
            blocks.add(fences.group(1)
                    .lines()
                    .map(line -> COMMENT.matcher(line).replaceFirst("").strip())
                    .filter(line -> !line.isEmpty())
                    .toList());
        }
        return blocks;
    }

    private static void run(String script) throws IOException {
        Processes.run(
                        List.of("bash", "-euc", "cd " + folder + "\nqpu() { pipelines/qpu \"$@\"; }\n" + script),
                        // Without a display some GStreamers' autovideosink crashes on its way from sink to sink.
                        GstEnvironment.standard()
                                .with("GST_PLUGIN_FEATURE_RANK", "fakevideosink:1000")
                                .variables(),
                        Path.of("/dev/null"),
                        TIME_LIMIT)
                .requireSuccess();
    }
}
