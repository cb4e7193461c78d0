/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.ChildProcess.words;
import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.DiskFullException;
import org.gstqpu.pipelines.cli.TemporaryFile;
import org.gstqpu.pipelines.cli.Wording;

/**
 * How ffmpeg puts all that an input has beside its video into a file: each stream is copied, or converted where the container does
 * not take it, or left out. ffmpeg has rehearsed it with a part of a second, and what of the tags and marks was not found in what it
 * wrote is known. Immutable.
 */
final class KeptStreams {
    /** How long ffmpeg may take to write a file, which it does as fast as the disk allows. */
    static final long MUX_SECONDS = 24 * 3600;

    private static final long LIMIT_SECONDS = 60;

    private static final Set<String> TEXTS =
            Set.of("subrip", "ass", "ssa", "mov_text", "webvtt", "text", "subviewer", "microdvd", "sami", "realtext");

    private static final Set<String> IMAGES = Set.of("hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle", "xsub");

    /** What ffprobe calls packets of which it does not know what they are. */
    private static final Set<String> UNKNOWN = Set.of("unknown", "none", "bin_data");

    /** A line of what ffmpeg reports. */
    private static final Pattern PROGRESS = Pattern.compile("(?m)^frame= *(\\d+)$");

    private static final String COPIED = "copied";

    private static final String FILM = "film";

    private final ProbedInput input;
    private final Container container;
    private final Covers covers;
    private final List<Kept> kept;
    private final Optional<ProbedInput.Stream> video;
    private final List<String> flags;
    private final List<String> told;

    /**
     * A way in which a stream can go into a file.
     *
     * @param options ffmpeg's, with {@code #} for the number of the stream
     * @param words what is said of it
     */
    private record Way(String options, String words) {}

    /**
     * A stream of the file.
     *
     * @param cut the number of packets at its beginning that are left out, as an edit list of the input does not show them
     */
    private record Kept(ProbedInput.Stream stream, Way way, long cut) {}

    private KeptStreams(
            ProbedInput input,
            Container container,
            Covers covers,
            List<Kept> kept,
            List<String> flags,
            List<String> told) {
        this.input = input;
        this.container = container;
        this.covers = covers;
        this.kept = kept;
        this.flags = flags;
        // Names of tags are a stranger's.
        this.told = told.stream().map(Wording::oneLine).toList();
        video = input.video();
    }

    /**
     * Plans what is kept, and lets ffmpeg rehearse it.
     *
     * @param covers of the input, which are there until the file is written
     * @return empty if the installed ffmpeg cannot write such a file
     */
    static Optional<KeptStreams> of(ProbedInput input, Container container, Covers covers) throws IOException {
        List<Kept> kept = new ArrayList<>();
        List<String> told = new ArrayList<>();
        // Attachments are last in the files that have them, and ffmpeg adds those of files behind all others.
        List<ProbedInput.Stream> others = input.streams().stream()
                .filter(stream ->
                        input.video().map(v -> v.index() != stream.index()).orElse(true))
                .sorted(Comparator.comparing(s -> s.isCover() ? 2 : s.type().equals("attachment") ? 1 : 0))
                .toList();
        List<Kept> first = others.stream()
                .flatMap(stream ->
                        ways(stream, input, container).stream().limit(1).map(way -> new Kept(stream, way, 0)))
                .toList();
        Optional<ProbedInput> written =
                new KeptStreams(input, container, covers, first, List.of(), List.of()).rehearse();
        boolean allFirst = written.isPresent();
        for (ProbedInput.Stream stream : others) {
            Optional<Kept> way = Optional.empty();
            for (Way each : ways(stream, input, container)) {
                Kept tried = new Kept(stream, each, 0);
                if (allFirst
                        || new KeptStreams(input, container, covers, List.of(tried), List.of(), List.of())
                                .rehearse()
                                .isPresent()) {
                    way = Optional.of(tried);
                    break;
                }
            }
            way.map(chosen -> new Kept(stream, chosen.way(), cut(chosen, input, container)))
                    .ifPresent(kept::add);
            if (way.isEmpty() && !isOfContainer(stream, input)) {
                told.add(name(stream) + " left out: " + container.suffix() + " takes no " + format(stream));
            } else if (way.isPresent() && !way.get().way().words().equals(COPIED)) {
                told.add(name(stream) + " " + way.get().way().words() + ": " + reason(stream, input, container));
            }
        }
        if (input.video().isPresent()
                && !input.video().get().equals(input.videos().get(0))) {
            told.add("of " + input.videos().size() + " videos, "
                    + input.video().get().index() + " is encoded");
        }
        if (input.programs() > 1) {
            told.add("the programs become one: there are " + input.programs());
        }
        if (input.chapters() > 0 && !container.holdsChapters()) {
            told.add("chapters left out: " + container.suffix() + " takes none");
        }
        told.addAll(input.unreadByFfmpeg(container.holdsChapters()));
        KeptStreams plain = new KeptStreams(input, container, covers, kept, List.of(), told);
        if (!allFirst) {
            written = plain.rehearse();
        }
        if (written.isEmpty()) {
            return Optional.empty();
        }
        Set<Lost> lost = plain.lost(written.get());
        List<String> flags = List.of();
        if (!lost.isEmpty() && container.isQuickTime()) {
            // Tags with names of their own, as phones and cameras write them.
            KeptStreams free =
                    new KeptStreams(input, container, covers, kept, List.of("-movflags", "use_metadata_tags"), told);
            // With them ffmpeg writes no covers.
            int streams = written.get().streams().size();
            Set<Lost> less = free.rehearse()
                    .filter(rehearsed -> rehearsed.streams().size() == streams)
                    .map(free::lost)
                    .orElse(lost);
            if (less.size() < lost.size()) {
                lost = less;
                flags = free.flags;
            }
        }
        if (!lost.isEmpty()) {
            told.add("left out, as " + container.suffix() + " has no place for it: " + named(lost));
        }
        return Optional.of(new KeptStreams(input, container, covers, List.copyOf(kept), flags, List.copyOf(told)));
    }

    /** What the container has by other means: a track that holds the chapters, or the time code that is a tag as well. */
    private static boolean isOfContainer(ProbedInput.Stream stream, ProbedInput input) {
        String tag = stream.text("codec_tag_string").orElse("");
        return (tag.equals("text") && input.chapters() > 0)
                || (tag.equals("tmcd")
                        && input.video()
                                .map(v -> v.tags().containsKey("timecode"))
                                .orElse(false));
    }

    /** What edit lists cut is in a copy, which has no other time for it than one before the film. */
    private static long cut(Kept kept, ProbedInput input, Container container) {
        ProbedInput.Stream stream = kept.stream();
        boolean copies = stream.type().equals("audio") && kept.way().words().equals(COPIED);
        // These have edit lists, too, for what is before the film.
        boolean cuts = container.isQuickTime() && stream.number("start_time").orElse(0.0) <= 0;
        return input.isQuickTime() && copies && !cuts ? input.cutPackets(stream) : 0;
    }

    /** The format by ffmpeg's name, or where it has none, by that of the input. */
    private static String format(ProbedInput.Stream stream) {
        return stream.text("codec_tag_string")
                .filter(tag -> UNKNOWN.contains(stream.codec()) && !tag.contains("["))
                .orElse(stream.codec());
    }

    /** Why a stream is not copied. */
    private static String reason(ProbedInput.Stream stream, ProbedInput input, Container container) {
        if (input.jumps(stream)) {
            return "an edit list leaves out parts of it, which are in a copy";
        }
        return container.suffix()
                + (isLate(stream, input, container)
                        ? " has no time stamps, and it begins later"
                        : " takes no " + stream.codec());
    }

    private static List<Way> ways(ProbedInput.Stream stream, ProbedInput input, Container container) {
        Way copy = new Way("-c:# copy", COPIED);
        List<Way> ways = new ArrayList<>();
        switch (stream.type()) {
            case "audio" -> {
                if (container.copiesSound(stream.codec())
                        && !isLate(stream, input, container)
                        && !input.jumps(stream)) {
                    ways.add(copy);
                }
                int channels = stream.number("channels").orElse(2.0).intValue();
                ways.add(new Way(
                        container.soundOptions(channels) + (isLate(stream, input, container) ? SILENCE : ""),
                        "encoded as " + container.soundName(channels)
                                + (isLate(stream, input, container) ? " behind silence" : "")));
            }
            case "subtitle" -> {
                if (container.copiesSubtitles(stream.codec())) {
                    ways.add(copy);
                }
                container
                        .text()
                        .filter(text -> TEXTS.contains(stream.codec()))
                        .or(() -> container.images().filter(images -> IMAGES.contains(stream.codec())))
                        .ifPresent(format -> ways.add(new Way("-c:# " + format, "converted to " + format)));
            }
            case "attachment" -> {
                if (container == Container.MATROSKA) {
                    ways.add(copy);
                }
            }
            case "video" -> {
                if (!stream.isCover() || container.holdsCovers()) {
                    // Other containers have MPEG-4's headers once, beside the packets.
                    boolean isHeaded = container == Container.TRANSPORT_STREAM
                            && stream.codec().equals("mpeg4");
                    ways.add(isHeaded ? new Way(copy.options() + " -bsf:# dump_extra", COPIED) : copy);
                }
            }
            default -> {
                String tag = stream.text("codec_tag_string").orElse("");
                // Some containers take a DVD's packets for its menus, which nothing can read there. An MP4 says of any
                // data that it is of a GoPro.
                if (!tag.equals("text")
                        && !tag.equals("tmcd")
                        && !(container.isQuickTime() && UNKNOWN.contains(stream.codec()) && !tag.equals("gpmd"))
                        && !stream.codec().equals("dvd_nav_packet")) {
                    ways.add(copy);
                }
            }
        }
        return ways;
    }

    /** Fills the time before the first sample. */
    private static final String SILENCE = " -filter:# aresample=async=1:first_pts=0";

    /** Sound that begins later than the film in a container that has no time stamps. */
    private static boolean isLate(ProbedInput.Stream stream, ProbedInput input, Container container) {
        // Data that is not used may begin at any time.
        double begin = input.isQuickTime()
                ? 0
                : input.video()
                        .filter(video -> input.countsFromUsed())
                        .flatMap(video -> video.number("start_time"))
                        .orElse(input.start());
        return container == Container.AVI
                && stream.type().equals("audio")
                && stream.number("start_time").orElse(0.0) - begin > LATE_SECONDS;
    }

    private static final double LATE_SECONDS = 0.1;

    /** What libopus puts before its sound. */
    private static final double OPUS_SECONDS = 312 / 48000.0;

    private static String name(ProbedInput.Stream stream) {
        return switch (stream.type()) {
                    case "audio" -> "sound";
                    case "subtitle" -> "subtitles";
                    case "video" -> stream.isCover() ? "cover" : "another video";
                    default -> stream.type();
                }
                + " " + stream.index();
    }

    /** What is converted or left out, each with its reason. */
    List<String> told() {
        return told;
    }

    /** What became of the streams, in words. */
    List<String> outcome() {
        Map<String, List<String>> ways = new LinkedHashMap<>();
        for (Kept each : kept) {
            ways.computeIfAbsent(
                            name(each.stream()).replaceFirst(" \\d+$", "") + " "
                                    + each.way().words(),
                            key -> new ArrayList<>())
                    .add(each.stream().codec());
        }
        List<String> all = new ArrayList<>();
        ways.forEach((way, codecs) -> all.add(way + " (" + String.join(", ", codecs) + ")"));
        if (input.chapters() > 0 && container.holdsChapters()) {
            all.add("chapters copied");
        }
        told.stream().filter(line -> line.contains("left out")).forEach(all::add);
        return all;
    }

    /** Writes a part of a second with another video. Returns what ffprobe says of it; empty if it cannot be written. */
    private Optional<ProbedInput> rehearse() throws IOException {
        try (TemporaryFile file = TemporaryFile.create(container.suffix())) {
            List<String> command = new ArrayList<>(words(
                    "ffmpeg -nostdin -v error -y -f lavfi -i color=size=64x64:rate=25:duration=%s -i %s -map 0:0",
                    // ffprobe knows no shorter video in a transport stream.
                    container == Container.TRANSPORT_STREAM ? 0.5 : 0.1, input.address()));
            command.addAll(streams());
            command.addAll(words("-c:0 %s -shortest", coder()));
            command.addAll(writer(file.path()));
            boolean isWritten = new ChildProcess(command, Map.of())
                    .run(LIMIT_SECONDS)
                    .filter(result -> result.status() == 0)
                    .isPresent();
            return isWritten ? ProbedInput.of(file.path().toString()).filter(this::isAsWanted) : Optional.empty();
        }
    }

    /** Whether it is known in the file what each stream is: ffmpeg writes some as packets of nothing that anybody knows. */
    private boolean isAsWanted(ProbedInput written) {
        List<ProbedInput.Stream> streams = written.streams();
        int first = video.isPresent() ? 1 : 0;
        return streams.size() >= first + kept.size()
                && IntStream.range(0, kept.size()).allMatch(i -> {
                    ProbedInput.Stream wanted = kept.get(i).stream();
                    ProbedInput.Stream stream = streams.get(first + i);
                    return stream.type().equals(wanted.type())
                            && (!UNKNOWN.contains(stream.codec()) || UNKNOWN.contains(wanted.codec()));
                });
    }

    /** A coder that is quick, and whose video the container takes. */
    private String coder() {
        return container == Container.WEBM
                ? "libvpx"
                : container == Container.TRANSPORT_STREAM ? "mpeg2video" : "mpeg4";
    }

    /**
     * A tag or mark that a file does not have.
     *
     * @param of the stream that has it in the input; empty for the film as a whole
     */
    private record Lost(String name, String of) {}

    /** Names each tag and mark once, with the streams that lose it. */
    private static String named(Set<Lost> lost) {
        Map<String, List<String>> streams = new TreeMap<>();
        lost.forEach(each ->
                streams.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each.of()));
        return streams.entrySet().stream()
                .map(each -> each.getKey()
                        + (each.getValue().equals(List.of(FILM))
                                ? ""
                                : " (" + String.join(", ", each.getValue()) + ")"))
                .collect(Collectors.joining(", "));
    }

    /** The tags and marks of the input that a file that was written does not have. */
    private Set<Lost> lost(ProbedInput written) {
        Set<Lost> lost = new LinkedHashSet<>();
        Map<String, String> ofFile = written.tags();
        missingTags(FILM, input.tags(), ofFile, Map.of(), lost);
        List<ProbedInput.Stream> all = written.streams();
        List<ProbedInput.Stream> sources = new ArrayList<>();
        video.ifPresent(sources::add);
        kept.forEach(each -> sources.add(each.stream()));
        for (int i = 0; i < Math.min(all.size(), sources.size()); i++) {
            ProbedInput.Stream source = sources.get(i);
            String of = video.filter(source::equals).isPresent() ? "video " + source.index() : name(source);
            missingTags(of, source.tags(), all.get(i).tags(), ofFile, lost);
            if (isOneOfSome(source, sources)) {
                missing("mark", of, source.dispositions(), all.get(i).dispositions(), lost);
            }
        }
        return lost;
    }

    /**
     * Adds the tags that are in a file neither by their name nor, as some containers call a tag otherwise, by their value.
     *
     * @param ofFile the tags of the file as a whole: a stream's date that is the film's, too, is not lost
     */
    private static void missingTags(
            String of, Map<String, String> had, Map<String, String> has, Map<String, String> ofFile, Set<Lost> lost) {
        Map<String, String> left = new TreeMap<>(had);
        left.entrySet().removeAll(ofFile.entrySet());
        Set<String> renamed = has.entrySet().stream()
                .filter(tag -> !had.containsKey(tag.getKey()))
                .map(Map.Entry::getValue)
                .collect(Collectors.toSet());
        left.values().removeAll(renamed);
        missing("tag", of, left.keySet(), has.keySet(), lost);
    }

    /** Whether a player has a choice, for which streams are marked. */
    private static boolean isOneOfSome(ProbedInput.Stream stream, List<ProbedInput.Stream> all) {
        return !stream.dispositions().equals(List.of("default"))
                || all.stream()
                                .filter(other -> other.type().equals(stream.type()))
                                .count()
                        > 1;
    }

    private static void missing(
            String kind, String of, Collection<String> had, Collection<String> has, Set<Lost> lost) {
        had.stream()
                // Location comes a second time, with its language.
                .filter(name -> !has.contains(name) && !has.contains(name.replaceFirst("-[a-z]{3}$", "")))
                .forEach(name -> lost.add(new Lost(kind + " " + name, of)));
    }

    /** Options for each stream of the file, the video first, which is of input 0. */
    private List<String> streams() {
        List<String> options = new ArrayList<>();
        video.ifPresent(source -> options.addAll(like(0, source, true)));
        for (int i = 0; i < kept.size(); i++) {
            Kept each = kept.get(i);
            int number = i + 1;
            options.addAll(covers.options(each.stream(), number).orElseGet(() -> {
                List<String> mapped =
                        words("-map 1:%s " + each.way().options().replace("#", "%s"), arguments(each, number));
                mapped.addAll(like(number, each.stream(), !each.way().words().equals(COPIED)));
                return mapped;
            }));
        }
        options.addAll(words("-map_metadata 1 -map_chapters %s", container.holdsChapters() ? 1 : -1));
        input.namedProgram().ifPresent(program -> options.addAll(words("-map_metadata 1:p:%s", program)));
        return options;
    }

    private static Object[] arguments(Kept each, int number) {
        List<Object> arguments = new ArrayList<>(List.of(each.stream().index()));
        each.way().options().chars().filter(c -> c == '#').forEach(c -> arguments.add(number));
        return arguments.toArray();
    }

    /** Gives a stream the tags and marks of one of the input; without those of its coding, if it was coded anew. */
    private static List<String> like(int number, ProbedInput.Stream source, boolean anew) {
        List<String> options = new ArrayList<>(words(
                "-map_metadata:s:%s 1:s:%s -disposition:%s %s",
                number,
                source.index(),
                number,
                source.dispositions().isEmpty() ? "0" : String.join("+", source.dispositions())));
        if (anew && source.fields().has("tags")) {
            for (String tag : source.fields().getAsJsonObject("tags").keySet()) {
                if (ProbedInput.isTechnical(tag)) {
                    options.addAll(words("-metadata:s:%s %s=", number, tag));
                }
            }
        }
        return options;
    }

    private List<String> writer(Path file) {
        List<String> options = new ArrayList<>(flags);
        if (container == Container.MATROSKA || container == Container.WEBM) {
            options.addAll(words("-default_mode passthrough"));
        }
        options.addAll(
                words("-max_muxing_queue_size 100000 -strict experimental -f %s file:%s", container.format(), file));
        return options;
    }

    /**
     * The command that writes the file.
     *
     * @param coded the file of the encoded video alone
     * @param codedOptions what is said to the container of it
     * @param zero timestamp in seconds of the input that is the time 0 of the coded video
     * @param seeks whether what is before that is not to be in the file
     * @param seconds where the file ends; empty for the end of all streams
     */
    List<String> command(
            ProbedInput coded,
            List<String> codedOptions,
            double zero,
            boolean seeks,
            Optional<Double> seconds,
            Path file) {
        double later = seeks ? 0 : later(zero);
        List<String> command = new ArrayList<>(words(
                "setsid ffmpeg -nostdin -hide_banner -v error -progress pipe:1 -stats_period %s -y -itsoffset %s -i %s",
                MUX_SECONDS, seconds(coded.start() + later), coded.address()));
        command.addAll(
                seeks
                        ? words("-seek_timestamp 1 -ss %s", seconds(zero))
                        : words("-itsoffset %s", seconds(start() - zero + later)));
        command.addAll(words("-i %s -map 0:0 -c:0 copy", input.address()));
        command.addAll(codedOptions);
        command.addAll(streams());
        if (seeks) {
            // What begins before the first picture would move all by that time.
            command.addAll(words("-copypriorss 0"));
        } else {
            for (int i = 0; i < kept.size(); i++) {
                if (kept.get(i).cut() > 0) {
                    command.addAll(words(
                            "-bsf:%s noise=drop='lt(n,%s)'", i + 1, kept.get(i).cut()));
                }
            }
        }
        List<String> limit =
                seconds.map(end -> words("-t %s", seconds(end + later))).orElse(List.of());
        command.addAll(limit);
        command.addAll(writer(file));
        // Of a transport stream ffmpeg counts from the first packet of those streams that it uses.
        video.ifPresent(used -> command.addAll(words("-map 1:%s -c copy", used.index())));
        command.addAll(limit);
        command.addAll(words("-f null -"));
        return command;
    }

    /**
     * By how many seconds all is to be later so that no sound begins before the time 0, as what an MP4 has for its decoder does: ffmpeg
     * moves it in Matroska, but not the chapters.
     */
    private double later(double zero) {
        boolean moves = container == Container.MATROSKA || container == Container.WEBM;
        return kept.stream()
                .filter(each -> moves && input.chapters() > 0 && each.cut() == 0)
                .filter(each -> each.stream().type().equals("audio"))
                .flatMap(each -> (each.way().words().equals(COPIED)
                                ? input.firstTime(each.stream(), false)
                                : each.stream().number("start_time").map(start -> start - OPUS_SECONDS))
                        .stream())
                .mapToDouble(first -> zero - first)
                .reduce(0, Math::max);
    }

    /** The command that writes the video alone, with the times that it will have beside the other streams. */
    List<String> timeLine(Path file) {
        List<String> command = new ArrayList<>(words(
                "ffmpeg -nostdin -hide_banner -v error -y -i %s -map 0:%s -c copy -copyinkf -f matroska file:%s",
                input.address(), video.orElseThrow().index(), file));
        if (!kept.isEmpty()) {
            kept.forEach(each -> command.addAll(words("-map 0:%s", each.stream().index())));
            command.addAll(words("-c copy -f null -"));
        }
        return command;
    }

    /** How many packets of the video ffmpeg has written by {@link #command}; 0 if it does not say so. */
    static long written(ChildProcess.Result ffmpeg) {
        return PROGRESS.matcher(ffmpeg.output())
                .results()
                .map(found -> Long.parseLong(found.group(1)))
                .reduce(0L, (before, last) -> last);
    }

    /**
     * Why ffmpeg did not write a file whole.
     *
     * @param output the file, as the user said it
     * @param packets of the video that were to be in it
     */
    static CommandFailedException failure(String output, ChildProcess.Result ffmpeg, long packets) {
        if (ffmpeg.output().contains("No space left on device")) {
            return new DiskFullException(output);
        }
        String said = new ChildProcess.Result(ffmpeg.status(), ffmpeg.output().replaceAll("(?m)^\\w+= *\\S+$", ""))
                .lastLines(1);
        return problem(output + ": ffmpeg could not write it ("
                + (said.isEmpty() ? written(ffmpeg) + " of " + counted(packets, "picture") : said)
                + "): look at IN with ffprobe, and at limits such as ulimit -f");
    }

    /** The timestamp in seconds that ffmpeg takes for the input's beginning. */
    private double start() {
        return Stream.concat(video.stream(), kept.stream().map(Kept::stream))
                .filter(stream -> input.countsFromUsed())
                .flatMap(stream -> stream.number("start_time").stream())
                .min(Comparator.naturalOrder())
                .orElse(input.start());
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.6f", seconds);
    }
}
