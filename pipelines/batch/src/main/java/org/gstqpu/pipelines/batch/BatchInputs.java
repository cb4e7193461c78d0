/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.FileName;
import org.gstqpu.pipelines.cli.TextFile;

/** Finds the inputs that a command line names: a folder, files, addresses, patterns, or a list of any of these. Used by one thread. */
final class BatchInputs {
    /** Suffixes of the files of a folder that are taken for video. */
    private static final Set<String> VIDEO = Set.of(
            "3gp", "264", "265", "asf", "avi", "dv", "flv", "h264", "h265", "hevc", "ivf", "m2ts", "m2v", "m4v",
            "mjpeg", "mjpg", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "obu", "ogv", "ts", "vob", "webm", "wmv",
            "y4m");

    private static final Set<String> LISTS = Set.of("txt", "list");

    private final Path out;
    private final List<Input> found = new ArrayList<>();

    private BatchInputs(Path out) {
        this.out = out;
    }

    /**
     * An input.
     *
     * @param source an absolute path or an address
     * @param name what its output is called after, relative, with its suffix
     * @param bytes its size; 0 if it is unknown
     */
    record Input(String source, Path name, long bytes) {
        /** The name with another suffix. */
        String renamed(String suffix) {
            String file = String.valueOf(name.getFileName());
            int dot = file.lastIndexOf('.');
            return name.resolveSibling((dot > 0 ? file.substring(0, dot) : file) + suffix)
                    .toString();
        }
    }

    /**
     * Finds the inputs, in the order of their names within each source.
     *
     * @param out the folder of the outputs, which are no inputs even if it lies in a folder that is searched
     * @throws CommandFailedException when a source does not exist, cannot be read, or has no video
     */
    static List<Input> find(List<String> sources, Path out) throws IOException {
        BatchInputs inputs = new BatchInputs(out.toAbsolutePath().normalize());
        for (String source : sources) {
            inputs.add(source, false);
        }
        return List.copyOf(inputs.found);
    }

    private void add(String source, boolean listed) throws IOException {
        if (source.contains("://")) {
            String path = source.substring(source.indexOf("://") + 3).replaceFirst("[?#].*", "");
            FileName.requireText(source);
            found.add(new Input(source, Path.of(path.substring(path.lastIndexOf('/') + 1)), 0));
            return;
        }
        Path path = Path.of(source);
        if (Files.isDirectory(path)) {
            addFolder(path);
        } else if (Files.exists(path)) {
            if (!listed && LISTS.contains(suffix(path))) {
                addList(path);
            } else {
                addFile(path, path.getFileName());
            }
        } else if (source.matches(".*[*?\\[{].*")) {
            addPattern(source);
        } else {
            throw unusable(source + ": no such file or folder");
        }
    }

    private void addFolder(Path folder) throws IOException {
        Path top = folder.toAbsolutePath().normalize();
        if (top.equals(out)) {
            throw unusable("IN and OUT are the same folder: " + folder + "; name another OUT");
        }
        int before = found.size();
        walk(top, path -> VIDEO.contains(suffix(path)));
        if (found.size() == before) {
            throw unusable(
                    folder + ": the folder has no video, that is, no file with a suffix such as .avi, .mkv or .mp4");
        }
    }

    /** The lines of a file, relative to its folder; those that are empty or begin with # do not count. */
    private void addList(Path list) throws IOException {
        int before = found.size();
        for (String line : TextFile.read(list, "a list of videos").lines().toList()) {
            String entry = line.strip();
            if (!entry.isEmpty() && !entry.startsWith("#")) {
                add(entry.contains("://") ? entry : list.resolveSibling(entry).toString(), true);
            }
        }
        if (found.size() == before) {
            throw unusable(list + ": the list names no input: write one in each line");
        }
    }

    /** Searches below the part of the pattern that is no pattern; outputs are called after what is below. */
    private void addPattern(String pattern) throws IOException {
        String fixed = pattern.split("[*?\\[{]", 2)[0];
        Path top = Path.of(fixed.substring(0, fixed.lastIndexOf('/') + 1))
                .toAbsolutePath()
                .normalize();
        PathMatcher matcher = FileSystems.getDefault()
                .getPathMatcher(
                        "glob:" + Path.of("").toAbsolutePath().resolve(pattern).normalize());
        int before = found.size();
        if (Files.isDirectory(top)) {
            walk(top, matcher::matches);
        }
        if (found.size() == before) {
            throw unusable(
                    pattern + ": no file matches; put the pattern in quotes, so that the shell leaves it as it is");
        }
    }

    private interface Wanted {
        boolean takes(Path file);
    }

    private void walk(Path top, Wanted wanted) throws IOException {
        int before = found.size();
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean hidden = !folder.equals(top) && isHidden(folder);
                return hidden || folder.equals(out) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (!attributes.isDirectory() && !attributes.isOther() && !isHidden(file) && wanted.takes(file)) {
                    addFile(file, top.relativize(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.subList(before, found.size())
                .sort(Comparator.comparing(input -> input.name().toString()));
    }

    private static boolean isHidden(Path path) {
        return String.valueOf(path.getFileName()).startsWith(".");
    }

    private void addFile(Path file, Path name) {
        FileName.requireText(file.toString());
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                throw unusable(file + ": it is no file: name files and folders");
            }
            if (!Files.isReadable(file)) {
                throw unusable(file + ": it cannot be read: change its permissions, or move it away");
            }
            found.add(new Input(file.toAbsolutePath().normalize().toString(), name, attributes.size()));
        } catch (NoSuchFileException e) {
            throw unusable(file + ": it is a link to nothing: mend it, or move it away");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String suffix(Path path) {
        String name = String.valueOf(path.getFileName());
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
}
