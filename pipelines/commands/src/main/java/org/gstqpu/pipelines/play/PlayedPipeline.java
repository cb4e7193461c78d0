/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Bin;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Format;
import org.freedesktop.gstreamer.Fraction;
import org.freedesktop.gstreamer.GstObject;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.State;
import org.freedesktop.gstreamer.StateChangeReturn;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.event.EOSEvent;
import org.freedesktop.gstreamer.event.SeekFlags;
import org.freedesktop.gstreamer.interfaces.VideoOverlay;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.DiskFullException;
import org.gstqpu.pipelines.cli.EndingChildren;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Wording;
import org.gstqpu.pipelines.media.ElementSettings;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * Owns a ready pipeline that runs in this process, from its start to its end. May be used by any thread that is not GStreamer's.
 *
 * <p>If the process is asked to end (Ctrl-C, SIGTERM) after the pipeline has begun to write, the pipeline first receives an end of
 * stream, and the process waits for it, so that files are complete. The process then ends with the exit status of the signal.
 */
final class PlayedPipeline implements AutoCloseable {
    /** How long a pipeline may take to complete its files after the end of stream. */
    private static final long END_SECONDS = 60;

    /** How long the file may take after that: ffmpeg copies it once. */
    private static final long CLOSE_SECONDS = 600;

    /** How long what is given up may take to stop: a source that is just connecting may not stop at all. */
    private static final long ABANDON_SECONDS = 10;

    /**
     * How long a pipeline that writes may take to report its end after all its sinks have received the end of stream. Most
     * pipelines report it at once. But GStreamer's RTP session sometimes says goodbye without ending its RTCP stream, and
     * rtspclientsink then waits for ever for the sink of that stream.
     */
    private static final long SINKS_SECONDS = 2;

    /** GstCoreError: an element is not installed. Other domains of errors do not use this code for elements that read. */
    private static final int MISSING_PLUGIN = 12;

    /** GstResourceError; only from elements that write. */
    private static final int NO_SPACE_LEFT = 14;

    /** GstStreamError: a stream of an unknown type, one of a wrong type, and one that no installed element decodes. */
    private static final int TYPE_NOT_FOUND = 4;

    private static final int WRONG_TYPE = 5;
    private static final int CODEC_NOT_FOUND = 6;

    /** GStreamer's class of an encoder of video; its words may have others between them, and openh264enc lacks the first. */
    private static final Pattern VIDEO_ENCODER = Pattern.compile("(?:Codec/)?Encoder/.*Video.*");

    /** The name of an identity before the filter, which counts pictures. */
    static final String COUNTER = "pictures";

    /** The name of an identity before the muxer, which counts packets. */
    static final String PACKETS = "packets";

    private static final Pattern BUFFERS = Pattern.compile("num-buffers=\\(guint64\\)(\\d+)");

    /** The name of the element that writes into the pictures. */
    static final String EXPLANATION = "explanation";

    /** The name of the element behind the decoder that may say other colours than it. */
    private static final String COLOURS = "colours";

    /** The name of the element that draws a line where the split view's halves meet. */
    static final String BORDER = "border";

    /** The property of playbin that has the elements between the decoder and the sink. */
    private static final String FILTER = "video-filter";

    /** The property of sinks that can fill the screen. */
    private static final String FULL_SCREEN = "fullscreen";

    private static final String WAYLAND_SINK = "waylandsink";

    /** How long a compositor may take to answer. */
    private static final long ANSWER_MILLIS = 200;

    /** Those that have not been closed. */
    private static final Set<PlayedPipeline> RUNNING = ConcurrentHashMap.newKeySet();

    private final Pipeline pipeline;
    private final boolean writes;

    /** Whether it writes what comes from the network alone, as long as something comes. */
    private final boolean records;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread atExit = new Thread(this::endAtExit, "end of stream at exit");
    private volatile boolean cutShort;

    /** What is done before an end of stream is sent at exit. */
    private volatile Runnable beforeEnd = () -> {};

    private volatile boolean abandoned;
    private volatile Optional<CommandFailedException> failure = Optional.empty();
    private volatile Optional<MissingPlugin> missing = Optional.empty();
    private volatile String failedKind = "";
    private volatile Optional<String> lost = Optional.empty();
    private volatile Optional<X11Window> window = Optional.empty();

    // GStreamer calls these only as long as something refers to them.
    private final Bus.EOS onEnd = source -> ended.countDown();
    private final Bus.ERROR onError = this::onError;
    private final Bus.MESSAGE onElement = (bus, message) -> {
        if (missing.isEmpty()) {
            missing = MissingPlugin.of(message.getStructure());
        }
        X11Window.of(message.getStructure()).ifPresent(opened -> window = Optional.of(opened));
    };

    /** Kept once it is found; null in a pipeline without one. */
    private volatile Element counter;

    /** The pads of the sinks of a pipeline that writes; empty for one that shows pictures. */
    private final List<Pad> ends;

    /** The number of pads in {@link #ends} that have not received an end of stream yet. */
    private final AtomicInteger open;

    private final Pad.EVENT_PROBE onEvent = (pad, event) -> {
        if (GStreamer.isEnd(event)) {
            onSinkEnd();
        }
        return PadProbeReturn.OK;
    };

    private final Pad.EVENT_PROBE onCaps = (pad, event) -> {
        Structure fields = event.getStructure();
        if (fields != null && fields.hasName("GstEventCaps") && fields.getValue("caps") instanceof Caps caps) {
            PictureForm.withMatrix(caps.getStructure(0))
                    .ifPresent(colours ->
                            pad.getParentElement().set("caps", Caps.fromString("video/x-raw,colorimetry=" + colours)));
        }
        return PadProbeReturn.OK;
    };

    private PlayedPipeline(Pipeline pipeline, boolean writes, boolean records) {
        this.pipeline = pipeline;
        ExactReading.ask(pipeline, () -> fail(CommandFailedException.unusable("what it reads: " + InputAddress.DEEP)));
        this.writes = writes;
        this.records = records;
        // For a pipeline that shows pictures, only its own message counts as the end: the last picture may stay for
        // long.
        ends = (writes ? pipeline.getSinks() : List.<Element>of())
                .stream().flatMap(sink -> sink.getSinkPads().stream()).toList();
        open = new AtomicInteger(ends.size());
        ends.forEach(pad -> pad.addEventProbe(onEvent));
        if (pipeline.listPropertyNames().contains(FILTER) && pipeline.get(FILTER) instanceof Bin filter) {
            // playbin adds it only when it knows the streams, whose caps are on their way then.
            Optional.ofNullable(filter.getElementByName(COLOURS))
                    .ifPresent(setter -> setter.getStaticPad("sink").addEventProbe(onCaps));
        }
    }

    /**
     * Starts a pipeline.
     *
     * @param variables variables of the script, except {@code PROPERTIES}
     * @param properties properties of the element, by name
     * @throws CommandFailedException when an element or a property does not exist; for a sink, the message names the option that
     *     set the sink
     */
    static PlayedPipeline start(ReadyPipeline ready, Map<String, String> variables, Map<String, String> properties) {
        String settings = settings(ready, properties);
        variables.forEach((variable, value) -> {
            if (variable.endsWith("SINK")) {
                requireSink("--" + variable.toLowerCase(Locale.ROOT).replace('_', '-'), value);
            }
        });
        Map<String, String> all = new HashMap<>(variables);
        all.put("PROPERTIES", settings);
        return start(
                (Pipeline) LaunchLine.parse(ready.description(all), mistake -> unusable(ready, mistake)),
                ready.writes(),
                ready.writes() && ready.readsStream());
    }

    /**
     * Starts a pipeline.
     *
     * @param writes whether it has sinks that are complete only after the end of the stream
     */
    static PlayedPipeline start(Pipeline pipeline, boolean writes) {
        return start(pipeline, writes, false);
    }

    private static PlayedPipeline start(Pipeline pipeline, boolean writes, boolean records) {
        PlayedPipeline played = new PlayedPipeline(pipeline, writes, records);
        RUNNING.add(played);
        EndingChildren.completing();
        Native.setCallbackExceptionHandler(PlayedPipeline::onFault);
        Bus bus = played.pipeline.getBus();
        bus.connect(played.onEnd);
        bus.connect(played.onError);
        bus.connect("element", played.onElement);
        try {
            Runtime.getRuntime().addShutdownHook(played.atExit);
        } catch (IllegalStateException e) {
            // The process is ending before the pipeline began.
            played.quit();
            return played;
        }
        if (played.pipeline.play() == StateChangeReturn.FAILURE) {
            // The element that failed says why by a message, which is on its way, but not each does.
            CompletableFuture.delayedExecutor(SINKS_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> played.fail(
                            problem("an element cannot be started and does not say why: look whether the display,"
                                    + " device or server that it needs is there and free; GST_DEBUG=2 says more")));
        }
        return played;
    }

    /**
     * Properties of the element as a part of a description.
     *
     * @throws CommandFailedException when a property does not exist, or cannot have its value
     */
    static String settings(ReadyPipeline ready, Map<String, String> properties) {
        ElementSettings.check(properties);
        String settings = properties.entrySet().stream()
                .map(property -> property.getKey() + "=" + ReadyPipeline.quoted(property.getValue()))
                .collect(Collectors.joining(" "));
        // The element is parsed alone first: if it is in the value of another element's property, GStreamer reports no
        // mistake.
        LaunchLine.parse("qpuloopfilter " + settings, mistake -> unusable(ready, mistake))
                .close();
        return settings;
    }

    private static void requireSink(String option, String description) {
        LaunchLine.parse(
                        description,
                        mistake -> CommandFailedException.unusable(option + " " + description + ": " + mistake
                                + ": name an element that gst-inspect-1.0 lists, and properties that gst-inspect-1.0"
                                + " ELEMENT shows"))
                .close();
    }

    private static CommandFailedException unusable(ReadyPipeline ready, String mistake) {
        boolean whole = ready.elements().stream().allMatch(GStreamer::has);
        return new CommandFailedException(
                whole ? ExitStatus.UNUSABLE_INPUT : ExitStatus.UNAVAILABLE,
                mistake + (whole ? "" : "; " + ready.name() + " needs " + ready.needs()));
    }

    /**
     * Waits until the pipeline plays, or has ended before that.
     *
     * @return true if the pipeline plays
     */
    boolean awaitPlaying() throws InterruptedException {
        while (!awaitEnd(20)) {
            if (pipeline.getState(0) == State.PLAYING && filter().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Waits for the end of the stream, an error or {@link #quit}, but not longer than this. Returns whether it has ended. */
    boolean awaitEnd(long millis) throws InterruptedException {
        if (ended.await(millis, TimeUnit.MILLISECONDS)) {
            return true;
        }
        if (GStreamer.hasGivenUp(pipeline)) {
            fail(damaged(""));
        }
        return ended.getCount() == 0;
    }

    /** @param why what GStreamer says, in brackets after a blank; empty if it says nothing */
    private static CommandFailedException damaged(String why) {
        return CommandFailedException.unusable(
                "what it reads is damaged or cut off" + why + "; ffprobe says what it holds");
    }

    /** Whether a failure has ended it; any thread. */
    boolean hasFailed() {
        return failure.isPresent();
    }

    /** Lets the sinks complete what has come from a source that has failed; it may not say the end of its stream by itself. */
    private void completeLost(CommandFailedException reason) {
        lost = Optional.of(String.valueOf(reason.getMessage()));
        pipeline.sendEvent(new EOSEvent());
        CompletableFuture.delayedExecutor(END_SECONDS, TimeUnit.SECONDS).execute(() -> fail(reason));
    }

    /** Ends the pipeline with a failure that no element has reported; any thread. */
    void fail(CommandFailedException reason) {
        if (failure.isEmpty()) {
            failure = Optional.of(reason);
        }
        ended.countDown();
    }

    /** What a probe throws would otherwise be as if it had asked to leave the picture out. */
    private static void onFault(Callback callback, Throwable fault) {
        fault.printStackTrace();
        RUNNING.forEach(played -> played.fail(problem("a fault in qpu (" + fault + "), please report it", fault)));
    }

    /** Lets {@code action} run when the process is asked to end, before the end of the stream is sent; on a thread of its own. */
    void beforeEnd(Runnable action) {
        beforeEnd = action;
    }

    /**
     * Throws if the pipeline has failed.
     *
     * @throws CommandFailedException when an element failed, with the message of the element or with what is missing
     */
    void checkFailure() {
        failure.ifPresent(reason -> {
            throw reason;
        });
    }

    private void onError(GstObject source, int code, String message) {
        if (failure.isPresent() || lost.isPresent()) {
            return;
        }
        CommandFailedException reason = failure(source, code, message);
        if (records && hasFailedIn("Network") && hasFailedIn("Source") && pictures() > 0) {
            completeLost(reason);
        } else {
            fail(reason);
        }
    }

    private CommandFailedException failure(GstObject source, int code, String message) {
        if (missing.isPresent() && (code == MISSING_PLUGIN || code == CODEC_NOT_FOUND)) {
            return missing.get().failure();
        }
        String kind = source instanceof Element known
                ? GStreamer.factory(known).map(ElementFactory::getKlass).orElse("")
                : "";
        // For elements that change pictures, the same numbers stand for files that they cannot open.
        if ((code == TYPE_NOT_FOUND || code == WRONG_TYPE) && !kind.startsWith("Filter/")) {
            return CommandFailedException.unusable(
                    "what it reads is no video that GStreamer knows; ffprobe says what it holds"
                            + (GStreamer.has(pipeline, "souphttpsrc")
                                    ? "; a camera's MJPEG is for qpu transcode --as security-camera"
                                    : ""));
        }
        // More words follow the message, or come before it.
        String line =
                Wording.unstopped(message.lines().findFirst().orElse(message).strip());
        String element = source.getName();
        failedKind = kind;
        if (hasFailedIn("Network") && hasFailedIn("Source")) {
            return CommandFailedException.unusable("nothing comes from the address (" + element + ": " + line
                    + "): check the address and the network");
        }
        if (kind.contains("Demuxer")) {
            return damaged(" (" + element + ": " + line + ")");
        }
        if (element.startsWith("filesink")) {
            return code == NO_SPACE_LEFT
                    ? new DiskFullException(line)
                    : problem("the file cannot be written (" + line
                            + "): look at the disk, and at limits such as ulimit -f");
        }
        if (kind.equals("Sink/Video")) {
            return problem("pictures cannot be shown (" + element + ": " + line
                    + "): look whether the display is there and free, or name another sink with --sink");
        }
        if (kind.equals("Sink/Audio")) {
            return problem(
                    "sound cannot be played (" + element + ": " + line
                            + "): look whether the sound card or server is there and free, or name another sink with --audio-sink");
        }
        // A queue hears from those after it that they agree on no format.
        if ((element.startsWith("queue") || kind.contains("Decoder/Video")) && pictures() == 0) {
            return CommandFailedException.unusable("its video is of a kind that GStreamer cannot decode to pictures ("
                    + element
                    + ": " + line + "); ffprobe says what it holds, and ffmpeg -i IN -c:v ffv1 -pix_fmt yuv444p OUT.mkv"
                    + " makes a usual one of it");
        }
        // Messages of other elements seldom name the element.
        return problem(element.equals("qpu") ? line : element + ": " + line);
    }

    /** Whether the element that failed is of a kind, as GStreamer's classes call it. */
    boolean hasFailedIn(String kind) {
        return failedKind.contains(kind);
    }

    /** Why the end of a stream from the network came early; what had come is written. Empty if it did not. */
    Optional<String> lost() {
        return lost;
    }

    /** What an element has said that GStreamer lacks; a reader then goes on with the other streams. */
    Optional<MissingPlugin> missing() {
        return missing;
    }

    /** Whether the pipeline was ended without an end of stream, so that what it wrote is incomplete. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** Whether the pipeline reached the end of its stream by itself, without an error. */
    boolean isComplete() {
        return ended.getCount() == 0 && !cutShort && failure.isEmpty();
    }

    /** Ends the pipeline at once, without an end of stream. */
    void quit() {
        cutShort = true;
        abandoned = true;
        ended.countDown();
    }

    /** The element; empty until it exists, because playbin and transcodebin add it only when they know the streams. */
    Optional<Element> filter() {
        return Optional.ofNullable(pipeline.getElementByName("qpu"));
    }

    /** The element's statistics; empty until the element exists. */
    Optional<ElementStats> stats() {
        return filter().flatMap(
                        element -> ElementStats.find(element.get("stats").toString()));
    }

    /** The name of the kind of element that encodes the video; empty if none does. */
    Optional<String> videoEncoder() {
        return pipeline.getElementsRecursive().stream()
                .flatMap(element -> GStreamer.factory(element).stream())
                .filter(factory -> VIDEO_ENCODER.matcher(factory.getKlass()).matches())
                .map(ElementFactory::getName)
                .findFirst();
    }

    /**
     * The number of pictures that have passed; 0 until the element exists. The element does not see those that it passes on
     * because nothing is to be filtered: a pipeline that must know has an identity for that, {@link #COUNTER}.
     */
    long pictures() {
        if (counter == null) {
            counter = pipeline.getElementByName(COUNTER);
        }
        if (counter == null) {
            return stats().map(ElementStats::frames).orElse(0L);
        }
        return passed(counter);
    }

    /** The number of packets that have come to the muxer of a pipeline that counts them. */
    long packets() {
        return passed(pipeline.getElementByName(PACKETS));
    }

    private static long passed(Element identity) {
        Matcher buffers = BUFFERS.matcher(identity.get("stats").toString());
        return buffers.find() ? Long.parseLong(buffers.group(1)) : 0;
    }

    /** The size of the pictures that {@link #pictures} counts, in pixels; 0 until it is known. */
    long pictureSize() {
        Element counted = counter != null ? counter : filter().orElse(null);
        Caps caps = counted == null ? null : counted.getStaticPad("sink").getCurrentCaps();
        if (caps == null || !caps.getStructure(0).hasIntField("width")) {
            return 0;
        }
        return (long) caps.getStructure(0).getInteger("width")
                * caps.getStructure(0).getInteger("height");
    }

    /** The position in the video at the element, in nanoseconds; 0 until the element exists. */
    long positionNanos() {
        // Before the first picture, its segment may be one of bytes.
        return filter().filter(element -> pictures() > 0)
                .map(element -> element.queryPosition(Format.TIME))
                .orElse(0L);
    }

    /** The duration of the video in nanoseconds; 0 or less if it is unknown. */
    long durationNanos() {
        return filter().map(element -> element.queryDuration(Format.TIME)).orElse(0L);
    }

    /** Goes on or back by some seconds. Returns false if this input cannot be wound. */
    boolean seekBy(long seconds) {
        long position = pipeline.queryPosition(Format.TIME);
        long duration = pipeline.queryDuration(Format.TIME);
        long wanted = Math.max(0, position + TimeUnit.SECONDS.toNanos(seconds));
        if (duration > 0 && wanted >= duration) {
            // The end of the stream ends the player: the last moment is left to be seen.
            wanted = Math.max(position, duration - TimeUnit.SECONDS.toNanos(1));
        }
        return pipeline.seekSimple(Format.TIME, EnumSet.of(SeekFlags.FLUSH, SeekFlags.KEY_UNIT), wanted);
    }

    /** Switches the full screen on or off. Returns false if neither the sink nor a window manager of X11 can. */
    boolean toggleFullScreen() {
        Optional<Element> sink = pipeline.getElementsRecursive().stream()
                .filter(element -> element.listPropertyNames().contains(FULL_SCREEN))
                .findFirst();
        sink.ifPresent(element -> {
            boolean fills = (Boolean) element.get(FULL_SCREEN);
            element.set(FULL_SCREEN, !fills);
            if (fills && GStreamer.isMadeBy(element, WAYLAND_SINK)) {
                CompletableFuture.delayedExecutor(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> fitOnWayland(element));
            }
        });
        return sink.isPresent() || window().filter(X11Window::toggleFullScreen).isPresent();
    }

    /** Gives a window of waylandsink the size of its pictures. That of GStreamer 1.22 keeps the size of the screen. */
    private static void fitOnWayland(Element sink) {
        Pad pad = sink.getStaticPad("sink");
        if (pad.hasCurrentCaps()) {
            Structure picture = pad.getCurrentCaps().getStructure(0);
            Fraction aspect = picture.hasField("pixel-aspect-ratio")
                    ? picture.getFraction("pixel-aspect-ratio")
                    : new Fraction(1, 1);
            int width = (int) ((long) picture.getInteger("width") * aspect.numerator / aspect.denominator);
            VideoOverlay.wrap(sink).setRenderRectangle(0, 0, width, picture.getInteger("height"));
        }
    }

    /** The window on X11; empty where the sink has none, or does not say so. */
    private Optional<X11Window> window() {
        return window.or(() -> pipeline.getElementsRecursive().stream()
                .filter(element -> GStreamer.isMadeBy(element, X11Window.GL_SINK))
                .findFirst()
                .flatMap(X11Window::ofGl));
    }

    /** Names the window, where the sink does not do so by itself. */
    void title(String title) {
        window().ifPresent(opened -> opened.title(title));
    }

    /** Draws a line where the halves of the split view meet, if the pipeline has an element for that; 0 removes it. */
    void border(double across) {
        Element line = pipeline.getElementByName(BORDER);
        if (line != null) {
            line.set("coef-x", across);
            line.set("alpha", across > 0 ? 1.0 : 0.0);
        }
    }

    /** Shows a text in the picture, if the pipeline has an element for that; an empty one removes it. */
    void explain(String text) {
        Element overlay = pipeline.getElementByName(EXPLANATION);
        if (overlay != null) {
            // The element adds the time.
            overlay.set("text", text + "\n");
            overlay.set("silent", text.isEmpty());
        }
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
                // The sources send an end of stream. The pipeline ends when all sinks have received it.
                beforeEnd.run();
                pipeline.sendEvent(new EOSEvent());
            } else {
                // An end of stream would be lost while a source is still connecting.
                quit();
            }
            if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("qpu: the pipeline did not end within " + END_SECONDS
                        + " s of being told to; the file may be incomplete");
            } else {
                closed.await(abandoned ? ABANDON_SECONDS : CLOSE_SECONDS, TimeUnit.SECONDS);
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
        EndingChildren.completed();
        RUNNING.remove(this);
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook is what ended the pipeline.
            return;
        }
    }
}
