/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A picture of a real stream before and after the decoder's loop filter, with the decoder's decisions. Immutable. */
record RecordedPicture(String name, JsonObject header, Map<String, byte[]> sections) {
    private static final int OPERATION_BYTES = 13;
    private static final int EDGE_BYTES = 16;

    /** Every picture of the streams whose decisions for single blocks or edges were recorded. */
    static List<RecordedPicture> all() throws IOException {
        try (Stream<Path> kernels = Files.walk(BuildTree.root().resolve("kernels/tests/src/test/resources/vectors"));
                Stream<Path> others = Files.list(BuildTree.testSource("resources/recorded"))) {
            return Stream.concat(kernels, others)
                    .filter(file -> file.getFileName().toString().matches("(h264i|av1i|av1m)_.*\\.gvp\\.gz"))
                    .sorted(Comparator.comparing(Path::getFileName))
                    .map(RecordedPicture::read)
                    .toList();
        }
    }

    private static RecordedPicture read(Path file) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                line.write(next);
            }
            JsonObject header = JsonParser.parseString(line.toString(StandardCharsets.UTF_8))
                    .getAsJsonObject();
            Map<String, byte[]> sections = new LinkedHashMap<>();
            for (JsonElement section : header.getAsJsonArray("sections")) {
                JsonObject one = section.getAsJsonObject();
                sections.put(
                        one.get("name").getAsString(),
                        in.readNBytes(one.get("bytes").getAsInt()));
            }
            return new RecordedPicture(file.getFileName().toString(), header, sections);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int width() {
        return number("width");
    }

    int height() {
        return number("height");
    }

    private int number(String field) {
        return header.get(field).getAsInt();
    }

    /** The picture before the loop filter. */
    RawVideo before() {
        return video("in_");
    }

    /** The picture after the loop filter. */
    RawVideo after() {
        return video("out_");
    }

    private RawVideo video(String side) {
        ByteBuffer planes = ByteBuffer.allocate(VideoFormat.I420.pictureBytes(width(), height()));
        for (String plane : List.of("y", "u", "v")) {
            planes.put(sections.get(side + plane));
        }
        return RawVideo.of(planes.array(), VideoFormat.I420, width(), height());
    }

    /** Adds the side information with which the element filters as the decoder does. */
    void describe(ElementHost host) throws IOException {
        host.then("params none", "param width int " + width(), "param height int " + height());
        String kernel = header.get("kernel").getAsString();
        switch (kernel) {
            case "h264_deblock_ops_picture" ->
                host.then("param codec string h264").param("edges", edges());
            case "h264_deblock_maps_picture" -> describeMacroblocks(host);
            case "av1_cdef_picture" -> describeCdef(host);
            default -> throw new IllegalStateException(name + " is of an unknown kernel " + kernel);
        }
    }

    /** Adds the macroblocks' side information. An intra picture has no map of bS, because the standard defines its bS. */
    private void describeMacroblocks(ElementHost host) throws IOException {
        host.then(
                        "param codec string h264",
                        "param alpha-offset int " + number("filter_offset_a") / 2,
                        "param beta-offset int " + number("filter_offset_b") / 2,
                        "param chroma-qp-offset int " + number("chroma_qp_index_offset"),
                        "param cr-qp-offset int " + number("second_chroma_qp_index_offset"))
                .param("qp-map", sections.get("qp"))
                .param("transform-8x8-map", "buffer", sections.get("transform8x8"));
        if (sections.containsKey("bs")) {
            host.param("bs-map", sections.get("bs"));
        }
    }

    private void describeCdef(ElementHost host) throws IOException {
        host.then("param codec string av1", "param cdef-damping int " + number("damping"))
                .param("cdef-strengths", strengths());
        if (sections.containsKey("idx64")) {
            host.param("cdef-index-map", sections.get("idx64"));
        }
        if (sections.containsKey("filtered8x8")) {
            byte[] skipped = sections.get("filtered8x8").clone();
            for (int i = 0; i < skipped.length; i++) {
                skipped[i] = (byte) (skipped[i] == 0 ? 1 : 0);
            }
            host.param("cdef-skip-map", "buffer", skipped);
        }
    }

    private byte[] strengths() {
        JsonArray strengths = header.getAsJsonArray("strengths");
        ByteBuffer bytes = ByteBuffer.allocate(4 * strengths.size());
        for (JsonElement strength : strengths) {
            for (String field : List.of("y_pri", "y_sec", "uv_pri", "uv_sec")) {
                bytes.put(strength.getAsJsonObject().get(field).getAsByte());
            }
        }
        return bytes.array();
    }

    private byte[] edges() {
        ByteBuffer from = ByteBuffer.wrap(sections.get("ops")).order(ByteOrder.LITTLE_ENDIAN);
        int count = from.capacity() / OPERATION_BYTES;
        ByteBuffer to = ByteBuffer.allocate(count * EDGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            int at = i * OPERATION_BYTES;
            // The file's chroma values are tC0 + 1.
            int less = from.get(at) == 0 ? 0 : 1;
            to.put(from.get(at)).put(from.get(at + 1)).put(from.get(at + 2));
            to.put(from.get(at + 3)).put(from.get(at + 4)).put((byte) 0);
            to.putShort(from.getShort(at + 9)).putShort(from.getShort(at + 11));
            for (int part = 0; part < 4; part++) {
                to.put((byte) (from.get(at + 5 + part) - less));
            }
            to.putShort((short) 0);
        }
        return to.array();
    }

    @Override
    public String toString() {
        return name;
    }
}
