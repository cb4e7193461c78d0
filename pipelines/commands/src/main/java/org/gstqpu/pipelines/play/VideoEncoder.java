/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * An element that encodes video, of which it is known how to ask for a constant quality. An element that is not in the list may be
 * broken on some machine, or may have a bit rate as its only aim. Immutable.
 *
 * @param element name of the element
 * @param format the format that it encodes to
 * @param debianPackage the package that has it
 * @param settings properties that hold for any quality and bit rate; may be empty
 * @param quality properties for a constant quality that looks like this CRF of x264
 * @param bitrate properties for an average number of bits each second
 */
record VideoEncoder(
        String element,
        VideoFormat format,
        String debianPackage,
        String settings,
        IntFunction<String> quality,
        LongFunction<String> bitrate) {
    /** The quality if none is asked for. */
    static final int DEFAULT_QUALITY = 21;

    /** The best quality: at 0, x264 is lossless, in a profile that few players know. */
    static final int BEST_QUALITY = 1;

    /** The worst quality, which is the highest number that x264enc takes. */
    static final int WORST_QUALITY = 50;

    /**
     * All, best first for each format. The scales were fitted by PSNR to that of x264 on 640x360 pictures, at CRF 16 to 32.
     *
     * <p>x264enc keeps within its property {@code bitrate} at a constant quality, too, unless its buffer has the size 0. VP8, VP9 and
     * AV1 have a constant quality that these elements do not offer: their {@code cq-level} is only held within a target bit rate. So the
     * quantiser is constant there. openh264enc has no constant quantiser, but bounds of one, and a target that it never reaches.
     *
     * <p>vp9enc looks no picture ahead: at the end of the stream GStreamer asks libvpx only once for the pictures that it holds back, and
     * libvpx gives only those that fill half of its buffer. With {@code deadline=1} looking ahead gains nothing anyway.
     */
    static final List<VideoEncoder> KNOWN = List.of(
            new VideoEncoder(
                    "x264enc",
                    VideoFormat.H264,
                    "gstreamer1.0-plugins-ugly",
                    "",
                    crf -> "pass=qual vbv-buf-capacity=0 quantizer=" + crf,
                    bits -> "bitrate=" + kilo(bits)),
            new VideoEncoder(
                    "openh264enc",
                    VideoFormat.H264,
                    "gstreamer1.0-plugins-bad",
                    "",
                    crf -> "rate-control=quality bitrate=200000000 qp-min=" + openh264(crf) + " qp-max="
                            + openh264(crf),
                    bits -> "rate-control=bitrate bitrate=" + bits),
            new VideoEncoder(
                    "x265enc",
                    VideoFormat.H265,
                    "gstreamer1.0-plugins-bad",
                    "",
                    crf -> "option-string=crf=" + (crf + 1) + ":log-level=error",
                    bits -> "option-string=log-level=error bitrate=" + kilo(bits)),
            new VideoEncoder(
                    "vp9enc",
                    VideoFormat.VP9,
                    "gstreamer1.0-plugins-good",
                    "deadline=1 cpu-used=4 lag-in-frames=0 row-mt=true tile-columns=2 threads=" + threads(),
                    crf -> constantQuantizer(vp9(crf)) + " target-bitrate=400000000",
                    bits -> "end-usage=vbr target-bitrate=" + bits),
            new VideoEncoder(
                    "vp8enc",
                    VideoFormat.VP8,
                    "gstreamer1.0-plugins-good",
                    "deadline=1 cpu-used=4 token-partitions=2 threads=" + threads(),
                    crf -> constantQuantizer(vp8(crf)) + " target-bitrate=400000000",
                    bits -> "end-usage=vbr target-bitrate=" + bits),
            new VideoEncoder(
                    "svtav1enc",
                    VideoFormat.AV1,
                    "gstreamer1.0-plugins-bad",
                    "preset=8",
                    crf -> "crf=" + between(1, crf + 9, 63),
                    bits -> "target-bitrate=" + kilo(bits)),
            new VideoEncoder(
                    "av1enc",
                    VideoFormat.AV1,
                    "gstreamer1.0-plugins-bad",
                    "cpu-used=6 lag-in-frames=19 keyframe-max-dist=250 threads=" + threads(),
                    crf -> "end-usage=q " + constantQuantizer(between(2, scaled(22, 1.9, crf), 63)),
                    bits -> "end-usage=vbr max-quantizer=63 target-bitrate=" + kilo(bits)),
            new VideoEncoder(
                    "avenc_mpeg4",
                    VideoFormat.MPEG4,
                    "gstreamer1.0-libav",
                    "gop-size=250",
                    crf -> "bitrate=400000000 qmin=" + mpeg4(crf) + " qmax=" + mpeg4(crf),
                    bits -> "bitrate=" + bits));

    /** The known encoder that is this element, if it is one. */
    static Optional<VideoEncoder> named(String element) {
        return KNOWN.stream().filter(encoder -> encoder.element.equals(element)).findFirst();
    }

    /** The packages that have an encoder of one of these formats, best first, separated by spaces. */
    static String packages(List<VideoFormat> formats) {
        return formats.stream()
                .flatMap(format -> KNOWN.stream().filter(encoder -> encoder.format == format))
                .map(VideoEncoder::debianPackage)
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static String constantQuantizer(int quantizer) {
        return "min-quantizer=" + quantizer + " max-quantizer=" + quantizer;
    }

    private static int openh264(int crf) {
        return between(1, crf + 3, 51);
    }

    private static int vp8(int crf) {
        return between(2, scaled(18, 2.4, crf), 63);
    }

    private static int vp9(int crf) {
        return between(2, scaled(23, 1.85, crf), 63);
    }

    /** A number that is {@code atDefault} at the default quality and changes by {@code slope} with each step of the CRF. */
    private static int scaled(int atDefault, double slope, int crf) {
        return (int) Math.round(atDefault + slope * (crf - DEFAULT_QUALITY));
    }

    /** The quantiser of MPEG-4, half a step: a step of H.264 doubles with every 6, and is 1 at 4. */
    private static int mpeg4(int crf) {
        return between(1, (int) Math.round(Math.pow(2, (crf - 4) / 6.0) / 2), 31);
    }

    private static int between(int least, int value, int most) {
        return Math.max(least, Math.min(value, most));
    }

    private static long kilo(long bits) {
        return Math.max(1, bits / 1000);
    }

    private static int threads() {
        return Math.min(16, Runtime.getRuntime().availableProcessors());
    }
}
