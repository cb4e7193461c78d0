/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;
import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * Transcodes one input after the other with the same settings. What holds for all of them, such as which encoder works, is found out
 * once. Lives on one thread.
 */
public final class Transcoder {
    /** What the names of segments' files end in. */
    public static final String SEGMENT = Transcoding.SEGMENT;

    /** How often a watcher is told. */
    private static final int LOOK_MILLIS = 250;

    /** What GStreamer's own muxers do not keep. */
    private static final String UNKEPT =
            "subtitles, attachments, other videos and programs, chapters, and tags and marks of IN are left out, and of MPEG"
                    + " streams the sound before the first picture: that needs"
                    + " ffmpeg, and a file or an address with an end, from which ffmpeg can read any part: apt install ffmpeg";

    private final TranscodeSettings settings;
    private final ReadyPipeline ready;

    /** The elements between the decoder and the encoder; empty if the ready pipeline has its own encoder. */
    private final Optional<String> filter;

    /** Those that have encoded a picture. */
    private final Map<Container, EncoderChoice> encoders = new EnumMap<>(Container.class);

    private Transcoder(TranscodeSettings settings, ReadyPipeline ready, Optional<String> filter) {
        this.settings = settings;
        this.ready = ready;
        this.filter = filter;
    }

    /**
     * Starts GStreamer and checks the settings as far as they do not depend on the input.
     *
     * @throws CommandFailedException when there is no such ready pipeline, or it cannot be run with these settings
     */
    public static Transcoder of(Installation installation, TranscodeSettings settings) {
        settings.check();
        ReadyPipeline ready = ReadyPipeline.named(installation, settings.as(), true);
        GStreamer.start(installation);
        Transcoder transcoder =
                new Transcoder(settings, ready, ready.videoFilter(PlayedPipeline.settings(ready, settings.set())));
        if (transcoder.filter.isEmpty() && settings.asksOfEncoder()) {
            throw transcoder.ownEncoder();
        }
        return transcoder;
    }

    /** Whether it reads from the network alone, as long as something comes. */
    boolean readsStream() {
        return ready.readsStream();
    }

    /** A pipeline with its own encoder takes no other. */
    private CommandFailedException ownEncoder() {
        return unusable("--encoder, --quality, --bitrate, --from and --to are for --as transcode and --as dvd; "
                + ready.name() + " has its own encoder");
    }

    /**
     * Checks that files of this name can be written, by encoding a picture.
     *
     * @throws CommandFailedException when the pipeline writes no file, the suffix is unknown, or no encoder for it works
     */
    public void checkFile(String output) {
        requireFile(output);
        if (filter.isPresent()) {
            encoder(Container.of(output));
        }
    }

    private void requireFile(String output) {
        if (output.contains("://")) {
            throw unusable(output + " is an address: --as " + ready.name() + " writes a file; name one");
        }
        if (!writesFile()) {
            throw unusable("--as " + ready.name() + " writes no file: name another ready pipeline");
        }
    }

    private boolean writesFile() {
        return filter.isPresent() || ready.elements().contains("filesink");
    }

    private EncoderChoice encoder(Container container) {
        return encoders.computeIfAbsent(
                container,
                wanted -> EncoderChoice.of(
                        wanted, new EncoderChoice.Request(settings.encoder(), settings.quality(), settings.bitrate())));
    }

    /**
     * A transcode.
     *
     * @param input a file or an address
     * @param output a file; an address if the ready pipeline sends to one
     * @param from where to begin; empty for the beginning
     * @param to where to end; empty for the end
     * @param writer a part of the name that the file has until it is whole, which nobody else uses
     * @param overwrite whether the file may take the place of another one
     * @param keepsPart whether the file is kept if the work is ended before its end, by a signal or by the watcher
     */
    record Job(
            String input,
            String output,
            Optional<StreamTime> from,
            Optional<StreamTime> to,
            String writer,
            boolean overwrite,
            boolean keepsPart) {}

    /**
     * How far a transcode has come.
     *
     * @param pictures that were filtered
     * @param pictureSize pixels of a picture; 0 if it is not known
     * @param positionNanos position in the video, in nanoseconds
     * @param durationNanos duration of the video in nanoseconds; 0 or less if it is not known
     * @param complete whether all was read and written
     */
    public record Progress(long pictures, long pictureSize, long positionNanos, long durationNanos, boolean complete) {}

    /** Is told four times a second how far a transcode has come, and once at its end; on the thread of the transcode. */
    public interface Watcher {
        /** Returns false if the transcode is to end at once. */
        boolean goesOn(Progress progress);

        /** Is told before the work what of the input is converted, or is not in the file; not called if nothing is. */
        default void told(List<String> changes) {}

        /** Is told in one line, once there are pictures, that the end of the input is missing; not called if it is not. */
        default void lacks(String notice) {}

        /**
         * Is told what came of it, before the pipeline is closed: once it is, a process that was told to end does so. A file is given its
         * name after that.
         */
        default void ended(Result result) {}
    }

    /**
     * A transcode that has ended without a failure.
     *
     * @param pictures that were filtered
     * @param nanos nanoseconds that it took
     * @param complete whether it came to the end of what was to be read
     * @param abandoned whether it was ended so that what it wrote is incomplete
     * @param encoder name of the kind of element that encoded the video
     * @param stats the element's statistics; empty if it ended before the element existed
     * @param streams what became of each stream, in words; empty if the ready pipeline does not say it
     */
    public record Result(
            long pictures,
            long nanos,
            boolean complete,
            boolean abandoned,
            Optional<String> encoder,
            Optional<ElementStats> stats,
            List<String> streams) {
        private Result without(long others) {
            return new Result(pictures - others, nanos, complete, abandoned, encoder, stats, streams);
        }
    }

    /**
     * Transcodes a whole input to a file. There is either the whole file afterwards, on the disk, or none.
     *
     * @param writer a part of the name that the file has until it is whole, which nobody else uses
     * @throws CommandFailedException when it cannot be done
     */
    public Result transcode(String input, Path output, String writer, Watcher watcher)
            throws InterruptedException, IOException {
        requireFile(output.toString());
        return run(new Job(input, output.toString(), Optional.empty(), Optional.empty(), writer, true, false), watcher);
    }

    /**
     * A segment of an input, by timestamps of its packets in nanoseconds, which {@link CutTimes} finds.
     *
     * @param zero the timestamp that stands for the running time 0 when the whole is read
     * @param from that of the key frame that it begins with; null for the beginning
     * @param to that of the key frame before which it ends; null for the end
     */
    public record Cut(long zero, Long from, Long to) {}

    /**
     * Transcodes a segment of the video of an input, for {@link #join}. There is either the whole file afterwards, on the disk, or
     * none.
     *
     * @param whole name of the file that the segment is to be joined to
     * @param cut where the segment begins and ends
     * @param output a file whose name ends in {@link #SEGMENT}
     * @throws CommandFailedException when it cannot be done
     */
    public Result segment(String input, String whole, Cut cut, Path output, String writer, Watcher watcher)
            throws InterruptedException, IOException {
        Job job = new Job(input, output.toString(), Optional.empty(), Optional.empty(), writer, true, false);
        return transcode(
                job,
                whole,
                container -> new Transcoding.Segment(
                        filter.orElseThrow(this::ownEncoder),
                        encoder(container),
                        cut.zero(),
                        Optional.ofNullable(cut.from()),
                        Optional.ofNullable(cut.to())),
                watcher);
    }

    /**
     * Puts all segments of an input together, with its sound and subtitles. There is either the whole file afterwards, on the disk, or
     * none.
     *
     * @param folder that has the files of all its segments, and of no others; their order is that of their names
     * @param count of the segments
     * @param zero the timestamp of the input in nanoseconds that is the time 0 of the segments
     * @throws CommandFailedException when it cannot be done
     */
    public Result join(String input, Path folder, int count, long zero, Path output, String writer, Watcher watcher)
            throws InterruptedException, IOException {
        Job job = new Job(input, output.toString(), Optional.empty(), Optional.empty(), writer, true, false);
        return transcode(job, job.output(), container -> new Transcoding.Joined(folder, count, zero), watcher);
    }

    /** Removes what a writer that is dead has left of a file. */
    public static void remove(Path output, String writer) throws IOException {
        UnfinishedFile.remove(output, writer);
    }

    /** The name of a file that {@code writer} has not completed. */
    public static Path unfinished(Path output, String writer) {
        return UnfinishedFile.part(output, writer);
    }

    Result run(Job job, Watcher watcher) throws InterruptedException, IOException {
        if (filter.isPresent()) {
            return transcode(
                    job,
                    job.output(),
                    container -> new Transcoding.Encoded(filter.get(), encoder(container), job.from(), job.to()),
                    watcher);
        }
        if (job.from().isPresent() || job.to().isPresent()) {
            throw ownEncoder();
        }
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("INPUT", ready.inputAddress(job.input()));
        ready.checkOutput(job.output());
        variables.put("OUTPUT", job.output());
        if (!writesFile()) {
            try (PlayedPipeline played = PlayedPipeline.start(ready, variables, settings.set())) {
                Result result = await(played, job, CutOffFile.notice(job.input()), watcher, () -> outcome(played));
                watcher.ended(result);
                return result;
            }
        }
        AtomicBoolean splits = new AtomicBoolean(true);
        try {
            return record(job, variables, watcher, splits);
        } catch (CommandFailedException e) {
            if (splits.get()) {
                throw e;
            }
            variables.put("SPLITTER", "jpegparse");
            return record(job, variables, watcher, splits);
        }
    }

    /** @param splits is set to whether the parts of a stream could be told from each other */
    private Result record(Job job, Map<String, String> variables, Watcher watcher, AtomicBoolean splits)
            throws InterruptedException, IOException {
        UnfinishedFile file = unfinished(job);
        variables.put("OUTPUT", file.part().toString());
        // The file is closed first: once the pipeline is closed, a process that was told to end does so.
        try (PlayedPipeline played = PlayedPipeline.start(ready, variables, settings.set());
                file) {
            try {
                return complete(
                        file,
                        job,
                        await(played, job, CutOffFile.notice(job.input()), watcher, () -> outcome(played)),
                        watcher);
            } finally {
                splits.set(!played.hasFailedIn("Demuxer") || played.pictures() > 0);
            }
        }
    }

    private static List<String> outcome(PlayedPipeline played) {
        return played.lost().stream().toList();
    }

    /** @param name of the file that the video is for in the end */
    private Result transcode(Job job, String name, Function<Container, Transcoding.Video> does, Watcher watcher)
            throws InterruptedException, IOException {
        UnfinishedFile file = unfinished(job);
        Container container = Container.of(name);
        Transcoding.Video work = does.apply(container);
        Optional<ProbedInput> probed = ProbedInput.of(job.input());
        // Of an address; a file was looked at.
        probed.flatMap(ProbedInput::animation).ifPresent(kind -> {
            throw InputAddress.animated(job.input(), kind);
        });
        boolean isSegment = work instanceof Transcoding.Segment;
        if (probed.isEmpty() || isSegment) {
            return transcode(job, file, container, work, probed, Optional.empty(), watcher);
        }
        try (file;
                Covers covers = new Covers()) {
            covers.write(probed.get(), container);
            Optional<KeptStreams> kept = KeptStreams.of(probed.get(), container, covers);
            return transcode(job, file, container, work, kept.isPresent() ? probed : Optional.empty(), kept, watcher);
        }
    }

    private static Result transcode(
            Job job,
            UnfinishedFile file,
            Container container,
            Transcoding.Video work,
            Optional<ProbedInput> probed,
            Optional<KeptStreams> kept,
            Watcher watcher)
            throws InterruptedException, IOException {
        boolean isSegment = work instanceof Transcoding.Segment;
        boolean broken = kept.isPresent() && probed.get().hasBrokenTimes();
        if (broken && (job.from().isPresent() || job.to().isPresent())) {
            throw unusable(job.input()
                    + ": its times begin anew or jump, so that --from and --to have no place in it; put them into one"
                    + " line first: ffmpeg -i IN -c copy OUT.mkv");
        }
        Optional<TimeLine> line = broken
                ? Optional.of(TimeLine.write(probed.get(), kept.get(), file.line(), job.output()))
                : Optional.empty();
        Transcoding transcoding = new Transcoding(
                line.isPresent() ? file.line().toString() : job.input(),
                kept.isPresent() ? file.coded() : file.part(),
                container,
                line.map(TimeLine::video).or(() -> probed),
                work);
        // The file is closed first, as above.
        try (PlayedPipeline played = PlayedPipeline.start(transcoding.pipeline(), true);
                file) {
            transcoding.begin(played);
            List<String> told = new ArrayList<>(transcoding.told());
            if (line.isPresent()) {
                told.add("times that begin anew or jump are put into one line");
            }
            if (!isSegment) {
                told.addAll(kept.map(KeptStreams::told).orElse(List.of(UNKEPT)));
            }
            if (!told.isEmpty() && !played.hasFailed()) {
                watcher.told(List.copyOf(told));
            }
            List<String> others = kept.map(KeptStreams::outcome).orElse(List.of());
            Result filtered = await(played, job, transcoding.cutOff(), watcher, () -> {
                List<String> all = new ArrayList<>(transcoding.outcome());
                all.addAll(others);
                return List.copyOf(all);
            });
            Result result = filtered.without(transcoding.neighbours());
            if (result.complete()) {
                transcoding.checkCut();
            }
            long packets = played.packets();
            if (packets == 0 && isKept(job, result)) {
                throw unusable(job.output() + ": its encoder made nothing of " + counted(filtered.pictures(), "picture")
                        + "; name another one with --encoder");
            }
            if (kept.isPresent() && isKept(job, result)) {
                double zero = transcoding.zero() + line.map(TimeLine::later).orElse(0.0);
                result = putTogether(
                        file, job, transcoding.limit(), zero, probed.get(), kept.get(), packets, result, watcher);
            }
            return complete(file, job, result, watcher);
        }
    }

    /**
     * Lets ffmpeg write the file, of the encoded video and all the rest.
     *
     * @param packets of the encoded video, all of which are to be in the file
     */
    private static Result putTogether(
            UnfinishedFile file,
            Job job,
            Optional<Double> limit,
            double zero,
            ProbedInput input,
            KeptStreams kept,
            long packets,
            Result result,
            Watcher watcher)
            throws IOException {
        ProbedInput coded = ProbedInput.of(file.coded().toString())
                .orElseThrow(() -> problem(job.output() + ": ffprobe does not know the encoded video"));
        Container container = Container.of(job.output());
        Optional<Double> end = result.complete() ? limit : Optional.of(coded.duration());
        AtomicBoolean wanted = new AtomicBoolean(true);
        ChildProcess.Result ffmpeg = new ChildProcess(
                        kept.command(
                                coded,
                                videoOptions(input, coded, container),
                                zero,
                                job.from().isPresent(),
                                end,
                                file.part()),
                        Map.of())
                .run(KeptStreams.MUX_SECONDS, () -> {
                    wanted.set(watcher.goesOn(new Progress(result.pictures(), 0, 0, 0, result.complete())));
                    return wanted.get();
                })
                .orElseThrow(() -> unavailable("there is no ffmpeg: apt install ffmpeg"));
        if (!wanted.get()) {
            return new Result(
                    result.pictures(), result.nanos(), false, true, result.encoder(), result.stats(), result.streams());
        }
        // It goes on without the pictures that a bitstream filter does not take, and after those that it cannot read.
        if (ffmpeg.status() != 0
                || (result.complete() && KeptStreams.written(ffmpeg) != packets)
                || ffmpeg.output().contains("Error applying bitstream filters")) {
            throw KeptStreams.failure(job.output(), ffmpeg, packets);
        }
        return result;
    }

    /** What the containers are told of the video. */
    private static List<String> videoOptions(ProbedInput input, ProbedInput coded, Container container) {
        ProbedInput.Stream video = coded.video().orElseThrow();
        List<String> options = new ArrayList<>(input.video()
                .map(source -> PictureForm.colours(source, video.codec()))
                .orElse(List.of()));
        // Matroska has rounded the aspect of samples.
        input.video().flatMap(PictureForm::aspect).ifPresent(aspect -> options.addAll(List.of("-aspect:0", aspect)));
        if (container.isQuickTime() && video.codec().equals("hevc")) {
            options.addAll(List.of("-tag:0", "hvc1"));
        }
        if (container == Container.AVI) {
            options.addAll(List.of("-r:0", video.text("r_frame_rate").orElse("25")));
            if (video.codec().equals("h264")) {
                int at = options.indexOf("-bsf:0") + 1;
                if (at > 0) {
                    options.set(at, options.get(at) + ",h264_mp4toannexb");
                } else {
                    options.addAll(List.of("-bsf:0", "h264_mp4toannexb"));
                }
            }
        }
        return options;
    }

    private UnfinishedFile unfinished(Job job) {
        requireFile(job.output());
        return new UnfinishedFile(Path.of(job.output()).toAbsolutePath(), job.writer(), job.overwrite());
    }

    private static Result complete(UnfinishedFile file, Job job, Result result, Watcher watcher) throws IOException {
        watcher.ended(result);
        if (isKept(job, result)) {
            file.complete();
        }
        return result;
    }

    private static boolean isKept(Job job, Result result) {
        return result.complete() || (job.keepsPart() && !result.abandoned());
    }

    private static CommandFailedException noPicture(Job job) {
        return unusable(
                job.from().isPresent() || job.to().isPresent()
                        ? job.input() + ": has no picture between --from and --to"
                        : job.input() + ": holds no video that this machine can decode; ffprobe says what it holds");
    }

    /**
     * Waits for the end.
     *
     * @param notice of a missing end of the input
     * @param outcome what became of the streams; asked for at the end
     */
    private static Result await(
            PlayedPipeline played, Job job, Optional<String> notice, Watcher watcher, Supplier<List<String>> outcome)
            throws InterruptedException, IOException {
        long start = System.nanoTime();
        // What has no picture is refused for more than that.
        Optional<String> cutOff = notice;
        boolean ended;
        do {
            ended = played.awaitEnd(LOOK_MILLIS);
            if (cutOff.isPresent() && played.pictures() > 0) {
                watcher.lacks(cutOff.get());
                cutOff = Optional.empty();
            }
            Progress progress = new Progress(
                    played.pictures(),
                    played.pictureSize(),
                    played.positionNanos(),
                    played.durationNanos(),
                    ended && played.isComplete());
            if (!watcher.goesOn(progress)) {
                played.quit();
            }
        } while (!ended);
        long pictures = played.pictures();
        boolean complete = played.isComplete();
        if (pictures == 0 && job.from().isPresent() && played.hasFailedIn("Decoder")) {
            // The decoder has nothing to decode.
            throw noPicture(job);
        }
        played.checkFailure();
        if (pictures == 0 && complete) {
            throw noPicture(job);
        }
        return new Result(
                pictures,
                System.nanoTime() - start,
                complete,
                played.isAbandoned(),
                played.videoEncoder(),
                played.stats(),
                outcome.get());
    }
}
