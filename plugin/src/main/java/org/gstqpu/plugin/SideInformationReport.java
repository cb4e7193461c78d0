/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.HashSet;
import java.util.Set;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/** Has side information read, counts it, and warns once a stream of each cause that makes it useless. Belongs to the streaming thread. */
final class SideInformationReport {
    private final ElementHost host;
    private final ElementStatistics statistics;

    /** Causes that the user was warned of. */
    private final Set<String> warned = new HashSet<>();

    SideInformationReport(ElementHost host, ElementStatistics statistics) {
        this.host = host;
        this.statistics = statistics;
    }

    /** Warns of every cause again: the stream has other caps. */
    void restart() {
        warned.clear();
    }

    /**
     * Reads a buffer's side information: see {@link SideInformation#read}.
     *
     * @return true if there is some, which then replaces the settings for its picture
     */
    boolean read(SideInformation sideInformation, long buffer, FilterSettings settings, PictureLayout layout) {
        switch (sideInformation.read(buffer, settings, layout.format(), layout.width(), layout.height())) {
            case NONE -> {
                return false;
            }
            case TAKEN -> statistics.countFrameWithParams();
            case UNFIT -> {
                statistics.countBadParams();
                warn(sideInformation);
            }
        }
        return true;
    }

    private void warn(SideInformation sideInformation) {
        String line =
                "The side information of a frame (qpu-filter-params) cannot be used, and the frame passes unfiltered: "
                        + sideInformation.problem();
        if (warned.add(sideInformation.cause())) {
            host.warning(ErrorCode.STREAM_FORMAT, line + "; correct the element or application that attaches it");
        } else if (host.logs(LogLevel.DEBUG)) {
            host.log(LogLevel.DEBUG, line);
        }
    }
}
