/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gstqpu.pipelines.CheckPackages;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code qpu batch} with real video. */
class BatchIT {
    private static final Path ROOT = Installation.current().root();
    private static final long LIMIT_SECONDS = 1200;
    private static final int PICTURES = 25;
    private static final long PAUSE_MILLIS = 20;

    /** An encoder that writes the same each time, and starts anew without a trace: it loses nothing. */
    private static final List<String> LOSSLESS =
            List.of("--encoder", "x264enc pass=quant quantizer=0", "--set", "substrate=cpu", "--set", "strength=0");

    @TempDir
    private Path folder;

    private static ChildProcess.Result run(List<String> command) {
        return new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
    }

    private static String succeed(List<String> command) {
        ChildProcess.Result result = run(command);
        assertEquals(0, result.status(), () -> String.join(" ", command) + "\n" + result.output());
        return result.output();
    }

    private static List<String> qpu(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("pipelines/qpu").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> with(List<String> command, List<String> more) {
        List<String> all = new ArrayList<>(command);
        all.addAll(more);
        return all;
    }

    private static void ffmpeg(String... arguments) {
        succeed(with(List.of("ffmpeg", "-nostdin", "-v", "error"), List.of(arguments)));
    }

    private Path inputs(int count) throws IOException {
        Path in = Files.createDirectories(folder.resolve("in"));
        for (int i = 1; i <= count; i++) {
            ffmpeg(
                    "-f",
                    "lavfi",
                    "-i",
                    "testsrc2=size=160x96:rate=25",
                    "-t",
                    "1",
                    "-c:v",
                    "mjpeg",
                    in + "/v" + i + ".avi");
        }
        return in;
    }

    /** As {@code qpu transcode} does: nothing is lost in silence. */
    @Test
    void whatIsConvertedIsSaidBeforeTheFileIsDone() throws IOException {
        Path in = Files.createDirectories(folder.resolve("in"));
        ffmpeg("-f", "lavfi", "-i", "testsrc=size=161x97:rate=25:duration=0.4", "-c:v", "ffv1", in + "/odd.mkv");
        List<String> command = qpu("batch", in.toString(), folder.resolve("out").toString(), "--suffix", ".mp4");
        String said = succeed(with(command, with(LOSSLESS, List.of("--workers", "1"))));
        int note = said.indexOf("note: odd.mp4: ");
        assertTrue(
                note >= 0 && said.substring(note).lines().findFirst().orElse("").contains("161x97 becomes"), said);
        assertTrue(note < said.indexOf("odd.mp4: 10 pictures"), said);
    }

    /** The MD5 of each picture, in order. */
    private static List<String> pictures(Path file) {
        return succeed(List.of(
                        "ffmpeg",
                        "-nostdin",
                        "-v",
                        "error",
                        "-i",
                        file.toString(),
                        "-map",
                        "0:v",
                        "-fps_mode",
                        "passthrough",
                        "-f",
                        "framemd5",
                        "-"))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(line.lastIndexOf(',') + 1).strip())
                .toList();
    }

    private static List<Long> times(Path file, String stream) {
        return succeed(List.of(
                        "ffprobe",
                        "-v",
                        "error",
                        "-select_streams",
                        stream,
                        "-show_entries",
                        "packet=pts",
                        "-of",
                        "csv=p=0",
                        file.toString()))
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> Long.valueOf(line.replace(",", "").strip()))
                .sorted()
                .toList();
    }

    private static List<Path> state(Path out, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(out.resolve(".batch"))) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void whatAKilledWorkerLeftIsDoneAgainAndNothingElseAndABadInputIsSetAside() throws Exception {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path in = inputs(4);
        Files.writeString(in.resolve("bad.avi"), "this is no video");
        Path out = folder.resolve("out");
        String plan = out.resolve("plan.json").toString();
        succeed(with(qpu("batch", "plan", in.toString(), out.toString()), LOSSLESS));
        Process first = new ProcessBuilder(qpu("batch", "run", plan, "--workers", "1"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("first.log").toFile())
                .start();
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!Files.isDirectory(out.resolve(".batch"))
                || state(out, ".done").isEmpty()
                || state(out, ".lease").isEmpty()) {
            assertTrue(System.nanoTime() < limit, () -> read(folder.resolve("first.log")));
            if (!first.isAlive()) {
                // This machine was so busy with other things that all was done between two looks.
                break;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        List<ProcessHandle> killed = first.toHandle().descendants().toList();
        first.destroyForcibly();
        killed.forEach(ProcessHandle::destroyForcibly);
        assertTrue(first.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
        for (ProcessHandle process : killed) {
            process.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        ChildProcess.Result second = run(qpu("batch", "run", plan, "--workers", "2"));
        assertEquals(1, second.status(), second::output);
        assertTrue(second.output().contains("4 of 5 done, 1 set aside:"), second::output);
        assertTrue(second.output().contains("bad.avi: what it reads is no video that GStreamer knows"), second::output);
        // Killed between two writes, a worker may have said that a unit is done without having listed it.
        StateFolder folderOfState = new StateFolder(out.resolve(StateFolder.NAME));
        List<String> done = new ArrayList<>();
        for (String worker : folderOfState.list().workers()) {
            Journal.read(folderOfState.folder(), worker).forEach(entry -> done.add(entry.id()));
        }
        assertEquals(done.stream().distinct().toList(), done);
        assertTrue(done.size() >= 3, done::toString);
        for (int i = 1; i <= 4; i++) {
            assertEquals(PICTURES, pictures(out.resolve("v" + i + ".mkv")).size());
        }
        // The lease of a unit that is done means nothing; its worker was killed before it could remove it.
        StateFolder.Listing listing = folderOfState.list();
        assertTrue(listing.done().containsAll(listing.leased()), listing::toString);
        try (Stream<Path> files = Files.list(out)) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.toString().endsWith(".part")).toList());
        }
        ChildProcess.Result status = run(qpu("batch", "status", plan));
        assertEquals(1, status.status(), status::output);
        assertTrue(status.output().contains("4 of 5 done, 0 running, 1 failed, 0 left"), status::output);
    }

    /** A server sends a byte now and then, so that nothing ends the wait for the first picture. */
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void aUnitThatHangsIsSetAside() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService answers = Executors.newCachedThreadPool();
        server.setExecutor(answers);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 1 << 20);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(0);
                    body.flush();
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        try {
            Path out = folder.resolve("out");
            String plan = out.resolve("plan.json").toString();
            String film = "http://127.0.0.1:" + server.getAddress().getPort() + "/film.avi";
            succeed(qpu("batch", "plan", film, out.toString()));
            // It has failed twice already, which need not take time here.
            StateFolder state = StateFolder.of(out);
            state.failed("000001", "once");
            state.failed("000001", "twice");
            ChildProcess.Result result = run(qpu("batch", "run", plan, "--stall-seconds", "4"));
            assertEquals(1, result.status(), result::output);
            String reason = "it made no progress for 4 s (--stall-seconds), and its worker was killed";
            assertTrue(result.output().contains("000001 failed (attempt 3 of 3): " + reason), result::output);
            assertTrue(result.output().contains("0 of 1 done, 1 set aside:"), result::output);
            assertTrue(result.output().contains(film + ": " + reason), result::output);
        } finally {
            server.stop(0);
            answers.shutdownNow();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** With B pictures, of which those of an open group of pictures come after the next key frame, and with sound. */
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void joinedSegmentsAreWhatOnePieceIs() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path in = Files.createDirectories(folder.resolve("in"));
        String source = "testsrc2=size=160x96:rate=30000/1001";
        ffmpeg(
                "-f",
                "lavfi",
                "-i",
                source,
                "-f",
                "lavfi",
                "-i",
                "sine",
                "-t",
                "4",
                "-c:v",
                "libx264",
                "-preset",
                "fast",
                "-g",
                "30",
                "-bf",
                "3",
                "-pix_fmt",
                "yuv420p",
                "-c:a",
                "aac",
                in + "/closed.mp4");
        ffmpeg(
                "-f",
                "lavfi",
                "-i",
                source,
                "-f",
                "lavfi",
                "-i",
                "sine",
                "-t",
                "4",
                "-c:v",
                "libx264",
                "-preset",
                "fast",
                "-x264-params",
                "open-gop=1:keyint=30:bframes=3",
                "-pix_fmt",
                "yuv420p",
                "-c:a",
                "aac",
                in + "/open.mkv");
        // Its pictures begin after its sound, and both long after 0.
        ffmpeg("-itsoffset", "10", "-i", in + "/open.mkv", "-c", "copy", "-copyts", in + "/late.mkv");
        Path out = folder.resolve("out");
        String said = succeed(
                with(qpu("batch", in.toString(), out.toString(), "--segment", "1s", "--workers", "1"), LOSSLESS));
        for (String name : List.of("closed", "open", "late")) {
            assertTrue(said.matches("(?s).*" + name + ".mkv: [2-4] segments joined.*"), said);
            Path whole = folder.resolve(name + ".mkv");
            Path input = in.resolve(name.equals("closed") ? "closed.mp4" : name + ".mkv");
            succeed(with(qpu("transcode", input.toString(), whole.toString()), LOSSLESS));
            // Both files of Matroska have their times from 0 on.
            if (!name.equals("closed")) {
                assertEquals(times(in.resolve("open.mkv"), "v"), times(whole, "v"), name);
            }
            Path joined = out.resolve(name + ".mkv");
            assertEquals(pictures(whole), pictures(joined), name);
            assertEquals(times(whole, "v"), times(joined, "v"), name);
            assertEquals(times(whole, "a"), times(joined, "a"), name);
        }
        try (Stream<Path> left = Files.walk(out.resolve(".batch"))) {
            assertEquals(
                    List.of(),
                    left.filter(file -> file.toString().endsWith(".gdp")).toList());
        }
    }

    /**
     * Each picture is fused with those before and after it, beyond the ends of its segment as well. The brightness is turned round in the
     * fifth picture before each segment, so that no picture has anything of those before that; and so much is lost in coding that automatic
     * strength is at its upper end. What {@code two} has besides are the pictures after; so {@code past} need not show again what the
     * later segments show, which have more pictures before them.
     */
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void joinedSegmentsAreFusedAsOnePieceIs() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        List<List<String>> wholes = new ArrayList<>();
        for (String temporal : List.of("past", "two")) {
            int seconds = temporal.equals("past") ? 2 : 4;
            Path in = Files.createDirectories(folder.resolve("in-" + temporal));
            Path input = in.resolve("film.mkv");
            ffmpeg(
                    "-f",
                    "lavfi",
                    "-i",
                    "mandelbrot=size=160x96:rate=25:start_scale=0.3:end_scale=0.3,noise=alls=12,scroll=horizontal=0.01,"
                            + "noise=alls=4:allf=t,negate=enable='lt(mod(t+0.2,2),1)'",
                    "-t",
                    String.valueOf(seconds),
                    "-pix_fmt",
                    "yuvj420p",
                    "-c:v",
                    "mjpeg",
                    "-q:v",
                    "31",
                    input.toString());
            List<String> settings = List.of(
                    "--encoder",
                    "x264enc pass=quant quantizer=0",
                    "--set",
                    "substrate=cpu",
                    "--set",
                    "quality=balanced",
                    "--set",
                    "temporal=" + temporal);
            Path whole = folder.resolve(temporal + ".mkv");
            succeed(with(qpu("transcode", input.toString(), whole.toString()), settings));
            Path out = folder.resolve(temporal);
            String said = succeed(
                    with(qpu("batch", in.toString(), out.toString(), "--segment", "1s", "--workers", "1"), settings));
            assertEquals(seconds, said.split("gdp: " + PICTURES + " pictures", -1).length - 1, said);
            wholes.add(pictures(whole));
            assertEquals(wholes.get(wholes.size() - 1), pictures(out.resolve("film.mkv")), temporal);
            assertEquals(times(whole, "v"), times(out.resolve("film.mkv"), "v"), temporal);
        }
        assertNotEquals(wholes.get(0), wholes.get(1).subList(0, wholes.get(0).size()));
    }
}
