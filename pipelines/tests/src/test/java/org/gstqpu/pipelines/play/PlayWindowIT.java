/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.CheckPackages;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code qpu play} shows, and what a window manager of X11 sees of it, while keys are pressed. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class PlayWindowIT {
    private static final long LIMIT_SECONDS = 600;
    private static final int WIDTH = 96;
    private static final int HEIGHT = 64;
    private static final int WHITE = 200;
    private static final int BLACK = 60;
    private static final Pattern WINDOW = Pattern.compile("0x[0-9a-f]+");

    @TempDir
    private static Path samples;

    private static Path film;

    private final List<Process> running = new ArrayList<>();

    /** Longer than any test takes: the tests end the player. */
    @BeforeAll
    static void makeFilm() {
        film = samples.resolve("a film.mkv");
        require(
                List.of(
                        "ffmpeg",
                        "-nostdin",
                        "-v",
                        "error",
                        "-f",
                        "lavfi",
                        "-i",
                        "color=gray:size=" + WIDTH + "x" + HEIGHT + ":rate=5:duration=3600",
                        "-c:v",
                        "mjpeg",
                        film.toString()),
                Map.of());
    }

    private static String require(List<String> command, Map<String, String> environment) {
        ChildProcess child = new ChildProcess(command, environment);
        ChildProcess.Result result = child.run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), () -> child.commandLine() + "\n" + result.output());
        return result.output();
    }

    @AfterEach
    void endAll() throws InterruptedException {
        for (int i = running.size() - 1; i >= 0; i--) {
            running.get(i).destroyForcibly().waitFor();
        }
    }

    private Process start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        running.add(process);
        return process;
    }

    private Process play(Map<String, String> environment, String sink) throws IOException {
        return start(
                environment,
                Installation.current().root().resolve("pipelines/qpu").toString(),
                "play",
                film.toString(),
                "--set",
                "substrate=cpu",
                "--sink",
                sink);
    }

    private static void press(Process player, String keys) throws IOException {
        OutputStream terminal = player.getOutputStream();
        terminal.write(keys.getBytes(StandardCharsets.US_ASCII));
        terminal.flush();
    }

    private static void quit(Process player) throws IOException, InterruptedException {
        press(player, "q");
        String said = new String(player.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(player.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), said);
        assertEquals(0, player.exitValue(), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ximagesink", "glimagesink"})
    void theWindowHasTheFilesNameAndFillsTheScreenByAKey(String sink) throws Exception {
        CheckPackages.needElement(sink, "gstreamer1.0-x gstreamer1.0-gl");
        CheckPackages.needProgram("openbox", "openbox");
        CheckPackages.needOnPath("xprop", "x11-utils");
        CheckPackages.needOnPath("Xvfb", "xvfb");
        Process server = start(Map.of(), "Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24");
        try (BufferedReader said = server.inputReader()) {
            Map<String, String> display = Map.of("DISPLAY", ":" + said.readLine());
            start(display, "openbox");
            Process player = play(display, sink);
            String id = await(display, List.of("-root", "_NET_CLIENT_LIST"), WINDOW.asPredicate());
            Matcher window = WINDOW.matcher(id);
            assertTrue(window.find());
            List<String> names = List.of("-id", window.group(), "WM_NAME", "_NET_WM_NAME");
            await(display, names, text -> text.split("\"a film.mkv - qpu\"", -1).length == 3);
            List<String> state = List.of("-id", window.group(), "_NET_WM_STATE");
            press(player, "f");
            await(display, state, text -> text.contains("_NET_WM_STATE_FULLSCREEN"));
            press(player, "f");
            await(display, state, text -> !text.contains("_NET_WM_STATE_FULLSCREEN"));
            quit(player);
        }
    }

    /** A user may close the window at any time. */
    @Test
    void aWindowThatHasGoneEndsNothing() throws Exception {
        CheckPackages.needOnPath("Xvfb", "xvfb");
        Process server = start(Map.of(), "Xvfb", "-displayfd", "1");
        try (BufferedReader said = server.inputReader()) {
            require(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Gone.class.getName()),
                    Map.of("DISPLAY", ":" + said.readLine()));
        }
    }

    /** Names a window that is not there. */
    static final class Gone {
        private Gone() {}

        public static void main(String[] arguments) {
            new X11Window(1).title("title");
        }
    }

    /** Asks xprop until the answer is as wanted. */
    private static String await(Map<String, String> display, List<String> what, Predicate<String> wanted)
            throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("xprop"));
        command.addAll(what);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        String answer;
        do {
            TimeUnit.MILLISECONDS.sleep(100);
            answer = new ChildProcess(command, display)
                    .run(LIMIT_SECONDS)
                    .orElseThrow()
                    .output();
            assertTrue(System.nanoTime() < end, answer);
        } while (!wanted.test(answer));
        return answer;
    }

    @Test
    void aLineShowsWhereTheHalvesOfTheSplitViewMeet() throws Exception {
        CheckPackages.needElement("gdkpixbufoverlay", "gstreamer1.0-plugins-good");
        Path shown = samples.resolve("shown");
        Process player =
                play(Map.of(), "videoconvert ! video/x-raw,format=GRAY8 ! filesink sync=true location=" + shown);
        awaitPicture(shown, picture -> !hasLine(picture));
        press(player, "v");
        awaitPicture(shown, PlayWindowIT::hasLine);
        press(player, "v");
        awaitPicture(shown, picture -> !hasLine(picture));
        quit(player);
    }

    /** White and black columns in the middle, from the top to the bottom. */
    private static boolean hasLine(byte[] picture) {
        for (int y = 0; y < HEIGHT; y++) {
            int middle = y * WIDTH + WIDTH / 2;
            if (Byte.toUnsignedInt(picture[middle]) < WHITE || Byte.toUnsignedInt(picture[middle + 1]) > BLACK) {
                return false;
            }
        }
        return true;
    }

    private static void awaitPicture(Path shown, Predicate<byte[]> wanted) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        byte[] picture = new byte[WIDTH * HEIGHT];
        boolean found;
        do {
            TimeUnit.MILLISECONDS.sleep(100);
            found = Files.exists(shown) && Files.size(shown) >= picture.length;
            if (found) {
                try (RandomAccessFile pictures = new RandomAccessFile(shown.toFile(), "r")) {
                    pictures.seek((pictures.length() / picture.length - 1) * picture.length);
                    pictures.readFully(picture);
                }
            }
            assertTrue(System.nanoTime() < end, "no such picture");
        } while (!found || !wanted.test(picture));
    }
}
