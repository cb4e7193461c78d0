package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell commands that the documents show are run as they stand, in a folder that looks like the project's and holds a
 * {@code video.mp4}. Those that build, install, or take long are run by what {@link #ELSEWHERE} names.
 */
final class DocumentedCommandsIT {
    private static final List<String> DOCUMENTS = List.of("README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md");

    /** How a command begins that is not run here, and what runs it. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("sudo apt install ./gstreamer1.0-qpu", "InstalledPackageIT, as root"),
            Map.entry("pipelines/setup check", "it/check, packages first and Maven after"),
            Map.entry("pipelines/demo", "DemoCommandIT"),
            Map.entry("it/check", "it is what runs this"),
            Map.entry("mvn ", "it/check, in one `mvn verify`"),
            Map.entry("it/rig/build", "it/check"),
            Map.entry("it/rig/run ", "RigIT"),
            Map.entry("it/machines/engine ", "it/check"),
            Map.entry("gcc pipelines/src/main/examples/c/player.c", "ExamplesIT, with keys"),
            Map.entry("pipelines/src/main/examples/python/player.py", "ExamplesIT, with keys"),
            Map.entry("java -cp 'pipelines/target/lib/*' pipelines/src/main/examples/java/Player.java", "ExamplesIT"),
            Map.entry("pipelines/qpu bench v3d", "V3dCostTest, where that compiler is"));

    private static final Pattern FENCE = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("(^|\\s+)#.*$");
    private static final Duration TIME_LIMIT = Duration.ofMinutes(3);
    private static final int FRAMES = 5;

    @TempDir
    static Path folder;

    @TestFactory
    Stream<DynamicTest> everyBlockOfCommandsRuns() throws IOException {
        prepareFolder();
        Map<String, String> scripts = new LinkedHashMap<>();
        for (String document : DOCUMENTS) {
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
        assertFalse(scripts.isEmpty(), "no commands found in " + DOCUMENTS);
        return scripts.entrySet().stream().map(script -> dynamicTest(script.getKey(), () -> run(script.getValue())));
    }

    @Test
    void nothingIsSaidToRunElsewhereThatNoDocumentShows() throws IOException {
        List<String> shown = new ArrayList<>();
        for (String document : DOCUMENTS) {
            commandsIn(document).forEach(shown::addAll);
        }
        Set<String> unused = new TreeSet<>(ELSEWHERE.keySet());
        unused.removeIf(begin -> shown.stream().anyMatch(command -> command.startsWith(begin)));
        assertEquals(Set.of(), unused);
    }

    private static void prepareFolder() throws IOException {
        try (Stream<Path> entries = Files.list(BuildTree.root())) {
            for (Path entry : entries.toList()) {
                Files.createSymbolicLink(folder.resolve(entry.getFileName()), entry);
            }
        }
        GstLaunch.succeed("videotestsrc num-buffers=" + FRAMES
                + " ! video/x-raw,format=I420,width=176,height=144 ! x264enc ! h264parse ! mp4mux ! filesink location="
                + folder.resolve("video.mp4"));
    }

    private static boolean isElsewhere(String command) {
        return ELSEWHERE.keySet().stream().anyMatch(command::startsWith);
    }

    /** The lines of each block, without their comments. */
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
                        List.of("bash", "-euc", "cd " + folder + "\n" + script),
                        // Without a display some GStreamers' autovideosink crashes on its way from sink to sink.
                        GstEnvironment.standard()
                                .with("GST_PLUGIN_FEATURE_RANK", "fakevideosink:1000")
                                .variables(),
                        Path.of("/dev/null"),
                        TIME_LIMIT)
                .requireSuccess();
    }
}
