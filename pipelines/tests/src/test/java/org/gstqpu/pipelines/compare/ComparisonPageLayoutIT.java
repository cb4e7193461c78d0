/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.CheckPackages;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a browser lays the page of {@code qpu compare} out, from a phone's width to a desktop's. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class ComparisonPageLayoutIT {
    private static final long LIMIT_SECONDS = 1200;

    /** Below this, words of a column are cut into letters. */
    private static final int NARROWEST = 60;

    /** Below this, the name of a filter and what it did there take more lines than anyone reads. */
    private static final int NARROWEST_NAME = 150;

    /**
     * Runs in the page, in a frame of the width that is tested, and tells the frame's page what it sees: how far the page reaches
     * beyond the width, the narrowest cell, how far the slider's border follows the keyboard, pictures without a source, and the
     * narrowest name of a filter.
     */
    private static final String LOOK = """
            <script>
            addEventListener('load', () => {
              const cells = [...document.querySelectorAll('th, td')].filter(cell => cell.closest('thead') === null || cell.offsetHeight > 1);
              const narrowest = Math.min(...cells.filter(cell => cell.offsetWidth > 1).map(cell => cell.offsetWidth));
              const names = Math.min(...[...document.querySelectorAll('tbody th')].map(cell => cell.offsetWidth));
              const range = document.querySelector('.slider input');
              range.value = 20;
              range.dispatchEvent(new Event('input'));
              const border = document.querySelector('.slider .border').getBoundingClientRect();
              const stage = document.querySelector('.slider .stage').getBoundingClientRect();
              const share = Math.round(100 * (border.left + border.width / 2 - stage.left) / stage.width);
              const empty = [...document.querySelectorAll('.slider img')].filter(image => image.naturalWidth === 0).length;
              parent.postMessage('seen ' + [document.documentElement.clientWidth,
                document.documentElement.scrollWidth - document.documentElement.clientWidth, narrowest, share, empty, names].join(' '), '*');
            });
            </script>
            """;

    private static final Pattern SEEN =
            Pattern.compile("<title>seen (\\d+) (-?\\d+) (\\d+) (\\d+) (\\d+) (\\d+)</title>");

    @TempDir
    private static Path folder;

    private static Path page;

    @BeforeAll
    static void makePage() throws IOException {
        CheckPackages.needProgram("chromium", "chromium");
        Path reference = folder.resolve("reference.mkv");
        Path video = folder.resolve("a-rather-long-name-of-a-video-from-a-camera-2026-11-23.avi");
        succeed(
                "ffmpeg",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "testsrc2=size=320x180:rate=25,noise=alls=9",
                "-frames:v",
                "3",
                "-pix_fmt",
                "yuv420p",
                "-c:v",
                "ffv1",
                reference.toString());
        succeed(
                "ffmpeg",
                "-v",
                "error",
                "-i",
                reference.toString(),
                "-c:v",
                "mpeg2video",
                "-q:v",
                "12",
                video.toString());
        page = folder.resolve("page.html");
        succeed(
                Installation.current().root().resolve("pipelines/qpu").toString(),
                "compare",
                video.toString(),
                "--reference",
                reference.toString(),
                "--output",
                page.toString(),
                "--filters",
                "deblock,spp=4",
                "--also",
                "deblock=false,cdef=false,shrinkage=false",
                "--seconds",
                "0");
        String html = Files.readString(page);
        Files.writeString(page, html.replace("</body>", LOOK + "</body>"));
    }

    private static String succeed(String... command) {
        ChildProcess.Result result =
                new ChildProcess(List.of(command), Map.of()).run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), result.output());
        return result.output();
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 800, 1100, 1260, 1400})
    void nothingIsCutOffOrOneLetterWide(int width) throws IOException {
        // A window of Chromium is at least 500 pixels wide.
        Path frame = folder.resolve("frame" + width + ".html");
        Files.writeString(
                frame,
                "<!DOCTYPE html><title>nothing</title><script>addEventListener('message', event => {"
                        + " document.title = event.data; });</script><iframe style=\"width:" + width
                        + "px;height:900px;border:0\" src=\"" + page.toUri() + "\"></iframe>");
        String dom = succeed(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--user-data-dir=" + folder.resolve("chromium" + width),
                "--window-size=1600,1000",
                "--virtual-time-budget=2000",
                "--dump-dom",
                frame.toUri().toString());
        Matcher seen = SEEN.matcher(dom);
        assertTrue(seen.find(), () -> dom.substring(0, Math.min(600, dom.length())));
        assertEquals(width, Integer.parseInt(seen.group(1)), "width of the page");
        assertEquals(0, Integer.parseInt(seen.group(2)), "reaches beyond the width");
        assertTrue(Integer.parseInt(seen.group(3)) >= NARROWEST, "narrowest cell: " + seen.group(3));
        assertTrue(Integer.parseInt(seen.group(6)) >= NARROWEST_NAME, "narrowest name: " + seen.group(6));
        assertEquals(20, Integer.parseInt(seen.group(4)), "border of the slider, in per cent");
        assertEquals(0, Integer.parseInt(seen.group(5)), "pictures without a source");
    }
}
