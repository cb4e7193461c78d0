/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.compare.Markup.escape;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import org.gstqpu.pipelines.media.I420Picture;

/**
 * Writes a comparison as one self-contained HTML page. Each video has a section with a table, pictures and a plot. Belongs to one
 * thread.
 */
final class ComparisonPage {
    // Largest size of the part of a picture that is shown.
    private static final int SHOWN_WIDTH = 640;
    private static final int SHOWN_HEIGHT = 400;

    /** The number of colours of series in the style sheet. */
    private static final int COLOURS = 9;

    /** A column of the table. Its figure is null where it was not measured, and in a PSNR where no sample differs. */
    private record Figure(
            String title, String unit, int decimals, boolean lessIsBetter, Function<ComparisonReport.Row, Double> of) {
        OptionalDouble best(List<ComparisonReport.Row> rows) {
            DoubleStream all = rows.stream()
                    .filter(row -> row.missing() == null && of.apply(row) != null)
                    .mapToDouble(of::apply);
            return lessIsBetter ? all.min() : all.max();
        }
    }

    /** A figure that comes close to what people say, where it was measured; and the same of each picture. */
    private record Rating(Figure figure, Function<ComparisonReport.Row, List<Double>> perPicture) {
        Rating(
                String title,
                int decimals,
                boolean lessIsBetter,
                Function<ComparisonReport.Row, Double> of,
                Function<ComparisonReport.Row, List<Double>> perPicture) {
            this(new Figure(title, "", decimals, lessIsBetter, of), perPicture);
        }
    }

    /** Those of every comparison with a reference. */
    private static final List<Figure> MAIN = List.of(
            new Figure("PSNR-Y", "dB", 2, false, ComparisonReport.Row::psnrY),
            new Figure("SSIM-Y", "", 4, false, ComparisonReport.Row::ssimY),
            new Figure("PSNR-HVS", "dB", 2, false, ComparisonReport.Row::psnrHvs));

    private static final List<Rating> RATINGS = List.of(
            new Rating("VMAF v1", 2, false, ComparisonReport.Row::vmafV1, ComparisonReport.Row::vmafV1PerPicture),
            new Rating("CAMBI", 2, true, ComparisonReport.Row::cambi, ComparisonReport.Row::cambiPerPicture),
            new Rating("VMAF", 2, false, ComparisonReport.Row::vmaf, ComparisonReport.Row::vmafPerPicture),
            new Rating("MS-SSIM", 4, false, ComparisonReport.Row::msSsim, ComparisonReport.Row::msSsimPerPicture),
            new Rating(
                    "SSIMULACRA 2",
                    2,
                    false,
                    ComparisonReport.Row::ssimulacra2,
                    ComparisonReport.Row::ssimulacra2PerPicture));

    private final StringBuilder sections = new StringBuilder();
    private int videos;

    /**
     * Adds a video's section.
     *
     * @param comparison the comparison of that video, which holds the pictures
     */
    void add(ComparisonReport.Video video, Comparison comparison) {
        videos++;
        add(
                """
                <section class="video" aria-labelledby="v%1$d">
                <h2 id="v%1$d">%2$s</h2>
                <p class="about">%3$d × %4$d, %5$d %6$s, %7$s</p>
                """,
                videos,
                escape(fileName(video.input())),
                video.width(),
                video.height(),
                video.pictures(),
                video.pictures() == 1 ? "picture" : "pictures",
                video.reference() == null ? "no reference" : "against " + escape(fileName(video.reference())));
        addSlider(video, comparison);
        addTable(video);
        addViewer(video, comparison);
        addPlot(video);
        sections.append("</section>\n");
    }

    private void add(String html, Object... values) {
        sections.append(String.format(Locale.ROOT, html, values));
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The decoded picture and the element's, with a border between them that is dragged. The script takes both from the viewer. */
    private void addSlider(ComparisonReport.Video video, Comparison comparison) {
        Map<String, I420Picture> shown = comparison.shown();
        String ours = video.rows().get(1).name();
        if (!shown.containsKey(ours)) {
            return;
        }
        I420Picture decoded = shown.get(Comparison.DECODED);
        add(
                """
                <figure class="slider" data-before="%1$s" data-after="%2$s">
                <div class="stage" style="aspect-ratio:%3$d/%4$d"><img class="before" alt="decoded"><img class="after" \
                alt="filtered"><span class="border" aria-hidden="true"></span><span class="tag left">decoded</span>\
                <span class="tag right">%2$s</span><input type="range" min="0" max="100" value="50" step="1" \
                aria-label="How much of the decoded picture is shown"></div>
                <figcaption>Drag the border, or use <kbd>←</kbd> and <kbd>→</kbd>: left as decoded, right filtered.</figcaption>
                </figure>
                """,
                Comparison.DECODED,
                escape(ours),
                Math.min(SHOWN_WIDTH, decoded.width()),
                Math.min(SHOWN_HEIGHT, decoded.height()));
    }

    private void addTable(ComparisonReport.Video video) {
        List<Figure> figures = new ArrayList<>();
        if (video.reference() != null) {
            figures.addAll(MAIN);
            RATINGS.stream()
                    .map(Rating::figure)
                    .filter(figure -> figure.best(video.rows()).isPresent())
                    .forEach(figures::add);
        }
        boolean timed = video.rows().stream().anyMatch(row -> row.framesPerSecond() != null);
        sections.append("<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Filter</th>");
        figures.forEach(figure -> heading(figure.title(), figure.unit()));
        heading("Blocking", "grid ÷ beside");
        heading("To the input", "PSNR-Y, dB");
        if (timed) {
            heading("Speed", "frames/s");
        }
        sections.append("</tr></thead>\n<tbody>\n");
        ComparisonReport.Row decoded = video.rows().get(0);
        int columns = 3 + figures.size() + (timed ? 1 : 0);
        for (int i = 0; i < video.rows().size(); i++) {
            ComparisonReport.Row row = video.rows().get(i);
            add(
                    "<tr%s><th scope=\"row\"><span class=\"key s%d\" aria-hidden=\"true\"></span><code>%s</code>%s</th>",
                    row.chosen() != null ? " class=\"ours\"" : "",
                    i % COLOURS,
                    escape(row.name()),
                    row.missing() == null && !row.note().isEmpty() ? "<small>" + escape(row.note()) + "</small>" : "");
            if (row.missing() != null) {
                add(
                        "<td class=\"missing\" colspan=\"%d\">not measured: %s</td></tr>\n",
                        columns - 1, escape(row.missing()));
                continue;
            }
            for (Figure figure : figures) {
                cell(
                        figure,
                        figure.of().apply(row),
                        i > 0 ? figure.of().apply(decoded) : null,
                        figure.best(video.rows()));
            }
            add(
                    "<td data-label=\"Blocking\">%s</td><td data-label=\"To the input, dB\">%s</td>",
                    row.blocking() == null ? "–" : decimals(3, row.blocking()),
                    i == 0
                            ? "–"
                            : row.unchanged()
                                    ? unchanged(row)
                                    : row.psnrYToInput() == null ? "∞" : decimals(2, row.psnrYToInput()));
            if (timed) {
                add(
                        "<td data-label=\"Frames/s\">%s</td>",
                        row.framesPerSecond() == null ? "–" : decimals(1, row.framesPerSecond()));
            }
            sections.append("</tr>\n");
        }
        sections.append("</tbody></table></div>\n");
        if (video.reference() != null) {
            sections.append(
                    "<p class=\"legend\">Small figures are the difference from the decoded pictures: <span class=\"gain\">better"
                            + "</span>, <span class=\"loss\">worse</span>, <span class=\"same\">the same</span>. <b>Bold</b> is the best of a"
                            + " column.</p>\n");
        }
    }

    /** That a filter changed no sample of luma or chroma, and why, if it says so. */
    private static String unchanged(ComparisonReport.Row row) {
        return row.chosen() == null
                ? "unchanged"
                : "unchanged <small class=\"why\">" + escape(row.chosen().strengthReason()) + "</small>";
    }

    private void heading(String name, String unit) {
        add("<th scope=\"col\">%s%s</th>", name, unit.isEmpty() ? "" : " <small>" + unit + "</small>");
    }

    /** @param before the figure of the decoded pictures; null for these themselves */
    private void cell(Figure figure, Double value, Double before, OptionalDouble best) {
        int decimals = figure.decimals();
        boolean isBest = value != null && best.isPresent() && value == best.getAsDouble();
        add(
                "<td%s data-label=\"%s%s\">%s",
                isBest ? " class=\"best\"" : "",
                figure.title(),
                figure.unit().isEmpty() ? "" : ", " + figure.unit(),
                value == null ? "∞" : decimals(decimals, value));
        if (value != null && before != null) {
            double difference = value - before;
            boolean same = Math.abs(difference) < 0.5 * Math.pow(10, -decimals);
            add(
                    " <small class=\"%s\">%s</small>",
                    same ? "same" : difference < 0 == figure.lessIsBetter() ? "gain" : "loss",
                    same
                            ? "±" + decimals(decimals, 0)
                            : (difference > 0 ? "+" : "")
                                    + decimals(decimals, difference).replace('-', '−'));
        }
        sections.append("</td>");
    }

    private void addViewer(ComparisonReport.Video video, Comparison comparison) {
        Map<String, I420Picture> shown = comparison.shown();
        I420Picture decoded = shown.get(Comparison.DECODED);
        int width = Math.min(SHOWN_WIDTH, decoded.width());
        int height = Math.min(SHOWN_HEIGHT, decoded.height());
        I420Picture filtered = shown.getOrDefault(video.rows().get(1).name(), decoded);
        PictureRegion region = PictureRegion.mostChanged(decoded, filtered, width, height);
        sections.append("<figure class=\"viewer\" tabindex=\"0\" aria-label=\"Pictures to flip between\">\n"
                + "<div class=\"tabs\" role=\"group\" aria-label=\"Which picture\">");
        int number = 0;
        for (String name : shown.keySet()) {
            number++;
            add(
                    "<button type=\"button\" aria-pressed=\"%s\">%s%s</button>",
                    name.equals(Comparison.DECODED), number <= 9 ? "<kbd>" + number + "</kbd> " : "", escape(name));
        }
        add("</div>\n<div class=\"stage\" style=\"aspect-ratio:%d/%d\">", width, height);
        shown.forEach((name, picture) -> add(
                "<img alt=\"%s\" width=\"%d\" height=\"%d\"%s src=\"data:image/png;base64,%s\">",
                escape(name),
                width,
                height,
                name.equals(Comparison.DECODED) ? " class=\"on\"" : "",
                png(picture, region, comparison.isFullRange())));
        add("</div>\n<figcaption>Picture %d", comparison.shownPicture());
        if (width < decoded.width() || height < decoded.height()) {
            add(", %d × %d of it from %d, %d, where the element changed most", width, height, region.x(), region.y());
        }
        sections.append(
                ". <kbd>←</kbd>, <kbd>→</kbd> or a number switches the picture, <kbd>space</kbd> switches to the decoded picture"
                        + " and back, a click or <kbd>z</kbd> zooms in, the pointer moves the detail.</figcaption>\n</figure>\n");
    }

    private static String png(I420Picture picture, PictureRegion region, boolean fullRange) {
        BufferedImage image = new BufferedImage(region.width(), region.height(), BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < region.height(); y++) {
            for (int x = 0; x < region.width(); x++) {
                image.setRGB(x, y, Rgb.of(picture, region.x() + x, region.y() + y, fullRange));
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, "png", out)) {
                throw unavailable("this Java runtime cannot write PNG: install default-jre-headless");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(out.toByteArray());
    }

    private void addPlot(ComparisonReport.Video video) {
        Map<String, String> plots = new LinkedHashMap<>();
        SeriesPlot.svg(
                        video.reference() != null ? "PSNR-Y of each picture, dB" : "Blocking of each picture",
                        video.rows(),
                        ComparisonReport.Row::perPicture,
                        COLOURS)
                .ifPresent(svg -> plots.put(video.reference() != null ? "PSNR-Y" : "Blocking", svg));
        for (Rating rating : RATINGS) {
            String name = rating.figure().title();
            SeriesPlot.svg(name + " of each picture", video.rows(), rating.perPicture(), COLOURS)
                    .ifPresent(svg -> plots.put(name, svg));
        }
        if (plots.isEmpty()) {
            return;
        }
        sections.append("<figure class=\"plot\">");
        if (plots.size() > 1) {
            sections.append("<div class=\"tabs\" role=\"group\" aria-label=\"Which figure\">");
            plots.keySet()
                    .forEach(name -> add(
                            "<button type=\"button\" aria-pressed=\"%s\">%s</button>", name.equals("PSNR-Y"), name));
            sections.append("</div>");
        }
        sections.append("<div class=\"drawings\">");
        plots.values().forEach(sections::append);
        sections.append("</div><figcaption class=\"series\">");
        for (int i = 0; i < video.rows().size(); i++) {
            if (video.rows().get(i).missing() == null) {
                add(
                        "<span><span class=\"key s%d\" aria-hidden=\"true\"></span>%s</span> ",
                        i % COLOURS, escape(video.rows().get(i).name()));
            }
        }
        sections.append("</figcaption></figure>\n");
    }

    /** Returns the page with the sections that were added. */
    String html(ComparisonReport report) {
        String threads = report.processors() == 1 ? "one processor" : report.processors() + " processors";
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>qpuloopfilter compared</title>
                <style>
                """
                + resource("compare.css")
                + """
                </style>
                </head>
                <body>
                <header>
                <h1>qpuloopfilter <span>compared</span></h1>
                <p>The element and ffmpeg’s post-processing filters on the same decoded pictures.</p>
                </header>
                <main>
                """
                + sections
                + """
                <section class="notes" aria-labelledby="notes">
                <h2 id="notes">How it was measured</h2>
                <dl>
                <dt>PSNR-Y, SSIM-Y</dt><dd>of luma against the reference over all pictures, computed as by ffmpeg’s
                <code>psnr</code> and <code>ssim</code>. The small figures are the gain over the decoded pictures.</dd>
                <dt>PSNR-HVS</dt><dd>PSNR of luma, with the error weighted by the eye’s sensitivity to the frequencies of an
                8 × 8 DCT (Egiazarian et al., 2006).</dd>
                <dt>VMAF, MS-SSIM, SSIMULACRA 2</dt><dd>means over all pictures against the reference, as libvmaf (models v1.0.16 and v0.6.1) and
                libjxl compute them.</dd>
                <dt>CAMBI</dt><dd>index of bands in the pictures themselves, from 0 to 17: the lower, the better; from about 5 it annoys.</dd>
                <dt>Blocking</dt><dd>the mean step of luma across the lines of the 8 × 8 grid, divided by the mean step one sample
                beside these lines. 1 means that no grid is visible.</dd>
                <dt>To the input</dt><dd>PSNR of luma against the decoded pictures: the higher, the less was changed.</dd>
                """
                + (report.framesPerSecondThrough() == null
                        ? ""
                        : "<dt>Speed</dt><dd>pictures per second through a whole process, after a warm-up, on "
                                + threads
                                + ". Every filter reads and writes pictures through pipes, which also takes time.</dd>\n")
                + """
                </dl>
                </section>
                </main>
                <script>
                """
                + resource("compare.js")
                + """
                </script>
                </body>
                </html>
                """;
    }

    private static String resource(String name) {
        try (InputStream in = ComparisonPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + name + "; build again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String decimals(int count, double value) {
        return String.format(Locale.ROOT, "%." + count + "f", value);
    }
}
