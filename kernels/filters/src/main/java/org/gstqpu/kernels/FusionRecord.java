/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.cache.CacheTable;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Holds what a device took in each {@link FusionRace}. All contexts of the process share it, and a {@link CacheFile} keeps it. Any
 * thread.
 *
 * <p>The fields of the file's lines: the format, luma samples of a picture, nanoseconds without fusion, and nanoseconds with it, separated by
 * commas.
 */
final class FusionRecord {
    /** Sizes with at most so many times more samples need no race of their own. */
    private static final double NEAR = 1.5;

    private record Row(PixelFormat format, long samples, FusionTimes times) {
        double distance(long other) {
            return samples > other ? (double) samples / other : (double) other / samples;
        }

        /** What as many samples take. */
        FusionTimes of(long other) {
            return new FusionTimes(
                    scaled(times.without(), other),
                    times.fused().stream().map(nanos -> scaled(nanos, other)).toList());
        }

        private long scaled(long nanos, long other) {
            return Math.round((double) nanos * other / samples);
        }

        List<Object> fields() {
            return List.of(
                    format,
                    samples,
                    times.without(),
                    times.fused().stream().map(Object::toString).collect(Collectors.joining(",")));
        }

        static Optional<Row> parse(List<String> fields) {
            Optional<PixelFormat> format = Stream.of(PixelFormat.values())
                    .filter(one -> one.name().equals(fields.get(0)))
                    .findFirst();
            long samples = Long.parseLong(fields.get(1));
            long without = Long.parseLong(fields.get(2));
            List<Long> fused = Stream.of(fields.get(3).split(","))
                    .filter(field -> !field.isEmpty())
                    .map(Long::valueOf)
                    .toList();
            return samples > 0 && without > 0
                    ? format.map(one -> new Row(one, samples, new FusionTimes(without, fused)))
                    : Optional.empty();
        }
    }

    private static final Map<Calibration.Scope, FusionRecord> OF_PROCESS = new ConcurrentHashMap<>();

    private final CacheTable file;
    private final List<Row> rows;

    /** The process's record for these conditions, with a file in the user's cache folder. */
    static FusionRecord of(Calibration.Scope scope) {
        return OF_PROCESS.computeIfAbsent(scope, absent -> new FusionRecord(absent, absent.file("temporal")));
    }

    /**
     * @param file empty if the record ends with the process
     */
    FusionRecord(Calibration.Scope scope, Optional<CacheFile> file) {
        this.file = new CacheTable(file, scope.header());
        rows = new ArrayList<>(this.file.read(4, Row::parse));
    }

    /** What pictures with so many luma samples take, by the race of the nearest size. */
    synchronized Optional<FusionTimes> find(PixelFormat format, long samples) {
        Row nearest = null;
        for (Row row : rows) {
            if (row.format() == format
                    && row.distance(samples) <= NEAR
                    && (nearest == null || row.distance(samples) < nearest.distance(samples))) {
                nearest = row;
            }
        }
        return Optional.ofNullable(nearest).map(row -> row.of(samples));
    }

    /** Keeps the result of a race. Of two processes that keep theirs at the same time, one does; the other races again one day. */
    synchronized void add(PixelFormat format, long samples, FusionTimes times) {
        rows.add(new Row(format, samples, times));
        file.write(rows.stream().map(Row::fields).toList());
    }
}
