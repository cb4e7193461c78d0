/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.freedesktop.gstreamer.Bin;
import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.BufferFlags;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Format;
import org.freedesktop.gstreamer.Fraction;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadLinkException;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.PadProbeType;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.event.EOSEvent;
import org.freedesktop.gstreamer.event.SeekEvent;
import org.freedesktop.gstreamer.event.SeekFlags;
import org.freedesktop.gstreamer.event.SeekType;
import org.freedesktop.gstreamer.lowlevel.GstAPI.GstSegmentStruct;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * A pipeline that filters the video of an input and encodes it, and writes it to a file with all its sound and subtitles.
 * These are copied if the container takes them; else sound is encoded, and subtitles are left out. It can also do a segment of the
 * video alone, and put segments together. Lives on the main thread.
 *
 * <p>The streams are held at their beginning until all are known. Only then is the position set and is the muxer told of each, so
 * that the muxer sees no data before it has all its pads, and none that is not to be written.
 */
final class Transcoding {
    /**
     * What each stream goes through behind the reader. One stream may have much data before another one has any, without which its
     * caps may not be known; an encoder keeps some seconds of video before it gives the first
     * packet, and the muxer holds the sound as long. No limit on time or number of buffers fits all files.
     */
    private static final String CODED_QUEUE =
            "queue max-size-buffers=0 max-size-time=0 max-size-bytes=" + (64 << 20) + " ! ";

    /** How long before a segment reading begins. */
    private static final long EARLY_NANOS = 1_000_000_000;

    /**
     * How many pictures before a segment are filtered if the filter fuses each with those before it. It looks at two, but these were fused
     * themselves, and so on back to the last cut. After ten pictures more of them bring no more, and automatic strength takes some, too.
     */
    private static final int HISTORY_PICTURES = 64;

    /** How long these last where the caps have no frame rate. */
    private static final long HISTORY_NANOS = 3_000_000_000L;

    /** What files of segments end in. They are in GStreamer's own format for streams, which keeps caps and exact times. */
    static final String SEGMENT = ".gdp";

    /** Matroska's ticks are of a millisecond by default. Within a cluster its times are of 16 bits, and pictures are out of order. */
    private static final int NANOS_PER_TICK = 100_000;

    private static final double NANOS = 1e9;

    /** Pictures a second where none are told. */
    private static final int USUAL_RATE = 25;

    /** At fewer pictures a second, the ticks are Matroska's default. */
    private static final double QUICK_RATE = 5;

    /** The element's property that has pictures fused with those around them. */
    private static final String TEMPORAL = "temporal";

    /** The number of the property's value by which the element chooses. */
    private static final int AUTOMATIC = 4;

    /** The name of the element behind the filter. */
    private static final String FILTERED = "filtered";

    private static final int LOOK_MILLIS = 20;

    /** How long the caps of a stream may take. Those that it may have are known anyway. */
    private static final int CAPS_MILLIS = 2000;

    private static final Set<PadProbeType> EVENTS = EnumSet.of(PadProbeType.EVENT_DOWNSTREAM, PadProbeType.EVENT_FLUSH);

    /** The number of channels, if the caps of the coded sound do not say it. */
    private static final int STEREO = 2;

    private final String input;
    private final Container container;
    private final Container target;
    private final Optional<ProbedInput> probed;

    /** What is said of a missing end of the input; empty if none is missing. */
    private final Optional<String> cutOff;

    /** The end of the video in the input, if it is known. */
    private final Optional<ProbedInput.Tail> tail;

    private final Video work;

    /** Whether parts in the middle of a track are left out. */
    private final boolean jumps;

    private final Pipeline pipeline;
    private final Element muxer;

    /** Where the streams of the reader leave their queues. */
    private final List<Pad> streams = new CopyOnWriteArrayList<>();

    private final CountDownLatch known = new CountDownLatch(1);
    private final List<String> others = new ArrayList<>();

    // GStreamer calls these only as long as something refers to them.
    private final List<Element.PAD_ADDED> decoders = new ArrayList<>();

    private final List<PictureTimes> pictureTimes = new CopyOnWriteArrayList<>();

    /** Where the packets of a stream are left out if the process is to end. */
    private final Map<Pad, Pad> packets = new ConcurrentHashMap<>();

    /** Where the filtered pictures leave, and where they go to once it is known in which form. */
    private Pad filtered;

    private Pad encoded;

    /** The first filtered picture has come, or none comes. */
    private final CountDownLatch pictured = new CountDownLatch(1);

    private volatile int firstFlags;
    private volatile boolean otherSize;

    private final Pad.PROBE holdPicture = (pad, information) -> {
        if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM) && !GStreamer.isEnd(information.getEvent())) {
            return PadProbeReturn.PASS;
        }
        if (information.getType().contains(PadProbeType.BUFFER) && pictured.getCount() > 0) {
            firstFlags = GStreamer.flags(information.getBuffer());
        }
        pictured.countDown();
        return PadProbeReturn.OK;
    };
    private Pad.PROBE sizes;
    private Optional<PacketTimes> packetTimes = Optional.empty();
    private List<String> told = List.of();

    /** The first packet of each stream, and the segment that it is in. */
    private final Map<Pad, GstSegmentStruct> starts = new ConcurrentHashMap<>();

    private final Map<Pad, Packet> first = new ConcurrentHashMap<>();

    private Optional<SegmentCut> cut = Optional.empty();

    /** See {@link #zero()}; empty until it is asked for. */
    private Optional<Double> zero = Optional.empty();

    private Pad.PROBE picturesWithoutTimes;
    private Pad.PROBE firstSegment;
    private Pad.PROBE picturesAfterEnd;
    private Pad.PROBE picturesOfOneTime;

    /** Holds data and the end of a stream. The reader sends other events, such as caps, before it has added all its pads. */
    private final Pad.PROBE hold = (pad, information) -> {
        if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM) && !GStreamer.isEnd(information.getEvent())) {
            GStreamer.segment(information.getEvent()).ifPresent(segment -> starts.put(pad, segment));
            return PadProbeReturn.PASS;
        }
        if (information.getType().contains(PadProbeType.BUFFER)) {
            first.putIfAbsent(pad, Packet.of(information.getBuffer(), starts.get(pad)));
        }
        known.countDown();
        return PadProbeReturn.OK;
    };

    /** Timestamp of the first packet of the video that was left out, because the process is to end; until then none. */
    private final AtomicLong end = new AtomicLong(Long.MAX_VALUE);

    private final Pad.PROBE dropVideo = (pad, information) -> {
        long time = information.getBuffer().getPresentationTimestamp();
        if (time >= 0) {
            end.accumulateAndGet(time, Math::min);
        }
        return PadProbeReturn.DROP;
    };
    private final Pad.PROBE dropAfterVideo = (pad, information) ->
            information.getBuffer().getPresentationTimestamp() > end.get() ? PadProbeReturn.DROP : PadProbeReturn.OK;

    private final Element.PAD_ADDED onPad = (reader, pad) -> {
        if (known.getCount() > 0) {
            streams.add(held(pad));
        }
    };

    /**
     * A packet of the input.
     *
     * @param timestamp in nanoseconds; empty if it has none
     * @param running its running time in nanoseconds, read from the beginning
     * @param position its time in the stream, which is what is sought
     * @param key whether its picture needs no other
     */
    record Packet(Optional<Long> timestamp, Optional<Long> running, Optional<Long> position, boolean key) {
        private static Packet of(Buffer buffer, GstSegmentStruct segment) {
            long time = buffer.getPresentationTimestamp();
            boolean timed = time >= 0 && segment != null;
            return new Packet(
                    timed ? Optional.of(time) : Optional.empty(),
                    timed ? Optional.of(time - segment.start + segment.base) : Optional.empty(),
                    timed ? Optional.of(time - segment.start + segment.time) : Optional.empty(),
                    !buffer.getFlags().contains(BufferFlags.DELTA_UNIT));
        }
    }

    /** The first packet of the video, which has come when {@link #begin} returns; empty if it has none. */
    Optional<Packet> firstPacket() {
        return video().map(first::get);
    }

    /**
     * The time of the first packet of the video in nanoseconds, counted from the time 0 of the encoded video, or where that begins in the
     * middle of the input, from the beginning of the input; empty if the packet has no time.
     */
    Optional<Long> firstTime() {
        return firstPacket()
                .flatMap(packet -> work instanceof Joined joined
                        ? packet.timestamp().map(time -> time - joined.zero())
                        : work instanceof Encoded encoded && encoded.from().isPresent()
                                ? packet.position()
                                : packet.running());
    }

    /**
     * The timestamp in seconds, as ffmpeg reads the input, that is the time 0 of the encoded video. GStreamer's readers and ffmpeg's
     * count some containers from other points: the first packet of the video is the same in both. Asked for when ffprobe knows the
     * input, after {@link #begin}.
     */
    double zero() {
        // That asks ffprobe.
        if (zero.isEmpty()) {
            zero = Optional.of(findZero(probed.orElseThrow()));
        }
        return zero.get();
    }

    private double findZero(ProbedInput known) {
        double start = work instanceof Encoded encoded ? seconds(encoded.from()).orElse(0.0) : 0;
        return firstTime()
                        .flatMap(nanos -> known.firstTime(
                                        firstPacket().orElseThrow().key())
                                .map(seconds -> seconds - nanos / NANOS))
                        // Where an edit list begins within a picture, ffmpeg moves the pictures, but no sound.
                        .map(found -> known.isQuickTime() && Math.abs(found) < known.pictureSeconds() ? 0 : found)
                        .orElse(known.start())
                + start;
    }

    /** When the last picture is no longer shown, in seconds of the encoded video; empty if that is not known. Asked for as zero is. */
    private Optional<Double> end() {
        if (work instanceof Segment segment && segment.to().isPresent()) {
            return Optional.of((segment.to().get() - segment.zero()) / NANOS);
        }
        return tail.map(last -> Math.min(last.end() - zero(), limit().orElse(Double.MAX_VALUE)));
    }

    /** How many seconds of the input were asked for; empty if all that follow. */
    Optional<Double> limit() {
        return work instanceof Encoded encoded
                ? seconds(encoded.to()).map(to -> to - seconds(encoded.from()).orElse(0.0))
                : Optional.empty();
    }

    private static Optional<Double> seconds(Optional<StreamTime> time) {
        return time.map(StreamTime::nanos).map(nanos -> nanos / NANOS);
    }

    /** What becomes of the video. */
    sealed interface Video {}

    /**
     * It is decoded, filtered and encoded, and goes into the file with the other streams.
     *
     * @param filter the elements between the decoder and the encoder, as a description
     */
    record Encoded(String filter, EncoderChoice encoder, Optional<StreamTime> from, Optional<StreamTime> to)
            implements Video {}

    /**
     * A segment of it is decoded, filtered and encoded, and goes into the file alone, which {@link Joined} reads. The file has each
     * packet with the time that it would have in the whole, to the nanosecond.
     *
     * @param zero the timestamp in nanoseconds that stands for the running time 0 when the whole is read
     * @param from timestamp in nanoseconds of the key frame that the segment begins with; empty for the beginning
     * @param to timestamp in nanoseconds of the key frame before which it ends; empty for the end
     */
    record Segment(String filter, EncoderChoice encoder, long zero, Optional<Long> from, Optional<Long> to)
            implements Video {}

    /**
     * It is read from segments that were encoded before, and goes into the file with the other streams of the input.
     *
     * @param folder of the segments' files, which end in {@link #SEGMENT} and whose order is that of their names
     * @param count of segments
     * @param zero the timestamp of the input in nanoseconds that is their time 0
     */
    record Joined(Path folder, int count, long zero) implements Video {}

    /**
     * Makes the pipeline; reads nothing yet.
     *
     * @param input the file or address, as the user said it
     * @param file the file to write
     * @param container what the video is for
     * @param probed what ffprobe says of the input; if it is there, only the video is written, to Matroska, and ffmpeg does the rest
     * @throws IOException when the input is there and cannot be read
     */
    Transcoding(String input, Path file, Container container, Optional<ProbedInput> probed, Video work)
            throws IOException {
        this.input = input;
        this.target = container;
        this.container = probed.isPresent() ? Container.MATROSKA : container;
        this.probed = probed;
        cutOff = CutOffFile.notice(input);
        tail = probed.flatMap(known -> known.tail(cutOff.isEmpty()));
        this.work = work;
        jumps = probed.isPresent() && probed.get().jumps();
        String writer = work instanceof Segment
                ? "gdppay"
                : this.container.muxer() + (isQuick() ? " timecodescale=" + NANOS_PER_TICK : "");
        pipeline = (Pipeline) LaunchLine.parse(
                "urisourcebin uri=" + ReadyPipeline.quoted(InputAddress.of(input)) + " ! parsebin name=reader " + writer
                        + " name=muxer ! filesink location=" + ReadyPipeline.quoted(file.toString()),
                Transcoding::unusable);
        muxer = pipeline.getElementByName("muxer");
        Element reader = pipeline.getElementByName("reader");
        reader.connect(onPad);
    }

    private boolean isQuick() {
        return probed.map(ProbedInput::pictureSeconds)
                .filter(seconds -> seconds > 0 && seconds <= 1 / QUICK_RATE)
                .isPresent();
    }

    /** Adds a queue to a stream, and returns where it leaves it once it is no longer held. */
    private Pad held(Pad stream) {
        Bin queue = add(CODED_QUEUE + "identity");
        Pad held = queue.getStaticPad("src");
        held.addProbe(PadProbeType.BLOCK_DOWNSTREAM, hold);
        queue.syncStateWithParent();
        link(stream, queue.getStaticPad("sink"), stream);
        return held;
    }

    Pipeline pipeline() {
        return pipeline;
    }

    /**
     * Waits until the streams are known, and lets them run; or until the pipeline has failed.
     *
     * @throws CommandFailedException when there is no video, or the stream cannot be read from the time that was asked for
     */
    void begin(PlayedPipeline played) throws InterruptedException {
        while (known.getCount() > 0) {
            if (played.awaitEnd(LOOK_MILLIS)) {
                return;
            }
        }
        // The first stream with data may be ahead of the others, and of what the reader says that it cannot read.
        for (int waited = 0; waited < CAPS_MILLIS && !(isRead(played) && isBegun()); ) {
            if (played.awaitEnd(LOOK_MILLIS)) {
                return;
            }
            waited += LOOK_MILLIS;
        }
        Pad video = video().orElseThrow(() -> played.missing()
                .map(MissingPlugin::failure)
                .orElseGet(
                        () -> CommandFailedException.unusable(input + ": holds no video; ffprobe says what it holds")));
        // First of all: what it leaves out, no other probe is to see.
        keepFirstSegment(video);
        if (work instanceof Segment segment) {
            addSegment(video, segment);
        } else {
            Optional<Bin> segments = Optional.empty();
            if (work instanceof Encoded encoded) {
                addEncoded(video, encoded);
            } else if (work instanceof Joined joined) {
                segments = Optional.of(addJoined(video, joined));
            }
            if (probed.isEmpty()) {
                addOthers(video, played);
            }
            // Not earlier: the muxer has all its pads now.
            segments.ifPresent(Bin::syncStateWithParent);
        }
        streams.stream().filter(stream -> !stream.isLinked()).forEach(this::drop);
        requireTimes(played);
        played.beforeEnd(() -> leaveOutRest(video));
        streams.forEach(pad -> pad.removeProbe(hold));
        if (encoded != null) {
            encode(played);
        }
    }

    private void addEncoded(Pad video, Encoded encoded) {
        boolean cut = isCut(video);
        if (encoded.from().isPresent() || encoded.to().isPresent()) {
            seek(
                    video,
                    encoded.from().map(StreamTime::nanos).orElse(0L),
                    encoded.to().map(StreamTime::nanos).filter(to -> !cut));
        }
        // GStreamer 1.22 writes another luminance than the caps say; H.264 and H.265 have it in their streams as well.
        Bin end = add("identity name=" + PlayedPipeline.PACKETS
                + (probed.isPresent()
                        ? " ! capssetter caps=" + encoded.encoder().format().caps()
                                + ",mastering-display-info=(string)none"
                        : ""));
        endLastPacket(end.getStaticPad("src"));
        link(end.getStaticPad("src"), muxer.getRequestPad(template(video)), video);
        addFiltered(video, add("identity"), encoded.filter(), end);
        encoded.to().filter(to -> cut).ifPresent(to -> endAt(to.nanos()));
    }

    /** Whether an edit list cuts the beginning of the video, so that GStreamer's reader ends too early: see {@link ExactReading}. */
    private boolean isCut(Pad video) {
        GstSegmentStruct segment = starts.get(video);
        return segment != null && segment.start > segment.time && GStreamer.has(pipeline, GStreamer.MP4_READER);
    }

    /** Ends the pictures, which come in the order of their times, at a time of the stream in nanoseconds. */
    private void endAt(long nanos) {
        AtomicReference<GstSegmentStruct> segment = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        picturesAfterEnd = (pad, information) -> {
            if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM)) {
                GStreamer.segment(information.getEvent()).ifPresent(segment::set);
                return PadProbeReturn.OK;
            }
            GstSegmentStruct now = segment.get();
            if (!ended.get()
                    && now != null
                    && information.getBuffer().getPresentationTimestamp() - now.start + now.time >= nanos) {
                pad.sendEvent(new EOSEvent());
                ended.set(true);
            }
            return ended.get() ? PadProbeReturn.DROP : PadProbeReturn.OK;
        };
        pipeline.getElementByName(PlayedPipeline.COUNTER)
                .getStaticPad("sink")
                .addProbe(SegmentCut.PASSING, picturesAfterEnd);
    }

    /**
     * Decodes and filters the video; the encoder is added when the first picture has come.
     *
     * @param coded what the coded video goes through first
     */
    private void addFiltered(Pad video, Bin coded, String filter, Bin end) {
        end.syncStateWithParent();
        encoded = end.getStaticPad("sink");
        // A new segment comes to the muxer before the last pictures of the one before it, which the encoder still
        // holds.
        Bin branch = add("identity name=" + PlayedPipeline.COUNTER + " ! " + filter + " ! identity name=" + FILTERED
                + " single-segment=" + jumps);
        filtered = branch.getStaticPad("src");
        filtered.addProbe(PadProbeType.BLOCK_DOWNSTREAM, holdPicture);
        if (GStreamer.has(pipeline, GStreamer.AVI_READER)) {
            spreadTimes();
        }
        addDecoded(video, coded, branch);
    }

    /**
     * An AVI has no times, and where MPEG-4 has B pictures, GStreamer's decoder gives some of the first pictures the time of the one
     * before: as many as are coded ahead of others. All that follow would come too early.
     */
    private void spreadTimes() {
        AtomicLong last = new AtomicLong(Long.MIN_VALUE);
        AtomicLong late = new AtomicLong();
        picturesOfOneTime = (pad, information) -> {
            long time = information.getBuffer().getPresentationTimestamp();
            if (time >= 0 && last.getAndSet(time) == time && hasFrameRate(pad)) {
                late.addAndGet(pictureNanos(pad));
            }
            information.getBuffer().setPresentationTimestamp(time < 0 ? time : time + late.get());
            return PadProbeReturn.OK;
        };
        pipeline.getElementByName(PlayedPipeline.COUNTER)
                .getStaticPad("sink")
                .addProbe(PadProbeType.BUFFER, picturesOfOneTime);
    }

    /**
     * Leaves out a second segment of pictures whose times go on as before: each picture from there on would come later than the first one by
     * the difference of the two beginnings. Where GStreamer writes the sound, too, that has the same segments.
     */
    private void keepFirstSegment(Pad video) {
        if (work instanceof Joined
                || (work instanceof Encoded && probed.isEmpty())
                || !GStreamer.has(pipeline, GStreamer.MATROSKA_READER)) {
            return;
        }
        AtomicReference<Long> zero = new AtomicReference<>();
        firstSegment = (pad, information) -> {
            if (information.getType().contains(PadProbeType.EVENT_FLUSH)) {
                zero.set(null);
                return PadProbeReturn.OK;
            }
            // The first one may come twice.
            return GStreamer.segmentZero(information.getEvent())
                            .filter(read -> !zero.compareAndSet(null, read) && !read.equals(zero.get()))
                            .isPresent()
                    ? PadProbeReturn.DROP
                    : PadProbeReturn.OK;
        };
        video.addProbe(EVENTS, firstSegment);
    }

    /** Waits for the first picture, and adds what brings such pictures into the encoder's form. */
    private void encode(PlayedPipeline played) throws InterruptedException {
        while (!pictured.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (played.awaitEnd(0)) {
                return;
            }
        }
        EncoderChoice encoder = work instanceof Encoded whole ? whole.encoder() : ((Segment) work).encoder();
        String description = encoder.descriptionFor(
                target,
                probed.flatMap(ProbedInput::video)
                        .filter(PictureForm::isFullRange)
                        .isPresent());
        Optional<PictureTimes> times = Optional.empty();
        if (filtered.hasCurrentCaps()) {
            Structure fields = caps(filtered).getStructure(0);
            PictureForm form = PictureForm.of(fields, firstFlags, encoder, target, probed);
            told = new ArrayList<>(form.told());
            description = form.description() + " ! " + description;
            watchSize(fields.getInteger("width"), fields.getInteger("height"));
            times = Optional.of(times(form));
        }
        Bin branch = add(description);
        times.ifPresent(
                cares -> keep(cares, branch.getElementByName(PictureForm.SHOWN).getStaticPad("src")));
        packetTimes = PacketTimes.of(branch);
        packetTimes.ifPresent(PacketTimes::give);
        link(branch.getStaticPad("src"), encoded, filtered);
        branch.syncStateWithParent();
        link(filtered, branch.getStaticPad("sink"), filtered);
        filtered.removeProbe(holdPicture);
    }

    /** What cares for the times of pictures before they are encoded. */
    private PictureTimes times(PictureForm form) {
        if (form.rate().isPresent()) {
            return new PictureTimes(
                    PictureTimes.Kind.RATE, NANOS / form.rate().get().toDouble(), begin(), endNanos());
        }
        double interval = hasFrameRate(filtered) ? pictureNanos(filtered) : NANOS / USUAL_RATE;
        if (target != Container.TRANSPORT_STREAM || hasNext()) {
            return new PictureTimes(PictureTimes.Kind.DISTINCT, interval, begin(), endNanos());
        }
        tail.map(last -> last.end() - last.picture())
                .filter(shown -> shown * NANOS > 2 * interval)
                .ifPresent(shown -> told.add(String.format(
                        Locale.ROOT,
                        "the last picture, shown for %.1f s, comes again at its end: %s has no durations",
                        shown,
                        target.suffix())));
        return new PictureTimes(PictureTimes.Kind.BEGINNINGS, interval, begin(), endNanos());
    }

    /** Whether another segment follows. */
    private boolean hasNext() {
        return work instanceof Segment segment && segment.to().isPresent();
    }

    private double begin() {
        return work instanceof Segment segment
                ? segment.from().map(from -> from - segment.zero()).orElse(0L)
                : 0;
    }

    private double endNanos() {
        return end().orElse(0.0) * NANOS;
    }

    /** Gives the last packet that leaves a pad to the muxer its duration. */
    private void endLastPacket(Pad written) {
        keep(new PictureTimes(PictureTimes.Kind.DURATIONS, NANOS / USUAL_RATE, begin(), endNanos()), written);
    }

    private void keep(PictureTimes times, Pad pad) {
        times.keepAt(pad);
        pictureTimes.add(times);
    }

    private void watchSize(int width, int height) {
        sizes = (pad, information) -> {
            Structure fields = pad.hasCurrentCaps() ? caps(pad).getStructure(0) : null;
            if (fields != null && (fields.getInteger("width") != width || fields.getInteger("height") != height)) {
                otherSize = true;
            }
            return PadProbeReturn.OK;
        };
        filtered.addProbe(PadProbeType.BUFFER, sizes);
    }

    /** What is said of a missing end of the input; empty if none is known to be missing. */
    Optional<String> cutOff() {
        return cutOff;
    }

    /** What the pictures lose in the file, or are changed to; known when {@link #begin} returns. */
    List<String> told() {
        return told;
    }

    private void addSegment(Pad video, Segment segment) {
        Bin end = add("identity name=" + PlayedPipeline.PACKETS + " ! capsfilter name=wanted");
        // The framing that the muxer would ask for.
        end.getElementByName("wanted").set("caps", container.caps(StreamKind.VIDEO));
        Pad writer = muxer.getStaticPad("sink");
        if (!hasNext()) {
            endLastPacket(end.getStaticPad("src"));
        }
        link(end.getStaticPad("src"), writer, video);
        SegmentCut segmentCut = new SegmentCut(segment.zero(), segment.from(), segment.to());
        int temporal = temporal(segment.filter());
        if (temporal > 0) {
            segmentCut.lookAround(temporal - 1);
        }
        long early = temporal > 0 ? Math.max(EARLY_NANOS, historyNanos(video)) : EARLY_NANOS;
        Bin timed = add("identity");
        segmentCut.beginAt(video, timed.getStaticPad("src"));
        segmentCut.writeAt(writer);
        cut = Optional.of(segmentCut);
        // Not until its end: readers take that by the order of the packets, and would leave out pictures that are shown
        // before the next key frame and coded after it. And not from its beginning, which readers round: what is too
        // early is not even decoded.
        segment.from()
                .map(first -> first - segment.zero() - early)
                .filter(start -> start > 0)
                .ifPresent(start -> seek(video, start, Optional.empty()));
        addFiltered(video, timed, segment.filter(), end);
        // Each machine of a batch would choose by itself.
        fusing(pipeline).filter(element -> temporal(element) == AUTOMATIC).forEach(element -> element.set(TEMPORAL, 0));
        segmentCut.endAt(pipeline.getElementByName(PlayedPipeline.COUNTER).getStaticPad("sink"));
        segmentCut.keepAt(pipeline.getElementByName(FILTERED).getStaticPad("sink"));
    }

    /** The number of the element's property: 0 for off and where the element would choose, then one more than the number of pictures ahead. */
    private static int temporal(String filter) {
        try (Bin made = LaunchLine.parseBin(filter, Transcoding::unusable)) {
            return fusing(made)
                    .map(Transcoding::temporal)
                    .filter(temporal -> temporal != AUTOMATIC)
                    .findFirst()
                    .orElse(0);
        }
    }

    private static int temporal(Element element) {
        return ((Number) element.get(TEMPORAL)).intValue();
    }

    private static Stream<Element> fusing(Bin bin) {
        return bin.getElementsRecursive().stream()
                .filter(element -> element.listPropertyNames().contains(TEMPORAL));
    }

    private static long historyNanos(Pad video) {
        if (!hasFrameRate(video)) {
            return HISTORY_NANOS;
        }
        return HISTORY_PICTURES * pictureNanos(video);
    }

    /** How long a picture lasts by the frame rate in the caps. */
    private static long pictureNanos(Pad pad) {
        Fraction rate = caps(pad).getStructure(0).getFraction("framerate");
        return TimeUnit.SECONDS.toNanos(rate.getDenominator()) / rate.getNumerator();
    }

    private Bin addJoined(Pad video, Joined joined) {
        Bin coded = add("splitfilesrc location="
                + ReadyPipeline.quoted(joined.folder().resolve("*" + SEGMENT).toString())
                + " ! gdpdepay ! identity name=" + PlayedPipeline.COUNTER + " ! " + CODED_QUEUE + "identity name="
                + PlayedPipeline.PACKETS);
        packets.put(video, coded.getStaticPad("src"));
        link(coded.getStaticPad("src"), muxer.getRequestPad(template(video)), video);
        return coded;
    }

    /** Adds all streams but the video. */
    private void addOthers(Pad video, PlayedPipeline played) {
        for (Pad stream : streams) {
            if (kind(stream) == StreamKind.SOUND) {
                addSound(stream);
            } else if (!stream.equals(video)) {
                others.add("left out: " + type(stream));
            }
        }
        played.missing()
                .ifPresent(lacking ->
                        others.add("left out, without " + lacking.what() + ": apt install " + lacking.debianPackage()));
    }

    /**
     * Checks that a segment was found in the input.
     *
     * @throws CommandFailedException when it was not
     */
    void checkCut() {
        if (cut.isPresent() && !cut.get().isBegun()) {
            throw problem(
                    input
                            + ": has no key frame at the beginning of the segment: it was changed since it was planned; plan again");
        }
    }

    /** How many pictures were filtered that are not of the segment; 0 if there is none. */
    long neighbours() {
        return cut.map(SegmentCut::neighbours).orElse(0L);
    }

    /** Lets the pipeline fail if the pictures have no times, as in a raw stream: muxers would give many of them the same one. */
    private void requireTimes(PlayedPipeline played) {
        AtomicInteger seen = new AtomicInteger();
        picturesWithoutTimes = (pad, information) -> {
            boolean timed = information.getBuffer().getPresentationTimestamp() >= 0;
            if (timed || hasFrameRate(pad)) {
                // The first picture of a raw stream has the time 0.
                return seen.incrementAndGet() < 2 ? PadProbeReturn.OK : PadProbeReturn.REMOVE;
            }
            played.fail(CommandFailedException.unusable(input
                    + (input.startsWith("http")
                            ? ": its pictures have no times; for a camera's MJPEG give --as security-camera"
                            : ": its pictures have no times; put it into a container first, with its frame rate:"
                                    + " ffmpeg -r 25 -i IN -c copy OUT.mkv")));
            return PadProbeReturn.DROP;
        };
        pipeline.getElementByName(PlayedPipeline.COUNTER)
                .getStaticPad("sink")
                .addProbe(PadProbeType.BUFFER, picturesWithoutTimes);
    }

    private static boolean hasFrameRate(Pad pad) {
        Structure fields = caps(pad).getStructure(0);
        return fields.hasField("framerate") && fields.getFraction("framerate").getNumerator() > 0;
    }

    /**
     * Leaves out what has not been decoded yet of the video, and what is later of the other streams. The queues hold up to minutes of
     * packets, and the end of the stream comes after them.
     */
    private void leaveOutRest(Pad video) {
        pictureTimes.forEach(PictureTimes::endEarly);
        packets.forEach(
                (stream, pad) -> pad.addProbe(PadProbeType.BUFFER, stream.equals(video) ? dropVideo : dropAfterVideo));
    }

    private boolean isBegun() {
        return video().filter(video -> !starts.containsKey(video)).isEmpty();
    }

    private boolean isRead(PlayedPipeline played) {
        return streams.stream().allMatch(Pad::hasCurrentCaps)
                && (video().isPresent() || played.missing().isPresent());
    }

    private Optional<Pad> video() {
        List<Pad> videos =
                streams.stream().filter(pad -> kind(pad) == StreamKind.VIDEO).toList();
        Optional<ProbedInput.Stream> wanted = probed.flatMap(ProbedInput::video).filter(film -> videos.size() > 1);
        List<Pad> alike = videos.stream()
                .filter(pad -> wanted.isEmpty() || isOfSize(pad, wanted.get()))
                .toList();
        // Those of one size come in the same order in both.
        long before = wanted.isEmpty()
                ? 0
                : probed.get().videos().stream()
                        .takeWhile(video -> !video.equals(wanted.get()))
                        .filter(video -> video.pixels() == wanted.get().pixels())
                        .count();
        return alike.stream().skip(before).findFirst().or(() -> videos.stream().findFirst());
    }

    private static boolean isOfSize(Pad pad, ProbedInput.Stream video) {
        Structure fields = caps(pad).getStructure(0);
        return fields.hasIntField("width")
                && fields.hasIntField("height")
                && fields.getInteger("width") == video.number("width").orElse(0.0)
                && fields.getInteger("height") == video.number("height").orElse(0.0);
    }

    /** What became of each stream, the video first. */
    List<String> outcome() {
        List<String> all = new ArrayList<>();
        if (work instanceof Encoded encoded) {
            all.add("video encoded by " + encoded.encoder().words());
        } else if (work instanceof Segment segment) {
            all.add("video encoded by " + segment.encoder().words());
        } else if (work instanceof Joined joined) {
            all.add("video of " + counted(joined.count(), "segment"));
        }
        if (otherSize) {
            all.add("pictures of other sizes scaled to the first one's");
        }
        all.addAll(others);
        return List.copyOf(all);
    }

    private void seek(Pad video, long start, Optional<Long> stop) {
        SeekEvent seek = new SeekEvent(
                1,
                Format.TIME,
                EnumSet.of(SeekFlags.FLUSH, SeekFlags.ACCURATE),
                SeekType.SET,
                start,
                SeekType.SET,
                stop.orElse(-1L));
        // MPEG program streams have no index, and their reader takes a place that it guesses from the bit rate, however
        // wrong.
        if (GStreamer.has(pipeline, "mpegpsdemux") || !video.sendEvent(seek)) {
            throw CommandFailedException.unusable(
                    input
                            + ": cannot be read exactly from a time on; leave --from and --to away, or put it into a container first");
        }
    }

    private void addSound(Pad sound) {
        Caps caps = caps(sound);
        if (container.takes(StreamKind.SOUND, caps)) {
            addCoded(sound, parser(caps));
            others.add("sound copied (" + type(sound) + ")");
            return;
        }
        SoundEncoder target = container.sound();
        int channels = caps.getStructure(0).hasField("channels", Integer.class)
                ? caps.getStructure(0).getInteger("channels")
                : STEREO;
        Bin branch = add("audioconvert ! audioresample ! " + target.description(channels));
        link(branch.getStaticPad("src"), muxer.getRequestPad(template(sound)), sound);
        addDecoded(sound, add("identity"), branch);
        others.add("sound encoded by " + target.element());
    }

    /** An element that reframes coded sound as the muxer wants it. */
    private static String parser(Caps caps) {
        String type = caps.getStructure(0).getName();
        String parser = switch (type) {
            case "audio/mpeg" -> caps.getStructure(0).getInteger("mpegversion") == 1 ? "mpegaudioparse" : "aacparse";
            case "audio/x-ac3", "audio/x-eac3" -> "ac3parse";
            case "audio/x-dts" -> "dcaparse";
            case "audio/x-flac" -> "flacparse";
            case "audio/x-opus" -> "opusparse";
            default -> "identity";
        };
        return GStreamer.has(parser) ? parser : "identity";
    }

    /** Adds the elements between a coded stream and the muxer. */
    private void addCoded(Pad stream, String description) {
        Bin branch = add(description);
        packets.put(stream, branch.getStaticPad("src"));
        link(branch.getStaticPad("src"), muxer.getRequestPad(template(stream)), stream);
        branch.syncStateWithParent();
        link(stream, branch.getStaticPad("sink"), stream);
    }

    /** Gets rid of a stream that does not go into the file. No sink does that, for the end of all sinks is the pipeline's. */
    private void drop(Pad stream) {
        Bin nothing = add("identity drop-probability=1");
        nothing.syncStateWithParent();
        link(stream, nothing.getStaticPad("sink"), stream);
    }

    /**
     * Adds a decoder before elements that were added and linked to the muxer.
     *
     * @param coded what the coded stream goes through before the decoder
     */
    private void addDecoded(Pad stream, Bin coded, Bin branch) {
        packets.put(stream, stream);
        Element decoder = ElementFactory.make("decodebin", null);
        pipeline.add(decoder);
        Element.PAD_ADDED onDecoded = (element, pad) -> {
            Pad sink = branch.getStaticPad("sink");
            if (!sink.isLinked()) {
                pad.link(sink);
            }
        };
        decoders.add(onDecoded);
        decoder.connect(onDecoded);
        branch.syncStateWithParent();
        decoder.syncStateWithParent();
        // Last: after a seek the reader sends events at once, and an element that does not run yet would refuse them
        // for good.
        link(coded.getStaticPad("src"), decoder.getStaticPad("sink"), stream);
        coded.syncStateWithParent();
        link(stream, coded.getStaticPad("sink"), stream);
    }

    private Bin add(String description) {
        Bin added = LaunchLine.parseBin(description, Transcoding::unusable);
        pipeline.add(added);
        return added;
    }

    private String template(Pad stream) {
        return container.pad(kind(stream)).orElseThrow();
    }

    private void link(Pad source, Pad sink, Pad stream) {
        try {
            source.link(sink);
        } catch (PadLinkException e) {
            throw problem(
                    input + ": its stream " + type(stream) + " cannot be written to a " + container.suffix()
                            + " file; name another OUT",
                    e);
        }
    }

    private static StreamKind kind(Pad pad) {
        return StreamKind.of(caps(pad));
    }

    private static String type(Pad pad) {
        return caps(pad).getStructure(0).getName();
    }

    private static Caps caps(Pad pad) {
        Caps current = pad.getCurrentCaps();
        return current == null ? pad.queryCaps(null) : current;
    }

    /** What a mistake in a description of elements means: one of them is missing. */
    static CommandFailedException unusable(String mistake) {
        return unavailable(
                mistake + ": apt install gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad");
    }
}
