/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.ElementFactory.ListType;
import org.freedesktop.gstreamer.PadDirection;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.PluginFeature.Rank;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * The encoder of video that was chosen for a file, after it has encoded a picture on this machine. Immutable.
 *
 * @param format what it makes
 * @param description the element with its properties, and the parser that the muxer needs, as a part of a description
 * @param words the element and what it was asked for, such as {@code x264enc, quality 21}
 */
record EncoderChoice(VideoFormat format, String description, String words) {
    private static final String TEST_PICTURE =
            "videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! videoconvert ! ";
    private static final long TEST_SECONDS = 20;

    /**
     * What a command line asks of the encoder.
     *
     * @param encoder a format or an element, which may have properties after it; null for the best that works
     * @param quality CRF as x264 counts it; null for the default
     * @param bitrate bits each second; null for a constant quality
     */
    record Request(String encoder, Integer quality, Long bitrate) {
        private boolean isQuality() {
            return bitrate == null;
        }

        private String properties(VideoEncoder known) {
            return known.settings() + " "
                    + (isQuality()
                            ? known.quality().apply(crf())
                            : known.bitrate().apply(bitrate));
        }

        private int crf() {
            return quality == null ? VideoEncoder.DEFAULT_QUALITY : quality;
        }

        private String words() {
            return isQuality()
                    ? "quality " + crf()
                    : String.format(Locale.ROOT, "%d kbit/s", Math.round(bitrate / 1000.0));
        }
    }

    /**
     * Chooses an encoder: the one that was asked for, or the first known one that works.
     *
     * @throws CommandFailedException when there is none, or the one that was asked for does not work, does not exist or does not fit
     */
    static EncoderChoice of(Container container, Request request) {
        if (request.encoder() == null) {
            return best(container, container.videos(), request);
        }
        String word = request.encoder().strip().toLowerCase(Locale.ROOT);
        return VideoFormat.named(word.equals("hevc") ? VideoFormat.H265.word() : word)
                .map(format -> {
                    requireFit(container, format, request.encoder());
                    return best(container, List.of(format), request);
                })
                .orElseGet(() -> element(container, request));
    }

    private static EncoderChoice best(Container container, List<VideoFormat> formats, Request request) {
        for (VideoFormat format : formats) {
            for (VideoEncoder known : VideoEncoder.KNOWN) {
                if (known.format() == format && GStreamer.has(known.element())) {
                    EncoderChoice choice = choice(known.element(), request.properties(known), format, request.words());
                    if (choice.mistake() == null) {
                        return choice;
                    }
                }
            }
        }
        throw unavailable("no encoder of video for " + container.suffix() + " works here: apt install "
                + VideoEncoder.packages(formats));
    }

    private static EncoderChoice element(Container container, Request request) {
        List<String> words = Arrays.asList(request.encoder().strip().split("\\s+", 2));
        String element = words.get(0);
        String own = words.size() > 1 ? words.get(1) : "";
        if (!GStreamer.has(element)) {
            throw VideoEncoder.named(element)
                    .map(known -> unavailable(
                            "--encoder " + element + " is not installed: apt install " + known.debianPackage()))
                    .orElseGet(() -> unusable("--encoder " + element + ": no such encoder: name one of "
                            + VideoFormat.words() + ", or an element that gst-inspect-1.0 lists"));
        }
        VideoFormat format = Arrays.stream(VideoFormat.values())
                .filter(each -> encodes(element, each))
                .findFirst()
                .orElseThrow(() -> unusable("--encoder " + element + " does not encode video: name one of "
                        + VideoFormat.words() + ", or an element that does"));
        requireFit(container, format, element);
        EncoderChoice choice = VideoEncoder.named(element)
                .map(known -> choice(
                        element,
                        request.properties(known) + " " + own,
                        format,
                        request.words() + (own.isEmpty() ? "" : ", " + own)))
                .orElseGet(() -> {
                    requireOwn(element, own, request);
                    return choice(element, own, format, own);
                });
        String mistake = choice.mistake();
        if (mistake != null) {
            throw unavailable("--encoder " + request.encoder() + " does not work here (" + mistake
                    + "): name another, or leave --encoder away");
        }
        return choice;
    }

    private static void requireOwn(String element, String own, Request request) {
        if (own.isEmpty() || request.quality() != null || request.bitrate() != null) {
            throw unusable(
                    "--encoder " + element + ": its scale of quality is not known here: give its own properties, as in"
                            + " --encoder '" + element
                            + " PROPERTY=VALUE', without --quality and --bitrate; gst-inspect-1.0 "
                            + element + " lists them");
        }
    }

    private static void requireFit(Container container, VideoFormat format, String asked) {
        if (!container.videos().contains(format)) {
            throw unusable("--encoder " + asked + ": a " + container.suffix() + " file is written with "
                    + container.videos().stream().map(VideoFormat::word).collect(Collectors.joining(", "))
                    + "; name one of these, or another OUT");
        }
    }

    private static boolean encodes(String element, VideoFormat format) {
        return ElementFactory.listGetElementsFilter(
                        ListType.VIDEO_ENCODER, Rank.NONE, Caps.fromString(format.caps()), PadDirection.SRC, false)
                .stream()
                .anyMatch(factory -> factory.getName().equals(element));
    }

    private static EncoderChoice choice(String element, String properties, VideoFormat format, String asked) {
        String parser = format.parser().map(name -> " ! " + name).orElse("");
        return new EncoderChoice(format, element + " " + properties.strip() + parser, element + ", " + asked);
    }

    /** The element's name. */
    String element() {
        return description.split(" ", 2)[0];
    }

    /**
     * The description for a video: AVI has no times by which pictures could change their order, and x265enc does not take the range
     * from caps without colours.
     */
    String descriptionFor(Container container, boolean fullRange) {
        if (container == Container.AVI && element().equals("x264enc")) {
            return description.replaceFirst(" ", " bframes=0 ");
        }
        return fullRange ? description.replaceFirst("log-level=error", "log-level=error:range=full") : description;
    }

    /** Whether it takes raw pictures of this format. */
    boolean takes(String raw) {
        return GStreamer.factory(element()).orElseThrow().getStaticPadTemplates().stream()
                .filter(template -> template.getDirection() == PadDirection.SINK)
                .anyMatch(template -> !template.getCaps()
                        .intersect(Caps.fromString("video/x-raw,format=" + raw))
                        .isEmpty());
    }

    /** Whether it takes pictures whose width or height is odd. */
    boolean takesOddSizes() {
        return format == VideoFormat.VP8 || format == VideoFormat.VP9 || format == VideoFormat.AV1;
    }

    /** Encodes a picture. Returns what the encoder said against it, or null if it did well. */
    private String mistake() {
        CompletableFuture<String> said = new CompletableFuture<>();
        Bus.EOS onEnd = source -> said.complete(null);
        Bus.ERROR onError = (source, code, message) ->
                said.complete(message.lines().findFirst().orElse(message));
        try (Pipeline test = (Pipeline) LaunchLine.parse(
                TEST_PICTURE + description + " ! fakesink", mistake -> unusable("--encoder: " + mistake))) {
            Bus bus = test.getBus();
            bus.connect(onEnd);
            bus.connect(onError);
            test.play();
            try {
                return said.get(TEST_SECONDS, TimeUnit.SECONDS);
            } finally {
                test.stop();
            }
        } catch (TimeoutException e) {
            return "no picture came within " + TEST_SECONDS + " s";
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
