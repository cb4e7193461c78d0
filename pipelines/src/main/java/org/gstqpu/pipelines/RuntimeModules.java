/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.util.List;
import java.util.Optional;

/** The modules of the Java runtime without which {@code qpu} fails somewhere: a runtime that jlink made may lack them. */
final class RuntimeModules {
    /** What these require, such as java.management, comes with them. */
    static final List<String> NEEDED = List.of("java.desktop", "java.logging", "jdk.management", "jdk.unsupported");

    private RuntimeModules() {}

    /** What to say, on one line, where a module is missing. */
    static Optional<String> complaint() {
        return NEEDED.stream()
                .filter(name -> ModuleLayer.boot().findModule(name).isEmpty())
                .findFirst()
                .map(missing -> "this Java runtime lacks the module " + missing
                        + ": use a whole one, such as default-jre-headless, or add " + String.join(", ", NEEDED)
                        + " to yours");
    }
}
