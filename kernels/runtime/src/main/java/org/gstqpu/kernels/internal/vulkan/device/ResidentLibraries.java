/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.linux.DynamicLinkLoader.RTLD_LAZY;
import static org.lwjgl.system.linux.DynamicLinkLoader.dlerror;
import static org.lwjgl.system.linux.DynamicLinkLoader.dlopen;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lwjgl.system.MemoryStack;

/** Keeps libraries of a driver in the process when the driver is unloaded. Has no state. Any thread. */
final class ResidentLibraries {
    private static final Logger LOG = System.getLogger(ResidentLibraries.class.getName());
    /** Names of files may have any bytes: this keeps them. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private static final int RTLD_NOLOAD = 4;
    private static final int RTLD_NODELETE = 0x1000;

    private ResidentLibraries() {}

    /**
     * Keeps each library that is mapped now and whose file name starts with {@code prefix}. If one cannot be kept, that is logged.
     * Repeated calls do no harm.
     */
    static void keep(String prefix) {
        Set<String> found;
        try {
            found = mapped(prefix);
        } catch (IOException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    () -> "the process cannot tell which libraries it has (" + e.getMessage()
                            + "): mount /proc, and raise the limit of open files (ulimit -n)");
            return;
        }
        for (String path : found) {
            try (MemoryStack stack = stackPush()) {
                if (dlopen(stack.bytes((path + "\0").getBytes(BYTES)), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) == 0) {
                    LOG.log(Logger.Level.WARNING, "{0} cannot be kept in the process: {1}", path, dlerror());
                }
            }
        }
    }

    /** Returns the paths of all mapped files whose file name starts with {@code prefix}. */
    static Set<String> mapped(String prefix) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"), BYTES)) {
            return maps.filter(line -> line.contains("/" + prefix))
                    .map(line -> line.substring(line.indexOf('/')))
                    .filter(path -> path.startsWith(prefix, path.lastIndexOf('/') + 1))
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
