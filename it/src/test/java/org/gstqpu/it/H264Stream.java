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
 * An H.264 stream of constant QP, of IDR pictures with one slice each; and the MD5 sums of its pictures at coded size, decoded with and
 * without deblocking. Offsets are doubled, as FilterOffsetA and FilterOffsetB are. Immutable.
 */
record H264Stream(
        String file,
        @SerializedName("coded_width") int codedWidth,
        @SerializedName("coded_height") int codedHeight,
        int frames,
        int qp,
        @SerializedName("chroma_qp_index_offset") int chromaQpIndexOffset,
        @SerializedName("filter_offset_a") int filterOffsetA,
        @SerializedName("filter_offset_b") int filterOffsetB,
        @SerializedName("frame_md5_unfiltered_coded") List<String> unfilteredMd5,
        @SerializedName("frame_md5_filtered_coded") List<String> filteredMd5) {

    /** Every stream that comes with the tests. */
    static List<H264Stream> all() throws IOException {
        String json = Files.readString(BuildTree.testSource("resources/streams/h264.json"), StandardCharsets.UTF_8);
        return List.of(new Gson().fromJson(json, H264Stream[].class));
    }

    /** The coded bytes. */
    Path path() {
        return BuildTree.testSource("resources/streams/" + file);
    }

    /** The properties with which the element filters as the decoder's own loop filter does. */
    String properties() {
        return "cdef=false qp=" + qp + " alpha-offset=" + filterOffsetA / 2 + " beta-offset=" + filterOffsetB / 2
                + " chroma-qp-offset=" + chromaQpIndexOffset;
    }

    @Override
    public String toString() {
        return file;
    }
}
