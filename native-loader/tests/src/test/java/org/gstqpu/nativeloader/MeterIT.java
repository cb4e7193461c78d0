/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;

/** What qpumeter does with its two inputs. That its figures are those of {@code qpu measure} is tested beside that. */
class MeterIT {
    private static final String VIDEO =
            "videotestsrc pattern=ball num-buffers=8 ! video/x-raw,format=I420,width=128,height=96,framerate=10/1";

    private static final String LOSS = " ! jpegenc quality=20 ! jpegdec ! videoconvert ! video/x-raw,format=I420";

    /** What pipelines rely on: names, types and defaults of the properties. */
    private static final List<String> CONTRACT = List.of(
            "model-filename   | String. Default: \"vmaf_v0.6.1\"",
            "metrics          | String. Default: null",
            "device           | String. Default: null",
            "results-filename | String. Default: null",
            "results-format   | Enum \"GstQpuMeterResultsFormat\" Default: 0, \"none\"",
            "pool-method      | Enum \"GstQpuMeterPoolMethod\" Default: 2, \"mean\"",
            "substrate        | Enum \"GstQpuMeterSubstrate\" Default: 0, \"auto\"",
            "threads          | Unsigned Integer. Range: 0 - 256 Default: 0",
            "psnr             | Boolean. Default: false",
            "ssim             | Boolean. Default: false",
            "ms-ssim          | Boolean. Default: false",
            "require-zero-copy | Boolean. Default: false",
            "disable-clip     | Boolean. Default: false",
            "enable-transform | Boolean. Default: false",
            "phone-model      | Boolean. Default: false",
            "subsample        | Unsigned Integer. Range: 1 - 128 Default: 1",
            "frame-message    | Boolean. Default: false");

    @TempDir
    private Path folder;

    private static GstProcess pipeline(String properties, String reference, String distorted) {
        return GstProcess.launch("-m qpumeter name=m " + properties + " ! fakesink " + reference
                + " ! queue ! m.ref_sink " + distorted + " ! queue ! m.dist_sink");
    }

    private static GstProcess.Result run(String properties, String reference, String distorted) {
        GstProcess.Result result = pipeline(properties, reference, distorted).run();
        assertEquals(0, result.exitCode(), result::output);
        return result;
    }

    /** The element's messages of a type, in their order. */
    private static List<String> messages(GstProcess.Result result, String type) {
        return result.output()
                .lines()
                .filter(line -> line.contains(": VMAF, ") && line.contains("type=(string)" + type))
                .toList();
    }

    private static double number(String message, String field) {
        return Pattern.compile("[ ,]" + field + "=\\([a-z0-9]+\\)([-0-9.e]+)")
                .matcher(message)
                .results()
                .map(found -> Double.parseDouble(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + field + " in " + message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void eachPairHasAMessageAndAllHaveOne(String substrate) {
        GstProcess.Result result = run(
                "frame-message=true psnr=true ssim=true pool-method=min substrate=" + substrate, VIDEO, VIDEO + LOSS);
        List<String> frames = messages(result, "frame");
        assertEquals(8, frames.size(), result::output);
        for (int i = 0; i < frames.size(); i++) {
            assertEquals(i, number(frames.get(i), "index"));
            assertEquals(i * 1e8, number(frames.get(i), "timestamp"));
            assertEquals(i * 1e8, number(frames.get(i), "running-time"));
            assertEquals(1e8, number(frames.get(i), "duration"));
            assertTrue(number(frames.get(i), "psnr-y") < 60, frames.get(i));
            assertTrue(number(frames.get(i), "ssim") < 1, frames.get(i));
            assertFalse(frames.get(i).contains("ms-ssim"), frames.get(i));
        }
        List<String> pooled = messages(result, "pooled");
        assertEquals(1, pooled.size(), result::output);
        for (String field : List.of("score", "psnr-y", "ssim")) {
            assertEquals(
                    frames.stream()
                            .mapToDouble(frame -> number(frame, field))
                            .min()
                            .orElseThrow(),
                    number(pooled.get(0), field),
                    field);
        }
        assertEquals(8e8, number(pooled.get(0), "duration"));
        assertEquals(8, number(pooled.get(0), "pairs"));
        assertEquals(0, number(pooled.get(0), "reference-only") + number(pooled.get(0), "distorted-only"));
        assertFalse(result.output().contains("WARNING"), result::output);
    }

    @Test
    void equalVideosAreTold() throws IOException {
        Path file = folder.resolve("scores.json");
        GstProcess.Result result = run("psnr=true ssim=true substrate=cpu results-filename=" + file, VIDEO, VIDEO);
        assertEquals(60, number(messages(result, "pooled").get(0), "psnr-y"));
        assertEquals(1, number(messages(result, "pooled").get(0), "ssim"));
        assertTrue(number(messages(result, "pooled").get(0), "score") <= 100, result::output);
        assertEquals(List.of(), messages(result, "frame"));
        String text = Files.readString(file);
        assertEquals(8, text.split("\"frameNum\"", -1).length - 1, text);
        assertTrue(text.contains("\"pooled_metrics\""), text);
    }

    /** The curve for phones raises the first picture, and the others are above 100 without a limit. */
    @ParameterizedTest
    @ValueSource(strings = {"enable-transform=true", "phone-model=true"})
    void theModelIsChangedOnRequest(String transform) {
        String changes = "substrate=cpu pool-method=%s disable-clip=true ";
        double least = score(run(changes.formatted("min"), VIDEO, VIDEO));
        double onPhones = score(run(changes.formatted("min") + transform, VIDEO, VIDEO));
        assertTrue(least < 100 && onPhones > 100, least + ", " + onPhones);
        assertTrue(score(run(changes.formatted("max"), VIDEO, VIDEO)) > 100);
    }

    private static double score(GstProcess.Result result) {
        return number(messages(result, "pooled").get(0), "score");
    }

    /** A reference that gives no picture and does not end. */
    @Test
    void liveVideoGoesOnThoughTheReferenceStalls() {
        String live = "is-live=true ! video/x-raw,format=I420,width=128,height=96,framerate=10/1";
        GstProcess.Result result = run(
                "substrate=cpu",
                "videotestsrc " + live + " ! identity drop-probability=1",
                "videotestsrc num-buffers=5 " + live);
        String pooled = messages(result, "pooled").get(0);
        assertEquals(0, number(pooled, "pairs"), result::output);
        assertEquals(5, number(pooled, "distorted-only"), result::output);
        assertFalse(pooled.contains("score"), pooled);
    }

    @Test
    void linesAreWrittenOnRequest() throws IOException {
        Path file = folder.resolve("scores.csv");
        run(
                "metrics=ssimulacra2,vmaf_neg substrate=cpu results-format=csv results-filename=" + file,
                VIDEO,
                VIDEO + LOSS);
        List<String> lines = Files.readAllLines(file);
        assertEquals(9, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith("frame,vmaf,vmaf_neg,"), lines.get(0));
        assertTrue(lines.get(0).contains(",ssimulacra2"), lines.get(0));
        assertTrue(lines.get(8).matches("7(,[-0-9.]+)+"), lines.get(8));
    }

    /** Those are the figures that they have where all pairs are measured. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void oneOfSeveralPairsIsMeasured(String substrate) {
        String settings = "frame-message=true psnr=true substrate=" + substrate;
        List<String> all = messages(run(settings, VIDEO, VIDEO + LOSS), "frame");
        GstProcess.Result some = run(settings + " subsample=3", VIDEO, VIDEO + LOSS);
        List<String> frames = messages(some, "frame");
        assertEquals(3, frames.size(), some::output);
        double sum = 0;
        for (int i = 0; i < frames.size(); i++) {
            for (String field : List.of("index", "timestamp", "score", "psnr-y")) {
                assertEquals(number(all.get(3 * i), field), number(frames.get(i), field), field);
            }
            sum += number(frames.get(i), "score");
        }
        String pooled = messages(some, "pooled").get(0);
        assertEquals(sum / frames.size(), number(pooled, "score"), 1e-9);
        assertEquals(8, number(pooled, "pairs"));
    }

    @Test
    void libvmafsLogIsWrittenInXml() throws Exception {
        Path file = folder.resolve("scores.xml");
        Path json = folder.resolve("scores.json");
        run("substrate=cpu subsample=4 results-format=xml results-filename=" + file, VIDEO, VIDEO + LOSS);
        run("substrate=cpu subsample=4 results-filename=" + json, VIDEO, VIDEO + LOSS);
        Element log = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        assertEquals("VMAF", log.getTagName());
        Element params = (Element) log.getElementsByTagName("params").item(0);
        assertEquals("128x96", params.getAttribute("qualityWidth") + "x" + params.getAttribute("qualityHeight"));
        assertEquals("8", ((Element) log.getElementsByTagName("counts").item(0)).getAttribute("pairs"));
        NodeList frames = log.getElementsByTagName("frame");
        assertEquals(2, frames.getLength());
        Element second = (Element) frames.item(1);
        assertEquals("4", second.getAttribute("frameNum"));
        String text = Files.readString(json);
        String frame = text.substring(text.indexOf("\"frameNum\": 4"));
        NamedNodeMap figures = second.getAttributes();
        assertTrue(figures.getLength() > 10, () -> figures.getLength() + " figures");
        for (int i = 0; i < figures.getLength(); i++) {
            double value = Double.parseDouble(figures.item(i).getNodeValue());
            assertEquals(jsonNumber(frame, figures.item(i).getNodeName()), value, 1e-6);
        }
        NodeList pooled = log.getElementsByTagName("metric");
        assertEquals(figures.getLength() - 1, pooled.getLength());
        Element score = (Element) pooled.item(0);
        assertEquals("vmaf", score.getAttribute("name"));
        assertEquals(
                jsonNumber(text.substring(text.indexOf("pooled_metrics")), "mean"),
                Double.parseDouble(score.getAttribute("mean")),
                1e-6);
    }

    private static double jsonNumber(String text, String name) {
        return Pattern.compile("\"" + Pattern.quote(name) + "\": ([-0-9.eE]+)")
                .matcher(text)
                .results()
                .map(found -> Double.parseDouble(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + text));
    }

    /** What comes out is what came in, bit for bit and in time, whatever is missing beside it. */
    @Test
    void theDistortedVideoPassesUnchanged() throws IOException {
        Path direct = folder.resolve("direct");
        Path passed = folder.resolve("passed");
        String distorted = VIDEO + LOSS;
        GstProcess.Result plain =
                GstProcess.launch(distorted + " ! filesink location=" + direct).run();
        assertEquals(0, plain.exitCode(), plain::output);
        String shorter = VIDEO.replace("num-buffers=8", "num-buffers=3");
        GstProcess.Result result = GstProcess.launch("-m qpumeter name=m substrate=cpu ! filesink location=" + passed
                        + " " + shorter + " ! m.ref_sink " + distorted + " ! m.dist_sink")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals(-1, Files.mismatch(direct, passed));
        String pooled = messages(result, "pooled").get(0);
        assertEquals(3, number(pooled, "pairs"));
        assertEquals(5, number(pooled, "distorted-only"));
        assertTrue(
                result.output().contains("The reference video has no picture for the one at 0:00:00.300000000"),
                result::output);
    }

    @Test
    void aPictureThatIsMissingIsToldAndShiftsNothing() {
        GstProcess.Result result = run(
                "psnr=true substrate=cpu", VIDEO, VIDEO + " ! videorate drop-only=true ! video/x-raw,framerate=5/1");
        String pooled = messages(result, "pooled").get(0);
        assertEquals(4, number(pooled, "pairs"));
        // After the last picture of the distorted video, the reference is not waited for.
        assertEquals(4, number(pooled, "reference-only"));
        // The ball moves: any other pairs differ.
        assertEquals(60, number(pooled, "psnr-y"));
        assertEquals(
                1,
                result.output()
                        .lines()
                        .filter(line -> line.contains("The distorted video has no picture for the one at 0:00:00.1"))
                        .count(),
                result::output);
    }

    @Test
    void aVideoThatBeginsLaterIsPairedByTime() {
        GstProcess.Result result = run(
                "psnr=true substrate=cpu",
                VIDEO,
                VIDEO.replace("pattern=ball", "pattern=ball timestamp-offset=300000000"));
        String pooled = messages(result, "pooled").get(0);
        assertEquals(5, number(pooled, "pairs"));
        assertEquals(3, number(pooled, "reference-only"));
        assertEquals(3, number(pooled, "distorted-only"));
    }

    /** Makes a file of {@link #VIDEO}, and returns elements that read it, of which the last is a queue. */
    private String seekable() {
        Path file = folder.resolve("video.mkv");
        GstProcess.Result made = GstProcess.launch(VIDEO + " ! jpegenc ! matroskamux ! filesink location=" + file)
                .run();
        assertEquals(0, made.exitCode(), made::output);
        return " filesrc location=" + file + " ! matroskademux ! jpegdec ! queue ";
    }

    /** Each seek back measures all again, behind the one pair that was measured before the pipeline played. */
    @Test
    void aSeekGoesOnWithTheSameReport() {
        String video = seekable() + "! ";
        GstProcess.Result result = new GstProcess(
                        TestProgram.build("seeks"),
                        "3",
                        "qpumeter name=m substrate=cpu psnr=true ! fakesink" + video + "m.ref_sink" + video
                                + "m.dist_sink")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        List<String> pooled = result.output()
                .lines()
                .filter(line -> line.startsWith("VMAF, "))
                .toList();
        assertEquals(3, pooled.size(), result::output);
        for (int i = 0; i < 3; i++) {
            assertEquals(1 + 8 * (i + 1), number(pooled.get(i), "pairs"));
            assertEquals(7e8, number(pooled.get(i), "stream-time"));
            assertEquals(60, number(pooled.get(i), "psnr-y"));
        }
    }

    /** The other input goes on: what is a pair by running time is of different pictures from there on, and has no motion first. */
    @Test
    void aSeekOfOneInputIsTold() throws IOException {
        Path scores = folder.resolve("scores.csv");
        String video = seekable();
        GstProcess.Result result = new GstProcess(
                        TestProgram.build("seeks"),
                        "1",
                        "qpumeter name=m substrate=cpu results-format=csv results-filename=" + scores + " ! fakesink"
                                + video + "name=one ! m.ref_sink" + video + "! m.dist_sink",
                        "one")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(
                result.output()
                        .contains("After a seek the inputs go on from different times, so that different pictures are"
                                + " compared from pair 1 on: seek in both at once, with a flush"),
                result::output);
        List<String> lines = Files.readAllLines(scores);
        int motion = List.of(lines.get(0).split(",", -1)).indexOf("integer_motion");
        List<Boolean> moves = lines.stream()
                .skip(1)
                .limit(3)
                .map(line -> Double.parseDouble(line.split(",", -1)[motion]) > 0)
                .toList();
        assertEquals(List.of(false, false, true), moves, lines::toString);
    }

    @ParameterizedTest
    @CsvSource({"25/1, true", "20/1, false", "5/1, false"})
    void frameRatesThatDoNotFitAreTold(String rate, boolean told) {
        GstProcess.Result result = run("substrate=cpu", VIDEO, VIDEO.replace("framerate=10/1", "framerate=" + rate));
        assertEquals(
                told,
                result.output()
                        .contains("The reference has 10/1 pictures a second, and the distorted video " + rate
                                + ": pictures of different times are compared; put videorate"),
                result::output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"width=64,height=64,format=I420", "width=128,height=96,format=NV12"})
    void anotherSizeOrFormatEndsInOneLine(String other) {
        GstProcess.Result result = pipeline(
                        "substrate=cpu", VIDEO, "videotestsrc num-buffers=8 ! video/x-raw,framerate=10/1," + other)
                .run();
        assertEquals(1, result.exitCode(), result::output);
        assertTrue(
                result.errors().get(0).matches("The reference is I420 128x96, and the distorted video .*: put .*"),
                result::output);
    }

    @Test
    void picturesThatAreTooSmallEndInOneLine() {
        String small = "videotestsrc num-buffers=8 ! video/x-raw,format=I420,width=32,height=32";
        GstProcess.Result result = pipeline("substrate=cpu", small, small).run();
        assertEquals(1, result.exitCode(), result::output);
        assertTrue(result.errors().get(0).contains("Not defined for pictures of I420 32x32: adm"), result::output);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model-filename=/nonexistent.json",
                "metrics=nonsense",
                "substrate=qpu device=nonsense",
            })
    void settingsThatMeanNothingKeepTheElementFromStarting(String properties) {
        GstProcess.Result result = pipeline(properties, VIDEO, VIDEO).run();
        assertNotEquals(0, result.exitCode(), result::output);
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(
                result.errors().get(0).contains("nonsense")
                        || result.errors().get(0).contains("/nonexistent.json"),
                result::output);
    }

    /** At the end, the figures would be lost. */
    @ParameterizedTest
    @ValueSource(strings = {"/nonexistent/scores.json", "/tmp"})
    void aFileThatCannotBeWrittenKeepsTheElementFromStarting(String file) {
        GstProcess.Result result = pipeline("substrate=cpu frame-message=true results-filename=" + file, VIDEO, VIDEO)
                .run();
        assertNotEquals(0, result.exitCode(), result::output);
        assertEquals(List.of(), messages(result, "frame"));
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(
                result.errors()
                        .get(0)
                        .matches("results-filename: " + file + " cannot be written [(].*[)]: name a file in.*"),
                result::output);
    }

    @Test
    void itIsListedWithoutAJvm() {
        LoadedLibraries libraries = new LoadedLibraries(folder);
        GstProcess.Result result =
                libraries.observe(new GstProcess("gst-inspect-1.0", "qpumeter")).run();
        assertEquals(0, result.exitCode(), result::output);
        Set<String> names = libraries.names();
        assertTrue(names.contains("libgstqpu.so"), names::toString);
        assertFalse(names.contains("libjvm.so"), names::toString);
        for (String row : CONTRACT) {
            String[] cells = row.split(" +\\| ", -1);
            String told = result.output()
                    .lines()
                    .dropWhile(line -> !line.matches("  " + cells[0] + " +: .{10}.*"))
                    .limit(3)
                    .collect(Collectors.joining("\n"));
            assertTrue(told.contains(cells[1]), () -> row + "\n" + told);
            assertTrue(told.contains("changeable only in NULL or READY state"), told);
        }
        for (String pad : List.of("SINK template: 'ref_sink'", "SINK template: 'dist_sink'", "SRC template: 'src'")) {
            assertTrue(result.output().contains(pad), pad);
        }
    }

    /** The filter's process has neither the meter nor the metrics, not even on its class path. */
    @Test
    void aProcessWithoutAMeterHasNoMetrics() throws IOException {
        try (Stream<Path> jars = Files.list(GstProcess.pluginDirectory().resolve("qpu"))) {
            List<String> names = jars.map(jar -> jar.getFileName().toString()).toList();
            assertTrue(names.contains("kernels-filters.jar"), names::toString);
            assertFalse(names.contains("kernels-metrics.jar") || names.contains("meter.jar"), names::toString);
        }
        String classes = "-Xlog:class+load:file=" + folder.resolve("%s.txt");
        for (String element : List.of("filter", "meter")) {
            GstProcess.Result result = (element.equals("filter")
                            ? GstProcess.launch(VIDEO + " ! qpuloopfilter substrate=cpu ! fakesink")
                            : pipeline("substrate=cpu", VIDEO, VIDEO))
                    .with("GST_QPU_JVM_OPTIONS", classes.replace("%s", element))
                    .run();
            assertEquals(0, result.exitCode(), result::output);
            String loaded = Files.readString(folder.resolve(element + ".txt"));
            assertTrue(loaded.contains("org.gstqpu.plugin.ElementRuntime "), element);
            assertEquals(element.equals("meter"), loaded.contains("org.gstqpu.meter."), element);
            assertEquals(element.equals("meter"), loaded.contains("org.gstqpu.kernels.quality."), element);
        }
    }
}
