/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class NativeLayoutTest {
    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @Test
    void offsetsAndNumbersAreThoseOfTheHeaders() {
        Map<String, Integer> java = new HashMap<>(Map.ofEntries(
                Map.entry("VideoInfo.SIZE_BYTES", VideoInfo.SIZE_BYTES),
                Map.entry("VideoInfo.FINFO", VideoInfo.FINFO),
                Map.entry("VideoInfo.INTERLACE_MODE", VideoInfo.INTERLACE_MODE),
                Map.entry("VideoInfo.WIDTH", VideoInfo.WIDTH),
                Map.entry("VideoInfo.HEIGHT", VideoInfo.HEIGHT),
                Map.entry("VideoInfo.SIZE", VideoInfo.SIZE),
                Map.entry("VideoInfo.OFFSET", VideoInfo.OFFSET),
                Map.entry("VideoInfo.STRIDE", VideoInfo.STRIDE),
                Map.entry("VideoInfo.MULTIVIEW_MODE", VideoInfo.MULTIVIEW_MODE),
                Map.entry("VideoInfo.FORMAT_NUMBER", VideoInfo.FORMAT_NUMBER),
                Map.entry("VideoInfo.FORMAT_NAME", VideoInfo.FORMAT_NAME),
                Map.entry("VideoInfo.INTERLACE_MODE_INTERLEAVED", VideoInfo.INTERLACE_MODE_INTERLEAVED),
                Map.entry("VideoInfo.INTERLACE_MODE_FIELDS", VideoInfo.INTERLACE_MODE_FIELDS),
                Map.entry("VideoInfo.MULTIVIEW_MODE_SEPARATED", VideoInfo.MULTIVIEW_MODE_SEPARATED),
                Map.entry("MappedFrame.SIZE_BYTES", MappedFrame.SIZE_BYTES),
                Map.entry("MappedFrame.INFO", MappedFrame.INFO),
                Map.entry("MappedFrame.META", MappedFrame.META),
                Map.entry("MappedFrame.DATA", MappedFrame.DATA),
                Map.entry("MappedFrame.MAP", MappedFrame.MAP),
                Map.entry("MappedFrame.MAP_BYTES", MappedFrame.MAP_BYTES),
                Map.entry("MappedFrame.MAP_MEMORY", MappedFrame.MAP_MEMORY),
                Map.entry("MappedFrame.MEMORY_ALLOCATOR", MappedFrame.MEMORY_ALLOCATOR),
                Map.entry("MappedFrame.ALLOCATOR_TYPE", MappedFrame.ALLOCATOR_TYPE),
                Map.entry("MappedFrame.MAP_DATA", MappedFrame.MAP_DATA),
                Map.entry("MappedFrame.MAP_SIZE", MappedFrame.MAP_SIZE),
                Map.entry("DmabufFrame.META_FORMAT", DmabufFrame.META_FORMAT),
                Map.entry("DmabufFrame.META_WIDTH", DmabufFrame.META_WIDTH),
                Map.entry("DmabufFrame.META_HEIGHT", DmabufFrame.META_HEIGHT),
                Map.entry("DmabufFrame.META_PLANES", DmabufFrame.META_PLANES),
                Map.entry("DmabufFrame.META_OFFSET", DmabufFrame.META_OFFSET),
                Map.entry("DmabufFrame.META_STRIDE", DmabufFrame.META_STRIDE),
                Map.entry("DmabufFrame.MEMORY_PARENT", DmabufFrame.MEMORY_PARENT),
                Map.entry("GstVideoLibrary.MAP_READ", GstVideoLibrary.MAP_READ),
                Map.entry("GstVideoLibrary.MAP_WRITE", GstVideoLibrary.MAP_WRITE),
                Map.entry("GstVideoLibrary.FRAME_MAP_NO_REF", GstVideoLibrary.FRAME_MAP_NO_REF),
                Map.entry("Flow.DROPPED", Flow.DROPPED),
                Map.entry("Flow.ERROR", Flow.ERROR)));
        for (ElementHost.LogLevel level : ElementHost.LogLevel.values()) {
            java.put(level.name(), level.number());
        }
        for (ElementHost.ErrorCode code : ElementHost.ErrorCode.values()) {
            java.put(code.name(), code.code());
        }
        Map<String, Integer> c = FakeHost.layout().stream()
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(words -> words[0], words -> Integer.valueOf(words[1])));

        assertEquals(c, java);
    }
}
