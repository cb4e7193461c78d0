/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/SIDE-INFORMATION.md shows does what it says, in C and in Python. */
final class DocumentedParamsIT {
    private static final String CAPS = "video/x-raw,format=I420,width=64,height=48,framerate=25/1";
    private static final int FRAME_BYTES = 64 * 48 * 3 / 2;
    private static final int MACROBLOCKS = 12;
    private static final int QP = 40;
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    @Test
    void theFrameIsDeblockedAsItsMapsSay(@TempDir Path folder) throws IOException {
        Path program = folder.resolve("documented-params");
        Path function = Files.writeString(folder.resolve("function.c"), block("c"));
        run(List.of(
                "bash",
                "-c",
                "gcc -std=c11 -Wall -Wextra -Werror \"-DDOCUMENTED=\\\"$1\\\"\" -o \"$2\" \"$3\" \"-I$4\""
                        + " $(pkg-config --cflags --libs gstreamer-1.0)",
                "bash",
                function.toString(),
                program.toString(),
                BuildTree.testSource("c").resolve("documented-params.c").toString(),
                BuildTree.root().resolve("pipelines/examples/c").toString()));
        run(List.of(
                program.toString(),
                "videotestsrc num-buffers=2 pattern=zone-plate kx2=20 ky2=20 ! " + CAPS + " ! tee name=t"
                        + " t. ! queue ! filesink location=" + folder.resolve("source")
                        + " t. ! queue ! qpuloopfilter substrate=cpu qp=" + QP
                        + " chroma-qp-offset=-2 cdef=false ! filesink location=" + folder.resolve("exact")
                        + " t. ! queue ! qpuloopfilter substrate=cpu name=qpu ! filesink location="
                        + folder.resolve("c"),
                String.valueOf(MACROBLOCKS),
                String.valueOf(QP)));
        byte[] exact = Files.readAllBytes(folder.resolve("exact"));
        assertEquals(2 * FRAME_BYTES, exact.length);
        assertFalse(Arrays.equals(Files.readAllBytes(folder.resolve("source")), exact), "nothing to filter");
        assertArrayEquals(exact, Files.readAllBytes(folder.resolve("c")), "C");

        CheckPackages.needPython("Gst", "python3-gi gir1.2-gstreamer-1.0");
        run(List.of(
                "/usr/bin/python3",
                BuildTree.testSource("python").resolve("documented-params.py").toString(),
                Files.writeString(folder.resolve("function.py"), block("python"))
                        .toString(),
                BuildTree.root().resolve("pipelines/examples/python").toString(),
                folder.resolve("source").toString(),
                CAPS,
                String.valueOf(FRAME_BYTES),
                String.valueOf(MACROBLOCKS),
                String.valueOf(QP),
                folder.resolve("python").toString()));
        assertArrayEquals(exact, Files.readAllBytes(folder.resolve("python")), "Python");
    }

    /** The only code block in this language. */
    private static String block(String language) throws IOException {
        List<String> blocks = Pattern.compile("^```" + language + "\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(BuildTree.root().resolve("docs/SIDE-INFORMATION.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertEquals(1, blocks.size(), language);
        return blocks.get(0);
    }

    private static void run(List<String> command) throws IOException {
        Processes.run(command, GstEnvironment.standard().variables(), Path.of("/dev/null"), TIME_LIMIT)
                .requireSuccess()
                .requireNoComplaint();
    }
}
