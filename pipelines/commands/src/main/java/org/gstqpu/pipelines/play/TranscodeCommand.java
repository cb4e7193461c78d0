/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;
import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementChoice;
import org.gstqpu.pipelines.media.ElementStats;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu transcode}: runs a ready pipeline that writes a file, and shows its progress. Lives on the main thread. */
@Command(
        name = "transcode",
        description = {
            "Decodes, filters and encodes the video of a file or an address. The suffix of OUT selects the container: .mkv, .mp4,"
                    + " .m4v, .mov, .webm, .avi or .ts. Sound, subtitles, chapters, attachments and tags are copied by ffmpeg; what the"
                    + " container does not take is converted or left out, which is said before the work. What became of each"
                    + " stream is said at the end.",
            "The encoder is the first known one that the container takes and that works: it has encoded a picture. It is asked for"
                    + " a constant quality. --quality counts as the CRF of x264 does: 18 is hard to tell from the input, 28 is"
                    + " small; other encoders are asked for what looks like it.",
            "On a terminal, a progress bar shows position/duration and elapsed/remaining time. After Ctrl-C, OUT is complete up"
                    + " to the last picture that was filtered; the exit status is then 130."
        })
public final class TranscodeCommand implements Callable<Integer> {
    /** Between the end of a camera and the next try to connect. */
    private static final long PAUSE_SECONDS = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "IN", description = "the file or address to read")
    private String input;

    @Parameters(
            index = "1",
            paramLabel = "OUT",
            description = "the file to write; an address if the pipeline of --as sends to one")
    private String output;

    @Mixin
    private TranscodeOptions options;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = StreamTime.Converter.class,
            description =
                    "begin there: seconds or [HH:]MM:SS, with or without decimals; copied sound begins with the next packet"
                            + " (default: at the beginning)")
    private StreamTime from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = StreamTime.Converter.class,
            description = "end before that time of IN (default: at the end)")
    private StreamTime to;

    @Option(names = "--overwrite", description = "overwrite OUT if that file exists already")
    private boolean overwrite;

    @Option(
            names = "--reconnect",
            description =
                    "for --as security-camera and --as rtsp: when the camera ends, connect again until Ctrl-C; each time to a file of"
                            + " its own: OUT-2, OUT-3 and so on, before the suffix")
    private boolean reconnect;

    @Override
    public Integer call() throws InterruptedException, IOException {
        InputAddress.ofFilm(input);
        if (!output.contains("://")) {
            checkOutput(Path.of(output));
        }
        checkTimes();
        Transcoder transcoder = Transcoder.of(Installation.current(), options.settings());
        if (reconnect && !transcoder.readsStream()) {
            throw unusable("--reconnect is for a stream from the network: give --as security-camera or --as rtsp, too");
        }
        String first = output;
        Transcoder.Result result = run(transcoder);
        while (reconnect && result.complete()) {
            result = runAgain(transcoder, first);
        }
        return ExitStatus.OK;
    }

    private Transcoder.Result run(Transcoder transcoder) throws InterruptedException, IOException {
        Transcoder.Job job = new Transcoder.Job(
                input,
                output,
                Optional.ofNullable(from),
                Optional.ofNullable(to),
                UnfinishedFile.anyWriter(),
                overwrite,
                true);
        if (TerminalMode.isErrorTerminal()) {
            try (Bar bar = new Bar()) {
                return transcoder.run(job, bar);
            }
        }
        return transcoder.run(job, new Quiet());
    }

    /** Connects to a camera that has ended, until it is there again. */
    private Transcoder.Result runAgain(Transcoder transcoder, String first) throws InterruptedException, IOException {
        for (int number = 2; !output.contains("://") && Files.exists(Path.of(output)); number++) {
            int dot = first.lastIndexOf('.');
            int suffix = dot > first.lastIndexOf('/') ? dot : first.length();
            output = first.substring(0, suffix) + "-" + number + first.substring(suffix);
        }
        warn(input + " has ended: connecting again");
        while (true) {
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            try {
                return run(transcoder);
            } catch (CommandFailedException e) {
                // The camera is not there yet.
                if (e.exitStatus() != ExitStatus.UNUSABLE_INPUT) {
                    throw e;
                }
            }
        }
    }

    private void tell(List<String> changes) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("qpu transcode: note: " + output + ": " + String.join("; ", changes));
        err.flush();
    }

    /** Says the result. */
    private final class Quiet implements Transcoder.Watcher {
        @Override
        public boolean goesOn(Transcoder.Progress progress) {
            return true;
        }

        @Override
        public void told(List<String> changes) {
            tell(changes);
        }

        @Override
        public void lacks(String notice) {
            warn(notice);
        }

        @Override
        public void ended(Transcoder.Result result) {
            say(result);
        }
    }

    /** Owns the progress bar; says the result below it. */
    private final class Bar implements Transcoder.Watcher, AutoCloseable {
        private final long start = System.nanoTime();
        private final ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(String.valueOf(Path.of(output).getFileName()))
                .setStyle(ProgressBarStyle.ASCII)
                .setUnit(" s", 1000)
                .setInitialMax(-1)
                .setConsumer(new ConsoleProgressBarConsumer(
                        System.err, spec.usageMessage().width()))
                .build();
        private boolean open = true;

        @Override
        public boolean goesOn(Transcoder.Progress progress) {
            long beginning = from == null ? 0 : from.nanos();
            long end = to == null ? progress.durationNanos() : Math.min(to.nanos(), progress.durationNanos());
            long duration = TimeUnit.NANOSECONDS.toMillis(end - beginning);
            bar.maxHint(duration > 0 ? duration : -1);
            // The position of the last picture is its beginning, so it would stay below the duration.
            bar.stepTo(
                    progress.complete() && duration > 0
                            ? duration
                            : TimeUnit.NANOSECONDS.toMillis(Math.max(0, progress.positionNanos() - beginning)));
            bar.setExtraMessage(fps(progress.pictures(), System.nanoTime() - start));
            return true;
        }

        @Override
        public void told(List<String> changes) {
            tell(changes);
        }

        @Override
        public void lacks(String notice) {
            warn(notice);
        }

        @Override
        public void ended(Transcoder.Result result) {
            close();
            say(result);
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                bar.close();
            }
        }
    }

    private void warn(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("qpu transcode: warning: " + line);
        err.flush();
    }

    private void checkTimes() {
        if (to != null && to.nanos() <= (from == null ? 0 : from.nanos())) {
            throw unusable("--to " + to.text() + " is not after "
                    + (from == null ? "the beginning" : "--from " + from.text()));
        }
    }

    private void checkOutput(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw unusable(output + ": its folder does not exist; create it, or name another OUT");
        }
        if (!Files.isWritable(folder)) {
            throw unusable(
                    output + ": this user may not write to its folder; change its permissions, or name another OUT");
        }
        int bytes = UnfinishedFile.bytes(String.valueOf(file.getFileName()));
        if (bytes > UnfinishedFile.MOST_BYTES) {
            throw unusable(output + ": its name has " + bytes + " bytes, and file systems take "
                    + UnfinishedFile.MOST_BYTES + "; name another OUT");
        }
        if (Files.isSymbolicLink(file) && !Files.exists(file) && !overwrite) {
            throw unusable(output + " is a link to a file that does not exist: give --overwrite, or name another OUT");
        }
        if (!Files.exists(file)) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw unusable(output + " is a folder: name a file in it");
        }
        if (!overwrite) {
            throw unusable(output + " exists already: give --overwrite, or name another OUT");
        }
        if (!input.contains("://") && Files.isSameFile(file, Path.of(input))) {
            throw unusable("IN and OUT are the same file: " + output + "; name another OUT");
        }
    }

    private static String fps(long pictures, long nanos) {
        return String.format(Locale.ROOT, "%.1f fps", pictures * 1e9 / nanos);
    }

    private void say(Transcoder.Result result) {
        if (result.abandoned() || result.stats().isEmpty()) {
            return;
        }
        ElementStats stats = result.stats().get();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%s: %s in %.1f s (%s) on %s (%s)%s%n",
                output,
                counted(result.pictures(), "picture"),
                result.nanos() / 1e9,
                fps(result.pictures(), result.nanos()),
                stats.substrate(),
                stats.device(),
                result.encoder().map(name -> ", encoded by " + name).orElse(""));
        if (!result.streams().isEmpty()) {
            out.println(String.join("; ", result.streams()));
        }
        ElementChoice choice = ElementChoice.of(stats);
        out.println(choice.runs());
        out.println(choice.strengths());
        choice.wouldFuse(!stats.substrate().equals("cpu")).ifPresent(more -> out.println("--set " + more));
        out.flush();
    }
}
