/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import java.awt.Color;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/** Draws the charts of benchmarks side by side into a PNG file. Stateless. */
public final class BenchPlot {
    /** Width of one chart in pixels. */
    public static final int WIDTH = 900;

    /** Height of one chart in pixels. */
    public static final int HEIGHT = 650;

    private BenchPlot() {}

    /**
     * Draws the charts and writes the file.
     *
     * @throws CommandFailedException when the Java runtime cannot draw text, or the file cannot be written
     */
    public static void save(List<Chart<?, ?>> charts, Path file) {
        for (Chart<?, ?> chart : charts) {
            chart.getStyler().setChartBackgroundColor(Color.WHITE);
        }
        try {
            BitmapEncoder.saveBitmap(charts, 1, charts.size(), file.toString(), BitmapEncoder.BitmapFormat.PNG);
        } catch (IOException | UncheckedIOException e) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, file + " cannot be written: " + e + "; name another file", e);
        } catch (LinkageError | InternalError | NullPointerException e) {
            // A headless Java without fonts throws one of these.
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "this Java cannot draw text (" + e + "): apt install fontconfig fonts-dejavu-core",
                    e);
        }
    }
}
