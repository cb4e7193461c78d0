/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;

/**
 * Has a decoder decode streams of H.264, filters each picture that it hands over by the project's own filter, and compares with the
 * decoder's own picture. Run by {@code it/conformance}; arguments are the decoder's program and the streams. Prints a row for each stream.
 * Status 1 if a picture differs, or nothing was compared.
 */
final class ConformanceRun {
    private static final int BUFFER_BYTES = 1 << 20;

    /** What was seen of a stream, or of all. */
    private static final class Tally {
        final Map<Way, Integer> differing = new EnumMap<>(Way.class);
        final Map<Way, Integer> compared = new EnumMap<>(Way.class);
        final Map<String, Integer> leftOut = new TreeMap<>();
        int pictures;
        int fields;
        int ofSlices;

        void add(Tally other) {
            other.differing.forEach((way, count) -> differing.merge(way, count, Integer::sum));
            other.compared.forEach((way, count) -> compared.merge(way, count, Integer::sum));
            other.leftOut.forEach((reason, count) -> leftOut.merge(reason, count, Integer::sum));
            pictures += other.pictures;
            fields += other.fields;
            ofSlices += other.ofSlices;
        }
    }

    /** How the filter is told what to do, and where it runs. */
    private enum Way {
        EDGES_ON_CPU,
        MAPS_ON_CPU,
        EDGES_ON_DEVICE
    }

    private final Path decoder;
    private final DecodedPictureFilter cpu;
    private final DecodedPictureFilter device;

    private ConformanceRun(Path decoder, DecodedPictureFilter cpu, DecodedPictureFilter device) {
        this.decoder = decoder;
        this.cpu = cpu;
        this.device = device;
    }

    /** Runs all streams. */
    public static void main(String[] arguments) throws Exception {
        List<Path> streams = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            streams.add(Path.of(arguments[i]));
        }
        Tally all = new Tally();
        Map<String, Integer> streamsLeftOut = new TreeMap<>();
        try (DecodedPictureFilter cpu = new DecodedPictureFilter(Substrates.open(SubstrateRequest.of(Substrate.CPU)));
                DecodedPictureFilter device =
                        new DecodedPictureFilter(Substrates.open(SubstrateRequest.of(Substrate.QPU)))) {
            System.out.println("device: " + device.name());
            System.out.println(row("stream", "pictures", "fields", "slices", "CPU", "maps", "device", "left out"));
            ConformanceRun run = new ConformanceRun(Path.of(arguments[0]), cpu, device);
            for (Path stream : streams) {
                Tally tally = run.run(stream);
                System.out.println(row(stream.getFileName().toString(), tally));
                tally.leftOut.keySet().forEach(reason -> streamsLeftOut.merge(reason, 1, Integer::sum));
                all.add(tally);
            }
        }
        System.out.println(row(streams.size() + " streams", all));
        streamsLeftOut.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(entry -> System.out.println("left out: " + entry.getKey() + ": "
                        + all.leftOut.get(entry.getKey()) + " pictures of " + entry.getValue() + " streams"));
        System.exit(!all.differing.isEmpty() || all.compared.isEmpty() ? 1 : 0);
    }

    private static String row(Object... cells) {
        return "%-32s %8s %7s %7s %6s %6s %6s  %s".formatted(cells).stripTrailing();
    }

    private static String row(String name, Tally tally) {
        StringBuilder leftOut = new StringBuilder();
        tally.leftOut.forEach((reason, count) -> leftOut.append(leftOut.isEmpty() ? "" : ", ")
                .append(count)
                .append(' ')
                .append(reason));
        return row(
                name,
                tally.pictures,
                tally.fields,
                tally.ofSlices,
                cell(tally, Way.EDGES_ON_CPU),
                cell(tally, Way.MAPS_ON_CPU),
                cell(tally, Way.EDGES_ON_DEVICE),
                leftOut);
    }

    /** The pictures that differ, or a dash if none was compared. */
    private static String cell(Tally tally, Way way) {
        return tally.compared.containsKey(way) ? String.valueOf(tally.differing.getOrDefault(way, 0)) : "-";
    }

    private Tally run(Path stream) throws IOException, InterruptedException, GoldenFormatException {
        Tally tally = new Tally();
        Process process = new ProcessBuilder(decoder.toString(), stream.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream in = new BufferedInputStream(process.getInputStream(), BUFFER_BYTES)) {
            String name = stream.getFileName().toString();
            for (int number = 0; isMore(in); number++) {
                GoldenHeader header = GoldenHeader.read(name + " picture " + number, in);
                tally.pictures++;
                if (header.text("kernel").equals("left_out")) {
                    tally.leftOut.merge(header.text("reason"), 1, Integer::sum);
                } else {
                    compare(GoldenPicture.read(header, in), tally);
                }
            }
        } finally {
            process.destroy();
        }
        if (process.waitFor() != 0) {
            tally.leftOut.merge("(the decoder reports errors)", 1, Integer::sum);
        }
        return tally;
    }

    private static boolean isMore(InputStream in) throws IOException {
        in.mark(1);
        boolean more = in.read() >= 0;
        in.reset();
        return more;
    }

    private void compare(GoldenPicture picture, Tally tally) throws GoldenFormatException {
        if (!DecodedPictureFilter.fits(picture)) {
            tally.leftOut.merge(DecodedPictureFilter.describe(picture), 1, Integer::sum);
            return;
        }
        if (!picture.header().text("structure").equals("frame")) {
            tally.fields++;
        }
        if (picture.height("slices") > 1) {
            tally.ofSlices++;
        }
        compare(picture, tally, Way.EDGES_ON_CPU, cpu.differsByEdges(picture));
        compare(picture, tally, Way.EDGES_ON_DEVICE, device.differsByEdges(picture));
        if (picture.header().flag("offsets_differ", false)) {
            tally.leftOut.merge("(maps alone) chroma offsets differ in a picture", 1, Integer::sum);
        } else {
            compare(picture, tally, Way.MAPS_ON_CPU, cpu.differsByMaps(picture));
        }
    }

    private static void compare(GoldenPicture picture, Tally tally, Way way, long samples) {
        tally.compared.merge(way, 1, Integer::sum);
        if (samples > 0) {
            tally.differing.merge(way, 1, Integer::sum);
            System.out.println("DIFFERS: " + picture.name() + ", " + way + ": " + samples + " samples");
        }
    }
}
