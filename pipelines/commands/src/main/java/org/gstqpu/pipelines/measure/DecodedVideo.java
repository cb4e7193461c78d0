/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;
import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Fraction;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.Sample;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.elements.AppSink;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Wording;
import org.gstqpu.pipelines.play.ExactReading;
import org.gstqpu.pipelines.play.GStreamer;
import org.gstqpu.pipelines.play.InputAddress;

/**
 * Owns a GStreamer pipeline that decodes a video, and gives its pictures one by one, in the layout that GStreamer's
 * gst_video_info_set_format computes. Belongs to one thread; GStreamer's threads decode ahead.
 */
final class DecodedVideo implements Video.Reader {
    /** What GStreamer says of a source whose streams nothing takes, such as of a file of sound. */
    private static final String NOTHING_LINKED = "Internal data stream error";

    /** Pictures that are decoded ahead. */
    private static final int AHEAD = 4;

    /** The formats that decoders give without a loss; videoconvert packs the samples of others anew. */
    private static final List<PixelFormat> FORMATS = List.of(
            PixelFormat.I420,
            PixelFormat.Y42B,
            PixelFormat.Y444,
            PixelFormat.GRAY8,
            PixelFormat.I420_10LE,
            PixelFormat.I422_10LE,
            PixelFormat.Y444_10LE);

    /** Of more than 10 bits, or of colours or a chroma sampling that none of {@link #FORMATS} has; not NV12 and NV16. */
    private static final Pattern FINER =
            Pattern.compile("(?!NV|YV12).*(RGB|BGR|GBR|r210|12|16|AYUV64|GRAY10|Y41B|YUV9|YVU9).*");

    private final String name;
    private final Pipeline pipeline;
    private final AppSink sink;
    private final AtomicReference<String> failure = new AtomicReference<>();
    private final HostMemory memory = new HostMemory();

    // GStreamer calls it only as long as something refers to it.
    private final Bus.ERROR onError;

    private final Structure caps;
    private final PictureLayout layout;
    private final Optional<String> finerFormat;

    /** The picture that {@link #next} gives next; null at the end. */
    private Sample waiting;

    private Sample current;

    /**
     * Opens a video.
     *
     * @param input a file or an address
     * @param conversion what it is converted to; empty for the video as it is
     * @throws CommandFailedException when it holds no video that can be decoded
     */
    static Video open(String input, Optional<Conversion> conversion) {
        DecodedVideo opened = new DecodedVideo(input, conversion);
        Structure caps = opened.caps;
        Optional<String> found = Optional.ofNullable(caps.getString("colorimetry"));
        boolean fullRange = found.map(text ->
                        text.startsWith("1:") || text.toLowerCase(Locale.ROOT).equals("srgb"))
                .orElse(false);
        Fraction rate = caps.hasField("framerate") ? caps.getFraction("framerate") : new Fraction(0, 1);
        return new Video(input, opened.layout, rate, found, fullRange, opened.pictures(rate), opened);
    }

    private DecodedVideo(String input, Optional<Conversion> conversion) {
        name = input;
        // Where samples are converted, videoconvert would choose a format of its own.
        String formats = conversion
                .map(wanted -> wanted.format().name())
                .orElseGet(() -> FORMATS.stream().map(Enum::name).collect(Collectors.joining(",", "{", "}")));
        Optional<Conversion.Size> size = conversion.flatMap(Conversion::size);
        pipeline = (Pipeline) Gst.parseLaunch("uridecodebin uri=\"" + InputAddress.ofFilm(input)
                + "\" ! videoconvert name=unpacked dither=none ! "
                + size.map(of -> "videoscale method=catrom add-borders=false ! ")
                        .orElse("")
                + "video/x-raw,format=" + formats
                + size.map(of -> ",width=" + of.width() + ",height=" + of.height())
                        .orElse("")
                + conversion
                        .flatMap(Conversion::colorimetry)
                        .map(wanted -> ",colorimetry=" + wanted)
                        .orElse("")
                + " ! appsink name=pictures sync=false max-buffers=" + AHEAD);
        sink = (AppSink) pipeline.getElementByName("pictures");
        onError = (source, code, message) ->
                fail(Wording.unstopped(message.lines().findFirst().orElse(message)));
        pipeline.getBus().connect(onError);
        ExactReading.ask(pipeline, () -> fail(InputAddress.DEEP));
        pipeline.play();
        waiting = GStreamer.awaitData(pipeline, () -> failure.get() != null) ? sink.pullSample() : null;
        if (waiting == null) {
            String why = failure.get();
            close();
            throw unusable(input + ": "
                    + (why == null || why.startsWith(NOTHING_LINKED)
                            ? "holds no video that this machine can decode"
                            : why)
                    + "; ffprobe says what it holds, qpu doctor what this machine can decode");
        }
        caps = waiting.getCaps().getStructure(0);
        finerFormat = Optional.ofNullable(pipeline.getElementByName("unpacked")
                        .getStaticPad("sink")
                        .getCurrentCaps())
                .map(given -> given.getStructure(0).getString("format"))
                .filter(given -> FINER.matcher(given).matches());
        layout = layout(
                PixelFormat.valueOf(caps.getString("format")), caps.getInteger("width"), caps.getInteger("height"));
    }

    private void fail(String why) {
        failure.compareAndSet(null, why);
        // Whoever waits for a picture gets none then.
        pipeline.stop();
    }

    /** The layout of a picture without GstVideoMeta: rows are padded to 4 bytes, and halved sizes are rounded up to even ones. */
    private static PictureLayout layout(PixelFormat format, int width, int height) {
        int bytes = format.sampleBytes();
        int evenWidth = roundUp(width, 2);
        int stride0 = roundUp(width * bytes, 4);
        if (!format.hasChroma()) {
            return new PictureLayout(format, width, height, 0, stride0, 0, 0, 0, 0);
        }
        boolean halfHeight = format.chromaHeight(2) == 1;
        int rows0 = halfHeight ? roundUp(height, 2) : height;
        int rows1 = halfHeight ? rows0 / 2 : height;
        int stride1 = format.chromaWidth(2) == 2 ? stride0 : roundUp(evenWidth / 2 * bytes, 4);
        long offset1 = (long) stride0 * rows0;
        return new PictureLayout(
                format, width, height, 0, stride0, offset1, stride1, offset1 + (long) stride1 * rows1, stride1);
    }

    private static int roundUp(int value, int to) {
        return (value + to - 1) / to * to;
    }

    private long pictures(Fraction rate) {
        long nanos = pipeline.queryDuration(org.freedesktop.gstreamer.Format.TIME);
        return nanos <= 0 || rate.denominator == 0 ? 0 : Math.round(nanos / 1e9 * rate.numerator / rate.denominator);
    }

    @Override
    public Optional<Picture> next() {
        release();
        if (waiting == null) {
            String why = failure.get();
            if (why != null) {
                throw unusable(name + ": " + why);
            }
            return Optional.empty();
        }
        current = waiting;
        waiting = sink.pullSample();
        Structure now = current.getCaps().getStructure(0);
        if (now.getInteger("width") != layout.width()
                || now.getInteger("height") != layout.height()
                || !now.getString("format").equals(layout.format().name())) {
            throw unusable(name + " changes its size or format within; cut it there, and measure each part");
        }
        ByteBuffer bytes = current.getBuffer().map(false);
        return Optional.of(Picture.of(memory.set(memAddress(bytes), bytes.capacity()), layout));
    }

    @Override
    public long nanos() {
        return current == null ? -1 : current.getBuffer().getPresentationTimestamp();
    }

    @Override
    public Optional<String> finerFormat() {
        return finerFormat;
    }

    private void release() {
        if (current != null) {
            Buffer buffer = current.getBuffer();
            buffer.unmap();
            current.dispose();
            current = null;
        }
    }

    @Override
    public void close() {
        release();
        if (waiting != null) {
            waiting.dispose();
            waiting = null;
        }
        GStreamer.close(pipeline, onError);
    }
}
