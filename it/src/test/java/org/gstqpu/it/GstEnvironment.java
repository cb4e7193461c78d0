/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment variables of a GStreamer process: the built plugin, a registry for the tests, and no variable of the caller that
 * would change a result. Immutable; every {@code with} method returns a changed copy.
 */
final class GstEnvironment {
    /** Whether elements run under the Khronos validation layer: where Maven found it, and always in {@code it/check}. */
    static final boolean VALIDATION =
            Boolean.getBoolean("org.gstqpu.validation") || "1".equals(System.getenv("GST_QPU_VALIDATION"));

    /** The beginning of each message of the Khronos validation layer with {@code GST_QPU_VALIDATION=1}. */
    static final String VALIDATION_MESSAGE_PREFIX = "Vulkan validation: ";

    private static final String OWN_LOG = "qpuloopfilter:2";

    private final Map<String, String> variables;

    private GstEnvironment(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** The plugin as built, with the Khronos validation layer switched on where it is installed, and the element's warnings logged. */
    static GstEnvironment standard() {
        Map<String, String> variables = Processes.plainEnvironment();
        // The Java that runs the tests. Tests in native-loader cover how the plugin finds a Java by itself.
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("GST_PLUGIN_PATH", BuildTree.pluginFolder().toString());
        // One registry for all runs: a scan of all installed plugins in each process would take longer than the tests.
        variables.put(
                "GST_REGISTRY", BuildTree.workFolder().resolve("registry.bin").toString());
        variables.put("GST_DEBUG", OWN_LOG);
        variables.put("GST_DEBUG_NO_COLOR", "1");
        variables.put("GST_QPU_VALIDATION", VALIDATION ? "1" : "0");
        return new GstEnvironment(variables);
    }

    /** A copy with one more variable. */
    GstEnvironment with(String name, String value) {
        Map<String, String> changed = new TreeMap<>(variables);
        changed.put(name, value);
        return new GstEnvironment(changed);
    }

    /** A copy in which GStreamer reports every GstObject, GstMiniObject and GstEvent that is alive when the process ends. */
    GstEnvironment withLeaksTracer() {
        return with("GST_TRACERS", "leaks").with("GST_DEBUG", OWN_LOG + ",GST_TRACER:7");
    }

    /** A copy with the Java from {@code javaHome} instead of the machine's default. */
    GstEnvironment withJavaHome(Path javaHome) {
        return with("JAVA_HOME", javaHome.toString());
    }

    /** The variables that the process gets. */
    Map<String, String> variables() {
        return variables;
    }
}
