/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.gstqpu.pipelines.CheckPackages;
import org.gstqpu.pipelines.CommandHere;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the ready pipelines by the commands, with real sources and sinks; as processes, unless a start of its own changes nothing. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class ReadyPipelinesIT {
    private static final Path ROOT = Installation.current().root();
    private static final long LIMIT_SECONDS = 1200;
    private static final int PICTURES = 50;

    @TempDir
    private static Path samples;

    /** Two seconds of MPEG-4 with sound. */
    private static Path video;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeVideo() {
        video = samples.resolve("a video.mkv");
        ffmpeg("-c:v", "mpeg4", "-c:a", "aac", video.toString());
    }

    /** Encodes {@link #PICTURES} pictures with sound. */
    private static void ffmpeg(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i"));
        command.addAll(List.of("testsrc2=size=160x96:rate=25", "-f", "lavfi", "-i", "sine", "-t", "2"));
        command.addAll(List.of(arguments));
        succeed(command);
    }

    private static String succeed(List<String> command) {
        ChildProcess child = new ChildProcess(command, Map.of());
        ChildProcess.Result result = child.run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), () -> child.commandLine() + "\n" + result.output());
        return result.output();
    }

    /** Transcodes in this process, and succeeds. */
    private static String transcode(Path in, Path out, String... options) {
        List<Object> arguments = new ArrayList<>(List.of("transcode", in, out));
        arguments.addAll(List.of(options));
        ChildProcess.Result result = CommandHere.run(arguments.toArray());
        assertEquals(ExitStatus.OK, result.status(), result.output());
        return result.output();
    }

    private static List<String> qpu(String... arguments) {
        // If the parent of the tests ignores SIGINT, a JVM would inherit that.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(ROOT.resolve("pipelines/qpu").toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** The codec of each stream of a file with the number of its frames, such as {@code h264 50}. */
    private static List<String> streams(Path file) {
        return succeed(List.of(
                        "ffprobe",
                        "-v",
                        "error",
                        "-count_frames",
                        "-show_entries",
                        "stream=codec_name,nb_read_frames",
                        "-of",
                        "csv=p=0:s=\\ ",
                        file.toString()))
                .lines()
                .toList();
    }

    @Test
    void listSaysOfEachPipelineHowItIsRunAndWhetherWhatItNeedsIsHere() {
        String said = succeed(qpu("list"));
        assertTrue(said.lines().anyMatch(line -> line.matches("(ok|none) +play +Plays a file .*")), said);
        for (Readiness.Finding found : Readiness.look(Installation.current()).pipelines()) {
            String verdict = found.isWhole() ? "ok" : "none";
            assertTrue(said.lines().anyMatch(line -> line.matches(verdict + " +" + found.subject() + " .*")), said);
        }
        assertTrue(said.contains("qpu transcode --as dvd IN OUT"), said);
        for (ReadyPipeline ready : ReadyPipeline.all(Installation.current())) {
            assertTrue(said.contains(ready.file().toString()), said);
        }
    }

    @Test
    void aSinkThatDoesNotExistIsToldInOneLine() {
        ChildProcess.Result result = new ChildProcess(
                        qpu("play", video.toString(), "--sink", "nosuchsink", "--audio-sink", "fakesink"), Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(ExitStatus.UNUSABLE_INPUT, result.status(), result.output());
        assertEquals(
                List.of(
                        "qpu play: --sink nosuchsink: no element \"nosuchsink\": name an element that gst-inspect-1.0 lists, and"
                                + " properties that gst-inspect-1.0 ELEMENT shows"),
                result.output()
                        .lines()
                        .filter(line -> !line.startsWith("WARNING"))
                        .toList());
    }

    @Test
    void keysChangeTheFilterWhileAFilePlays() throws IOException, InterruptedException {
        String said = talk(
                qpu(
                        "play",
                        video.toString(),
                        "--set",
                        "substrate=cpu",
                        "--sink",
                        "fakesink sync=true",
                        "--audio-sink",
                        "fakesink"),
                "dcrv+-oiz q");
        List<String> lines =
                said.lines().filter(line -> !line.startsWith("WARNING")).toList();
        assertEquals(
                List.of(
                        "deblock=false",
                        "cdef=false",
                        "shrinkage=false",
                        "split-view=0.5",
                        "strength=1.25",
                        "strength=1.0",
                        "deblock=true",
                        "cdef=true",
                        "shrinkage=true"),
                lines.subList(0, Math.min(9, lines.size())),
                said);
        assertTrue(lines.get(9).matches("[1-9]\\d* pictures on cpu \\(CPU, .*"), said);
        assertEquals(
                "cdef+shrinkage, 8 shifts, quality best (auto: not live), temporal off (auto: no GPU filters)",
                lines.get(10),
                said);
        assertTrue(lines.get(11).matches("(tier \\d+ \\([a-z ]+, step [0-9.]+\\)|no picture yet): .*"), said);
        assertEquals("no key 'z'; h shows those that there are", lines.get(12), said);
    }

    @Test
    void aPhonesFilmIsShownUprightAndSplitIntoLeftAndRight() throws IOException {
        Path film = folder.resolve("film.mp4");
        List<String> turn = new ArrayList<>(List.of("ffmpeg", "-nostdin", "-v", "error", "-i", video.toString()));
        turn.addAll(List.of("-an", "-c", "copy", "-metadata:s:v", "rotate=90", film.toString()));
        succeed(turn);
        BufferedImage split = firstShown(film, "split-view=0.5", "qp=40");
        assertEquals("96x160", split.getWidth() + "x" + split.getHeight());
        BufferedImage unfiltered = firstShown(film, "deblock=false", "cdef=false", "shrinkage=false");
        assertTrue(isEqual(split, unfiltered, 0, 48));
        assertFalse(isEqual(split, unfiltered, 48, 96));
        for (int y = 0; y < 160; y += 80) {
            assertFalse(isEqual(split.getSubimage(0, y, 96, 80), unfiltered.getSubimage(0, y, 96, 80), 48, 96));
        }
    }

    @Test
    void greyPicturesKeepTheirContrast() throws IOException {
        Path film = folder.resolve("grey.mkv");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "testsrc=size=160x96",
                "-frames:v",
                "2",
                "-c:v",
                "ffv1",
                "-pix_fmt",
                "gray",
                film.toString()));
        BufferedImage shown = firstShown(film);
        int[] greys = Arrays.stream(shown.getRGB(0, 0, 160, 96, null, 0, 160))
                .map(rgb -> rgb & 0xff)
                .sorted()
                .toArray();
        assertTrue(greys[0] < 16, () -> "darkest: " + greys[0]);
        assertTrue(greys[greys.length - 1] > 239, () -> "brightest: " + greys[greys.length - 1]);
    }

    private BufferedImage firstShown(Path film, String... properties) throws IOException {
        Path shown = folder.resolve("shown.png");
        List<String> command = new ArrayList<>(qpu("play", film.toString(), "--set", "substrate=cpu"));
        for (String property : properties) {
            command.addAll(List.of("--set", property));
        }
        command.addAll(List.of(
                "--sink", "videoconvert ! video/x-raw,format=RGB ! pngenc snapshot=true ! filesink location=" + shown));
        succeed(command);
        return ImageIO.read(shown.toFile());
    }

    private static boolean isEqual(BufferedImage a, BufferedImage b, int left, int right) {
        int width = right - left;
        int height = a.getHeight();
        return Arrays.equals(
                a.getRGB(left, 0, width, height, null, 0, width), b.getRGB(left, 0, width, height, null, 0, width));
    }

    /** Runs a program with {@code input} at its standard input. It must succeed. Returns its output. */
    private static String talk(List<String> command, String input) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            try (OutputStream keys = process.getOutputStream()) {
                keys.write(input.getBytes(StandardCharsets.US_ASCII));
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), said);
            assertEquals(0, process.exitValue(), said);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aFileIsTranscodedWithItsSoundAndABarOnATerminal() {
        Path out = folder.resolve("new.mp4");
        String said = succeed(List.of(
                "script",
                "-qec",
                new ChildProcess(qpu("transcode", video.toString(), out.toString(), "--set", "substrate=cpu"), Map.of())
                        .commandLine(),
                "/dev/null"));
        assertTrue(said.contains("new.mp4 100% [="), said);
        assertTrue(said.matches("(?s).* \\d+\\.\\d fps.*"), said);
        assertTrue(said.contains(out + ": " + PICTURES + " pictures in "), said);
        assertTrue(said.contains(", encoded by x264enc"), said);
        List<String> streams = streams(out);
        assertEquals("h264 " + PICTURES, streams.get(0));
        assertTrue(streams.get(1).startsWith("aac "), streams::toString);
    }

    @Test
    void eachContainerHasTheVideoEncodedAndWhatItTakesCopied() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path words = Files.writeString(folder.resolve("w.srt"), "1\n00:00:00,200 --> 00:00:01,000\nwords\n");
        Path film = folder.resolve("film.mp4");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-i",
                video.toString(),
                "-i",
                words.toString(),
                "-map",
                "0",
                "-map",
                "1",
                "-c:v",
                "copy",
                "-c:a",
                "copy",
                "-c:s",
                "mov_text",
                film.toString()));
        assertContainer(film, "a.mkv", List.of("h264", "aac", "subrip"), "sound copied", "converted to subrip");
        assertContainer(film, "a.mp4", List.of("h264", "aac", "mov_text"), "sound copied", "subtitles copied");
        assertContainer(film, "a.mov", List.of("h264", "aac", "mov_text"), "sound copied", "subtitles copied");
        assertContainer(film, "a.avi", List.of("h264", "aac"), "sound copied", "subtitles 2 left out: .avi");
        assertContainer(film, "a.ts", List.of("h264", "aac"), "sound copied", "subtitles 2 left out: .ts");
        assertContainer(
                film, "a.webm", List.of("vp8", "opus", "webvtt"), "sound encoded as opus", "converted to webvtt");
        Path broadcast = folder.resolve("broadcast.mpg");
        ffmpeg("-c:v", "mpeg2video", "-c:a", "mp2", broadcast.toString());
        assertContainer(broadcast, "b.mov", List.of("h264", "aac"), "sound encoded as aac");
    }

    @Test
    void subtitlesOfMatroskaKeepTheirText() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path words = Files.writeString(
                folder.resolve("w.srt"),
                "1\n00:00:00,200 --> 00:00:01,000\n1 < 2 & 3\n\n2\n00:00:01,200 --> 00:00:01,800\n<i>slanted</i>\n");
        Path film = folder.resolve("film.mkv");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-i",
                video.toString(),
                "-i",
                words.toString(),
                "-map",
                "0",
                "-map",
                "1",
                "-c",
                "copy",
                "-c:s",
                "srt",
                film.toString()));
        assertContainer(film, "a.mkv", List.of("h264", "aac", "subrip"), "sound copied", "subtitles copied (");
        assertEquals(Files.readString(words), subtitles(folder.resolve("a.mkv")).replace("\n\n\n", "\n\n"));
        assertContainer(film, "a.mp4", List.of("h264", "aac", "mov_text"), "converted to mov_text");
        String plain = subtitles(folder.resolve("a.mp4")).replaceAll("</?(font|i)[^>]*>", "");
        assertTrue(plain.contains("\n1 < 2 & 3\n") && plain.contains("\nslanted\n"), plain);
    }

    private String subtitles(Path file) throws IOException {
        Path text = folder.resolve("written.srt");
        succeed(List.of(
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file.toString(), "-map", "0:s", text.toString()));
        return Files.readString(text).strip() + "\n";
    }

    /** An encoder that looks ahead has many pictures at the end, which are large if the quality is high and the picture is noise. */
    @Test
    void noPictureStaysInAnEncoder() {
        Path noise = folder.resolve("noise.mkv");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "color=gray:size=160x96:rate=25:duration=2,noise=alls=60:allf=t:all_seed=1,format=yuv420p",
                "-c:v",
                "ffv1",
                noise.toString()));
        Path out = folder.resolve("all.mkv");
        int formats = 0;
        for (VideoFormat format : VideoFormat.values()) {
            ChildProcess.Result result = CommandHere.run(
                    "transcode",
                    noise,
                    out,
                    "--encoder",
                    format.word(),
                    "--quality",
                    4,
                    "--overwrite",
                    "--set",
                    "substrate=cpu",
                    "--set",
                    "strength=0");
            if (result.status() == ExitStatus.UNAVAILABLE) {
                assertTrue(result.output().contains("no encoder of video"), result.output());
                continue;
            }
            assertEquals(ExitStatus.OK, result.status(), result.output());
            List<String> streams = streams(out);
            assertTrue(streams.get(0).endsWith(" " + PICTURES), () -> format + ": " + streams);
            formats++;
        }
        assertTrue(formats > 0);
    }

    private void assertContainer(Path in, String name, List<String> codecs, String... outcome) {
        Path out = folder.resolve(name);
        String said = transcode(in, out, "--set", "substrate=cpu");
        for (String each : outcome) {
            assertTrue(said.contains(each), said);
        }
        List<String> streams = streams(out);
        assertTrue(streams.contains(codecs.get(0) + " " + PICTURES), streams::toString);
        // A transport stream's are listed for its program, too.
        assertEquals(
                codecs,
                streams.stream()
                        .filter(stream -> !stream.isBlank())
                        .map(stream -> stream.split(" ", -1)[0])
                        .distinct()
                        .toList());
    }

    /** Half a second from the middle, each picture of another grey. */
    @Test
    void onlyThePicturesBetweenTheTimesAreWritten() {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path greys = folder.resolve("greys.mp4");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "color=size=160x96:rate=25:duration=2,format=yuv420p,geq=lum='20+4*N':cb=128:cr=128",
                "-c:v",
                "mpeg4",
                "-q:v",
                "2",
                "-g",
                "100",
                greys.toString()));
        Path out = folder.resolve("part.mkv");
        String said = transcode(greys, out, "--from", "0:01", "--to", "1.48", "--set", "substrate=cpu");
        assertTrue(said.contains(out + ": 12 pictures in "), said);
        String means = succeed(List.of(
                "ffprobe",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "movie='" + out + "',signalstats",
                "-show_entries",
                "frame_tags=lavfi.signalstats.YAVG",
                "-of",
                "csv=p=0"));
        List<Double> greysOut = means.lines().map(Double::valueOf).toList();
        assertEquals(12, greysOut.size(), means);
        assertEquals(20 + 4 * 25, greysOut.get(0), 1, means);
        assertEquals(20 + 4 * 36, greysOut.get(11), 1, means);
    }

    /** The picture is noise, which an encoder codes in a size that shows what it was asked for. */
    @Test
    void aQualityIsWhatX264MakesOfItAndABitRateIsKept() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path noise = folder.resolve("noise.mkv");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "color=gray:size=320x192:rate=25:duration=2,noise=alls=60:allf=t:all_seed=1,format=yuv420p",
                "-c:v",
                "ffv1",
                noise.toString()));
        Path reference = folder.resolve("reference.mkv");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-i",
                noise.toString(),
                "-c:v",
                "libx264",
                "-crf",
                "18",
                reference.toString()));
        // Without strength pictures pass as they are: both encode the same.
        Path out = folder.resolve("out.mkv");
        String said = transcode(
                noise, out, "--quality", "18", "--overwrite", "--set", "substrate=cpu", "--set", "strength=0");
        assertTrue(said.contains("video encoded by x264enc, quality 18"), said);
        double ratio = (double) Files.size(out) / Files.size(reference);
        assertTrue(ratio > 0.85 && ratio < 1.15, () -> ratio + " of the size that ffmpeg writes");
        said = transcode(
                noise, out, "--bitrate", "0.4M", "--overwrite", "--set", "substrate=cpu", "--set", "strength=0");
        assertTrue(said.contains("x264enc, 400 kbit/s"), said);
        assertTrue(Files.size(out) < 0.2 * Files.size(reference), () -> "at a bit rate of 400k");
    }

    @Test
    void interlacedMpeg2BecomesWholePictures() {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Path film = folder.resolve("film.mpg");
        ffmpeg("-vf", "setfield=tff", "-flags", "+ildct+ilme", "-c:v", "mpeg2video", "-c:a", "mp2", film.toString());
        Path out = folder.resolve("film.mkv");
        String said = transcode(film, out, "--as", "dvd", "--set", "substrate=cpu");
        // The filter counts frames, each with two fields.
        assertTrue(said.contains(out + ": " + PICTURES + " pictures in "), said);
        assertEquals("h264 " + 2 * PICTURES, streams(out).get(0));
    }

    @Test
    void picturesToCompareAreMadeWithoutAScreen() throws IOException {
        // Blocks of two greys: without filtering, the output has no other colour.
        Path blocks = samples.resolve("blocks.mkv");
        succeed(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "color=size=160x96:rate=25:duration=2,format=yuv420p,geq=lum='100+8*mod(floor(X/8)+floor(Y/8),2)':cb=128:cr=128",
                "-c:v",
                "ffv1",
                blocks.toString()));
        succeed(qpu(
                "transcode",
                "--as",
                "compare",
                blocks.toString(),
                folder.resolve("c-%d.png").toString(),
                "--set",
                "qp=36"));
        BufferedImage picture = ImageIO.read(folder.resolve("c-1.png").toFile());
        assertEquals(160, picture.getWidth());
        assertEquals(96, picture.getHeight());
        assertEquals(2, colours(picture.getSubimage(0, 0, 80, 96)), "on the left, as it came");
        assertTrue(colours(picture.getSubimage(80, 0, 80, 96)) > 2, "on the right, filtered");
    }

    private static long colours(BufferedImage picture) {
        return Arrays.stream(picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth()))
                .distinct()
                .count();
    }

    /** Boxes that lie in each other 100 000 deep would end the process. Nobody has looked at a file that a playlist names. */
    @ParameterizedTest
    @ValueSource(strings = {"play film.mp4", "play film.m3u8", "transcode film.mp4", "measure film.mp4"})
    void aFilmOnAServerWhosePartsLieTooDeepIsRefused(String line) throws IOException {
        ByteBuffer film = ByteBuffer.allocate(800_024);
        film.putInt(16).put("ftypisom\0\0\0\0".getBytes(StandardCharsets.US_ASCII));
        while (film.hasRemaining()) {
            film.putInt(film.remaining())
                    .put((film.position() < 24 ? "moov" : "udta").getBytes(StandardCharsets.US_ASCII));
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] list = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfilm.mp4\n#EXT-X-ENDLIST\n"
                    .getBytes(StandardCharsets.US_ASCII);
            byte[] sent = exchange.getRequestURI().getPath().endsWith("8") ? list : film.array();
            exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : sent.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(sent);
            } catch (IOException e) {
                exchange.close();
            }
        });
        server.start();
        try {
            String[] words = line.split(" ", 2);
            String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/" + words[1];
            List<String> command = qpu(words[0], address);
            command.addAll(
                    switch (words[0]) {
                        case "play" -> List.of("--sink", "fakesink", "--audio-sink", "fakesink");
                        case "transcode" -> List.of(folder.resolve("out.mkv").toString());
                        default -> List.of("--reference", video.toString());
                    });
            ChildProcess.Result result =
                    new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
            assertEquals(ExitStatus.UNUSABLE_INPUT, result.status(), result.output());
            assertTrue(result.output().contains(InputAddress.DEEP), result.output());
        } finally {
            server.stop(0);
        }
    }

    /**
     * Records a camera, until Ctrl-C.
     *
     * @param camera what answers each connection, behind the headers
     * @param enough Ctrl-C comes when it is counted down
     * @return the first file
     */
    private Path record(HttpHandler camera, CountDownLatch enough, String... options)
            throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/video.mjpg", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "multipart/x-mixed-replace; boundary=picture");
            exchange.sendResponseHeaders(200, 0);
            camera.handle(exchange);
        });
        server.start();
        Path out = folder.resolve("door.mkv");
        List<String> command = qpu(
                "transcode",
                "--as",
                "security-camera",
                "http://127.0.0.1:" + server.getAddress().getPort() + "/video.mjpg",
                out.toString(),
                "--set",
                "substrate=cpu");
        command.addAll(List.of(options));
        Process recording = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            assertTrue(enough.await(LIMIT_SECONDS, TimeUnit.SECONDS), this::said);
            succeed(List.of("kill", "-INT", String.valueOf(recording.pid())));
            assertTrue(recording.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), this::said);
            assertEquals(130, recording.exitValue(), this::said);
        } finally {
            recording.destroyForcibly();
            server.stop(0);
        }
        return out;
    }

    @Test
    void aSecurityCamerasFileIsWholeWhenCtrlCEndsIt() throws IOException, InterruptedException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        CountDownLatch sent = new CountDownLatch(20);
        byte[] jpeg = jpeg();
        HttpHandler camera = exchange -> {
            String head = "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: " + jpeg.length + "\r\n\r\n";
            // Sends pictures until the client closes the connection.
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(head.getBytes(StandardCharsets.US_ASCII));
                    body.write(jpeg);
                    body.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                    body.flush();
                    sent.countDown();
                    TimeUnit.MILLISECONDS.sleep(40);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        Path out = record(camera, sent);
        assertTrue(said().matches("(?s).*door\\.mkv: [1-9]\\d* pictures in .*"), this::said);
        String stream = streams(out).get(0);
        assertTrue(stream.matches("h264 [1-9]\\d*"), () -> stream + said());
        // A Matroska file has a duration only if it was completed.
        String duration = succeed(List.of(
                "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", out.toString()));
        assertTrue(duration.matches("\\d+\\.\\d+\\s*"), duration);
        double[] times = succeed(List.of(
                        "ffprobe",
                        "-v",
                        "error",
                        "-show_entries",
                        "frame=pts_time",
                        "-of",
                        "default=nk=1:nw=1",
                        out.toString()))
                .lines()
                .mapToDouble(Double::parseDouble)
                .toArray();
        for (int i = 1; i < times.length; i++) {
            assertTrue(times[i] > times[i - 1], () -> Arrays.toString(times));
        }
    }

    /**
     * A camera sends all its pictures at once and ends, again and again; at its second connection without a boundary before the first one,
     * which needs a third. Each picture has another brightness.
     */
    @Test
    void eachPictureOfACameraIsRecordedOnceAlsoWhenItIsConnectedToAgain() throws IOException, InterruptedException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        for (int i = 0; i < PICTURES; i++) {
            byte[] jpeg = jpeg(20 + 4 * i);
            parts.write(("Content-Type: image/jpeg\r\nContent-Length: " + jpeg.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            parts.write(jpeg);
            parts.write("\r\n--picture\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        AtomicInteger connections = new AtomicInteger();
        CountDownLatch last = new CountDownLatch(4);
        HttpHandler camera = exchange -> {
            try (OutputStream body = exchange.getResponseBody()) {
                body.write((connections.incrementAndGet() == 1 ? "--picture\r\n" : "")
                        .getBytes(StandardCharsets.US_ASCII));
                body.write(parts.toByteArray());
            } finally {
                last.countDown();
            }
        };
        Path out = record(camera, last, "--reconnect");
        for (Path file : List.of(out, folder.resolve("door-2.mkv"))) {
            byte[] brightness = succeed(List.of(("ffmpeg -nostdin -v fatal -i " + file
                                    + " -fps_mode passthrough -vf scale=1:1 -pix_fmt gray -f rawvideo -")
                            .split(" ")))
                    .getBytes(StandardCharsets.ISO_8859_1);
            assertEquals(PICTURES, brightness.length, this::said);
            for (int i = 1; i < PICTURES; i++) {
                assertTrue(
                        Byte.toUnsignedInt(brightness[i]) > Byte.toUnsignedInt(brightness[i - 1]),
                        Arrays.toString(brightness));
            }
        }
    }

    /** The queues behind the reader hold the whole input. What they hold is not waited for. */
    @Test
    void ctrlCLeavesOutWhatIsNotDecodedYet() throws IOException, InterruptedException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        int all = 2000;
        Path in = folder.resolve("long.avi");
        succeed(List.of(("ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x240:rate=25 -f lavfi -i sine -t "
                        + all / 25 + " -c:v mjpeg -c:a mp2 " + in)
                .split(" ")));
        Path out = folder.resolve("out.mkv");
        Process slow = new ProcessBuilder(qpu(
                        "transcode",
                        in.toString(),
                        out.toString(),
                        "--encoder",
                        "x264enc speed-preset=placebo threads=1"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            // The encoder gives the first packet after some pictures.
            for (int i = 0; i < 20 * LIMIT_SECONDS && written() < 10_000; i++) {
                assertFalse(slow.waitFor(50, TimeUnit.MILLISECONDS), this::said);
            }
            succeed(List.of("kill", "-INT", String.valueOf(slow.pid())));
            assertTrue(slow.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), this::said);
            assertEquals(130, slow.exitValue(), this::said);
        } finally {
            slow.destroyForcibly();
        }
        Matcher pictures = Pattern.compile("h264 (\\d+)\nmp2 (\\d+)").matcher(String.join("\n", streams(out)));
        assertTrue(pictures.find(), this::said);
        int count = Integer.parseInt(pictures.group(1));
        assertTrue(count > 0 && count < all, () -> count + " pictures; " + said());
        // A frame of MP2 has 1152 samples, here of 44100 a second.
        double sound = Integer.parseInt(pictures.group(2)) * 1152 / 44100.0;
        assertEquals(count / 25.0, sound, 0.2, this::said);
    }

    /** Size of the files that are not whole yet. */
    private long written() throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, "*.part")) {
            for (Path part : parts) {
                bytes += Files.size(part);
            }
        }
        return bytes;
    }

    @Test
    void namesAreReadWithoutALocale() {
        succeed(List.of(
                "sh",
                "-c",
                "name=$(printf '\\303\\234bung.mkv') && cp \"$1\" \"$2/$name\" && cd \"$2\""
                        + " && LC_ALL=C \"$3\" transcode \"$name\" \"out-$name\" && [ -s \"out-$name\" ]",
                "sh",
                video.toString(),
                folder.toString(),
                ROOT.resolve("pipelines/qpu").toString()));
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static byte[] jpeg(int grey) throws IOException {
        BufferedImage picture = new BufferedImage(160, 96, BufferedImage.TYPE_BYTE_GRAY);
        for (int y = 0; y < 96; y++) {
            for (int x = 0; x < 160; x++) {
                picture.getRaster().setSample(x, y, 0, grey);
            }
        }
        return jpeg(picture);
    }

    private static byte[] jpeg() throws IOException {
        BufferedImage picture = new BufferedImage(160, 96, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < 96; y++) {
            for (int x = 0; x < 160; x++) {
                picture.setRGB(x, y, x * y);
            }
        }
        return jpeg(picture);
    }

    private static byte[] jpeg(BufferedImage picture) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertTrue(ImageIO.write(picture, "jpeg", bytes));
        return bytes.toByteArray();
    }

    @Test
    void aStreamFromAnRtspServerIsHandedToOne() throws IOException, InterruptedException {
        CheckPackages.needPython("GstRtspServer", "python3-gi gir1.2-gst-rtsp-server-1.0");
        CheckPackages.needElement("rtspclientsink", "gstreamer1.0-rtsp");
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Process server = new ProcessBuilder(
                        "/usr/bin/python3",
                        ROOT.resolve("pipelines/tests/src/test/python/rtsp-server.py")
                                .toString())
                .redirectError(folder.resolve("server-said").toFile())
                .start();
        Process relay = null;
        try (BufferedReader lines = server.inputReader(StandardCharsets.US_ASCII)) {
            String address = "rtsp://127.0.0.1:" + lines.readLine();
            relay = new ProcessBuilder(qpu(
                            "transcode", "--as", "rtsp", address + "/in", address + "/out", "--set", "substrate=cpu"))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("said").toFile())
                    .start();
            // If the relay ends, the server receives nothing more and would wait for ever.
            CompletableFuture<Void> unused = relay.onExit().thenRun(server::destroy);
            assertEquals("received", lines.readLine(), this::said);
            succeed(List.of("kill", "-INT", String.valueOf(relay.pid())));
            assertTrue(relay.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), this::said);
            assertEquals(130, relay.exitValue(), this::said);
            assertTrue(said().matches("(?s).*/out: [1-9]\\d* pictures in .*"), this::said);
        } finally {
            server.destroyForcibly();
            if (relay != null) {
                relay.destroyForcibly();
            }
        }
    }

    @Test
    void ctrlCWhileTheSourceConnectsIsNotWaitedFor() throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            String address = "rtsp://127.0.0.1:" + server.getLocalPort();
            Process relay = new ProcessBuilder(qpu("transcode", "--as", "rtsp", address + "/in", address + "/out"))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("said").toFile())
                    .start();
            try (Socket slow = server.accept()) {
                succeed(List.of("kill", "-INT", String.valueOf(relay.pid())));
                // As long as something of an answer comes, the source does not give up.
                OutputStream answer = slow.getOutputStream();
                answer.write("RTSP/1.0 200 OK\r\nServer: ".getBytes(StandardCharsets.US_ASCII));
                for (int i = 0; i < LIMIT_SECONDS && !relay.waitFor(1, TimeUnit.SECONDS); i++) {
                    answer.write('a');
                }
            } catch (SocketException e) {
                // The relay has closed the connection.
            }
            try {
                assertTrue(relay.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), this::said);
                assertEquals(130, relay.exitValue(), this::said);
                assertFalse(said().contains("did not end within"), this::said);
            } finally {
                relay.destroyForcibly();
            }
        }
    }

    /** Under the lower limit Java cannot even unpack its libraries, under the higher one the video does not fit. */
    @ParameterizedTest
    @CsvSource({
        "40, 'qpu: a library of Java cannot be unpacked or loaded (', " + ExitStatus.UNAVAILABLE,
        "400, 'qpu transcode: the file cannot be written (', " + ExitStatus.PROBLEM
    })
    void aLimitOfFilesIsToldInOneLineAndLeavesNoFile(int blocks, String message, int status) throws IOException {
        Path film = folder.resolve("film.avi");
        succeed(ChildProcess.words(
                "ffmpeg -v error -f lavfi -i testsrc2=size=640x360:duration=1,noise=alls=40:allf=t -c:v mpeg4 -q:v 2 %s",
                film));
        Path out = Files.createDirectories(folder.resolve("limited")).resolve("out.mkv");
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f " + blocks + "; exec \"$@\"", "bash"));
        command.addAll(qpu("transcode", film.toString(), out.toString(), "--quality", "5"));
        ChildProcess.Result result =
                new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
        List<String> lines = result.output()
                .lines()
                .filter(line -> !line.contains(": note: "))
                .toList();
        assertEquals(status, result.status(), result.output());
        assertEquals(1, lines.size(), result.output());
        assertTrue(lines.get(0).startsWith(message) && lines.get(0).contains("ulimit -f"), result.output());
        assertEquals(0, out.getParent().toFile().list().length, result.output());
    }

    @Test
    void mistakesAreOneLineAndLeaveNoFile() throws IOException {
        Path there = Files.createFile(folder.resolve("there.mkv"));
        Path out = folder.resolve("out.mkv");
        String in = video.toString();
        refused("there.mkv exists already: give --overwrite", 2, "transcode", in, there.toString());
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling.mkv"), folder.resolve("nothing.mkv"));
        refused("is a link to a file that does not exist", 2, "transcode", in, dangling.toString());
        String tooLong = "x".repeat(252) + ".mkv";
        refused(
                "its name has 256 bytes",
                2,
                "transcode",
                in,
                folder.resolve(tooLong).toString());
        refused("gst-inspect-1.0 qpuloopfilter lists those", 2, "transcode", in, out.toString(), "--set", "power=1");
        refused("qp=99: qp is a whole number from -1 to 51", 2, "transcode", in, out.toString(), "--set", "qp=99");
        refused("the name of the input is empty", 2, "transcode", "", out.toString());
        Path sound = folder.resolve("sound.ogg");
        ffmpeg("-vn", "-c:a", "libvorbis", sound.toString());
        processRefused("holds no video", 2, "transcode", sound.toString(), out.toString());
        refused("one of .mkv, .mp4, .m4v, .mov, .webm, .avi, .ts", 2, "transcode", in, out + ".xyz");
        refused("no such encoder: name one of h264, ", 2, "transcode", in, out.toString(), "--encoder", "x999enc");
        refused("does not encode video", 2, "transcode", in, out.toString(), "--encoder", "opusenc");
        refused("file is written with vp8, vp9, av1", 2, "transcode", in, out + ".webm", "--encoder", "h264");
        processRefused(
                "no property \"nonsense\"", 2, "transcode", in, out.toString(), "--encoder", "vp8enc nonsense=1");
        refused("--quality 0: it is from 1 (best) to 50", 2, "transcode", in, out.toString(), "--quality", "0");
        refused("mutually exclusive", 2, "transcode", in, out.toString(), "--quality", "20", "--bitrate", "1M");
        refused("'fast' is no bit rate", 2, "transcode", in, out.toString(), "--bitrate", "fast");
        refused("'1:99' is no time", 2, "transcode", in, out.toString(), "--from", "1:99");
        refused("--to 1 is not after --from 1.5", 2, "transcode", in, out.toString(), "--from", "1.5", "--to", "1");
        processRefused("has no picture between", 2, "transcode", in, out.toString(), "--from", "1:00:00");
        refused("is an address", 2, "transcode", in, "http://127.0.0.1/out.mkv");
        refused("has its own encoder", 2, "transcode", "--as", "compare", in, folder + "/%d.png", "--quality", "20");
        Path stream = folder.resolve("stream.mpg");
        ffmpeg("-c:v", "mpeg2video", "-c:a", "mp2", stream.toString());
        processRefused("cannot be read exactly", 2, "transcode", stream.toString(), out.toString(), "--from", "1");
        Path avi = folder.resolve("whole.avi");
        ffmpeg("-c:v", "mjpeg", "-c:a", "mp2", avi.toString());
        Path text = Files.writeString(folder.resolve("text.mkv"), "This is a text, and no video. ".repeat(100));
        processRefused("is no video that GStreamer knows", 2, "transcode", text.toString(), out.toString());
        Path broken = Files.write(folder.resolve("broken.mp4"), new byte[5000]);
        processRefused("is no video that GStreamer knows", 2, "transcode", broken.toString(), out.toString());
        Path empty = Files.createFile(folder.resolve("empty.mp4"));
        refused("empty.mp4: is empty", 2, "transcode", empty.toString(), out.toString());
        Path raw = folder.resolve("raw.mjpeg");
        ffmpeg("-an", "-c:v", "mjpeg", "-f", "mjpeg", raw.toString());
        processRefused("its pictures have no times", 2, "transcode", raw.toString(), out.toString());
        processRefused(
                "GStreamer has no FOO protocol source: name a file, or an address of http,",
                2,
                "transcode",
                "foo://x",
                out.toString());
        refused(
                "nowhere.mp4: no such file",
                2,
                "play",
                folder.resolve("nowhere.mp4").toString());
        refused("is a folder: name a file in it", 2, "transcode", folder.toString(), out.toString());
        Path taken = Files.createDirectory(folder.resolve("taken.mkv"));
        refused("is a folder: name a file in it", 2, "transcode", in, taken.toString(), "--overwrite");
        Path cut = Files.write(folder.resolve("cut.avi"), Arrays.copyOf(Files.readAllBytes(avi), 200));
        processRefused("is damaged or cut off", 2, "transcode", cut.toString(), out.toString());
        for (String animation : List.of("gif", "apng")) {
            Path animated = folder.resolve("animated." + animation);
            ffmpeg("-an", "-r", "5", animated.toString());
            processRefused(
                    "make a video of it first, as ffmpeg -i IN", 2, "transcode", animated.toString(), out.toString());
        }
        // What comes after the decoder refuses the first, the decoder itself the second.
        for (String codec : List.of("ffv1", "libvpx-vp9")) {
            Path unknown = folder.resolve(codec + ".mkv");
            ffmpeg("-an", "-pix_fmt", "yuv440p", "-c:v", codec, unknown.toString());
            processRefused("cannot decode to pictures", 2, "transcode", unknown.toString(), out.toString());
        }
        processRefused("nothing comes from the address", 2, "transcode", "http://127.0.0.1:1/in.mkv", out.toString());
        refused("is an address: compare reads files", 2, "compare", "http://127.0.0.1/in.mkv");
        assertFalse(Files.exists(out));
        assertFalse(Files.exists(folder.resolve("out.mkv.part")));
    }

    @Test
    void aDecoderThatIsMissingIsNamedWithItsPackage() {
        Path out = folder.resolve("out.mkv");
        ChildProcess.Result noVideo = new ChildProcess(
                        qpu("transcode", video.toString(), out.toString()),
                        Map.of("GST_PLUGIN_FEATURE_RANK", "avdec_mpeg4:NONE"))
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(ExitStatus.UNAVAILABLE, noVideo.status(), noVideo.output());
        assertTrue(
                noVideo.output()
                        .matches("qpu transcode: GStreamer has no MPEG-4.* decoder: apt install gstreamer1.0-libav\n"),
                noVideo.output());
        assertFalse(Files.exists(out));
        ChildProcess.Result noSound = new ChildProcess(
                        qpu("transcode", video.toString(), out.toString(), "--set", "substrate=cpu"),
                        Map.of(
                                "GST_PLUGIN_FEATURE_RANK",
                                "avdec_aac:NONE,avdec_aac_fixed:NONE,faad:NONE,fdkaacdec:NONE"))
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(ExitStatus.OK, noSound.status(), noSound.output());
        assertTrue(noSound.output().contains("; sound copied (aac)"), noSound.output());
    }

    /** A mistake that is found before a pipeline runs. */
    private static void refused(String message, int status, String... arguments) {
        assertRefused(message, status, CommandHere.run((Object[]) arguments));
    }

    /** With a process, because GStreamer and its plugins could write to its standard error, too. */
    private static void processRefused(String message, int status, String... arguments) {
        assertRefused(
                message,
                status,
                new ChildProcess(qpu(arguments), Map.of()).run(LIMIT_SECONDS).orElseThrow());
    }

    private static void assertRefused(String message, int status, ChildProcess.Result result) {
        assertEquals(status, result.status(), result.output());
        List<String> lines = result.output().lines().toList();
        assertEquals(1, lines.size(), result.output());
        assertTrue(lines.get(0).contains(message), result.output());
    }
}
