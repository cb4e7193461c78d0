/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.gstqpu.pipelines.play.Transcoder;

/** Transcodes units, one after the other, in this process. Lives on the worker's thread. */
final class TranscodeWork implements TaskWork {
    private final Path out;
    private TranscodeSettings settings;
    private Transcoder transcoder;

    /** What is asked for; differs from {@link #settings} until the next task. */
    private volatile TranscodeSettings wanted;

    /**
     * Starts GStreamer and checks the settings.
     *
     * @param out the plan's folder
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when nothing can be done with these settings
     */
    TranscodeWork(Path out, TranscodeSettings settings) {
        this.out = out;
        this.settings = settings;
        wanted = settings;
        transcoder = Transcoder.of(Installation.current(), settings);
    }

    @Override
    public void set(String property, String value) {
        wanted = wanted.with(property, value);
    }

    @Override
    public Outcome run(BatchTask task, String writer, Watcher watcher) throws InterruptedException, IOException {
        if (!wanted.equals(settings)) {
            settings = wanted;
            transcoder = Transcoder.of(Installation.current(), settings);
        }
        Path output = out.resolve(task.output());
        Files.createDirectories(output.getParent());
        Path part = Transcoder.unfinished(output, writer);
        Transcoder.Watcher watching = new Transcoder.Watcher() {
            @Override
            public boolean goesOn(Transcoder.Progress progress) {
                return watcher.goesOn(new Progress(
                        progress.pictures(),
                        task instanceof BatchTask.Join ? 0 : progress.pictures() * progress.pictureSize(),
                        part.toFile().length(),
                        progress.complete()));
            }

            @Override
            public void told(List<String> changes) {
                // What holds for one segment holds for all.
                if (!(task instanceof BatchTask.Unit unit) || unit.from() == null) {
                    watcher.told(changes);
                }
            }
        };
        Transcoder.Result result;
        if (task instanceof BatchTask.Join join) {
            BatchTask.Unit first = join.segments().get(0);
            Path folder = out.resolve(first.output()).getParent();
            result = transcoder.join(
                    join.input(), folder, join.segments().size(), first.zero(), output, writer, watching);
        } else if (task instanceof BatchTask.Unit unit && unit.isSegment()) {
            result = transcoder.segment(
                    unit.input(),
                    unit.joins(),
                    new Transcoder.Cut(unit.zero(), unit.from(), unit.to()),
                    output,
                    writer,
                    watching);
        } else {
            result = transcoder.transcode(task.input(), output, writer, watching);
        }
        return new Outcome(task instanceof BatchTask.Join ? 0 : result.pictures(), result.complete());
    }

    @Override
    public void clear(BatchTask task) throws IOException {
        if (task instanceof BatchTask.Join join) {
            for (BatchTask.Unit segment : join.segments()) {
                Files.deleteIfExists(out.resolve(segment.output()));
            }
        }
    }
}
