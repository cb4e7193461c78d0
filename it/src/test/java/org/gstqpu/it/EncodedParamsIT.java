/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A meta on a coded picture comes out on the picture that was decoded of it, through the decoders that docs/SIDE-INFORMATION.md lists. The
 * grey of each picture says which it is.
 */
final class EncodedParamsIT {
    private static final int PICTURES = 40;
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    /** How ffmpeg codes the pictures. Coders of B-pictures, of golden and of hidden pictures make these. */
    private static final Map<String, String> CODERS = Map.ofEntries(
            Map.entry("h264", "libx264 -bf 3 -b_strategy 0 -g 20 -qp 20"),
            Map.entry("hevc", "libx265 -x265-params bframes=3:b-adapt=0:keyint=20:qp=20:log-level=error"),
            Map.entry("mpeg1", "mpeg1video -bf 2 -q:v 3"),
            Map.entry("mpeg2", "mpeg2video -bf 2 -q:v 3"),
            Map.entry("mpeg4", "mpeg4 -bf 2 -q:v 3"),
            Map.entry("h263", "h263 -q:v 3"),
            Map.entry("wmv2", "wmv2 -q:v 3"),
            Map.entry("mjpeg", "mjpeg -strict unofficial -q:v 3"),
            Map.entry("theora", "libtheora -q:v 8"),
            Map.entry("vp8", "libvpx -auto-alt-ref 1 -lag-in-frames 16 -b:v 2M"),
            Map.entry("vp9", "libvpx-vp9 -auto-alt-ref 1 -lag-in-frames 16 -b:v 2M"),
            Map.entry("av1", "libaom-av1 -cpu-used 8 -lag-in-frames 16 -b:v 2M"));

    private static final List<String> WITH_B_PICTURES = List.of("h264", "hevc", "mpeg1", "mpeg2", "mpeg4");

    @TempDir
    private static Path videos;

    /** mpeg2dec does not give the last two pictures of a stream, with and without metas. */
    @ParameterizedTest
    @CsvSource({
        "h264, avdec_h264 max-threads=4, gstreamer1.0-libav, 40",
        "h264, h264parse ! avdec_h264 max-threads=4, gstreamer1.0-libav, 40",
        "h264, h264parse ! openh264dec, gstreamer1.0-plugins-bad, 40",
        "hevc, avdec_h265 max-threads=4, gstreamer1.0-libav, 40",
        "hevc, h265parse ! libde265dec max-threads=4, gstreamer1.0-plugins-bad, 40",
        "mpeg1, mpegvideoparse ! avdec_mpegvideo max-threads=4, gstreamer1.0-libav, 40",
        "mpeg1, mpeg2dec, gstreamer1.0-plugins-ugly, 38",
        "mpeg2, mpegvideoparse ! avdec_mpeg2video max-threads=4, gstreamer1.0-libav, 40",
        "mpeg2, mpegvideoparse ! mpeg2dec, gstreamer1.0-plugins-ugly, 38",
        "mpeg4, mpeg4videoparse ! avdec_mpeg4 max-threads=4, gstreamer1.0-libav, 40",
        "h263, avdec_h263, gstreamer1.0-libav, 40",
        "wmv2, avdec_wmv2, gstreamer1.0-libav, 40",
        "mjpeg, jpegdec, gstreamer1.0-plugins-good, 40",
        "mjpeg, jpegparse ! avdec_mjpeg, gstreamer1.0-libav, 40",
        "theora, theoradec, gstreamer1.0-plugins-base, 40",
        "vp8, vp8dec threads=4, gstreamer1.0-plugins-good, 40",
        "vp8, avdec_vp8 max-threads=4, gstreamer1.0-libav, 40",
        "vp9, vp9dec threads=4, gstreamer1.0-plugins-good, 40",
        "vp9, vp9parse ! avdec_vp9 max-threads=4, gstreamer1.0-libav, 40",
        "av1, av1parse ! av1dec, gstreamer1.0-plugins-bad, 40",
    })
    void eachPictureHasItsOwn(String codec, String decoder, String debianPackage, int shown) throws IOException {
        String element = element(decoder);
        CheckPackages.needElement(element, debianPackage);
        String said = run(List.of(
                CProgram.named("encoded-params").toString(), video(codec).toString(), decoder + " name=decoder"));
        List<String> words = List.of(said.strip().split(" ", -1));
        assertEquals(
                List.of("pictures", "" + shown, "own", "" + shown, "others", "0", "none", "0", "reordered"),
                words.subList(0, words.size() - 1),
                said);
        boolean reordered = Integer.parseInt(words.get(words.size() - 1)) > PICTURES / 3;
        assertEquals(WITH_B_PICTURES.contains(codec), reordered, said);
        assertTrue(documented().contains(element), element + " is not in the table of docs/SIDE-INFORMATION.md");
    }

    @Test
    void theDocumentsListTheDecodersThatAreTested() throws Exception {
        String[] cases = EncodedParamsIT.class
                .getDeclaredMethod("eachPictureHasItsOwn", String.class, String.class, String.class, int.class)
                .getAnnotation(CsvSource.class)
                .value();
        assertEquals(
                Arrays.stream(cases)
                        .map(row -> element(row.split(", ", -1)[1]))
                        .collect(Collectors.toCollection(TreeSet::new)),
                new TreeSet<>(documented()));
    }

    @Test
    void pythonDoesTheSame() throws IOException {
        CheckPackages.needPython("Gst", "python3-gi gir1.2-gstreamer-1.0");
        CheckPackages.needElement("avdec_h264", "gstreamer1.0-libav");
        List<String> expected = new ArrayList<>(Collections.nCopies(PICTURES, "own"));
        expected.set(0, "none");
        assertEquals(
                String.join(" ", expected),
                run(List.of(
                                "/usr/bin/python3",
                                BuildTree.testSource("python")
                                        .resolve("encoded-params.py")
                                        .toString(),
                                BuildTree.root()
                                        .resolve("pipelines/examples/python")
                                        .toString(),
                                video("h264").toString(),
                                "avdec_h264"))
                        .strip());
    }

    /** The element at the end of a chain, without its properties. */
    private static String element(String chain) {
        return chain.replaceFirst(".*! ", "").replaceFirst(" .*", "");
    }

    private static List<String> documented() throws IOException {
        String page = Files.readString(BuildTree.root().resolve("docs/SIDE-INFORMATION.md"));
        int table = page.indexOf("\n| coded by | decoders |");
        return Pattern.compile("`([a-z0-9_]+dec[a-z0-9_]*)`")
                .matcher(page.substring(table, page.indexOf("\n\n", table)))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static synchronized Path video(String codec) throws IOException {
        Path video = videos.resolve(codec + ".mkv");
        if (!Files.exists(video)) {
            List<String> command = new ArrayList<>(List.of("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i"));
            command.add("color=black:s=176x144:r=25,format=yuv420p,geq=lum=24+5*N:cb=128:cr=128");
            command.addAll(List.of("-frames:v", String.valueOf(PICTURES), "-c:v"));
            command.addAll(List.of(CODERS.get(codec).split(" ", -1)));
            command.add(video.toString());
            run(command);
        }
        return video;
    }

    private static String run(List<String> command) throws IOException {
        return Processes.run(command, GstEnvironment.standard().variables(), Path.of("/dev/null"), TIME_LIMIT)
                .requireSuccess()
                .output();
    }
}
