/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.gstqpu.pipelines.CommandHere;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code qpu compare} as a process, from the built tree. */
class CompareCommandIT {
    private static final Path ROOT = Installation.current().root();

    @TempDir
    private Path folder;

    /** The width is such that rows of chroma have padding in GStreamer's memory, and none in YUV4MPEG2 files. */
    /** ffmpeg went round in this one for minutes. */
    @Test
    void aPlaylistIsRefused() throws IOException {
        Path list = Files.writeString(folder.resolve("list.m3u8"), "#EXTM3U\n#EXTINF:9,\nlist.m3u8\nlist.m3u8\n");
        ChildProcess.Result result = CommandHere.run("compare", list, "--output", folder.resolve("page.html"));
        assertEquals(ExitStatus.UNUSABLE_INPUT, result.status(), result.output());
        assertTrue(result.output().contains(list + ": is a playlist"), result.output());
    }

    @Test
    void thePageAndTheFiguresAreThoseOfTheVideo() throws IOException {
        Path reference = folder.resolve("reference.mkv");
        Path video = folder.resolve("video <1>.avi");
        makeVideo("testsrc2=size=150x90:rate=25,noise=alls=9", reference);
        ffmpeg("-i", reference.toString(), "-c:v", "mpeg2video", "-q:v", "12", video.toString());
        Path page = folder.resolve("page.html");
        ChildProcess.Result result = compare(
                video,
                reference,
                page,
                "--filters",
                "deblock,nosuchfilter",
                "--also",
                "deblock=false,cdef=false,shrinkage=false");

        JsonObject found = JsonParser.parseString(result.output())
                .getAsJsonObject()
                .getAsJsonArray("videos")
                .get(0)
                .getAsJsonObject();
        assertEquals(3, found.get("pictures").getAsInt());
        JsonArray rows = found.getAsJsonArray("rows");
        assertEquals(5, rows.size());
        checkFigures(rows.get(0).getAsJsonObject(), video, "null", reference);
        checkFigures(rows.get(2).getAsJsonObject(), video, "null", reference);
        checkFigures(rows.get(3).getAsJsonObject(), video, "deblock", reference);
        JsonObject element = rows.get(1).getAsJsonObject();
        assertTrue(element.get("note").getAsString().startsWith("on CPU, "), element::toString);
        assertFalse(element.get("unchanged").getAsBoolean(), element::toString);
        assertTrue(
                element.get("psnrY").getAsDouble()
                        > rows.get(0).getAsJsonObject().get("psnrY").getAsDouble(),
                result.output());
        assertTrue(element.get("framesPerSecond").getAsDouble() > 0, element::toString);
        double vmaf = 0;
        for (int i = 0; i < 3; i++) {
            vmaf += element.getAsJsonArray("vmafPerPicture").get(i).getAsDouble() / 3;
        }
        assertEquals(vmaf, element.get("vmaf").getAsDouble(), 1e-9, element::toString);
        assertTrue(element.get("vmaf").getAsDouble() > 10, element::toString);
        assertFalse(element.has("msSsim"), "not defined for 150x90");
        assertTrue(element.getAsJsonArray("msSsimPerPicture").isEmpty(), element::toString);
        JsonObject chosen = element.getAsJsonObject("chosen");
        assertEquals("cdef+shrinkage", chosen.get("filters").getAsString());
        assertEquals("best", chosen.get("quality").getAsString());
        assertEquals("auto: not live", chosen.get("qualityReason").getAsString());
        assertTrue(chosen.get("tier").getAsInt() > 0, chosen::toString);
        assertTrue(
                element.get("note").getAsString().contains("; tier " + chosen.get("tier") + " ("), element::toString);
        JsonObject off = rows.get(2).getAsJsonObject();
        assertTrue(off.get("unchanged").getAsBoolean(), off::toString);
        assertTrue(
                off.get("note").getAsString().endsWith("; pictures pass unchanged: all filters are off"),
                off::toString);
        assertFalse(rows.get(3).getAsJsonObject().has("chosen"), result.output());
        String missing = rows.get(4).getAsJsonObject().get("missing").getAsString();
        assertTrue(missing.startsWith("this ffmpeg does not have that filter"), missing);

        String html = Files.readString(page);
        assertFalse(
                Pattern.compile("https?:|<link|<iframe| src=\"(?!data:)")
                        .matcher(html)
                        .find(),
                "needs something else");
        assertTrue(html.contains("<h2 id=\"v1\">video &lt;1&gt;.avi</h2>"), html);
        assertTrue(html.contains("not measured: this ffmpeg does not have that filter"), html);
        assertEquals(8, count("<polyline", html), "PSNR and VMAF of four rows");
        assertEquals(2, count("<tr class=\"ours\">", html));
        List<String> shown = new ArrayList<>();
        Matcher images = Pattern.compile("<img alt=\"([^\"]+)\"[^>]* src=\"data:image/png;base64,([^\"]+)\"")
                .matcher(html);
        while (images.find()) {
            shown.add(images.group(1));
            byte[] png = Base64.getDecoder().decode(images.group(2));
            assertEquals(150, ImageIO.read(new ByteArrayInputStream(png)).getWidth());
        }
        assertEquals(
                List.of(
                        "reference",
                        "decoded",
                        "qpuloopfilter substrate=cpu",
                        "qpuloopfilter substrate=cpu deblock=false cdef=false shrinkage=false",
                        "deblock"),
                shown);
    }

    /** Of which less is better. */
    @Test
    void bandsAreInTheTableThePlotAndTheFigures() throws IOException {
        Path reference = folder.resolve("sky.mkv");
        Path video = folder.resolve("bands.mkv");
        makeVideo(
                "color=size=320x192:rate=25,format=yuv420p,geq=lum=60+X/10+Y/20+random(1)-0.5:cb=128:cr=128",
                reference);
        makeVideo("color=size=320x192:rate=25,format=yuv420p,geq=lum=60+X/10+Y/20:cb=128:cr=128", video);
        Path page = folder.resolve("page.html");
        ChildProcess.Result result = compare(video, reference, page, "--filters", "gradfun=8");
        JsonArray rows = JsonParser.parseString(result.output())
                .getAsJsonObject()
                .getAsJsonArray("videos")
                .get(0)
                .getAsJsonObject()
                .getAsJsonArray("rows");
        JsonObject decoded = rows.get(0).getAsJsonObject();
        double bands = decoded.get("cambi").getAsDouble();
        assertEquals(17, bands, decoded::toString);
        assertEquals(3, decoded.getAsJsonArray("cambiPerPicture").size());
        assertTrue(decoded.has("vmafV1") && decoded.has("vmaf"), decoded::toString);
        double smoothed = rows.get(2).getAsJsonObject().get("cambi").getAsDouble();
        assertTrue(smoothed < bands, result.output());
        String html = Files.readString(page);
        assertTrue(html.contains("<title>CAMBI of each picture</title>"), html);
        assertTrue(
                Pattern.compile("class=\"best\" data-label=\"CAMBI\">[0-9.]+ <small class=\"gain\">−")
                        .matcher(html)
                        .find(),
                html);
    }

    @Test
    void whatIsNoVideoEndsWithTwoAndOneLine() throws IOException {
        Path text = Files.writeString(folder.resolve("text.mp4"), "no video at all");
        ChildProcess.Result result = qpu(
                "compare", text.toString(), "--output", folder.resolve("p.html").toString());
        assertEquals(2, result.status(), result.output());
        assertEquals(1, result.output().lines().count(), result.output());
        assertTrue(result.output().contains("text.mp4 cannot be decoded"), result.output());
    }

    /** Compares a row with ffmpeg's own figures, to the digits that ffmpeg prints. */
    private static void checkFigures(JsonObject row, Path video, String filter, Path reference) {
        String said = ffmpeg(
                "-i",
                video.toString(),
                "-i",
                reference.toString(),
                "-lavfi",
                "[0:v]settb=1/25,setpts=N," + filter
                        + ",split[p][s];[1:v]settb=1/25,setpts=N,split[q][t];[p][q]psnr[x];[s][t]ssim[y]",
                "-map",
                "[x]",
                "-map",
                "[y]",
                "-f",
                "null",
                "-");
        assertEquals(number("PSNR y:([0-9.]+)", said), row.get("psnrY").getAsDouble(), 1e-6, said);
        assertEquals(number("SSIM Y:([0-9.]+)", said), row.get("ssimY").getAsDouble(), 1e-6, said);
    }

    private static int count(String part, String text) {
        return (int)
                Pattern.compile(Pattern.quote(part)).matcher(text).results().count();
    }

    private static double number(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no '" + pattern + "' in: " + text);
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** Three pictures of a source of ffmpeg's, without loss, in 4:2:0. */
    private static void makeVideo(String source, Path video) {
        ffmpeg("-f", "lavfi", "-i", source, "-frames:v", "3", "-pix_fmt", "yuv420p", "-c:v", "ffv1", video.toString());
    }

    /** A quick comparison on the CPU, which succeeds; prints JSON. */
    private static ChildProcess.Result compare(Path video, Path reference, Path page, String... options) {
        List<String> arguments = new ArrayList<>(List.of("compare", video.toString()));
        arguments.addAll(List.of("--reference", reference.toString(), "--output", page.toString()));
        arguments.addAll(List.of("--substrate", "cpu", "--warm-up", "0", "--seconds", "0.1", "--json"));
        arguments.addAll(List.of(options));
        ChildProcess.Result result = qpu(arguments.toArray(String[]::new));
        assertEquals(0, result.status(), result.output());
        return result;
    }

    private static String ffmpeg(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-nostdin", "-hide_banner", "-y"));
        command.addAll(List.of(arguments));
        ChildProcess.Result result =
                new ChildProcess(command, Map.of()).run(600).orElseThrow();
        assertEquals(0, result.status(), result.output());
        return result.output();
    }

    private static ChildProcess.Result qpu(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("pipelines/qpu").toString()));
        command.addAll(List.of(arguments));
        return new ChildProcess(command, Map.of()).run(600).orElseThrow();
    }
}
