/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;

/**
 * The video of an input whose times begin anew or jump, as where the cells of a DVD or captures follow each other, or a signal was
 * lost, in a file of its own with the times that ffmpeg gives it. GStreamer goes on at such a place from other times, by seconds: the
 * sound that ffmpeg copies would not fit the pictures that GStreamer reads. Immutable; owns no file.
 *
 * @param video what ffprobe says of the file
 * @param later how much later a time of the input is than the same one of the file, in seconds, before the first such place
 */
record TimeLine(ProbedInput video, double later) {
    /**
     * Writes the video.
     *
     * @param input whose times begin anew or jump
     * @param kept the other streams that are used: ffmpeg goes by the times of all
     * @param output the file that it is for
     */
    static TimeLine write(ProbedInput input, KeptStreams kept, Path file, String output) throws IOException {
        ChildProcess.Result ffmpeg = new ChildProcess(kept.timeLine(file), Map.of())
                .require(KeptStreams.MUX_SECONDS, "there is no ffmpeg: apt install ffmpeg");
        Optional<ProbedInput> written = ffmpeg.status() == 0 ? ProbedInput.of(file.toString()) : Optional.empty();
        ProbedInput video = written.orElseThrow(() -> KeptStreams.failure(output, ffmpeg, 0));
        double later = input.firstTime(false).orElse(input.start())
                - video.firstTime(false).orElse(video.start());
        return new TimeLine(video, later);
    }
}
