/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Structure;
import org.gstqpu.pipelines.cli.CommandFailedException;

/** A kind of file that {@code qpu transcode} writes, with its muxer and what it may contain. */
// Its lists are never changed.
@SuppressWarnings("ImmutableEnumChecker")
enum Container {
    MATROSKA(
            List.of(".mkv"),
            "matroskamux",
            "gstreamer1.0-plugins-good",
            List.of(
                    VideoFormat.H264,
                    VideoFormat.H265,
                    VideoFormat.VP9,
                    VideoFormat.VP8,
                    VideoFormat.AV1,
                    VideoFormat.MPEG4),
            List.of(SoundEncoder.OPUS, SoundEncoder.AAC, SoundEncoder.VORBIS, SoundEncoder.FLAC),
            new Pads("video_%u", "audio_%u")),
    MP4(
            List.of(".mp4", ".m4v"),
            "mp4mux",
            "gstreamer1.0-plugins-good",
            List.of(VideoFormat.H264, VideoFormat.H265, VideoFormat.AV1, VideoFormat.VP9),
            List.of(SoundEncoder.AAC, SoundEncoder.FREE_AAC, SoundEncoder.MP3, SoundEncoder.OPUS),
            new Pads("video_%u", "audio_%u")),
    QUICKTIME(
            List.of(".mov"),
            "qtmux",
            "gstreamer1.0-plugins-good",
            List.of(VideoFormat.H264, VideoFormat.H265),
            List.of(SoundEncoder.AAC, SoundEncoder.FREE_AAC, SoundEncoder.MP3),
            new Pads("video_%u", "audio_%u")),
    WEBM(
            List.of(".webm"),
            "webmmux",
            "gstreamer1.0-plugins-good",
            List.of(VideoFormat.VP8, VideoFormat.VP9, VideoFormat.AV1),
            List.of(SoundEncoder.OPUS, SoundEncoder.VORBIS),
            new Pads("video_%u", "audio_%u")),
    AVI(
            List.of(".avi"),
            "avimux",
            "gstreamer1.0-plugins-good",
            List.of(VideoFormat.H264, VideoFormat.MPEG4, VideoFormat.VP8),
            List.of(SoundEncoder.MP3, SoundEncoder.AC3, SoundEncoder.PCM),
            new Pads("video_%u", "audio_%u")),
    TRANSPORT_STREAM(
            List.of(".ts"),
            "mpegtsmux",
            "gstreamer1.0-plugins-bad",
            List.of(VideoFormat.H264, VideoFormat.H265),
            List.of(SoundEncoder.AAC, SoundEncoder.FREE_AAC, SoundEncoder.MP3, SoundEncoder.AC3),
            new Pads("sink_%d", "sink_%d"));

    /** How a stream is framed, which a parser changes, and what belongs to a single stream. */
    private static final String[] FRAMING = {
        "stream-format", "alignment", "framed", "parsed", "codec_data", "streamheader", "profile", "level"
    };

    private static final int MP3_LAYER = 3;
    private static final int STEREO = 2;

    private final List<String> suffixes;
    private final String muxer;
    private final String debianPackage;
    private final List<VideoFormat> videos;
    private final List<SoundEncoder> sounds;
    private final Pads pads;

    Container(
            List<String> suffixes,
            String muxer,
            String debianPackage,
            List<VideoFormat> videos,
            List<SoundEncoder> sounds,
            Pads pads) {
        this.suffixes = suffixes;
        this.muxer = muxer;
        this.debianPackage = debianPackage;
        this.videos = videos;
        this.sounds = sounds;
        this.pads = pads;
    }

    /** Names of the muxer's templates of pads; empty for a kind of stream that the container does not take. */
    private record Pads(String video, String sound) {
        String of(StreamKind kind) {
            return switch (kind) {
                case VIDEO -> video;
                case SOUND -> sound;
                default -> "";
            };
        }
    }

    /**
     * The container that the suffix of a file's name stands for.
     *
     * @throws CommandFailedException when the suffix is unknown, or the muxer is not installed
     */
    static Container of(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        Container container = Arrays.stream(values())
                .filter(each -> each.suffixes.stream().anyMatch(name::endsWith))
                .findFirst()
                .orElseThrow(() -> unusable(file + ": the suffix selects the container; it is one of "
                        + Arrays.stream(values())
                                .flatMap(each -> each.suffixes.stream())
                                .collect(Collectors.joining(", "))));
        if (!GStreamer.has(container.muxer)) {
            throw unavailable(
                    file + ": " + container.muxer + " is not installed: apt install " + container.debianPackage);
        }
        return container;
    }

    /** The name of the element that writes such files. */
    String muxer() {
        return muxer;
    }

    /** The suffix by which such files are known. */
    String suffix() {
        return suffixes.get(0);
    }

    /** The formats of video that it may contain, best first. */
    List<VideoFormat> videos() {
        return videos;
    }

    /** The template of the muxer's pads for a kind of stream; empty if it takes none. */
    Optional<String> pad(StreamKind kind) {
        return Optional.of(pads.of(kind)).filter(name -> !name.isEmpty());
    }

    /** What the muxer takes of a kind of stream that it takes. */
    Caps caps(StreamKind kind) {
        String name = pad(kind).orElseThrow();
        return GStreamer.factory(muxer).orElseThrow().getStaticPadTemplates().stream()
                .filter(template -> template.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getCaps();
    }

    /** Whether it takes a coded stream as it is, apart from its framing. */
    boolean takes(StreamKind kind, Caps stream) {
        Caps codec = GStreamer.copy(stream, Caps.class);
        Structure fields = codec.getStructure(0);
        if (this == QUICKTIME && mayBeLayer2(fields)) {
            return false;
        }
        for (String field : FRAMING) {
            if (fields.hasField(field)) {
                fields.removeField(field);
            }
        }
        return pad(kind).isPresent() && !caps(kind).intersect(codec).isEmpty();
    }

    /**
     * Whether it is, or may be, sound of MPEG-1 that is no MP3, of which qtmux makes a QuickTime file that FFmpeg 7 does not read. The
     * layer may be known only from the data.
     */
    private static boolean mayBeLayer2(Structure fields) {
        return fields.getName().equals("audio/mpeg")
                && fields.getInteger("mpegversion") == 1
                && !(fields.hasField("layer", Integer.class) && fields.getInteger("layer") == MP3_LAYER);
    }

    /**
     * The best installed encoder of sound for it.
     *
     * @throws CommandFailedException when none is installed
     */
    SoundEncoder sound() {
        return sounds.stream()
                .filter(SoundEncoder::isInstalled)
                .findFirst()
                .orElseThrow(() -> unavailable("no encoder of sound for " + suffix() + " is installed: apt install "
                        + sounds.get(0).debianPackage()));
    }

    /** What ffmpeg calls it. */
    String format() {
        return switch (this) {
            case MATROSKA -> "matroska";
            case TRANSPORT_STREAM -> "mpegts";
            default -> suffix().substring(1);
        };
    }

    boolean isQuickTime() {
        return this == MP4 || this == QUICKTIME;
    }

    /** Whether players take such sound, by ffmpeg's name, in it. */
    boolean copiesSound(String codec) {
        return switch (this) {
            case MATROSKA -> true;
            case MP4 ->
                Set.of("aac", "mp3", "mp2", "ac3", "eac3", "alac", "opus", "flac", "dts")
                        .contains(codec);
            case QUICKTIME ->
                codec.startsWith("pcm_")
                        || Set.of("aac", "mp3", "ac3", "eac3", "alac").contains(codec);
            case WEBM -> Set.of("opus", "vorbis").contains(codec);
            case AVI ->
                Set.of("aac", "mp3", "mp2", "ac3", "dts", "pcm_s16le", "pcm_u8").contains(codec);
            case TRANSPORT_STREAM ->
                Set.of("aac", "mp3", "mp2", "ac3", "eac3", "dts", "truehd", "opus")
                        .contains(codec);
        };
    }

    /** The sound that it has of what it does not take, by ffmpeg's name. */
    String soundName(int channels) {
        return switch (this) {
            case MATROSKA, WEBM -> "opus";
            case AVI -> channels > STEREO ? "ac3" : "mp3";
            default -> "aac";
        };
    }

    /** Options of ffmpeg that make such sound, with {@code #} for the number of the stream. */
    String soundOptions(int channels) {
        return switch (soundName(channels)) {
            // libopus takes no layout with speakers at the sides, as AC-3 has.
            case "opus" ->
                "-c:# libopus -b:# " + 64 * channels + "k -mapping_family:# "
                        + (channels > STEREO ? "1 -filter:# aformat=channel_layouts=7.1|6.1|5.1|5.0|quad|3.0" : "0");
            case "ac3" -> "-c:# ac3 -b:# 448k";
            case "mp3" -> "-c:# libmp3lame -q:# 2";
            default -> "-c:# aac -b:# " + 80 * channels + "k";
        };
    }

    /** Whether it holds such subtitles, by ffmpeg's name. */
    boolean copiesSubtitles(String codec) {
        return switch (this) {
            case MATROSKA -> !codec.equals("mov_text");
            case MP4 -> Set.of("mov_text", "dvd_subtitle").contains(codec);
            case QUICKTIME -> Set.of("mov_text", "eia_608").contains(codec);
            case WEBM -> codec.equals("webvtt");
            case AVI -> codec.equals("xsub");
            case TRANSPORT_STREAM -> Set.of("dvb_subtitle", "dvb_teletext").contains(codec);
        };
    }

    /** The subtitles of text that it holds, by ffmpeg's name; empty if it holds none. */
    Optional<String> text() {
        return switch (this) {
            case MATROSKA -> Optional.of("subrip");
            case MP4, QUICKTIME -> Optional.of("mov_text");
            case WEBM -> Optional.of("webvtt");
            case AVI, TRANSPORT_STREAM -> Optional.empty();
        };
    }

    /** The subtitles of images that it has of those that it does not hold, by ffmpeg's name; empty if it has none. */
    Optional<String> images() {
        return this == TRANSPORT_STREAM ? Optional.of("dvbsub") : Optional.empty();
    }

    boolean holdsChapters() {
        return this != AVI && this != TRANSPORT_STREAM;
    }

    /** Whether it holds pictures of the film, such as its cover. */
    boolean holdsCovers() {
        return this == MATROSKA || isQuickTime();
    }
}
