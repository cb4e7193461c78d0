/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementStats;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code qpu transcode}: runs a ready pipeline that writes a file, and shows its progress. Lives on the main thread. */
@Command(
        name = "transcode",
        description = {
            "Decodes, filters and encodes the video of a file or an address. The suffix of OUT selects the container: .mkv, .mp4,"
                    + " .m4v, .mov, .webm, .avi or .ts. Sound and subtitles are copied if the container takes them; else sound is"
                    + " encoded, and subtitles are left out. What became of each stream is said at the end.",
            "The encoder is the first known one that the container takes and that works: it has encoded a picture. It is asked for"
                    + " a constant quality. --quality counts as the CRF of x264 does: 18 is hard to tell from the input, 28 is"
                    + " small; other encoders are asked for what looks like it.",
            "On a terminal, a progress bar shows position/duration and elapsed/remaining time. After Ctrl-C, OUT is complete up"
                    + " to the last picture that was filtered; the exit status is then 130."
        })
public final class TranscodeCommand implements Callable<Integer> {
    private static final int LOOK_MILLIS = 250;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "IN", description = "the file or address to read")
    private String input;

    @Parameters(
            index = "1",
            paramLabel = "OUT",
            description = "the file to write; an address if the pipeline of --as sends to one")
    private String output;

    @Option(
            names = "--as",
            paramLabel = "NAME",
            defaultValue = "transcode",
            description = "the ready pipeline to use; qpu list shows them (default: ${DEFAULT-VALUE})")
    private String name;

    @Option(
            names = "--encoder",
            paramLabel = "NAME",
            description =
                    "a format (h264, h265, vp9, vp8, av1, mpeg4) or an element of GStreamer, which may have properties: 'x264enc"
                            + " speed-preset=fast' (default: the first that works)")
    private String encoder;

    @ArgGroup
    private Aim aim = new Aim();

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
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as quality=fast; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    /** What the encoder is to keep to. */
    private static final class Aim {
        @Option(
                names = "--quality",
                paramLabel = "CRF",
                description = "the quality, from 1 (best) to 50, as x264 counts it (default: 21)")
        private Integer quality;

        @Option(
                names = "--bitrate",
                paramLabel = "BITS",
                converter = BitRate.class,
                description = "an average number of bits each second instead of a quality, such as 800k or 2.5M")
        private Long bitrate;
    }

    /** Lets picocli read a number of bits. */
    static final class BitRate implements ITypeConverter<Long> {
        private static final Pattern NUMBER = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([kM]?)");
        private static final long LEAST = 10_000;
        private static final long MOST = 1_000_000_000;

        @Override
        public Long convert(String value) {
            Matcher number = NUMBER.matcher(value);
            if (number.matches()) {
                int digits = switch (number.group(2)) {
                    case "k" -> 3;
                    case "M" -> 6;
                    default -> 0;
                };
                long bits =
                        new BigDecimal(number.group(1)).movePointRight(digits).longValue();
                if (bits >= LEAST && bits <= MOST) {
                    return bits;
                }
            }
            throw new TypeConversionException(
                    "'" + value + "' is no bit rate: write bits each second, from 10k to 1000M, such as 800k or 2.5M");
        }
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Installation installation = Installation.current();
        ReadyPipeline ready = ReadyPipeline.named(installation, name, true);
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("INPUT", PlayedPipeline.address(input));
        variables.put("OUTPUT", output);
        if (!output.contains("://")) {
            checkOutput(Path.of(output));
        }
        GStreamer.start(installation);
        Optional<String> filter = ready.videoFilter(PlayedPipeline.settings(ready, properties));
        if (filter.isPresent()) {
            transcode(filter.get());
            return ExitStatus.OK;
        }
        refuseOptions();
        if (!ready.elements().contains("filesink")) {
            try (PlayedPipeline played = PlayedPipeline.start(ready, variables, properties)) {
                run(played, List::of);
            }
            return ExitStatus.OK;
        }
        UnfinishedFile file = unfinished();
        variables.put("OUTPUT", file.part().toString());
        // The file is closed first: once the pipeline is closed, a process that was told to end does so.
        try (PlayedPipeline played = PlayedPipeline.start(ready, variables, properties);
                file) {
            complete(played, file, List::of);
        }
        return ExitStatus.OK;
    }

    private void transcode(String filter) throws InterruptedException, IOException {
        checkQuality();
        UnfinishedFile file = unfinished();
        Container container = Container.of(output);
        EncoderChoice choice =
                EncoderChoice.of(container, new EncoderChoice.Request(encoder, aim.quality, aim.bitrate));
        Transcoding transcoding = new Transcoding(
                input, file.part(), container, choice, filter, Optional.ofNullable(from), Optional.ofNullable(to));
        // The file is closed first, as above.
        try (PlayedPipeline played = PlayedPipeline.start(transcoding.pipeline(), true);
                file) {
            transcoding.begin(played);
            complete(played, file, transcoding::outcome);
        }
    }

    private UnfinishedFile unfinished() {
        if (output.contains("://")) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, output + " is an address: --as " + name + " writes a file; name one");
        }
        return new UnfinishedFile(Path.of(output).toAbsolutePath());
    }

    private void checkQuality() {
        if (aim.quality != null
                && (aim.quality < VideoEncoder.BEST_QUALITY || aim.quality > VideoEncoder.WORST_QUALITY)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "--quality " + aim.quality + ": it is from " + VideoEncoder.BEST_QUALITY + " (best) to "
                            + VideoEncoder.WORST_QUALITY);
        }
        if (to != null && to.nanos() <= (from == null ? 0 : from.nanos())) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "--to " + to.text() + " is not after "
                            + (from == null ? "the beginning" : "--from " + from.text()));
        }
    }

    /** A pipeline with its own encoder takes no other. */
    private void refuseOptions() {
        if (encoder != null || aim.quality != null || aim.bitrate != null || from != null || to != null) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "--encoder, --quality, --bitrate, --from and --to are for --as transcode and --as dvd; " + name
                            + " has its own encoder");
        }
    }

    private void complete(PlayedPipeline played, UnfinishedFile file, Supplier<List<String>> outcome)
            throws InterruptedException, IOException {
        run(played, outcome);
        if (!played.isAbandoned()) {
            file.complete();
        }
    }

    /** @param outcome what became of the streams; asked for at the end */
    private void run(PlayedPipeline played, Supplier<List<String>> outcome) throws InterruptedException {
        long start = System.nanoTime();
        if (TerminalMode.isErrorTerminal()) {
            showProgress(played, start);
        } else {
            played.awaitEnd(Long.MAX_VALUE);
        }
        played.checkFailure();
        long pictures = played.pictures();
        if (pictures == 0 && played.isComplete()) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    from != null || to != null
                            ? input + ": has no picture between --from and --to"
                            : input + ": holds no video that this machine can decode; ffprobe says what it holds");
        }
        if (played.isAbandoned()) {
            return;
        }
        played.stats()
                .ifPresent(
                        stats -> say(pictures, played.videoEncoder(), stats, outcome.get(), System.nanoTime() - start));
    }

    private void checkOutput(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, output + ": its folder does not exist; create it, or name another OUT");
        }
        if (!Files.isWritable(folder)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    output + ": this user may not write to its folder; change its permissions, or name another OUT");
        }
        if (!Files.exists(file)) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw new CommandFailedException(ExitStatus.UNUSABLE_INPUT, output + " is a folder: name a file in it");
        }
        if (!overwrite) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, output + " exists already: give --overwrite, or name another OUT");
        }
        if (!input.contains("://") && Files.isSameFile(file, Path.of(input))) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, "IN and OUT are the same file: " + output + "; name another OUT");
        }
    }

    private void showProgress(PlayedPipeline played, long start) throws InterruptedException {
        try (ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(String.valueOf(Path.of(output).getFileName()))
                .setStyle(ProgressBarStyle.ASCII)
                .setUnit(" s", 1000)
                .setInitialMax(-1)
                .setConsumer(new ConsoleProgressBarConsumer(
                        System.err, spec.usageMessage().width()))
                .build()) {
            boolean ended;
            do {
                ended = played.awaitEnd(LOOK_MILLIS);
                long beginning = from == null ? 0 : from.nanos();
                long end = to == null ? played.durationNanos() : Math.min(to.nanos(), played.durationNanos());
                long duration = TimeUnit.NANOSECONDS.toMillis(end - beginning);
                bar.maxHint(duration > 0 ? duration : -1);
                // The position of the last picture is its beginning, so it would stay below the duration.
                bar.stepTo(
                        ended && played.isComplete() && duration > 0
                                ? duration
                                : TimeUnit.NANOSECONDS.toMillis(Math.max(0, played.positionNanos() - beginning)));
                bar.setExtraMessage(fps(played.pictures(), System.nanoTime() - start));
            } while (!ended);
        }
    }

    private static String fps(long pictures, long nanos) {
        return String.format(Locale.ROOT, "%.1f fps", pictures * 1e9 / nanos);
    }

    private void say(long pictures, Optional<String> element, ElementStats stats, List<String> outcome, long nanos) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%s: %d pictures in %.1f s (%s) on %s (%s)%s%n",
                output,
                pictures,
                nanos / 1e9,
                fps(pictures, nanos),
                stats.substrate(),
                stats.device(),
                element.map(name -> ", encoded by " + name).orElse(""));
        if (!outcome.isEmpty()) {
            out.println(String.join("; ", outcome));
        }
        out.println(stats.choice().runs());
        out.println(stats.choice().strengths());
        out.flush();
    }
}
