/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;

/** Runs the program ffmpeg, which encodes, decodes and filters videos for the commands. Stateless; any thread. */
public final class Ffmpeg {
    private static final long LIMIT_SECONDS = 600;
    private static final Pattern BENCH = Pattern.compile("bench: utime=([0-9.]+)s stime=([0-9.]+)s rtime=([0-9.]+)s");
    private static final Pattern FRAMES = Pattern.compile("frame= *(\\d+) ");

    private Ffmpeg() {}

    /**
     * Encodes a video as H.264 with a constant quantiser and without the loop filter, tagged as ITU-R BT.709.
     *
     * @throws CommandFailedException when there is no ffmpeg, or it fails
     */
    public static void encodeWithoutLoopFilter(Path source, int qp, Path stream) {
        // The tags are set by x264's own parameters: with -colorspace, ffmpeg 7 would convert the samples.
        run(List.of(
                "-i",
                source.toString(),
                "-c:v",
                "libx264",
                "-qp",
                String.valueOf(qp),
                "-x264-params",
                "no-deblock=1:colorprim=bt709:transfer=bt709:colormatrix=bt709:range=tv",
                stream.toString()));
    }

    /**
     * Encodes a moving, noisy test picture as an H.264 stream without a container, coarsely and without the loop filter.
     *
     * @throws CommandFailedException when there is no ffmpeg, or it fails
     */
    public static void encodeTestPictures(int width, int height, int pictures, int qp, Path stream) {
        run(List.of(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=size=" + width + "x" + height + ",noise=alls=12:allf=t",
                "-frames:v",
                String.valueOf(pictures),
                "-pix_fmt",
                "yuv420p",
                "-c:v",
                "libx264",
                "-qp",
                String.valueOf(qp),
                "-x264-params",
                "no-deblock=1",
                "-f",
                "h264",
                stream.toString()));
    }

    /**
     * Decodes a video into a file of raw pictures, one after the other and without padding.
     *
     * @param format ffmpeg's name of the pixel format, such as {@code nv12}
     * @throws CommandFailedException when there is no ffmpeg, or it fails
     */
    public static void unpackRaw(Path video, String format, Path raw) {
        run(List.of("-i", video.toString(), "-pix_fmt", format, "-f", "rawvideo", raw.toString()));
    }

    /**
     * Decodes a video of 8-bit 4:2:0 pictures into a YUV4MPEG2 file, without a conversion.
     *
     * @throws CommandFailedException when there is no ffmpeg, or it fails
     */
    public static void unpack(Path video, Path y4m) {
        run(List.of("-i", video.toString(), "-fps_mode", "passthrough", "-f", "yuv4mpegpipe", y4m.toString()));
    }

    /**
     * Decodes the first pictures of a video into a YUV4MPEG2 file of 8-bit 4:2:0. The header of the file tells the range of the
     * samples.
     *
     * @param range {@code pc} or {@code tv} for samples of full or limited range; empty for the range of the video
     * @throws CommandFailedException when there is no ffmpeg, no such file, or the file is not a video
     */
    public static void decode(Path video, int pictures, Optional<String> range, Path y4m) {
        if (!Files.isRegularFile(video)) {
            throw new CommandFailedException(ExitStatus.UNUSABLE_INPUT, video + ": no such file");
        }
        List<String> command = List.of(
                "ffmpeg",
                "-nostdin",
                "-hide_banner",
                "-loglevel",
                "error",
                "-y",
                "-i",
                video.toString(),
                "-map",
                "0:v:0",
                "-frames:v",
                String.valueOf(pictures),
                "-fps_mode",
                "passthrough",
                "-vf",
                range.map(r -> "scale=out_range=" + r + ",format=" + (r.equals("pc") ? "yuvj420p" : "yuv420p"))
                        .orElse("format=yuv420p|yuvj420p"),
                "-strict",
                "-1",
                "-f",
                "yuv4mpegpipe",
                y4m.toString());
        ChildProcess.Result result = new ChildProcess(command, Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow(() ->
                        new CommandFailedException(ExitStatus.UNAVAILABLE, "there is no ffmpeg: apt install ffmpeg"));
        if (result.status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    video + " cannot be decoded, give a video that ffmpeg can play: " + result.lastLines(1));
        }
    }

    /**
     * The speed of a filter in ffmpeg.
     *
     * @param picturesPerSecond pictures per second of elapsed time
     * @param cpuSecondsPerPicture CPU time of the process per picture
     */
    public record Speed(double picturesPerSecond, double cpuSecondsPerPicture) {}

    /**
     * Measures a filter on two threads; its results are discarded.
     *
     * @param i420 file of pictures, which is read in a loop
     * @param filter the filter, as {@code -vf} takes it
     * @param pictures the number of pictures to filter
     * @return empty if this ffmpeg does not have the filter
     * @throws CommandFailedException when there is no ffmpeg
     * @throws WrongResultException when ffmpeg filtered another number of pictures
     */
    public static Optional<Speed> measure(Path i420, VideoSize size, String filter, int pictures) {
        List<String> command = List.of(
                "ffmpeg",
                "-nostdin",
                "-hide_banner",
                "-benchmark",
                "-stream_loop",
                "-1",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "yuv420p",
                "-s",
                size.width() + "x" + size.height(),
                "-i",
                i420.toString(),
                "-filter_threads",
                "2",
                "-threads",
                "2",
                "-vf",
                filter,
                "-frames:v",
                String.valueOf(pictures),
                "-f",
                "null",
                "-");
        ChildProcess.Result result = new ChildProcess(command, Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow(() ->
                        new CommandFailedException(ExitStatus.UNAVAILABLE, "there is no ffmpeg: apt install ffmpeg"));
        if (result.status() != 0) {
            return Optional.empty();
        }
        int filtered = 0;
        for (Matcher frames = FRAMES.matcher(result.output()); frames.find(); ) {
            filtered = Integer.parseInt(frames.group(1));
        }
        Matcher bench = BENCH.matcher(result.output());
        if (filtered != pictures || !bench.find()) {
            throw new WrongResultException(
                    "ffmpeg " + filter + ": " + filtered + " pictures of " + pictures + ": " + result.lastLines(2));
        }
        return Optional.of(new Speed(
                pictures / Double.parseDouble(bench.group(3)),
                (Double.parseDouble(bench.group(1)) + Double.parseDouble(bench.group(2))) / pictures));
    }

    private static void run(List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of("ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y"));
        command.addAll(arguments);
        ChildProcess ffmpeg = new ChildProcess(command, Map.of());
        ChildProcess.Result result = ffmpeg.run(LIMIT_SECONDS)
                .orElseThrow(() ->
                        new CommandFailedException(ExitStatus.UNAVAILABLE, "there is no ffmpeg: apt install ffmpeg"));
        if (result.status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "this failed, and needs an ffmpeg with libx264 and FFV1, as Debian's: " + ffmpeg.commandLine()
                            + ": " + result.lastLines(4));
        }
    }
}
