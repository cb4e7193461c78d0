/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Two short videos, and what the reference implementations say of each picture.
 *
 * @param name for messages
 * @param format planar, of the videos' chroma and bit depth
 * @param reference pictures of the reference
 * @param pictures those to measure, as many
 * @param expected for each picture, the figures by libvmaf's names; NaN for one that libvmaf refuses
 */
record GoldenPair(
        String name,
        PixelFormat format,
        List<SamplePicture> reference,
        List<SamplePicture> pictures,
        List<Map<String, Double>> expected) {
    private static final String FOLDER = "/metrics/";
    private static final int FIELDS_OF_A_PICTURE = 6;

    private record Video(PixelFormat format, List<SamplePicture> pictures) {}

    int width() {
        return reference.get(0).width;
    }

    int height() {
        return reference.get(0).height;
    }

    @Override
    public String toString() {
        return name + ", " + format + " " + width() + "x" + height();
    }

    /** All pairs with the figures of VMAF v0.6.1 and of the metrics in floating point. */
    static List<GoldenPair> all() {
        return all("expected.tsv");
    }

    /** All pairs with the figures of VMAF v1. */
    static List<GoldenPair> v1() {
        return all("expected_v1.tsv");
    }

    /**
     * Pairs with figures of CAMBI or SpEED with options, which stand in the name behind that of the videos; only the first pictures, those
     * that have figures.
     */
    static List<GoldenPair> options() {
        return all("expected_options.tsv").stream()
                .map(GoldenPair::expectedOnly)
                .toList();
    }

    private GoldenPair expectedOnly() {
        int count = expected.size();
        return new GoldenPair(name, format, reference.subList(0, count), pictures.subList(0, count), expected);
    }

    /** All pairs with XPSNR, and pairs of further sizes and formats. */
    static List<GoldenPair> xpsnr() {
        return all("expected_xpsnr.tsv");
    }

    private static List<GoldenPair> all(String file) {
        Map<String, GoldenPair> pairs = new LinkedHashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource(file), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    add(line.split("\t", -1), pairs);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(pairs.values());
    }

    private static void add(String[] fields, Map<String, GoldenPair> pairs) throws IOException {
        GoldenPair pair = pairs.get(fields[0]);
        if (pair == null) {
            Video distorted = read(fields[1]);
            Video reference = read(fields[2]);
            pair = new GoldenPair(
                    fields[0], reference.format(), reference.pictures(), distorted.pictures(), new ArrayList<>());
            pairs.put(fields[0], pair);
        }
        if (fields.length == FIELDS_OF_A_PICTURE) {
            pair.put(Integer.parseInt(fields[3]), fields[4], fields[5]);
        } else {
            String[] values = fields[4].split(" ", -1);
            for (int picture = 0; picture < values.length; picture++) {
                pair.put(picture, fields[3], values[picture]);
            }
        }
    }

    private void put(int picture, String figure, String value) {
        while (expected.size() <= picture) {
            expected.add(new LinkedHashMap<>());
        }
        if (!value.equals("-")) {
            expected.get(picture).put(figure, value.equals("refused") ? Double.NaN : Double.parseDouble(value));
        }
    }

    private static InputStream resource(String name) {
        InputStream in = GoldenPair.class.getResourceAsStream(FOLDER + name);
        if (in == null) {
            throw new IllegalStateException("the test data " + name + " is not there");
        }
        return in;
    }

    private static Video read(String name) throws IOException {
        if (MadeVideo.isMade(name)) {
            return new Video(MadeVideo.format(name), MadeVideo.pictures(name));
        }
        byte[] bytes;
        try (InputStream in = new GZIPInputStream(resource(name))) {
            bytes = in.readAllBytes();
        }
        int at = endOfLine(bytes, 0);
        String header = new String(bytes, 0, at, StandardCharsets.US_ASCII);
        int width = Integer.parseInt(field(header, "W"));
        int height = Integer.parseInt(field(header, "H"));
        PixelFormat format = switch (field(header, "C")) {
            case "420jpeg", "420mpeg2" -> PixelFormat.I420;
            case "420p10" -> PixelFormat.I420_10LE;
            case "444" -> PixelFormat.Y444;
            default -> throw new IllegalStateException(name + " has an unknown colour space: " + header);
        };
        List<SamplePicture> pictures = new ArrayList<>();
        at++;
        while (at < bytes.length) {
            at = endOfLine(bytes, at) + 1;
            SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), width, height);
            for (int component = 0; component < picture.components(); component++) {
                for (int y = 0; y < picture.height(component); y++) {
                    for (int x = 0; x < picture.width(component); x++) {
                        int value = bytes[at++] & 0xff;
                        if (format.sampleBytes() == 2) {
                            value |= (bytes[at++] & 0xff) << 8;
                        }
                        picture.set(component, x, y, value);
                    }
                }
            }
            pictures.add(picture);
        }
        return new Video(format, pictures);
    }

    private static int endOfLine(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    private static String field(String header, String letter) {
        Matcher field = Pattern.compile(" " + letter + "(\\S+)").matcher(header);
        if (!field.find()) {
            throw new IllegalStateException("a Y4M header has no field " + letter + ": " + header);
        }
        return field.group(1);
    }
}
