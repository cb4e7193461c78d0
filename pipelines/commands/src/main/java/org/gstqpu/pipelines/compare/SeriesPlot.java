/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Plots a figure of every picture as one SVG line per filter. The page's style sheet sets the colours. Stateless. */
final class SeriesPlot {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 300;
    private static final int LEFT = 52;
    private static final int RIGHT = 12;
    private static final int TOP = 34;
    private static final int BOTTOM = 28;

    private SeriesPlot() {}

    /**
     * Draws the plot.
     *
     * @param figures the figures of each picture of a row
     * @param colours number of colours in the style sheet, which are used in turn
     * @return empty if there is nothing to draw
     */
    static Optional<String> svg(
            String title,
            List<ComparisonReport.Row> rows,
            Function<ComparisonReport.Row, List<Double>> figures,
            int colours) {
        double[] values = rows.stream()
                .flatMap(row -> figures.apply(row).stream())
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        int pictures =
                rows.stream().mapToInt(row -> figures.apply(row).size()).max().orElse(0);
        if (values.length == 0 || pictures < 2) {
            return Optional.empty();
        }
        double least = Double.MAX_VALUE;
        double most = -Double.MAX_VALUE;
        for (double value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        double step = tickStep(Math.max(most - least, 1e-3) / 5);
        double low = Math.floor(least / step) * step;
        double high = Math.ceil(most / step) * step;
        if (high <= low) {
            high = low + step;
        }
        Axes axes = new Axes(pictures, low, high);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title>\n<text class=\"title\" x=\"%d\" y=\"18\">%s</text>\n",
                WIDTH,
                HEIGHT,
                Markup.escape(title),
                LEFT,
                Markup.escape(title)));
        int ticks = (int) Math.round((high - low) / step);
        int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : step >= 0.001 ? 3 : 4;
        for (int i = 0; i <= ticks; i++) {
            double value = low + i * step;
            double y = axes.y(value);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\""
                            + " text-anchor=\"end\">%." + decimals + "f</text>\n",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y,
                    LEFT - 8,
                    y + 4,
                    value));
        }
        int pictureStep = Math.max(1, (int) tickStep(pictures / 10.0));
        for (int picture = 0; picture < pictures; picture += pictureStep) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                    axes.x(picture),
                    HEIGHT - 8,
                    picture));
        }
        // The element is the second row. Its line is drawn last, over the others.
        for (int i = rows.size() - 1; i >= 0; i--) {
            if (i != 1) {
                addLine(svg, rows.get(i).name(), figures.apply(rows.get(i)), i % colours, axes);
            }
        }
        if (rows.size() > 1) {
            addLine(svg, rows.get(1).name(), figures.apply(rows.get(1)), 1 % colours, axes);
        }
        return Optional.of(svg.append("</svg>").toString());
    }

    private static void addLine(StringBuilder svg, String name, List<Double> values, int colour, Axes axes) {
        StringBuilder points = new StringBuilder();
        for (int picture = 0; picture < values.size(); picture++) {
            Double value = values.get(picture);
            if (value != null) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", axes.x(picture), axes.y(value)));
            }
        }
        if (points.isEmpty()) {
            return;
        }
        svg.append("<polyline class=\"line s")
                .append(colour)
                .append("\" points=\"")
                .append(points.toString().strip())
                .append("\"><title>")
                .append(Markup.escape(name))
                .append("</title></polyline>\n");
    }

    /** The ranges of the plot: pictures 0 to {@code pictures} - 1 across, figures {@code low} to {@code high} upwards. */
    private record Axes(int pictures, double low, double high) {
        double x(int picture) {
            return LEFT + (double) picture * (WIDTH - LEFT - RIGHT) / (pictures - 1);
        }

        double y(double value) {
            return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM);
        }
    }

    /** The smallest number that is 1, 2 or 5 times a power of ten and not less than {@code least}. */
    static double tickStep(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= least * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
