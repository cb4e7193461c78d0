/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.gstqpu.pipelines.cli.ChildProcess.words;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Runs the program ffmpeg, which encodes, decodes and filters videos for the commands. Every method throws a
 * {@link CommandFailedException} when there is no ffmpeg, or it fails. Stateless; any thread.
 */
public final class Ffmpeg {
    private static final long LIMIT_SECONDS = 600;
    private static final String MISSING = "there is no ffmpeg: apt install ffmpeg";
    private static final String QUIET = "ffmpeg -nostdin -hide_banner -loglevel error -y";
    private static final Pattern BENCH = Pattern.compile("bench: utime=([0-9.]+)s stime=([0-9.]+)s rtime=([0-9.]+)s");
    private static final Pattern FRAMES = Pattern.compile("frame= *(\\d+) ");

    private Ffmpeg() {}

    /** Encodes a video as H.264 with a constant quantiser and without the loop filter, tagged as ITU-R BT.709. */
    public static void encodeWithoutLoopFilter(Path source, int qp, Path stream) {
        // The tags are set by x264's own parameters: with -colorspace, ffmpeg 7 would convert the samples.
        run(
                "-i %s -c:v libx264 -qp %s"
                        + " -x264-params no-deblock=1:colorprim=bt709:transfer=bt709:colormatrix=bt709:range=tv %s",
                source, qp, stream);
    }

    /** Encodes a moving, noisy test picture as an H.264 stream without a container, coarsely and without the loop filter. */
    public static void encodeTestPictures(int width, int height, int pictures, int qp, Path stream) {
        run(
                "-f lavfi -i testsrc2=size=%sx%s,noise=alls=12:allf=t -frames:v %s -pix_fmt yuv420p"
                        + " -c:v libx264 -qp %s -x264-params no-deblock=1 -f h264 %s",
                width, height, pictures, qp, stream);
    }

    /**
     * Decodes a video into a file of raw pictures, one after the other and without padding.
     *
     * @param format ffmpeg's name of the pixel format, such as {@code nv12}
     */
    public static void unpackRaw(Path video, String format, Path raw) {
        run("-i %s -pix_fmt %s -f rawvideo %s", video, format, raw);
    }

    /** Decodes a video of 8-bit 4:2:0 pictures into a YUV4MPEG2 file, without a conversion. */
    public static void unpack(Path video, Path y4m) {
        run("-i %s -fps_mode passthrough -f yuv4mpegpipe %s", video, y4m);
    }

    /**
     * Decodes the first pictures of a video into a YUV4MPEG2 file of 8-bit 4:2:0. The header of the file tells the range of the
     * samples.
     *
     * @param range {@code pc} or {@code tv} for samples of full or limited range; empty for the range of the video
     */
    public static void decode(Path video, int pictures, Optional<String> range, Path y4m) {
        if (!Files.isRegularFile(video)) {
            throw unusable(video + ": no such file");
        }
        List<String> command = words(
                QUIET + " -i %s -map 0:v:0 -frames:v %s -fps_mode passthrough -vf %s -strict -1 -f yuv4mpegpipe %s",
                video,
                pictures,
                range.map(r -> "scale=out_range=" + r + ",format=" + (r.equals("pc") ? "yuvj420p" : "yuv420p"))
                        .orElse("format=yuv420p|yuvj420p"),
                y4m);
        ChildProcess.Result result = new ChildProcess(command, Map.of()).require(LIMIT_SECONDS, MISSING);
        if (result.status() != 0) {
            throw unusable(video + " cannot be decoded, give a video that ffmpeg can play: " + result.lastLines(1));
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
     * @throws WrongResultException when ffmpeg filtered another number of pictures
     */
    public static Optional<Speed> measure(Path i420, VideoSize size, String filter, int pictures) {
        List<String> command = words(
                "ffmpeg -nostdin -hide_banner -benchmark -stream_loop -1 -f rawvideo -pix_fmt yuv420p -s %sx%s -i %s"
                        + " -filter_threads 2 -threads 2 -vf %s -frames:v %s -f null -",
                size.width(), size.height(), i420, filter, pictures);
        ChildProcess.Result result = new ChildProcess(command, Map.of()).require(LIMIT_SECONDS, MISSING);
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

    /**
     * Runs ffmpeg; it prints errors only, and overwrites files.
     *
     * @param line its arguments, as {@link ChildProcess#words} takes them
     */
    public static void run(String line, Object... arguments) {
        ChildProcess ffmpeg = new ChildProcess(words(QUIET + " " + line, arguments), Map.of());
        ChildProcess.Result result = ffmpeg.require(LIMIT_SECONDS, MISSING);
        if (result.status() != 0) {
            throw unavailable("this failed, and needs an ffmpeg with libx264 and FFV1, as Debian's: "
                    + ffmpeg.commandLine() + ": " + result.lastLines(4));
        }
    }
}
