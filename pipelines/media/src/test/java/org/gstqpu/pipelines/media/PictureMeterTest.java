/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualitySums;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PictureMeterTest {
    /** One unit in the last place that ffmpeg prints. */
    private static final double LAST_PLACE = 1e-6;

    @TempDir
    private Path folder;

    /** Uses sizes that are no multiples of a block, and also dark pictures, in which the constants of SSIM matter. */
    @ParameterizedTest
    @EnumSource(names = {"CPU", "QPU"})
    void agreesWithFfmpeg(Substrate substrate) throws Exception {
        int width = 167;
        int height = 98;
        Path reference = folder.resolve("a.y4m");
        Path picture = folder.resolve("b.y4m");
        QualitySums quality = new QualitySums();
        try (MeterContext context = Metrics.open(SubstrateRequest.of(substrate));
                PictureMeter meter = new PictureMeter(context, width, height);
                Y4mWriter a = new Y4mWriter(reference, width, height, 25);
                Y4mWriter b = new Y4mWriter(picture, width, height, 25)) {
            for (int brightness : new int[] {0, 60, 200}) {
                I420Picture from = new I420Picture(width, height);
                I420Picture to = new I420Picture(width, height);
                Random random = new Random(brightness);
                for (int plane = 0; plane < 3; plane++) {
                    for (int i = 0; i < from.plane(plane).length; i++) {
                        int sample = brightness + i % 37 + random.nextInt(9);
                        from.plane(plane)[i] = (byte) sample;
                        to.plane(plane)[i] = (byte) Math.max(0, Math.min(255, sample + random.nextInt(31) - 15));
                    }
                }
                a.write(from);
                b.write(to);
                meter.measure(from, to, quality);
            }
        }
        String filters = "[0:v]split[p][s];[1:v]split[q][t];[p][q]psnr[x];[s][t]ssim[y]";
        List<String> command = List.of(
                "ffmpeg",
                "-nostdin",
                "-i",
                picture.toString(),
                "-i",
                reference.toString(),
                "-lavfi",
                filters,
                "-map",
                "[x]",
                "-map",
                "[y]",
                "-f",
                "null",
                "-");
        Optional<ChildProcess.Result> result = new ChildProcess(command, Map.of()).run(600);
        assumeTrue(result.isPresent(), "there is no ffmpeg to compare with: apt install ffmpeg");
        String output = result.get().output();
        String[] names = {"y", "u", "v"};
        for (PictureComponent component : PictureComponent.values()) {
            String name = names[List.of(PictureComponent.values()).indexOf(component)];
            assertEquals(number("PSNR.* " + name + ":([0-9.]+)", output), quality.psnr(component), LAST_PLACE, output);
            assertEquals(
                    number("SSIM.* " + name.toUpperCase(Locale.ROOT) + ":([0-9.]+)", output),
                    quality.ssim(component),
                    LAST_PLACE,
                    output);
        }
    }

    @Test
    void picturesOfOtherSizesAreRefused() throws Exception {
        try (MeterContext context =
                        Metrics.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
                PictureMeter meter = new PictureMeter(context, 64, 48)) {
            I420Picture right = new I420Picture(64, 48);
            I420Picture wrong = new I420Picture(64, 47);
            QualitySums sums = new QualitySums();
            assertThrows(IllegalArgumentException.class, () -> meter.measure(right, wrong, sums));
            assertThrows(IllegalArgumentException.class, () -> meter.measure(wrong, right, sums));
        }
    }

    private static double number(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no '" + pattern + "' in: " + text);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
