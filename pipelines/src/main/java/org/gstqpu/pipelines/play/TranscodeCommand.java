/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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
import org.gstqpu.pipelines.media.ElementStats;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu transcode}: runs a ready pipeline that writes a file, and shows its progress. Lives on the main thread. */
@Command(
        name = "transcode",
        description = {
            "Decodes, filters and encodes a file or an address, with its sound. The suffix of OUT (.mkv, .mp4, .webm) selects the"
                    + " container. Video and sound are encoded with the first installed encoder that fits it.",
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

    @Option(names = "--overwrite", description = "overwrite OUT if that file exists already")
    private boolean overwrite;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as quality=fast; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

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
        if (ready.elements().contains("transcodebin")) {
            variables.put("PROFILE", EncodingProfile.forFile(output));
        }
        if (!ready.elements().contains("filesink")) {
            try (PlayedPipeline played = PlayedPipeline.start(ready, variables, properties)) {
                run(played);
            }
            return ExitStatus.OK;
        }
        UnfinishedFile file = new UnfinishedFile(Path.of(output).toAbsolutePath());
        variables.put("OUTPUT", file.part().toString());
        // The file is closed first: once the pipeline is closed, a process that was told to end does so.
        try (PlayedPipeline played = PlayedPipeline.start(ready, variables, properties);
                file) {
            run(played);
            if (played.pictures() > 0) {
                file.complete();
            }
        }
        return ExitStatus.OK;
    }

    private void run(PlayedPipeline played) throws InterruptedException {
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
                    input + ": holds no video that this machine can decode; gst-discoverer-1.0 says what it holds");
        }
        played.stats().ifPresent(stats -> say(pictures, played.videoEncoder(), stats, System.nanoTime() - start));
    }

    private void checkOutput(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, output + ": its folder does not exist; create it, or name another OUT");
        }
        if (!Files.exists(file)) {
            return;
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
                long duration = TimeUnit.NANOSECONDS.toMillis(played.durationNanos());
                bar.maxHint(duration > 0 ? duration : -1);
                // The position of the last picture is its beginning, so it would stay below the duration.
                bar.stepTo(
                        ended && played.isComplete() && duration > 0
                                ? duration
                                : TimeUnit.NANOSECONDS.toMillis(Math.max(0, played.positionNanos())));
                bar.setExtraMessage(fps(played.pictures(), System.nanoTime() - start));
            } while (!ended);
        }
    }

    private static String fps(long pictures, long nanos) {
        return String.format(Locale.ROOT, "%.1f fps", pictures * 1e9 / nanos);
    }

    private void say(long pictures, Optional<String> encoder, ElementStats stats, long nanos) {
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
                encoder.map(name -> ", encoded by " + name).orElse(""));
        out.println(stats.choice().runs());
        out.println(stats.choice().strengths());
        out.flush();
    }
}
