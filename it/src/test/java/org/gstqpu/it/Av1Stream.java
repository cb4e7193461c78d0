/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An AV1 intra stream. Some of its frames have one CDEF strength for the whole frame. Immutable.
 *
 * @param bitDepth 8 or 10
 * @param frames number of frames in the stream
 * @param exactFrames the frames that one strength reproduces exactly
 */
record Av1Stream(
        String file,
        int width,
        int height,
        @SerializedName("bit_depth") int bitDepth,
        int frames,
        @SerializedName("exact_frames") List<ExactFrame> exactFrames) {

    /** One frame, its strengths (unscaled) and the MD5 sums of its picture before and after CDEF. */
    record ExactFrame(
            int frame,
            int damping,
            @SerializedName("y_pri") int yPrimary,
            @SerializedName("y_sec") int ySecondary,
            @SerializedName("uv_pri") int uvPrimary,
            @SerializedName("uv_sec") int uvSecondary,
            @SerializedName("md5_before_cdef") String md5BeforeCdef,
            @SerializedName("md5_after_cdef") String md5AfterCdef) {

        /** The properties with which the element filters as the decoder's own CDEF does. */
        String properties() {
            return "deblock=false cdef-damping=" + damping + " cdef-y-primary=" + yPrimary + " cdef-y-secondary="
                    + ySecondary + " cdef-uv-primary=" + uvPrimary + " cdef-uv-secondary=" + uvSecondary;
        }
    }

    /** Every stream that comes with the tests. */
    static List<Av1Stream> all() throws IOException {
        String json = Files.readString(BuildTree.testSource("resources/streams/av1.json"), StandardCharsets.UTF_8);
        return List.of(new Gson().fromJson(json, Av1Stream[].class));
    }

    /** The coded bytes. */
    Path path() {
        return BuildTree.testSource("resources/streams/" + file);
    }

    /** The planar format that the decoder writes. */
    VideoFormat planarFormat() {
        return bitDepth == 8 ? VideoFormat.I420 : VideoFormat.I420_10LE;
    }

    @Override
    public String toString() {
        return file;
    }
}
