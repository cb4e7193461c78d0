/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of real muxers, whole and without their ends. */
class CutOffFileIT {
    private static final long LIMIT_SECONDS = 1200;

    @TempDir
    private Path folder;

    private static String succeed(List<String> command) {
        ChildProcess child = new ChildProcess(command, Map.of());
        ChildProcess.Result result = child.run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), () -> child.commandLine() + "\n" + result.output());
        return result.output();
    }

    private Path ffmpeg(String name, String... options) {
        Path file = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i"));
        command.addAll(List.of("testsrc2=size=160x96:rate=25", "-f", "lavfi", "-i", "sine", "-t", "2"));
        command.addAll(List.of(options));
        command.add(file.toString());
        succeed(command);
        return file;
    }

    private static Optional<String> notice(Path file) throws IOException {
        return CutOffFile.notice(file.toString());
    }

    /** The file, without its last bytes. */
    private Path without(Path file, int lastBytes) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        return Files.write(folder.resolve("cut-" + lastBytes), Arrays.copyOf(whole, whole.length - lastBytes));
    }

    private void assertTold(Path whole) throws IOException {
        assertEquals(Optional.empty(), notice(whole));
        int length = (int) Files.size(whole);
        for (int lastBytes : List.of(2, length / 3, length / 2, length - 2000)) {
            Path cut = without(whole, lastBytes);
            String notice = notice(cut).orElseThrow(() -> new AssertionError(whole + " without " + lastBytes));
            assertTrue(
                    notice.startsWith(cut + ": its end is missing: it has " + (length - lastBytes) + " bytes, "),
                    notice);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.mkv", "a.avi", "a.mp4", "a.mov", "a.m4v"})
    void aFileOfFfmpegWithoutItsEndIsTold(String name) throws IOException {
        assertTold(ffmpeg(name, "-c:v", "mpeg4", "-c:a", "aac"));
    }

    @Test
    void anMp4WithItsIndexInFrontAndOneInFragmentsAreToldToo() throws IOException {
        assertTold(ffmpeg("fast.mp4", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "+faststart"));
        assertTold(ffmpeg("fragments.mp4", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"matroskamux", "avimux", "qtmux"})
    void aFileOfGStreamerWithoutItsEndIsTold(String muxer) throws IOException {
        Path file = folder.resolve(muxer);
        succeed(List.of(
                "gst-launch-1.0",
                "-q",
                "videotestsrc",
                "num-buffers=50",
                "!",
                "jpegenc",
                "!",
                muxer,
                "!",
                "filesink",
                "location=" + file));
        assertTold(file);
    }

    /** A recorder does not know the length at the beginning, and writes it at the end. */
    @Test
    void aFileThatDoesNotSayItsLengthIsNotTold() throws IOException {
        Path live = ffmpeg("live.mkv", "-c:v", "mpeg4", "-c:a", "aac", "-live", "1");
        assertEquals(Optional.empty(), notice(live));
        assertEquals(Optional.empty(), notice(without(live, (int) (Files.size(live) / 2))));
        byte[] avi = Files.readAllBytes(ffmpeg("open.avi", "-c:v", "mjpeg", "-c:a", "mp2"));
        ByteBuffer.wrap(avi).putInt(4, 0);
        assertEquals(Optional.empty(), notice(Files.write(folder.resolve("interrupted.avi"), avi)));
        Path stream = ffmpeg("stream.ts", "-c:v", "mpeg2video", "-c:a", "mp2");
        assertEquals(Optional.empty(), notice(without(stream, (int) (Files.size(stream) / 2))));
    }

    @Test
    void anAviOfSeveralChunksIsWalkedToItsLast() throws IOException {
        int bytes = 100;
        ByteBuffer file = ByteBuffer.allocate(2 * bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (String kind : List.of("AVI ", "AVIX")) {
            int at = file.position();
            file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(bytes - 8);
            file.put(kind.getBytes(StandardCharsets.US_ASCII)).position(at + bytes);
        }
        Path whole = Files.write(folder.resolve("large.avi"), file.array());
        assertEquals(Optional.empty(), notice(whole));
        assertTrue(notice(without(whole, 1)).orElseThrow().contains("its header declares 200;"));
    }

    @Test
    void whatIsNoSuchFileIsNotTold() throws IOException {
        assertEquals(Optional.empty(), CutOffFile.notice("http://127.0.0.1/video.mkv"));
        assertEquals(Optional.empty(), CutOffFile.notice("no\0file"));
        assertEquals(Optional.empty(), notice(folder));
        assertEquals(Optional.empty(), notice(folder.resolve("none.mkv")));
        byte[] text = "RIFF is a word that a text may begin with.".getBytes(StandardCharsets.US_ASCII);
        for (int length : List.of(0, 3, 4, 8, 11, text.length)) {
            assertEquals(Optional.empty(), notice(Files.write(folder.resolve("text"), Arrays.copyOf(text, length))));
        }
        // Headers with lengths that no file has: none may end the walk with an exception, or keep it from its end.
        for (int begin : List.of(0x1a45dfa3, 0x52494646)) {
            for (int filler = 0; filler < 256; filler++) {
                byte[] bytes = new byte[64];
                Arrays.fill(bytes, (byte) filler);
                ByteBuffer.wrap(bytes).putInt(0, begin);
                ByteBuffer.wrap(bytes).putInt(8, 0x41564920);
                notice(Files.write(folder.resolve("odd"), bytes));
            }
        }
    }

    @Test
    void aTranscodeOfItWarnsAndKeepsWhatIsThere() throws IOException {
        Path cut = without(ffmpeg("long.mkv", "-c:v", "mpeg4", "-c:a", "aac"), 20_000);
        Path out = folder.resolve("out.mkv");
        ChildProcess.Result result = new ChildProcess(
                        List.of(
                                Installation.current()
                                        .root()
                                        .resolve("pipelines/qpu")
                                        .toString(),
                                "transcode",
                                cut.toString(),
                                out.toString(),
                                "--set",
                                "substrate=cpu"),
                        Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(0, result.status(), result.output());
        int told = result.output().indexOf("qpu transcode: warning: " + cut + ": its end is missing: ");
        assertTrue(told >= 0 && told < result.output().indexOf(" pictures in "), result.output());
        assertTrue(Files.size(out) > 0);
    }
}
