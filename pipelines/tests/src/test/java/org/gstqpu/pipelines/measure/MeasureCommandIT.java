/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.gstqpu.pipelines.CommandHere;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code qpu measure} on pairs of which libvmaf's figures are known. */
class MeasureCommandIT {
    private static final long LIMIT_SECONDS = 1200;
    private static final Path PAIRS = Installation.current().root().resolve("kernels/tests/src/test/resources/metrics");

    /** What a picture begins with in a YUV4MPEG2 file. */
    private static final String FRAME = "FRAME\n";

    private static final int WIDTH = 320;
    private static final int HEIGHT = 192;

    /** In 4:2:0. */
    private static final int PICTURE_BYTES = WIDTH * HEIGHT * 3 / 2;

    /** Six decimals are printed. */
    private static final double CLOSE = 1e-4;

    private static final double ROUNDED = 1e-6;

    @TempDir
    private static Path folder;

    private static Path unpacked(String name) throws IOException {
        Path file = folder.resolve(name + ".y4m");
        if (!Files.exists(file)) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(PAIRS.resolve(name + ".y4m.gz")))) {
                Files.copy(in, file);
            }
        }
        return file;
    }

    private static ChildProcess.Result measure(Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Installation.current().root().resolve("pipelines/qpu").toString());
        command.add("measure");
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        return new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
    }

    private static JsonArray videos(Object... arguments) {
        ChildProcess.Result result = measure(arguments);
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String output = result.output();
        return JsonParser.parseString(output.substring(output.indexOf('{')))
                .getAsJsonObject()
                .getAsJsonArray("videos");
    }

    /** CAMBI of pictures as they were encoded, and the score that follows. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(strings = {"cpu", "qpu"})
    void optionsCountForMetricsAndModels(String substrate) throws IOException {
        List<Object> arguments = new ArrayList<>(List.of(
                unpacked("bands10_8bit.dist"),
                "--reference",
                unpacked("bands10.ref"),
                "--metrics",
                "vmaf_v1",
                "--frames",
                "2",
                "--json",
                "--substrate",
                substrate));
        JsonObject usual = firstPicture(videos(arguments.toArray()));
        arguments.addAll(List.of("--option", "enc_bitdepth=8,enc_width=427", "--option", "enc_height=217"));
        JsonObject encoded = firstPicture(videos(arguments.toArray()));
        assertEquals(14.267983, usual.get("cambi_hrs_1080_cmxv_17_vlt_0.06").getAsDouble());
        assertEquals(
                4.798218,
                encoded.get("cambi_hrs_1080_cmxv_17_vlt_0.06_encbd_8_ench_217_encw_427")
                        .getAsDouble());
        assertEquals(85.829419, encoded.get("vmaf_v1").getAsDouble(), CLOSE);
    }

    private static JsonObject firstPicture(JsonArray videos) {
        return videos.get(0)
                .getAsJsonObject()
                .getAsJsonArray("frames")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("metrics");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void figuresAreThoseOfLibvmaf(String substrate) throws IOException {
        JsonArray videos = videos(
                unpacked("people_mjpeg8.dist"),
                unpacked("people_x36.dist"),
                "--reference",
                unpacked("people.ref"),
                "--metrics",
                "vmaf,vmaf_neg,psnr",
                "--json",
                "--substrate",
                substrate);
        assertEquals(2, videos.size());
        check("people_mjpeg8", videos.get(0).getAsJsonObject());
        check("people_x36", videos.get(1).getAsJsonObject());
    }

    /** Every figure that the log and the list of expected ones both name. */
    private static void check(String pair, JsonObject video) throws IOException {
        int checked = 0;
        for (String line : Files.readAllLines(PAIRS.resolve("expected.tsv"))) {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals(pair) && fields[3].matches("\\d+")) {
                JsonObject metrics = video.getAsJsonArray("frames")
                        .get(Integer.parseInt(fields[3]))
                        .getAsJsonObject()
                        .getAsJsonObject("metrics");
                if (metrics.has(fields[4])) {
                    assertEquals(
                            Double.parseDouble(fields[5]),
                            metrics.get(fields[4]).getAsDouble(),
                            CLOSE,
                            line);
                    checked++;
                }
            }
        }
        assertTrue(checked >= 20 * video.getAsJsonArray("frames").size(), checked + " figures of " + pair);
        double sum = 0;
        for (int i = 0; i < video.getAsJsonArray("frames").size(); i++) {
            sum += video.getAsJsonArray("frames")
                    .get(i)
                    .getAsJsonObject()
                    .getAsJsonObject("metrics")
                    .get("vmaf")
                    .getAsDouble();
        }
        assertEquals(
                sum / video.getAsJsonArray("frames").size(),
                video.getAsJsonObject("pooled_metrics")
                        .getAsJsonObject("vmaf")
                        .get("mean")
                        .getAsDouble(),
                CLOSE);
    }

    /** Of 10 bits, which GStreamer 1.22 does not read from YUV4MPEG2. */
    @Test
    void tenBitsAreMeasuredAsAnyOther() throws IOException {
        JsonObject video = videos(
                        unpacked("ten_avg.dist"),
                        "--reference",
                        unpacked("ten.ref"),
                        "--metrics",
                        "vmaf,vmaf_neg,psnr",
                        "--json",
                        "--substrate",
                        "cpu")
                .get(0)
                .getAsJsonObject();
        check("ten_avg", video);
    }

    @Test
    void aVideoThatBeginsLaterIsFoundInItsOriginal() throws IOException {
        byte[] whole = Files.readAllBytes(unpacked("people.ref"));
        Path later = folder.resolve("later.y4m");
        Files.write(later, without(whole, 2));
        JsonObject video = videos(
                        later, "--reference", unpacked("people.ref"), "--metrics", "psnr", "--json", "--align", "4")
                .get(0)
                .getAsJsonObject();
        assertEquals(2, video.get("shift").getAsInt());
        assertEquals(
                60,
                video.getAsJsonObject("pooled_metrics")
                        .getAsJsonObject("psnr_y")
                        .get("min")
                        .getAsDouble());
        JsonObject other = videos(
                        unpacked("people.ref"), "--reference", later, "--metrics", "psnr", "--json", "--align", "4")
                .get(0)
                .getAsJsonObject();
        assertEquals(-2, other.get("shift").getAsInt());
    }

    /** The pictures that both have are equal: 60 dB. */
    @Test
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    void aLackingPictureIsToldAndShiftsNothing() throws IOException {
        Path whole = folder.resolve("whole.mkv");
        Path lacking = folder.resolve("lacking.mkv");
        ffmpeg(unpacked("people.ref"), "null", whole);
        ffmpeg(unpacked("people.ref"), "select=not(eq(n\\,1))", lacking, "-fps_mode", "passthrough");
        ChildProcess.Result result = measure(lacking, "--reference", whole, "--metrics", "psnr", "--json");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(result.output().contains(lacking + " lacks 1 picture of " + whole), result.output());
        assertFalse(result.output().contains(" goes on after "), result.output());
        assertTrue(result.output().contains("\"reference_only\": 1,"), result.output());
        assertTrue(result.output().contains("\"distorted_only\": 0,"), result.output());
        JsonArray videos = JsonParser.parseString(
                        result.output().substring(result.output().indexOf("\n{")))
                .getAsJsonObject()
                .getAsJsonArray("videos");
        assertEquals(2, videos.get(0).getAsJsonObject().getAsJsonArray("frames").size());
        assertEquals(60, mean(videos, "psnr_y"));
        // YUV4MPEG2 has no times.
        ChildProcess.Result untimed =
                measure(lacking, "--reference", unpacked("people.ref"), "--metrics", "psnr", "--json");
        assertEquals(ExitStatus.OK, untimed.status(), untimed.output());
        assertTrue(
                untimed.output()
                        .contains(unpacked("people.ref") + " goes on after 2 pairs, where " + lacking + " ends"),
                untimed.output());
    }

    /** A YUV4MPEG2 file without some of its first pictures, of 320x192 samples in 4:2:0. */
    private static byte[] without(byte[] y4m, int pictures) {
        int header = 0;
        while (y4m[header] != '\n') {
            header++;
        }
        header++;
        int frame = FRAME.length() + PICTURE_BYTES;
        ByteArrayOutputStream cut = new ByteArrayOutputStream();
        cut.write(y4m, 0, header);
        int at = header + pictures * frame;
        cut.write(y4m, at, y4m.length - at);
        return cut.toByteArray();
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    void whatDecodersGiveIsMeasuredAsItsSamplesAre() throws IOException {
        Path coded = folder.resolve("coded.mkv");
        ffmpeg(unpacked("people_x36.dist"), "null", coded);
        ChildProcess.Result result =
                measure(coded, "--reference", unpacked("people.ref"), "--metrics", "vmaf,psnr", "--csv");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        List<String> lines = result.output()
                .lines()
                .dropWhile(line -> !line.startsWith("video,frame,vmaf,"))
                .toList();
        assertEquals(4, lines.size(), result.output());
        ChildProcess.Result plain = measure(
                unpacked("people_x36.dist"), "--reference", unpacked("people.ref"), "--metrics", "vmaf,psnr", "--csv");
        assertEquals(
                lines.stream().map(line -> line.substring(line.indexOf(','))).toList(),
                plain.output()
                        .lines()
                        .dropWhile(line -> !line.startsWith("video,frame,vmaf,"))
                        .map(line -> line.substring(line.indexOf(',')))
                        .toList());
    }

    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(strings = {"cpu", "qpu"})
    void xpsnrIsThatOfFfmpegAndOfItsRate(String substrate) throws IOException {
        ChildProcess.Result table = measure(
                unpacked("people_x36.dist"),
                "--reference",
                unpacked("people.ref"),
                "--metrics",
                "xpsnr",
                "--substrate",
                substrate);
        // Its means: 31.4796, 35.4576 and 35.2868.
        assertTrue(
                table.output().lines().anyMatch(line -> line.matches(".*x36.* 3 +32\\.777 +31\\.480 .*")),
                table.output());
        JsonObject pooled = videos(
                        atSixty("people_x36.dist"),
                        "--reference",
                        atSixty("people.ref"),
                        "--metrics",
                        "xpsnr",
                        "--json",
                        "--substrate",
                        substrate)
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("pooled_metrics");
        assertFalse(pooled.has("xpsnr_y"), pooled.toString());
        assertEquals(33.6888, pooled.getAsJsonObject("xpsnr_hfr_y").get("mean").getAsDouble(), CLOSE);
        assertEquals(37.6061, pooled.getAsJsonObject("xpsnr_hfr_v").get("mean").getAsDouble(), CLOSE);
    }

    /** From 50 pictures a second, v1 is that for high frame rates, if nobody asks for another one. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(strings = {"cpu", "qpu"})
    void sixtyPicturesASecondAreMeasuredByTheirModel(String substrate) throws IOException {
        ChildProcess.Result result = measure(
                atSixty("people_x36.dist"), "--reference", atSixty("people.ref"), "--csv", "--substrate", substrate);
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                result.output().contains("320x192 I420 at 60/1 pictures a second: VMAF v1 is vmaf_v1_hfr;"),
                result.output());
        assertClose(List.of(97.428938, 93.791297, 93.549482), column(result.output(), "vmaf_v1_hfr"), CLOSE);
        assertFalse(result.output().contains(",vmaf_v1,"), result.output());
    }

    private static void assertClose(List<Double> expected, List<Double> got, double delta) {
        assertArrayEquals(
                expected.stream().mapToDouble(Double::doubleValue).toArray(),
                got.stream().mapToDouble(Double::doubleValue).toArray(),
                delta);
    }

    /** The figures of all pictures of one name. */
    private static List<Double> column(String output, String name) {
        List<List<String>> lines = output.lines()
                .dropWhile(line -> !line.startsWith("video,frame,"))
                .map(line -> List.of(line.split(",", -1)))
                .toList();
        int number = lines.get(0).indexOf(name);
        assertTrue(number > 0, output);
        return lines.stream()
                .skip(1)
                .map(line -> Double.valueOf(line.get(number)))
                .toList();
    }

    /** Chroma has twice the rows, so SpEED finds what it does not find in 4:2:0 of this size. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(strings = {"cpu", "qpu"})
    void tenBitsWithAllRowsOfChromaAreThoseOfLibvmaf(String substrate) throws IOException {
        ChildProcess.Result result = measure(
                inTenBits422("people_x36.dist"),
                "--reference",
                inTenBits422("people.ref"),
                "--csv",
                "--substrate",
                substrate);
        assertEquals(ExitStatus.OK, result.status(), result.output());
        String output = result.output();
        assertClose(List.of(89.959029, 83.608384, 83.927640), column(output, "vmaf_v1"), CLOSE);
        assertClose(
                List.of(7.867379, 11.613288, 11.076251),
                column(output, "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5"),
                CLOSE);
        assertClose(List.of(0.814243, 0.714108, 0.676454), column(output, "cambi_hrs_1080_cmxv_17_vlt_0.06"), ROUNDED);
        assertClose(List.of(38.219626, 37.241384, 37.113203), column(output, "psnr_cr"), ROUNDED);
    }

    /** As libvmaf's tool with {@code --subsample 2}. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void oneOfSeveralPicturesIsMeasured(String substrate) throws IOException {
        JsonArray videos = videos(
                unpacked("people_x36.dist"),
                "--reference",
                unpacked("people.ref"),
                "--metrics",
                "vmaf",
                "--subsample",
                "2",
                "--json",
                "--substrate",
                substrate);
        List<Integer> numbers = new ArrayList<>();
        List<Double> scores = new ArrayList<>();
        videos.get(0).getAsJsonObject().getAsJsonArray("frames").forEach(frame -> {
            numbers.add(frame.getAsJsonObject().get("frameNum").getAsInt());
            scores.add(frame.getAsJsonObject()
                    .getAsJsonObject("metrics")
                    .get("vmaf")
                    .getAsDouble());
        });
        assertEquals(List.of(0, 2), numbers);
        assertClose(List.of(88.643972, 88.729863), scores, CLOSE);
        assertEquals((88.643972 + 88.729863) / 2, mean(videos, "vmaf"), CLOSE);
    }

    /** The same at 60 pictures a second. */
    private static Path atSixty(String name) throws IOException {
        Path file = folder.resolve(name + ".60.y4m");
        if (!Files.exists(file)) {
            String text = Files.readString(unpacked(name), StandardCharsets.ISO_8859_1);
            Files.writeString(file, text.replaceFirst(" F[0-9]+:[0-9]+", " F60:1"), StandardCharsets.ISO_8859_1);
        }
        return file;
    }

    @Test
    void theTableHasARowForEachVideo() throws IOException {
        ChildProcess.Result result = measure(
                unpacked("people_mjpeg8.dist"),
                unpacked("people_x36.dist"),
                "--reference",
                unpacked("people.ref"),
                "--metrics",
                "vmaf,psnr,psnr_hvs");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                result.output()
                        .lines()
                        .anyMatch(
                                line -> line.matches("video +pictures +vmaf +psnr_y +psnr_hvs_unmasked_y +least vmaf")),
                result.output());
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches(".*mjpeg8.* 3 +94\\.429 +34\\.440 .*")),
                result.output());
    }

    /** The eight bits of a gradient of ten show as bands, which v0.6.1 does not see. */
    @Test
    void bandsAreInTheTable() throws IOException {
        ChildProcess.Result result = measure(
                unpacked("bands10_8bit.dist"), "--reference", unpacked("bands10.ref"), "--metrics", "vmaf_v1,vmaf");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                result.output()
                        .lines()
                        .anyMatch(line -> line.matches("video +pictures +vmaf_v1 +vmaf +cambi +least vmaf_v1")),
                result.output());
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches(".*8bit.* 4 +\\S+ +\\S+ +14\\.229 .*")),
                result.output());
    }

    @Test
    void whatDoesNotFitIsOneLineWithACure() throws IOException {
        Path reference = unpacked("people.ref");
        Path faster = folder.resolve("faster.y4m");
        byte[] bytes = Files.readAllBytes(reference);
        String header = new String(bytes, 0, 100, StandardCharsets.ISO_8859_1);
        String rate = Arrays.stream(header.split("[ \n]", -1))
                .filter(tag -> tag.startsWith("F"))
                .findFirst()
                .orElseThrow();
        int at = header.indexOf(rate);
        bytes[at + 1] = (byte) (bytes[at + 1] == '9' ? '8' : '9');
        Files.write(faster, bytes);
        processRefused(
                "ffmpeg -i IN -vf scale=320:192,format=yuv420p -c:v ffv1",
                unpacked("odd_blur.dist"),
                "--reference",
                reference);
        processRefused("scale=640:360,format=yuv420p10le", reference, "--reference", unpacked("bands10.ref"));
        processRefused(
                "; --scale measures it scaled to the size of " + reference,
                unpacked("odd_blur.dist"),
                "--reference",
                reference);
        refused("/dev/null is no regular file", "/dev/null", "--reference", reference);
        processRefused("ffmpeg -i IN -r ", faster, "--reference", reference);
        refused("no such file", folder.resolve("none.mkv"), "--reference", reference);
        processRefused("holds no video", sound(), "--reference", reference);
        refused(
                "--metrics takes all, or some of vmaf_v1, ",
                reference,
                "--reference",
                reference,
                "--metrics",
                "beauty");
        refused(
                "--option: enc_bitdepth is 6 to 16, given 5",
                reference,
                "--reference",
                reference,
                "--option",
                "enc_bitdepth=5");
        refused("--subsample are at least 1", reference, "--reference", reference, "--subsample", "0");
        refused("enc_width and enc_height", reference, "--reference", reference, "--option", "enc_width=640");
        processRefused(
                "not defined for pictures of 162x98 I420: ms_ssim (from 176x176)",
                unpacked("odd_blur.dist"),
                "--reference",
                unpacked("odd.ref"),
                "--metrics",
                "ms_ssim");
        Path model = folder.resolve("own.json");
        Files.writeString(
                model,
                "{\"model_dict\": {\"model_type\": \"LIBSVMNUSVR\", \"feature_names\": [\"VMAF_feature_beauty_score\"]}}");
        refused("VMAF_feature_beauty_score", reference, "--reference", reference, "--model", model);
    }

    /** Rounding to fewer values leaves 43 dB and more; samples that are taken as they are, some 28. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(strings = {"yuv420p", "yuv422p10le"})
    void aVideoOfAnotherRangeIsConverted(String format) throws IOException {
        Path video = folder.resolve(format + ".mkv");
        Path full = folder.resolve(format + "full.mkv");
        ffmpeg(unpacked("people.ref"), "format=" + format + ",lutyuv=y=clipval:u=clipval:v=clipval", video);
        ffmpeg(video, "scale=in_range=tv:out_range=pc,format=" + format, full);
        for (List<Path> pair : List.of(List.of(full, video), List.of(video, full))) {
            JsonObject pooled = videos(
                            pair.get(0), "--reference", pair.get(1), "--metrics", "psnr", "--frames", 2, "--json")
                    .get(0)
                    .getAsJsonObject()
                    .getAsJsonObject("pooled_metrics");
            for (String name : List.of("psnr_y", "psnr_cb", "psnr_cr")) {
                double least = pooled.getAsJsonObject(name).get("min").getAsDouble();
                assertTrue(least > 43, () -> name + " " + least);
            }
        }
    }

    /** Of 12 bits, and of red, green and blue. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @CsvSource({"yuv420p12le, I420_12LE, I420_10LE", "gbrp, (GBR|BGRx), Y444"})
    void samplesThatTellLessThanThoseOfTheVideoAreTold(String format, String given, String measured)
            throws IOException {
        Path video = folder.resolve(format + ".mkv");
        ffmpeg(unpacked("people.ref"), "format=" + format, video);
        ChildProcess.Result result =
                measure(video, "--reference", video, "--metrics", "psnr", "--frames", 1, "--substrate", "cpu");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                Pattern.compile(" is decoded as " + given + ", and measured as " + measured + ", which tells less")
                        .matcher(result.output())
                        .find(),
                result.output());
        ChildProcess.Result plain =
                measure(unpacked("people.ref"), "--reference", unpacked("people.ref"), "--metrics", "psnr");
        assertFalse(plain.output().contains("tells less"), plain.output());
    }

    /** Bicubic filters differ a little in their constants. */
    @Test
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    void aVideoOfAnotherSizeIsScaledOnRequest() throws IOException {
        Path reference = unpacked("people.ref");
        Path small = folder.resolve("small.mkv");
        Path scaled = folder.resolve("scaled.mkv");
        ffmpeg(reference, "scale=160:96:flags=bicubic", small);
        ffmpeg(small, "scale=320:192:flags=bicubic", scaled);
        ChildProcess.Result result =
                measure(small, "--reference", reference, "--metrics", "psnr,ssim", "--scale", "--json");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                result.output()
                        .contains(
                                small + " is 160x96 I420: it is scaled to 320x192, as " + reference + " is (bicubic)"),
                result.output());
        assertFalse(result.output().contains("converted"), result.output());
        double byElement = mean(
                JsonParser.parseString(result.output().substring(result.output().indexOf("\n{")))
                        .getAsJsonObject()
                        .getAsJsonArray("videos"),
                "psnr_y");
        double byFfmpeg =
                mean(videos(scaled, "--reference", reference, "--metrics", "psnr", "--json", "--scale"), "psnr_y");
        assertEquals(byFfmpeg, byElement, 0.5);
        assertTrue(byElement < 40, "scaled video cannot equal its original: " + byElement);
    }

    private static double mean(JsonArray videos, String figure) {
        return videos.get(0)
                .getAsJsonObject()
                .getAsJsonObject("pooled_metrics")
                .getAsJsonObject(figure)
                .get("mean")
                .getAsDouble();
    }

    private static void ffmpeg(Path from, String filter, Path to, String... options) {
        List<String> command =
                new ArrayList<>(List.of("ffmpeg", "-v", "error", "-i", from.toString(), "-vf", filter, "-c:v", "ffv1"));
        command.addAll(List.of(options));
        command.add(to.toString());
        ChildProcess.Result made =
                new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, made.status(), made.output());
    }

    @Test
    void whatIsNotDefinedForASizeIsSaid() throws IOException {
        ChildProcess.Result result = measure(unpacked("odd_blur.dist"), "--reference", unpacked("odd.ref"));
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                result.output().contains("162x98 I420, for which these are not defined: ms_ssim (from 176x176)"),
                result.output());
    }

    private static Path sound() {
        Path file = folder.resolve("sound.wav");
        ChildProcess.Result made = new ChildProcess(
                        List.of(
                                "gst-launch-1.0",
                                "-q",
                                "audiotestsrc",
                                "num-buffers=5",
                                "!",
                                "wavenc",
                                "!",
                                "filesink",
                                "location=" + file),
                        Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(0, made.status(), made.output());
        return file;
    }

    /** A mistake that is found before a video is opened. */
    private static void refused(String message, Object... arguments) {
        List<Object> all = new ArrayList<>(List.of("measure"));
        all.addAll(List.of(arguments));
        assertRefused(message, CommandHere.run(all.toArray()));
    }

    /** With a process, because GStreamer and its plugins could write to its standard error, too. */
    private static void processRefused(String message, Object... arguments) {
        assertRefused(message, measure(arguments));
    }

    private static void assertRefused(String message, ChildProcess.Result result) {
        assertEquals(ExitStatus.UNUSABLE_INPUT, result.status(), result.output());
        assertEquals(1, result.output().lines().count(), result.output());
        assertTrue(result.output().contains(message), result.output());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    void aVideoOfEightBitsIsRaisedToTenBits() throws IOException {
        Path reference = raised("people.ref");
        String metrics = "vmaf,cambi,psnr,ssim";
        JsonArray expected =
                videos(raised("people_mjpeg8.dist"), "--reference", reference, "--metrics", metrics, "--json");
        JsonArray mixed = videos(
                unpacked("people_mjpeg8.dist"),
                "--reference",
                reference,
                "--metrics",
                metrics,
                "--align",
                "2",
                "--json");
        assertEquals(
                expected.get(0).getAsJsonObject().get("frames"),
                mixed.get(0).getAsJsonObject().get("frames"));
        JsonArray other = videos(reference, "--reference", unpacked("people.ref"), "--metrics", "psnr", "--json");
        assertEquals(
                72,
                other.get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("frames")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonObject("metrics")
                        .get("psnr_y")
                        .getAsDouble());
    }

    /** The samples of 320x192 of 8 bits in 10. */
    private static Path raised(String name) throws IOException {
        return inTenBits(name, "420p10", 1);
    }

    /** {@link #raised} with each row of chroma twice. */
    private static Path inTenBits422(String name) throws IOException {
        return inTenBits(name, "422p10", 2);
    }

    private static Path inTenBits(String name, String format, int chromaRows) throws IOException {
        Path file = folder.resolve(name + "." + format + ".y4m");
        byte[] bytes = Files.readAllBytes(unpacked(name));
        int pictures = new String(bytes, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
        String header = new String(bytes, 0, pictures, StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header.replaceAll(" C.*", " C" + format).getBytes(StandardCharsets.ISO_8859_1));
        for (int at = pictures; at < bytes.length; ) {
            out.write(bytes, at, FRAME.length());
            at += FRAME.length();
            for (int row = 0; row < HEIGHT; row++, at += WIDTH) {
                writeInTenBits(bytes, at, WIDTH, out);
            }
            for (int row = 0; row < HEIGHT; row++, at += WIDTH / 2) {
                for (int i = 0; i < chromaRows; i++) {
                    writeInTenBits(bytes, at, WIDTH / 2, out);
                }
            }
        }
        Files.write(file, out.toByteArray());
        return file;
    }

    private static void writeInTenBits(byte[] samples, int from, int count, ByteArrayOutputStream out) {
        for (int i = from; i < from + count; i++) {
            int sample = (samples[i] & 0xff) << 2;
            out.write(sample);
            out.write(sample >> 8);
        }
    }
}
