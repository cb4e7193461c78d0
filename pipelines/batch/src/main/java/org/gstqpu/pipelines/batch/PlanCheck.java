/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.play.Transcoder;

/**
 * Holds a plan, which anyone may have written, to what {@code qpu batch plan} writes: each unit has an id and an output of its own,
 * outputs lie inside the plan's folder, and segments follow one another. Used by one thread.
 */
final class PlanCheck {
    private static final String SEGMENTS = StateFolder.NAME + "/segments/";

    private final Path plan;
    private final Path out;
    private final Set<String> ids = new HashSet<>();
    private final Set<String> outputs = new HashSet<>();

    /** The last segment so far of each whole. */
    private final Map<String, BatchTask.Unit> joins = new HashMap<>();

    /** Whether folders lie inside of the plan's, asked once for each. */
    private final Map<Path, Boolean> inside = new HashMap<>();

    private PlanCheck(Path plan) {
        this.plan = plan;
        out = plan.getParent();
    }

    /**
     * What is wrong with the units of a plan, in words that hold nothing of the plan's text.
     *
     * @param plan the plan's file, absolute
     * @throws IOException if a folder cannot be looked at
     */
    static Optional<String> mistake(Path plan, List<BatchTask.Unit> units) throws IOException {
        PlanCheck check = new PlanCheck(plan);
        if (!check.isInside(check.out.resolve(SEGMENTS))) {
            return Optional.of("its folder " + StateFolder.NAME + " leads out of OUT");
        }
        for (int i = 0; i < units.size(); i++) {
            Optional<String> mistake = check.mistake(units.get(i));
            if (mistake.isPresent()) {
                return Optional.of("unit " + (i + 1) + " of " + units.size() + " " + mistake.get());
            }
        }
        return check.joins.values().stream().anyMatch(last -> last.to() != null)
                ? Optional.of("the last segment of an input does not reach its end")
                : Optional.empty();
    }

    private Optional<String> mistake(BatchTask.Unit unit) throws IOException {
        if (unit.id() == null || !unit.id().matches("[0-9]{6,12}")) {
            return Optional.of("has no id of 6 to 12 digits");
        }
        if (!ids.add(unit.id())) {
            return Optional.of("has the id of another one");
        }
        if (unit.input() == null || !isText(unit.input())) {
            return Optional.of("has no input, or one with control characters");
        }
        if (unit.bytes() < 0) {
            return Optional.of("has a negative size");
        }
        Optional<String> mistake = unit.isSegment() ? mistakeOfSegment(unit) : mistakeOfWhole(unit);
        return mistake.isPresent() || outputs.add(unit.output())
                ? mistake
                : Optional.of("has the output of another one");
    }

    private Optional<String> mistakeOfWhole(BatchTask.Unit unit) throws IOException {
        if (unit.zero() != null || unit.from() != null || unit.to() != null) {
            return Optional.of("has times, but joins nothing");
        }
        return mistakeOfOutput(unit.output());
    }

    private Optional<String> mistakeOfSegment(BatchTask.Unit unit) throws IOException {
        String file = "/" + unit.id() + Transcoder.SEGMENT;
        if (unit.output() == null
                || !unit.output().matches(Pattern.quote(SEGMENTS) + "[0-9]{6,12}" + Pattern.quote(file))) {
            return Optional.of("is a segment, whose output is not " + SEGMENTS + "NUMBER" + file);
        }
        if (!isInside(folder(unit.output()))) {
            return Optional.of("has an output that leads out of OUT through a link");
        }
        if (unit.zero() == null || unit.zero() < 0) {
            return Optional.of("is a segment, but does not say where its input begins");
        }
        BatchTask.Unit before = joins.put(unit.joins(), unit);
        if (before == null) {
            if (!outputs.add(unit.joins())) {
                return Optional.of("joins the output of another one");
            }
            if (unit.from() != null) {
                return Optional.of("is a first segment, but does not begin where its input does");
            }
        } else if (!before.input().equals(unit.input())
                || !before.zero().equals(unit.zero())
                || !folder(before.output()).equals(folder(unit.output()))) {
            return Optional.of("joins segments of another input or folder");
        } else if (before.to() == null || !Objects.equals(before.to(), unit.from())) {
            return Optional.of("does not begin where the segment before it ends");
        }
        long from = unit.from() == null ? unit.zero() : unit.from();
        if (unit.to() != null && unit.to() <= from) {
            return Optional.of("ends before it begins");
        }
        return mistakeOfOutput(unit.joins());
    }

    /** What is wrong with the name of a file that stays. */
    private Optional<String> mistakeOfOutput(String output) throws IOException {
        if (output == null || !isText(output)) {
            return Optional.of("has no output, or one with control characters");
        }
        Path path;
        try {
            path = Path.of(output);
        } catch (InvalidPathException e) {
            return Optional.of("has an output that is no name of a file here");
        }
        if (path.isAbsolute() || !path.normalize().equals(path) || path.startsWith("..") || path.getNameCount() == 0) {
            return Optional.of("has an output outside of OUT");
        }
        if (path.startsWith(StateFolder.NAME) || path.equals(plan.getFileName())) {
            return Optional.of("has an output in the place of the plan or its state");
        }
        return isInside(folder(output))
                ? Optional.empty()
                : Optional.of("has an output that leads out of OUT through a link");
    }

    private Path folder(String output) {
        return out.resolve(output).getParent();
    }

    /** Whether a folder lies inside of the plan's where all links are followed; one that does not exist yet, by the one that it is made in. */
    private boolean isInside(Path folder) throws IOException {
        Boolean known = inside.get(folder);
        if (known == null) {
            if (folder.equals(out)) {
                known = true;
            } else if (Files.exists(folder)) {
                known = folder.toRealPath().startsWith(out.toRealPath());
            } else {
                known = !Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && isInside(folder.getParent());
            }
            inside.put(folder, known);
        }
        return known;
    }

    private static boolean isText(String text) {
        return !text.isBlank() && text.codePoints().noneMatch(Character::isISOControl);
    }
}
