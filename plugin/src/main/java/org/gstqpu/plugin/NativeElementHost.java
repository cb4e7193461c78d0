/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/** The native GstElement that an open element belongs to. Takes no reference of it; valid until the element is closed. Any thread. */
final class NativeElementHost implements ElementHost {
    private final long element;

    NativeElementHost(long element) {
        this.element = element;
    }

    @Override
    public void error(ErrorCode code, String text, String debug) {
        GstQpuLibrary.gst_qpu_element_error(element, code.domain(), code.code(), text, debug);
    }

    @Override
    public void warning(ErrorCode code, String text) {
        GstQpuLibrary.gst_qpu_element_warning(element, code.domain(), code.code(), text, null);
    }

    @Override
    public void info(ErrorCode code, String text) {
        GstQpuLibrary.gst_qpu_element_info(element, code.domain(), code.code(), text);
    }

    @Override
    public boolean logs(LogLevel level) {
        return level.number() <= GstQpuLibrary.gst_qpu_log_threshold();
    }

    @Override
    public void log(LogLevel level, String line) {
        GstQpuLibrary.gst_qpu_log(element, level.number(), line);
    }

    @Override
    public void setPassthrough(boolean passthrough) {
        GstQpuLibrary.gst_qpu_set_passthrough(element, passthrough ? 1 : 0);
    }

    @Override
    public void setLookAhead(int pictures) {
        GstQpuLibrary.gst_qpu_set_look_ahead(element, pictures);
    }

    @Override
    public void describeDevice(boolean importsDmabufs, boolean worksAlone) {
        GstQpuLibrary.gst_qpu_describe_device(element, importsDmabufs ? 1 : 0, worksAlone ? 1 : 0);
    }

    @Override
    public void degraded(long lateNanos, int step, int steps, long frames) {
        GstQpuLibrary.gst_qpu_degraded(element, lateNanos, step, steps, frames);
    }
}
