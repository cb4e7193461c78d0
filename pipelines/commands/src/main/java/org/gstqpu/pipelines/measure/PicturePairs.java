/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.gstqpu.pipelines.cli.Wording.counted;

import java.util.Locale;
import java.util.Optional;
import org.gstqpu.kernels.picture.Picture;

/**
 * Pairs the pictures of two videos: by how long after the first pair each is shown where both say that, else in their order. A picture
 * without a counterpart is left out and counted. Owns neither video. Belongs to one thread.
 */
final class PicturePairs {
    private final Video made;
    private final Video original;

    /** Pictures whose times differ by less, in nanoseconds, are a pair; 0 if no rate is known. */
    private final double near;

    private Optional<Picture> picture = Optional.empty();
    private Optional<Picture> wanted = Optional.empty();
    private int pairs;
    private int madeOnly;
    private int originalOnly;

    /** By how much the first pair's times differ, in nanoseconds. */
    private long offset;

    /** The first picture within without a counterpart; empty if there is none. */
    private String firstAlone = "";

    /**
     * @param made the video to measure
     * @param original what it was made from
     * @param rate pictures a second of both; 0 if that is not known
     */
    PicturePairs(Video made, Video original, double rate) {
        this.made = made;
        this.original = original;
        near = rate > 0 ? 1e9 / 2 / rate : 0;
    }

    /** Goes on to the next pair; false at the end of a video. */
    boolean next() {
        picture = made.next();
        wanted = original.next();
        while (picture.isPresent() && wanted.isPresent()) {
            long apart = apart();
            if (Math.abs(apart) < near || apart == 0) {
                pairs++;
                return true;
            }
            if (firstAlone.isEmpty()) {
                firstAlone = String.format(
                        Locale.ROOT,
                        "%s, at %.3f s",
                        counted(pairs, "pair"),
                        (apart > 0 ? original : made).nanos() / 1e9);
            }
            if (apart > 0) {
                originalOnly++;
                wanted = original.next();
            } else {
                madeOnly++;
                picture = made.next();
            }
        }
        madeOnly += picture.isPresent() ? 1 : 0;
        originalOnly += wanted.isPresent() ? 1 : 0;
        return false;
    }

    /** How much later the picture is shown than the original's, in nanoseconds; 0 if that cannot be told. */
    private long apart() {
        if (near == 0 || made.nanos() < 0 || original.nanos() < 0) {
            return 0;
        }
        if (pairs == 0) {
            offset = made.nanos() - original.nanos();
        }
        return made.nanos() - original.nanos() - offset;
    }

    /** The picture to measure, until the next call of {@link #next}. */
    Picture picture() {
        return picture.orElseThrow();
    }

    /** What it was made from, likewise. */
    Picture wanted() {
        return wanted.orElseThrow();
    }

    /** Pictures of the video without a counterpart. What is behind the end of the other counts as one. */
    int madeOnly() {
        return madeOnly;
    }

    /** Pictures of the original without a counterpart, likewise. */
    int originalOnly() {
        return originalOnly;
    }

    /** What was left out within, in a line; empty if nothing was. */
    Optional<String> leftOut() {
        int madeWithin = madeOnly - (picture.isPresent() ? 1 : 0);
        int originalWithin = originalOnly - (wanted.isPresent() ? 1 : 0);
        return firstAlone.isEmpty()
                ? Optional.empty()
                : Optional.of(made.name() + " lacks " + counted(originalWithin, "picture") + " of " + original.name()
                        + ", which lacks " + madeWithin
                        + " of it, by their times: these were left out, the first after " + firstAlone);
    }

    /** That one video goes on behind the other's end, in a line with the cure; empty if both end. */
    Optional<String> longer() {
        if (picture.isPresent() == wanted.isPresent()) {
            return Optional.empty();
        }
        Video ended = picture.isPresent() ? original : made;
        return Optional.of(
                (picture.isPresent() ? made : original).name() + " goes on after " + counted(pairs, "pair") + ", where "
                        + ended.name() + " ends: the rest was not measured. If " + ended.name()
                        + " lacks pictures at its beginning, --align finds how many; if it lacks one within, those behind it were"
                        + " compared with wrong ones, unless both videos have time stamps, as MKV and MP4 have");
    }
}
