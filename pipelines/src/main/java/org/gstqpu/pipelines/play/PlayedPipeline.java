/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import com.sun.jna.Pointer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.Format;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.State;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.event.EOSEvent;
import org.freedesktop.gstreamer.lowlevel.GlibAPI;
import org.freedesktop.gstreamer.lowlevel.GstAPI;
import org.freedesktop.gstreamer.lowlevel.GstParseAPI;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;

/**
 * Owns a ready pipeline that runs in this process, from its start to its end. Any thread but those of GStreamer, unless
 * said otherwise.
 *
 * <p>When the process is asked to end (Ctrl-C, SIGTERM), a pipeline that has begun to write gets an end of stream first and is
 * waited for, so that its files come out whole; the process then ends with the status that its signal calls for.
 */
final class PlayedPipeline implements AutoCloseable {
    /** How long a pipeline may take to end its files once it was told to. */
    private static final long END_SECONDS = 60;

    /**
     * How long a pipeline that writes may take to say that it has ended, once its sinks all had the end of stream. Most say it at
     * once, but GStreamer's RTP session now and then sends its goodbye and does not end its RTCP stream, for whose sink
     * rtspclientsink then waits for ever.
     */
    private static final long SINKS_SECONDS = 2;

    private final Pipeline pipeline;
    private final boolean writes;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread atExit = new Thread(this::endAtExit, "end of stream at exit");
    private volatile boolean cutShort;
    private volatile Optional<String> failure = Optional.empty();

    // As long as these are held, GStreamer calls them.
    private final Bus.EOS onEnd = source -> ended.countDown();
    private final Bus.ERROR onError = (source, code, message) -> {
        if (failure.isEmpty()) {
            // Other elements' messages seldom say what they are about.
            failure = Optional.of(source.getName().equals("qpu") ? message : source.getName() + ": " + message);
        }
        ended.countDown();
    };

    /** Where what is written leaves the pipeline: its sinks' pads. */
    private final List<Pad> ends;

    /** How many of them had no end of stream yet. */
    private final AtomicInteger open;

    private final Pad.EVENT_PROBE onEvent = (pad, event) -> {
        if (event instanceof EOSEvent) {
            onSinkEnd();
        }
        return PadProbeReturn.OK;
    };

    private PlayedPipeline(Pipeline pipeline, boolean writes) {
        this.pipeline = pipeline;
        this.writes = writes;
        // What is shown is shown to its end, however long the last picture lasts.
        ends = (writes ? pipeline.getSinks() : List.<Element>of())
                .stream().flatMap(sink -> sink.getSinkPads().stream()).toList();
        open = new AtomicInteger(ends.size());
        ends.forEach(pad -> pad.addEventProbe(onEvent));
    }

    /**
     * Starts a pipeline.
     *
     * @param variables the pipeline's, but for {@code PROPERTIES}
     * @param properties the element's, by name
     * @throws CommandFailedException when the line is none: an element or a property that does not exist; a sink that was named
     *     is told by its option
     */
    static PlayedPipeline start(ReadyPipeline ready, Map<String, String> variables, Map<String, String> properties) {
        String settings = properties.entrySet().stream()
                .map(property -> property.getKey() + "=" + ReadyPipeline.quoted(property.getValue()))
                .collect(Collectors.joining(" "));
        // By itself first: of an element that another one takes as a property, GStreamer reports no mistake.
        parse(ready, "qpuloopfilter " + settings).close();
        variables.forEach((variable, value) -> {
            if (variable.endsWith("SINK")) {
                requireSink("--" + variable.toLowerCase(Locale.ROOT).replace('_', '-'), value);
            }
        });
        Map<String, String> all = new HashMap<>(variables);
        all.put("PROPERTIES", settings);
        PlayedPipeline played = new PlayedPipeline((Pipeline) parse(ready, ready.description(all)), ready.writes());
        Bus bus = played.pipeline.getBus();
        bus.connect(played.onEnd);
        bus.connect(played.onError);
        try {
            Runtime.getRuntime().addShutdownHook(played.atExit);
        } catch (IllegalStateException e) {
            // The process is ending before the pipeline began.
            played.quit();
            return played;
        }
        played.pipeline.play();
        return played;
    }

    private static Element parse(ReadyPipeline ready, String description) {
        return parse(description, mistake -> unusable(ready, mistake));
    }

    private static void requireSink(String option, String description) {
        parse(
                        description,
                        mistake -> new CommandFailedException(
                                ExitStatus.UNUSABLE_INPUT,
                                option + " " + description + ": " + mistake
                                        + ": name an element that gst-inspect-1.0 lists, and properties that gst-inspect-1.0"
                                        + " ELEMENT shows"))
                .close();
    }

    /** As {@code Gst.parseLaunch}, which in gst1-java-core 1.4.0 reads a mistake again after it has freed it. */
    private static Element parse(String description, Function<String, CommandFailedException> failure) {
        Pointer[] mistake = {null};
        Element parsed = GstParseAPI.GSTPARSE_API.gst_parse_launch(description, mistake);
        if (mistake[0] == null) {
            return parsed;
        }
        GstAPI.GErrorStruct error = new GstAPI.GErrorStruct(mistake[0]);
        error.read();
        String message = error.getMessage();
        GlibAPI.GLIB_API.g_error_free(mistake[0]);
        if (parsed != null) {
            parsed.close();
        }
        throw failure.apply(message);
    }

    private static CommandFailedException unusable(ReadyPipeline ready, String mistake) {
        boolean whole = ready.elements().stream().allMatch(GStreamer::has);
        return new CommandFailedException(
                whole ? ExitStatus.UNUSABLE_INPUT : ExitStatus.UNAVAILABLE,
                mistake + (whole ? "" : "; " + ready.name() + " needs " + ready.needs()));
    }

    /** A file as an address, where it names one; anything else as it is. */
    static String address(String input) {
        if (input.contains("://")) {
            return input;
        }
        Path file = Path.of(input);
        if (!Files.exists(file)) {
            throw new CommandFailedException(ExitStatus.UNUSABLE_INPUT, input + ": no such file");
        }
        return Files.isRegularFile(file) ? file.toUri().toString() : input;
    }

    /**
     * Waits until pictures flow, or nothing more will.
     *
     * @return whether they flow
     */
    boolean awaitPlaying() throws InterruptedException {
        while (!ended.await(20, TimeUnit.MILLISECONDS)) {
            if (pipeline.getState(0) == State.PLAYING && filter().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Waits at most so long for the end of the stream, an error or {@link #quit}; whether it came. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * @throws CommandFailedException when an element failed, with what it said
     */
    void checkFailure() {
        failure.ifPresent(message -> {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM, message.lines().findFirst().orElse(message));
        });
    }

    /** Whether it came to its end by itself, without an error. */
    boolean isComplete() {
        return ended.getCount() == 0 && !cutShort && failure.isEmpty();
    }

    /** Ends it where it is. */
    void quit() {
        cutShort = true;
        ended.countDown();
    }

    /** The element, once there is one: playbin and transcodebin take it in when they know the streams. */
    Optional<Element> filter() {
        return Optional.ofNullable(pipeline.getElementByName("qpu"));
    }

    /** The element's statistics, empty before there are any. */
    Optional<Structure> stats() {
        return filter().map(element -> (Structure) element.get("stats"));
    }

    /** How many pictures the element has filtered; 0 before there is one. */
    long pictures() {
        return stats().map(stats -> ((Number) stats.getValue("frames")).longValue())
                .orElse(0L);
    }

    /** How much of the video the element has had, in nanoseconds; 0 before there is any. */
    long positionNanos() {
        return filter().map(element -> element.queryPosition(Format.TIME)).orElse(0L);
    }

    /** How long the video is, in nanoseconds; 0 or less where nobody knows. */
    long durationNanos() {
        return filter().map(element -> element.queryDuration(Format.TIME)).orElse(0L);
    }

    boolean isPaused() {
        return pipeline.getState(0) == State.PAUSED;
    }

    void pause() {
        pipeline.pause();
    }

    void resume() {
        pipeline.play();
    }

    private void onSinkEnd() {
        if (open.decrementAndGet() == 0) {
            CompletableFuture.delayedExecutor(SINKS_SECONDS, TimeUnit.SECONDS).execute(ended::countDown);
        }
    }

    private void endAtExit() {
        try {
            cutShort = true;
            if (writes && pictures() > 0) {
                // The sources' streams are over; the end comes when all sinks have it.
                pipeline.sendEvent(new EOSEvent());
            } else {
                // While a source connects, an end of stream would get lost.
                quit();
            }
            if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("qpu: the pipeline did not end within " + END_SECONDS
                        + " s of being told to; what it wrote may lack its end");
            } else {
                closed.await(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the pipeline and frees it. */
    @Override
    public void close() {
        pipeline.stop();
        pipeline.close();
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending, which is why the pipeline does.
            return;
        }
    }
}
