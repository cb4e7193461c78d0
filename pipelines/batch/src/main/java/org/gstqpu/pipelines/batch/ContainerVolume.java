/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.batch.Json.object;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A folder of a container, and where Kubernetes takes it from. Immutable.
 *
 * @param path absolute, in the container
 * @param source a volume of Kubernetes, without its name
 * @param readOnly whether nothing can be written there
 */
record ContainerVolume(Path path, Map<String, Object> source, boolean readOnly) {
    private static final Pattern WORDS = Pattern.compile(
            "(?<path>/[^=]*)=(?:claim:(?<claim>[a-z0-9.-]+)|nfs:(?<server>[^:/,]+):(?<export>/[^,]*)|host:(?<host>/[^,]*))"
                    + "(?<ro>,ro)?");

    /** Whether a path lies in this folder. */
    boolean holds(Path file) {
        return file.startsWith(path);
    }

    /** Lets picocli read a folder. */
    static final class Converter implements ITypeConverter<ContainerVolume> {
        @Override
        public ContainerVolume convert(String value) {
            Matcher words = WORDS.matcher(value);
            if (!words.matches()) {
                throw new TypeConversionException("'" + value + "' is no folder with its source: write"
                        + " /FOLDER=claim:NAME, /FOLDER=nfs:SERVER:/EXPORT or /FOLDER=host:/FOLDER, with ,ro behind it if"
                        + " nothing is to be written there");
            }
            boolean readOnly = words.group("ro") != null;
            Map<String, Object> source;
            if (words.group("claim") != null) {
                source = object("persistentVolumeClaim", object("claimName", words.group("claim")));
            } else if (words.group("server") != null) {
                source = object("nfs", object("server", words.group("server"), "path", words.group("export")));
            } else {
                // The folder must be there: nothing is to be written beside the archive.
                source = object("hostPath", object("path", words.group("host"), "type", "Directory"));
            }
            return new ContainerVolume(Path.of(words.group("path")).normalize(), source, readOnly);
        }
    }
}
