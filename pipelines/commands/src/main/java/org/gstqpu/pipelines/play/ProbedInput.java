/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.ChildProcess.words;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * What ffprobe says of a file. Immutable.
 *
 * @param address the file or address, as ffmpeg takes it
 * @param root what ffprobe printed
 * @param editLists of an MP4 or QuickTime file; empty if it has none, and for an address
 * @param unreadAtoms the names of what ffmpeg does not read of an MP4 or QuickTime file
 */
record ProbedInput(String address, JsonObject root, Optional<EditLists> editLists, List<String> unreadAtoms) {
    private static final long LIMIT_SECONDS = 60;

    /** How many packets or pictures are looked at. */
    private static final int FEW = 100;

    /** How many pictures at each place of a video whose pictures may be large. */
    private static final int FEW_OF_MANY = 4;

    private static final String FILE = "file:";

    /** How long all packets of a video may take to be read. */
    private static final long READ_SECONDS = 4 * 3600;

    /** ffmpeg lets times go on that are earlier by more than this. */
    private static final double BACK_SECONDS = 0.1;

    /** GStreamer lets times of a transport stream go on that are later by some more than this, as where a signal was lost. */
    private static final double JUMP_SECONDS = 0.4;

    private static final Pattern TIME = Pattern.compile("-?\\d+(\\.\\d+)?");

    /** Coders of sound begin with less than that of silence, which decoders leave out. */
    private static final double PRIMING_SECONDS = 0.1;

    private static final double ROUNDED_SECONDS = 0.0005;

    /** How long before the end of the file the last packets are looked for; the reader begins at the key frame before that. */
    private static final double TAIL_SECONDS = 1;

    private static final Pattern CLOCK = Pattern.compile("(\\d+):(\\d+):(\\d+(\\.\\d+)?)");

    /** Where pictures are looked at, as shares of the duration: a film may begin with a progressive title. */
    private static final double[] PLACES = {0.2, 0.4, 0.6, 0.8};

    /** What belongs to a stream as it was coded, and not to the film. */
    private static final String TECHNICAL =
            "(bps|duration|number_of_(bytes|frames)|_statistics_.*)(-eng)?|encoder|handler_name|vendor_id|(major|minor)_.*"
                    + "|compatible_brands|alpha_mode|software|isft|variant_bitrate";

    /** A video of so many times the pixels is no preview. */
    private static final int PREVIEW = 4;

    /** What ffmpeg calls a program without a name, and who sends it. */
    private static final Set<String> NO_NAMES = Set.of("Service01", "FFmpeg");

    /**
     * Asks ffprobe.
     *
     * @param input a file or an address
     * @return empty without ffprobe, if it does not know the file, and for an address that can be read only once: one that is
     *     not of HTTP, that has no end, or whose server sends no parts where the film's index is behind its pictures
     * @throws CommandFailedException if it is a playlist: GStreamer reads those only to play them
     */
    static Optional<ProbedInput> of(String input) throws IOException {
        boolean isFile = !input.contains("://");
        if (!isFile && !input.matches("(file|https?)://.*")) {
            return Optional.empty();
        }
        String address = isFile ? FILE + Path.of(input).toAbsolutePath() : input;
        Optional<JsonObject> root = ask(address, "-show_format -show_streams -show_chapters -show_programs");
        if (root.filter(ProbedInput::isPlaylist).isPresent()) {
            throw InputAddress.playlist(input);
        }
        Optional<Atoms> atoms = address.startsWith(FILE)
                        && root.filter(ProbedInput::isQuickTime).isPresent()
                ? Atoms.of(path(address))
                : Optional.empty();
        Optional<EditLists> editLists = atoms.filter(film -> isFile).map(EditLists::of);
        List<String> unread = atoms.map(Atoms::unread).orElse(List.of());
        return root.map(printed -> new ProbedInput(address, printed, editLists, unread))
                .filter(probed -> isFile || (probed.format("duration").isPresent() && probed.hasRead()));
    }

    private static Path path(String address) {
        return Path.of(address.substring(FILE.length()));
    }

    private static Optional<JsonObject> ask(String address, String what) {
        return new ChildProcess(
                        words("ffprobe -v quiet -of json " + what.replace("%", "%%") + " -i %s", address), Map.of())
                .run(LIMIT_SECONDS)
                .filter(result -> result.status() == 0)
                .map(result -> JsonParser.parseString(new String(
                                result.output().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                        .getAsJsonObject());
    }

    /** A stream. */
    record Stream(JsonObject fields) {
        int index() {
            return fields.get("index").getAsInt();
        }

        /** {@code video}, {@code audio}, {@code subtitle}, {@code data} or {@code attachment}. */
        String type() {
            return text("codec_type").orElse("data");
        }

        /** ffmpeg's name of the format. */
        String codec() {
            return text("codec_name").orElse("unknown");
        }

        Optional<String> text(String name) {
            return Optional.ofNullable(fields.get(name))
                    .map(JsonElement::getAsString)
                    .filter(text -> !text.equals("unknown") && !text.equals("unspecified"));
        }

        Optional<Double> number(String name) {
            return text(name).map(Double::valueOf);
        }

        /** Width to height of the picture as it is shown; empty where samples are square, or of no known shape. */
        Optional<String> aspect() {
            return text("sample_aspect_ratio")
                    .filter(ratio -> !ratio.matches("(0|1):1"))
                    .flatMap(ratio -> text("display_aspect_ratio"));
        }

        /** Of each picture; 0 if that is not known. */
        double pixels() {
            return number("width").orElse(0.0) * number("height").orElse(0.0);
        }

        /** Whether it is a picture of the film, such as its cover. */
        boolean isCover() {
            return dispositions().contains("attached_pic");
        }

        /** What the stream is marked as, such as {@code default} and {@code forced}. */
        List<String> dispositions() {
            return fields.getAsJsonObject("disposition").entrySet().stream()
                    .filter(entry -> entry.getValue().getAsInt() != 0)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        Map<String, String> tags() {
            return ProbedInput.tags(fields);
        }

        /** The members of its side information that have this name. */
        List<JsonElement> sides(String name) {
            return list(fields, "side_data_list")
                    .map(side -> side.get(name))
                    .filter(value -> value != null)
                    .toList();
        }
    }

    List<Stream> streams() {
        return list(root, "streams").map(Stream::new).toList();
    }

    /** Whether packets of the video could be read, which have its size. */
    private boolean hasRead() {
        return video().flatMap(stream -> stream.number("width")).orElse(1.0) > 0;
    }

    /** The videos that are no covers. */
    List<Stream> videos() {
        return streams().stream()
                .filter(stream -> stream.type().equals("video") && !stream.isCover())
                .toList();
    }

    /**
     * The video that is the film: of those that are marked as the default one, or of all if none is, the first, unless it is a preview
     * beside another one. Of several programs GStreamer reads the first alone.
     */
    Optional<Stream> video() {
        List<Stream> videos = videos();
        List<Stream> marked = videos.stream()
                .filter(stream -> stream.dispositions().contains("default"))
                .toList();
        List<Stream> choice = marked.isEmpty() ? videos : marked;
        return choice.stream()
                .filter(stream -> programs() <= 1
                        && stream.pixels() >= PREVIEW * choice.get(0).pixels())
                .findFirst()
                .or(() -> choice.stream().findFirst());
    }

    /** The average seconds from a picture to the next; 0 if they are not known. */
    double pictureSeconds() {
        return video().flatMap(stream -> stream.text("avg_frame_rate"))
                .map(rate -> rate.split("/", 2))
                .map(rate -> Double.parseDouble(rate[1]) / Double.parseDouble(rate[0]))
                .filter(Double::isFinite)
                .orElse(0.0);
    }

    int chapters() {
        return (int) list(root, "chapters").count();
    }

    /** Films of their own in one stream, as a broadcaster sends them; 0 where the container knows none. */
    int programs() {
        return (int) list(root, "programs").count();
    }

    /** The place among the programs of the one that has the video, if it has a name or a sender of its own. */
    Optional<Integer> namedProgram() {
        List<JsonObject> programs = list(root, "programs").toList();
        int index = video().map(Stream::index).orElse(-1);
        return IntStream.range(0, programs.size())
                .filter(i -> list(programs.get(i), "streams")
                        .anyMatch(stream -> stream.get("index").getAsInt() == index))
                .filter(i -> !NO_NAMES.containsAll(tags(programs.get(i)).values()))
                .boxed()
                .findFirst();
    }

    /**
     * What ffmpeg does not read of a file, each in words.
     *
     * @param chapters whether chapters are of interest
     */
    List<String> unreadByFfmpeg(boolean chapters) throws IOException {
        List<String> unread = new ArrayList<>();
        if (address.startsWith(FILE) && formatName().startsWith("matroska")) {
            MatroskaHeaders headers = MatroskaHeaders.of(path(address));
            if (chapters) {
                unread.addAll(headers.lostOfChapters(chapters()));
            }
            Set<String> languages = streams().stream()
                    .flatMap(stream -> Optional.ofNullable(stream.tags().get("language")).stream())
                    .collect(Collectors.toSet());
            unread.addAll(headers.lost(languages, showsCrop()));
        }
        String atoms = unreadAtoms.stream()
                .filter(name -> !name.equals(Atoms.CROP) || !showsCrop())
                .collect(Collectors.joining(", "));
        if (!atoms.isEmpty()) {
            unread.add("left out, as ffmpeg does not read it: " + atoms);
        }
        return unread;
    }

    /** Whether ffprobe shows a crop of the pictures, as 7.1 and later do; it is told with what else the video has. */
    private boolean showsCrop() {
        return video().filter(video -> video.sides("side_data_type").toString().contains("Frame Cropping"))
                .isPresent();
    }

    private Optional<Double> format(String name) {
        return Optional.ofNullable(root.getAsJsonObject("format").get(name)).map(JsonElement::getAsDouble);
    }

    /** The first timestamp in seconds; 0 if there is none. */
    double start() {
        return format("start_time").orElse(0.0);
    }

    private String formatName() {
        return formatName(root);
    }

    private static String formatName(JsonObject root) {
        return root.getAsJsonObject("format").get("format_name").getAsString();
    }

    /** Whether ffmpeg counts its times from the first packet of the streams in use: where times may jump. */
    boolean countsFromUsed() {
        return formatName().matches("mpeg|mpegts");
    }

    /** Whether it is an MP4 or QuickTime film, in which edit lists may cut what lies in its tracks. */
    boolean isQuickTime() {
        return isQuickTime(root);
    }

    /** The kind of animation that it is, of those that GStreamer does not read; empty if it is none. */
    Optional<String> animation() {
        return Optional.of(formatName())
                .filter(name -> name.matches("gif|apng"))
                .map(name -> name.toUpperCase(Locale.ROOT));
    }

    private static boolean isQuickTime(JsonObject root) {
        return formatName(root).startsWith("mov,");
    }

    private static boolean isPlaylist(JsonObject root) {
        return formatName(root).matches("hls|dash");
    }

    /** Whether its edit lists leave out parts in the middle of a track, or show some again. */
    boolean jumps() {
        return editLists.filter(EditLists::jumps).isPresent();
    }

    /** Whether an edit list leaves out parts in the middle of a stream, or shows some again. */
    boolean jumps(Stream stream) {
        Optional<Integer> id = stream.text("id").map(Integer::decode);
        return editLists.isPresent()
                && editLists.get().tracks().stream()
                        .anyMatch(track -> track.jumps() && id.equals(Optional.of(track.id())));
    }

    /**
     * The number of packets of a stream that ffmpeg reads before those that an edit list has left of it, without the last one, of which
     * a part may be left, and without those that a decoder of sound needs to begin.
     */
    long cutPackets(Stream stream) {
        double start = stream.number("start_time").orElse(0.0);
        List<Double> before = ask(
                        address,
                        String.format(
                                Locale.ROOT,
                                "-select_streams %d -show_packets -read_intervals %%%.3f -show_entries packet=pts_time,duration_time",
                                stream.index(),
                                start + PRIMING_SECONDS))
                .stream()
                .flatMap(asked -> list(asked, "packets"))
                .takeWhile(packet -> packet.has("pts_time") && packet.has("duration_time"))
                .map(packet -> packet.get("pts_time").getAsDouble()
                        + packet.get("duration_time").getAsDouble())
                .takeWhile(end -> end <= start + ROUNDED_SECONDS)
                .toList();
        return before.isEmpty() || before.get(0) > start - PRIMING_SECONDS ? 0 : before.size();
    }

    /** Seconds; 0 if it is not known. */
    double duration() {
        return format("duration").orElse(0.0);
    }

    /** The tags of the whole and of the video's program, without those that its coding has, by their names in lower case. */
    Map<String, String> tags() {
        Map<String, String> tags = tags(root.getAsJsonObject("format"));
        namedProgram()
                .ifPresent(program -> tags.putAll(
                        tags(root.getAsJsonArray("programs").get(program).getAsJsonObject())));
        return tags;
    }

    private static Map<String, String> tags(JsonObject fields) {
        Map<String, String> tags = new TreeMap<>();
        if (fields.has("tags")) {
            fields.getAsJsonObject("tags").entrySet().forEach(tag -> {
                String name = tag.getKey().toLowerCase(Locale.ROOT);
                String value = tag.getValue().getAsString();
                if (!isTechnical(name) && !value.equals("und")) {
                    tags.put(name, value);
                }
            });
        }
        return tags;
    }

    static boolean isTechnical(String tag) {
        return tag.toLowerCase(Locale.ROOT).matches(TECHNICAL);
    }

    /** The timestamp in seconds of the first packet of the video, or of its first key frame; empty if it has none. */
    Optional<Double> firstTime(boolean key) {
        return video().flatMap(video -> firstTime(video, key));
    }

    /** The same of any stream. */
    Optional<Double> firstTime(Stream stream, boolean key) {
        return ask(
                        address,
                        "-select_streams " + stream.index() + " -show_packets -read_intervals %+#" + FEW
                                + " -show_entries packet=pts_time,dts_time,flags")
                .flatMap(asked -> list(asked, "packets")
                        .filter(packet ->
                                !key || packet.get("flags").getAsString().contains("K"))
                        .findFirst())
                .map(packet -> packet.has("pts_time") ? packet.get("pts_time") : packet.get("dts_time"))
                .map(JsonElement::getAsDouble);
    }

    /** Whether the times of the video begin anew or jump in its middle. Reads the whole video. */
    boolean hasBrokenTimes() {
        if (!countsFromUsed() || video().isEmpty()) {
            return false;
        }
        String times = new ChildProcess(
                        words(
                                "ffprobe -v quiet -of csv=p=0 -select_streams %s -show_entries packet=dts_time -i %s",
                                video().get().index(), address),
                        Map.of())
                .run(READ_SECONDS)
                .map(ChildProcess.Result::output)
                .orElse("");
        double jump = Math.max(JUMP_SECONDS, 3 * pictureSeconds());
        double last = Double.NaN;
        for (String line : times.split(",?\\R", -1)) {
            if (TIME.matcher(line).matches()) {
                double time = Double.parseDouble(line);
                if (time < last - BACK_SECONDS || time > last + jump) {
                    return true;
                }
                last = time;
            }
        }
        return false;
    }

    /**
     * The end of a video, in seconds of its timestamps.
     *
     * @param picture the timestamp of the last picture
     * @param end when that is no longer shown
     */
    record Tail(double picture, double end) {}

    /**
     * The end of the video; empty if it cannot be told.
     *
     * @param whole whether the file has the end that its header tells of
     */
    Optional<Tail> tail(boolean whole) {
        List<JsonObject> packets = video()
                .flatMap(video -> ask(
                        address,
                        String.format(
                                Locale.ROOT,
                                "-select_streams %d -show_packets -read_intervals %.3f%% -show_entries packet=pts_time,duration_time,flags",
                                video.index(),
                                Math.max(start(), start() + duration() - TAIL_SECONDS))))
                .stream()
                .flatMap(asked -> list(asked, "packets"))
                // What an edit list cuts is there, too.
                .filter(packet -> packet.has("pts_time")
                        && !packet.get("flags").getAsString().contains("D"))
                .toList();
        if (packets.isEmpty()) {
            return Optional.empty();
        }
        double picture = packets.stream()
                .mapToDouble(packet -> packet.get("pts_time").getAsDouble())
                .max()
                .orElseThrow();
        double end = packets.stream()
                .mapToDouble(packet -> packet.get("pts_time").getAsDouble()
                        + (packet.has("duration_time")
                                ? packet.get("duration_time").getAsDouble()
                                : 0))
                .max()
                .orElseThrow();
        return Optional.of(new Tail(picture, Math.max(end, whole ? taggedEnd() : 0)));
    }

    /** The end of the video as writers of Matroska tell it, whose blocks have no durations; 0 if none does. */
    private double taggedEnd() {
        return video().filter(video -> video.fields().has("tags"))
                .map(video -> video.fields().getAsJsonObject("tags").get("DURATION"))
                .map(tag -> CLOCK.matcher(tag.getAsString()))
                .filter(Matcher::matches)
                .map(clock -> Integer.parseInt(clock.group(1)) * 3600
                        + Integer.parseInt(clock.group(2)) * 60
                        + Double.parseDouble(clock.group(3)))
                .orElse(0.0);
    }

    /** The flags of some pictures, here and there in the video: whether each is interlaced, and if so its top field is first. */
    List<Boolean> topFieldsFirst() {
        return pictures(FEW / 4, "frame=interlaced_frame,top_field_first")
                .filter(frame -> frame.get("interlaced_frame").getAsInt() != 0)
                .map(frame -> frame.get("top_field_first").getAsInt() != 0)
                .toList();
    }

    /** What some pictures, here and there in the video, have beside their samples, such as captions, by ffprobe's names. */
    Set<String> pictureSides() {
        return pictures(FEW_OF_MANY, "frame_side_data=side_data_type")
                .flatMap(frame -> list(frame, "side_data_list"))
                .map(side -> side.get("side_data_type").getAsString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private java.util.stream.Stream<JsonObject> pictures(int each, String entries) {
        // Without a time for the first: ffprobe finds nothing where it cannot seek.
        List<String> intervals = new ArrayList<>(List.of("%+#" + each));
        for (double place : PLACES) {
            intervals.add(String.format(Locale.ROOT, "%.3f%%+#%d", start() + place * duration(), each));
        }
        return video()
                .flatMap(video -> ask(
                        address,
                        "-select_streams " + video.index() + " -show_frames -read_intervals "
                                + String.join(",", intervals) + " -show_entries " + entries))
                .stream()
                .flatMap(asked -> list(asked, "frames"));
    }

    private static java.util.stream.Stream<JsonObject> list(JsonObject of, String name) {
        return of.has(name)
                ? StreamSupport.stream(of.getAsJsonArray(name).spliterator(), false)
                        .map(JsonElement::getAsJsonObject)
                : java.util.stream.Stream.empty();
    }
}
