package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureQualityTest {
    @TempDir
    private Path folder;

    @Test
    void equalPicturesHaveInfinitePsnrAndSsimOne() {
        PictureQuality quality = new PictureQuality();
        quality.add(noise(1), noise(1));
        assertEquals(Double.POSITIVE_INFINITY, quality.psnr());
        assertEquals(1, quality.ssim(), 1e-12);
    }

    @Test
    void aDifferenceOfOneInEverySampleIs48Point13dB() {
        I420Picture grey = filled(100);
        PictureQuality quality = new PictureQuality();
        quality.add(grey, filled(101));
        assertEquals(20 * Math.log10(255), quality.psnr(), 1e-9);
        quality.add(grey, filled(99));
        assertEquals(20 * Math.log10(255), quality.psnr(), 1e-9);
        assertEquals(2, quality.pictures());
    }

    @Test
    void psnrComesFromTheMeanErrorOfAllPictures() {
        PictureQuality quality = new PictureQuality();
        quality.add(filled(100), filled(100));
        quality.add(filled(100), filled(102));
        assertEquals(10 * Math.log10(255.0 * 255.0 / 2), quality.psnr(), 1e-9);
    }

    @Test
    void ssimOfTwoFlatPicturesIsItsLuminanceTerm() {
        PictureQuality quality = new PictureQuality();
        quality.add(filled(50), filled(150));
        double c1 = 2.55 * 2.55;
        assertEquals((2 * 50 * 150 + c1) / (50 * 50 + 150 * 150 + c1), quality.ssim(), 1e-12);
    }

    @Test
    void agreesWithFfmpeg() throws Exception {
        Path reference = folder.resolve("a.y4m");
        Path picture = folder.resolve("b.y4m");
        PictureQuality quality = new PictureQuality();
        try (Y4mWriter a = new Y4mWriter(reference, 64, 48, 25);
                Y4mWriter b = new Y4mWriter(picture, 64, 48, 25)) {
            for (int seed = 1; seed <= 3; seed++) {
                I420Picture from = noise(seed);
                I420Picture to = noise(seed);
                Random random = new Random(seed);
                byte[] luma = to.plane(0);
                for (int i = 0; i < luma.length; i++) {
                    luma[i] = (byte) Math.max(0, Math.min(255, (luma[i] & 0xff) + random.nextInt(31) - 15));
                }
                a.write(from);
                b.write(to);
                quality.add(from, to);
            }
        }
        String filters = "[0:v]split[p][s];[1:v]split[q][t];[p][q]psnr[x];[s][t]ssim[y]";
        Optional<ChildProcess.Result> result = new ChildProcess(
                        List.of(
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
                                "-"),
                        Map.of())
                .run(60);
        assumeTrue(result.isPresent(), "there is no ffmpeg to compare with: apt install ffmpeg");
        String output = result.get().output();
        assertEquals(number("PSNR y:([0-9.]+)", output), quality.psnr(), 1e-3, output);
        assertEquals(number("SSIM Y:([0-9.]+)", output), quality.ssim(), 1e-4, output);
    }

    @Test
    void picturesOfDifferentSizesAreRefused() {
        PictureQuality quality = new PictureQuality();
        assertThrows(IllegalArgumentException.class, () -> quality.add(filled(1), new I420Picture(64, 47)));
        I420Picture small = new I420Picture(7, 8);
        assertThrows(IllegalArgumentException.class, () -> quality.add(small, small));
    }

    private static double number(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no '" + pattern + "' in: " + text);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static I420Picture filled(int luma) {
        I420Picture picture = new I420Picture(64, 48);
        Arrays.fill(picture.plane(0), (byte) luma);
        return picture;
    }

    private static I420Picture noise(long seed) {
        I420Picture picture = new I420Picture(64, 48);
        new Random(seed).nextBytes(picture.plane(0));
        return picture;
    }
}
