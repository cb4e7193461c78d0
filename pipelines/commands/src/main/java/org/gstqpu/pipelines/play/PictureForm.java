/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.freedesktop.gstreamer.Fraction;
import org.freedesktop.gstreamer.Structure;

/**
 * The form in which decoded pictures come to an encoder, so that every player knows what it makes of them and their fields stay in
 * their order. Immutable.
 *
 * @param description the elements between the filter and the encoder
 * @param interlaced whether the encoder codes fields
 * @param rate pictures a second, if the container has no other times of them; {@link PictureTimes} keeps to it, at the element {@link
 *     #SHOWN}
 * @param told what the pictures lose by that, or are changed to
 */
record PictureForm(String description, boolean interlaced, Optional<Fraction> rate, List<String> told) {
    /** The name of the element behind which {@link PictureTimes} cares for pictures. */
    static final String SHOWN = "shown";

    /** GST_VIDEO_BUFFER_FLAG_INTERLACED and GST_VIDEO_BUFFER_FLAG_TFF. */
    static final int INTERLACED = 1 << 20;

    static final int TOP_FIRST = 1 << 21;

    /** The only encoder that marks the order of the fields, by its caps. */
    private static final String OF_FIELDS = "x264enc";

    /** More than 8 bits a sample, by ffmpeg's names of formats and by GStreamer's: those have an order of bytes. */
    private static final Pattern DEEP = Pattern.compile("1[0246]_?[LlBb][Ee]");

    /** Of 4:2:0 or grey, and of no more bits than the encoder's form has, by ffmpeg's names and by GStreamer's. */
    private static final Pattern USUAL =
            Pattern.compile("yuvj?420p(10[lb]e)?|nv(12|21)|p010[lb]e|gray(10[lb]e|16[lb]e)?"
                    + "|I420(_10LE)?|NV12|YV12|NV21|P010_10LE|GRAY8|GRAY16_LE");

    /** ffprobe's names of what pictures have beside their samples. */
    private static final String CAPTIONS = "ATSC A53 Part 4 Closed Captions";

    private static final String MASTERING = "Mastering display metadata";

    /** Videos have no more pictures a second. */
    private static final int MOST_PICTURES = 240;

    private static final Set<String> WITH_ALPHA =
            Set.of("A420", "AYUV", "RGBA", "BGRA", "ARGB", "ABGR", "AV12", "GBRA");

    /** What is told elsewhere, or is kept, or is about the coded stream alone. */
    private static final Pattern CARED_FOR = Pattern.compile("Display Matrix|3x3 displaymatrix|"
            + MASTERING + "|Content light level metadata|CPB properties|" + CAPTIONS
            + "|AVPanScan|GOP timecode|.*SEI message|Motion vectors|Film grain.*|.* parameters");

    /** What turns pictures as a display matrix does, by the signs of its first four numbers. */
    private static final Map<String, String> TURNS = Map.of(
            "+00+", "identity",
            "0+-0", "90r",
            "-00-", "180",
            "0-+0", "90l",
            "-00+", "horiz",
            "+00-", "vert",
            "0++0", "ul-lr",
            "0--0", "ur-ll");

    /**
     * Finds the form.
     *
     * @param caps of the filtered pictures
     * @param flags of the first one, as GStreamer counts them
     * @param probed what ffprobe says of the input; empty if there is none
     */
    static PictureForm of(
            Structure caps, int flags, EncoderChoice encoder, Container container, Optional<ProbedInput> probed) {
        List<String> elements = new ArrayList<>();
        List<String> told = new ArrayList<>();
        Optional<ProbedInput.Stream> video = probed.flatMap(ProbedInput::video);
        String format = text(caps, "format").orElse("I420");

        Optional<Boolean> topFirst = topFirst(caps, flags, probed);
        boolean fields = topFirst.isPresent() && encoder.element().equals(OF_FIELDS);
        if (topFirst.isPresent() && !fields) {
            elements.add("deinterlace mode=interlaced fields=top method=greedyh");
            told.add("interlaced pictures are deinterlaced: " + encoder.element() + " does not mark fields, "
                    + OF_FIELDS + " does");
        }
        String turn = turn(video);
        withMatrix(caps).ifPresent(colours -> elements.add("capssetter caps=video/x-raw,colorimetry=" + colours));
        if (!turn.equals("auto") && !turn.equals("identity")) {
            told.add("the pictures are turned as they are shown (" + turn + ")");
        }
        boolean deep = DEEP.matcher(format).find();
        boolean takesDeep = encoder.takes("I420_10LE");
        String to = deep && takesDeep ? "I420_10LE" : "I420";
        // Before the filter they may have been of another form.
        String had = video.flatMap(v -> v.text("pix_fmt")).orElse(format);
        if (!USUAL.matcher(had).matches() || (DEEP.matcher(had).find() && !to.equals("I420_10LE"))) {
            told.add("the pictures are " + had + " and become " + to + ", which every player knows");
        }
        if (WITH_ALPHA.contains(format) || video.filter(PictureForm::hasAlpha).isPresent()) {
            told.add("transparency (alpha) is left out");
        }
        int width = caps.getInteger("width");
        int height = caps.getInteger("height");
        String aspect = "1/1";
        if (caps.hasField("pixel-aspect-ratio")) {
            Fraction ratio = caps.getFraction("pixel-aspect-ratio");
            aspect = ratio.getNumerator() + "/" + ratio.getDenominator();
        }
        elements.add("videoconvert");
        elements.add("videoscale");
        elements.add("capsfilter caps=video/x-raw,format=" + to + ",width=" + width + ",height=" + height
                + ",pixel-aspect-ratio=" + aspect + colours(caps, format));
        if ((width | height) % 2 != 0 && !encoder.takesOddSizes()) {
            elements.add("videoscale method=nearest-neighbour add-borders=false");
            elements.add("capsfilter caps=video/x-raw,width=" + even(width) + ",height=" + even(height)
                    + ",pixel-aspect-ratio=" + aspect);
            told.add(width + "x" + height + " becomes " + even(width) + "x" + even(height)
                    + " by a line that is there twice: " + encoder.element()
                    + " takes even sizes only, --encoder vp9 takes all");
        }
        // Last: without ffprobe, only its element knows whether height becomes width.
        elements.add("videoflip video-direction=" + turn);
        elements.add("identity name=" + SHOWN);
        Optional<Fraction> rate = Optional.empty();
        if (container == Container.AVI) {
            // Not every input says that its rate varies.
            Optional<Fraction> constant = constantRate(caps, video);
            constant.ifPresent(pictures -> {
                String words = pictures.getNumerator() + "/" + pictures.getDenominator();
                elements.add("capssetter caps=video/x-raw,framerate=" + words);
                told.add("its rate varies, that of .avi cannot: " + words + " pictures a second by repeating some");
            });
            rate = constant.or(() -> Optional.of(caps.getFraction("framerate")));
        }
        elements.add("capssetter caps=video/x-raw,interlace-mode="
                + (fields
                        ? "interleaved,field-order=" + (topFirst.get() ? "top" : "bottom") + "-field-first"
                        : "progressive"));
        Set<String> sides = probed.map(ProbedInput::pictureSides).orElse(Set.of());
        if (sides.contains(CAPTIONS) && !encoder.element().equals(OF_FIELDS)) {
            told.add("closed captions are left out: " + encoder.element() + " does not write them");
        }
        Optional<String> site = video.flatMap(v -> v.text("chroma_location")).filter(name -> !name.equals("left"));
        boolean matroska = container == Container.MATROSKA || container == Container.WEBM;
        if (site.isPresent() && encoder.format() != VideoFormat.H264 && !matroska) {
            told.add("where chroma samples lie (" + site.get() + ") is left out: neither " + encoder.element() + " nor "
                    + container.suffix() + " says it");
        }
        boolean isRead = caps.hasField("mastering-display-info");
        if ((isRead && encoder.format() != VideoFormat.H265) || (!isRead && sides.contains(MASTERING))) {
            told.add("the mastering display and light levels of HDR10 are left out: "
                    + (isRead
                            ? encoder.element() + " does not write them, --encoder h265 does"
                            : "no reader of GStreamer finds them in this video"));
        }
        List<String> unwritten = video.map(v -> unwritten(v, sides, matroska)).orElse(List.of());
        if (!unwritten.isEmpty()) {
            told.add("left out, as no encoder of GStreamer writes it: " + String.join(", ", unwritten));
        }
        return new PictureForm(String.join(" ! ", elements), fields, rate, List.copyOf(told));
    }

    /** What is said of the pictures beside their samples, such as how they lie on a sphere, by ffprobe's names. */
    private static List<String> unwritten(ProbedInput.Stream video, Set<String> ofPictures, boolean matroska) {
        return Stream.concat(video.sides("side_data_type").stream().map(JsonElement::getAsString), ofPictures.stream())
                .filter(name -> !CARED_FOR.matcher(name).matches())
                // Matroska has it as a tag.
                .filter(name ->
                        !(matroska && name.equals("Stereo 3D") && video.tags().containsKey("stereo_mode")))
                .distinct()
                .toList();
    }

    /** Whether the top field is the first; empty for progressive video. */
    private static Optional<Boolean> topFirst(Structure caps, int flags, Optional<ProbedInput> probed) {
        String mode = text(caps, "interlace-mode").orElse("progressive");
        if (mode.equals("progressive")) {
            return Optional.empty();
        }
        Optional<String> order = text(caps, "field-order");
        if (order.isPresent() && !order.get().equals("unknown")) {
            return Optional.of(order.get().startsWith("top"));
        }
        if (mode.equals("mixed") && probed.isPresent()) {
            List<Boolean> seen = probed.get().topFieldsFirst();
            long top = seen.stream().filter(first -> first).count();
            return seen.isEmpty() ? Optional.empty() : Optional.of(top * 2 >= seen.size());
        }
        return (flags & INTERLACED) != 0 || mode.equals("interleaved")
                ? Optional.of((flags & TOP_FIRST) != 0)
                : Optional.empty();
    }

    private static boolean hasAlpha(ProbedInput.Stream video) {
        boolean tagged = video.fields().has("tags")
                && video.fields().getAsJsonObject("tags").keySet().stream().anyMatch("alpha_mode"::equalsIgnoreCase);
        return tagged || video.text("pix_fmt").orElse("").matches("yuva.*|.*rgba.*|argb.*|abgr|bgra.*|gbrap.*|ya\\d.*");
    }

    private static String turn(Optional<ProbedInput.Stream> video) {
        return video.flatMap(v -> v.sides("displaymatrix").stream().findFirst())
                .map(JsonElement::getAsString)
                .map(matrix -> Pattern.compile("-?\\d+")
                        .matcher(matrix.replaceAll("\\d{8}:", ""))
                        .results()
                        .map(MatchResult::group)
                        .map(Integer::valueOf)
                        .map(number -> number == 0 ? "0" : number > 0 ? "+" : "-")
                        .toList())
                .map(signs -> signs.get(0) + signs.get(1) + signs.get(3) + signs.get(4))
                .map(signs -> TURNS.getOrDefault(signs, "identity"))
                .orElse("auto");
    }

    /** The same range and matrix as before, where samples stay what they are. */
    private static String colours(Structure caps, String format) {
        // Grey is of full range, and becomes what players expect.
        boolean stays = !format.matches(".*(RGB|BGR|GBR|GRAY).*");
        return stays
                ? text(caps, "colorimetry")
                        .map(colours -> ",colorimetry=" + colours)
                        .orElse("")
                : "";
    }

    /** The colours of grey with a matrix, if they have none: GStreamer 1.22 would take most of its contrast away. */
    static Optional<String> withMatrix(Structure caps) {
        boolean grey = text(caps, "format").orElse("").startsWith("GRAY");
        return text(caps, "colorimetry")
                .filter(colours -> grey && colours.matches("\\d:0:.*"))
                .map(colours -> colours.charAt(0) + ":4" + colours.substring("1:0".length()));
    }

    /** The rate of all pictures where theirs varies, or is not known; empty where it is that of the caps. */
    private static Optional<Fraction> constantRate(Structure caps, Optional<ProbedInput.Stream> video) {
        Optional<String> real = video.flatMap(v -> v.text("r_frame_rate"));
        Optional<String> average = video.flatMap(v -> v.text("avg_frame_rate"));
        if (real.isPresent() && !real.equals(average) && !real.get().startsWith("0/")) {
            return real.map(rate -> rate.split("/", 2))
                    .map(rate -> new Fraction(Integer.parseInt(rate[0]), Integer.parseInt(rate[1])))
                    // The unit of the timestamps, which is no rate of pictures.
                    .map(rate -> rate.toDouble() > MOST_PICTURES ? new Fraction(MOST_PICTURES / 2, 1) : rate);
        }
        return caps.hasField("framerate") && caps.getFraction("framerate").getNumerator() > 0
                ? Optional.empty()
                : Optional.of(new Fraction(25, 1));
    }

    private static int even(int number) {
        return number + (number & 1);
    }

    private static Optional<String> text(Structure fields, String name) {
        return fields.hasField(name, String.class) ? Optional.of(fields.getString(name)) : Optional.empty();
    }

    // As ITU-T H.273 counts them, and ffprobe names them.
    private static final List<String> PRIMARIES =
            names("bt709 - - bt470m bt470bg smpte170m smpte240m film bt2020 smpte428" + " smpte431 smpte432");
    private static final List<String> TRANSFERS =
            names("bt709 - - bt470m bt470bg smpte170m smpte240m linear log100 log316"
                    + " iec61966-2-4 bt1361e iec61966-2-1 bt2020-10 bt2020-12 smpte2084 smpte428 arib-std-b67");
    private static final List<String> MATRICES =
            names("bt709 - - fcc bt470bg smpte170m smpte240m ycgco bt2020nc bt2020c");
    private static final List<String> SITES = names("left center topleft top bottomleft bottom");

    private static List<String> names(String names) {
        return List.of(names.split(" "));
    }

    /** Width to height of the picture when it has been turned; empty where samples are square, or of no known shape. */
    static Optional<String> aspect(ProbedInput.Stream video) {
        return video.aspect()
                .map(aspect ->
                        swaps(turn(Optional.of(video))) ? aspect.replaceFirst("(\\d+):(\\d+)", "$2:$1") : aspect);
    }

    /** Whether a turn makes height of width. */
    private static boolean swaps(String turn) {
        return Set.of("90r", "90l", "ul-lr", "ur-ll").contains(turn);
    }

    static boolean isFullRange(ProbedInput.Stream video) {
        return keepsSamples(video) && video.text("color_range").orElse("").equals("pc");
    }

    private static boolean keepsSamples(ProbedInput.Stream video) {
        return video.text("pix_fmt").orElse("").matches("(yuv|nv|p0).*");
    }

    /** What ffmpeg writes into the coded video and its container of the range and colours that the input has. */
    static List<String> colours(ProbedInput.Stream video, String codec) {
        if (!keepsSamples(video)) {
            return List.of();
        }
        String range = video.text("color_range").orElse("tv");
        List<String> options = new ArrayList<>(List.of("-color_range:0", range));
        video.text("color_primaries").ifPresent(name -> options.addAll(List.of("-color_primaries:0", name)));
        video.text("color_transfer").ifPresent(name -> options.addAll(List.of("-color_trc:0", name)));
        video.text("color_space").ifPresent(name -> options.addAll(List.of("-colorspace:0", name)));
        video.text("chroma_location").ifPresent(name -> options.addAll(List.of("-chroma_sample_location:0", name)));
        int full = range.equals("pc") ? 1 : 0;
        String rest = "colour_primaries=" + number(video.text("color_primaries"), PRIMARIES, 1, 2)
                + ":transfer_characteristics=" + number(video.text("color_transfer"), TRANSFERS, 1, 2)
                + ":matrix_coefficients=" + number(video.text("color_space"), MATRICES, 1, 2);
        String site = video.text("chroma_location")
                .map(name -> ":chroma_sample_loc_type=" + number(Optional.of(name), SITES, 0, 0))
                .orElse("");
        switch (codec) {
            // Not for hevc: hevc_metadata of FFmpeg 5 drops pictures with x265's own messages.
            case "h264" ->
                options.addAll(List.of("-bsf:0", "h264_metadata=video_full_range_flag=" + full + ":" + rest + site));
            case "vp9" -> options.addAll(List.of("-bsf:0", "vp9_metadata=color_range=" + range));
            case "av1" ->
                options.addAll(
                        List.of("-bsf:0", "av1_metadata=color_range=" + range + ":" + rest.replace("colour", "color")));
            default -> {}
        }
        return options;
    }

    private static int number(Optional<String> name, List<String> names, int first, int none) {
        return name.map(names::indexOf)
                .filter(at -> at >= 0)
                .map(at -> at + first)
                .orElse(none);
    }
}
