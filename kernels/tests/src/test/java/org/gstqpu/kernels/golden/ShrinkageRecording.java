/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * A golden picture of shrinkage: what goes in, and the reference filters that give what comes out. Immutable.
 *
 * @param content where the samples come from
 * @param width luma samples a row
 * @param height luma rows
 * @param gridColumn column of luma in which a block of the codec begins
 * @param gridRow row of luma in which a block of the codec begins
 * @param qp of the deblocking before shrinkage; empty for no deblocking
 * @param cdef strength of the CDEF before shrinkage; empty for no CDEF
 * @param shrinkage what is recorded
 */
record ShrinkageRecording(
        Content content,
        int width,
        int height,
        int gridColumn,
        int gridRow,
        Optional<Integer> qp,
        Optional<CdefStrength> cdef,
        ShrinkageParameters shrinkage) {

    private static final int DAMPING = 5;
    private static final String[] PLANES = {"y", "u", "v"};

    /** All recordings of the test resources. */
    static final List<ShrinkageRecording> ALL = List.of(
            shrinkageAlone(
                    new Real("h264_picture_real_208x144_qp48_a-4_b6_c4", 16, 32), 120, 72, 0, 0, 8, 288, 288, 35),
            shrinkageAlone(new Real("h264_picture_real_352x288_qp30_a0_b0_c0", 96, 64), 128, 96, 0, 0, 16, 96, 64, 0),
            shrinkageAlone(
                    new Real("h264_picture_real_352x288_qp44_a4_b-6_c-2", 66, 38), 101, 67, 6, 2, 4, 224, 160, 35),
            shrinkageAlone(
                    new Real("h264_picture_real420_64x48_b10_qp33_a0_b0_c0", 0, 0), 64, 48, 0, 0, 8, 110, 90, 35),
            shrinkageAlone(new Real("h264_picture_real422_64x48_b10_qp30_a2_b-2_c3", 0, 0), 64, 48, 0, 0, 4, 0, 120, 0),
            shrinkageAlone(
                    new Real("h264_picture_real444_64x48_b10_qp36_a-2_b4_c-2", 3, 0), 61, 47, 5, 0, 16, 130, 80, 50),
            shrinkageAlone(new Noise(1, 8, PixelFormat.Chroma.HALF_WIDTH), 67, 61, 7, 3, 8, 768, 400, 100),
            shrinkageAlone(new Noise(2, 10, PixelFormat.Chroma.HALF_BOTH), 67, 61, 0, 0, 16, 768, 768, 0),
            shrinkageAlone(new Noise(3, 10, PixelFormat.Chroma.HALF_BOTH), 29, 34, 7, 3, 8, 768, 500, 70),
            shrinkageAlone(new Noise(4, 8, PixelFormat.Chroma.FULL), 7, 5, 1, 1, 8, 60, 50, 35),
            afterOthers(new Real("h264_picture_real_208x144_qp33_a0_b0_c0", 48, 40), 96, 64, 0, 0, 33, 8, 60, 40, 35),
            afterOthers(new Real("h264_picture_real_208x144_qp48_a-4_b6_c4", 2, 4), 90, 62, 6, 4, 48, 16, 200, 200, 35),
            afterOthers(new Real("h264_picture_real422_64x48_b8_qp33_a0_b0_c0", 0, 0), 64, 48, 0, 0, 33, 4, 96, 96, 35),
            afterOthers(new Real("h264_picture_real444_64x48_b8_qp33_a0_b0_c0", 1, 2), 63, 46, 7, 6, 33, 8, 96, 70, 35),
            afterOthers(
                    new Real("h264_picture_real420_64x48_b10_qp33_a0_b0_c0", 0, 0), 64, 48, 0, 0, 33, 8, 96, 70, 35),
            // The other filters change much and the bound is narrow: large coefficients are taken back.
            afterOthers(new Noise(5, 8, PixelFormat.Chroma.HALF_BOTH), 66, 58, 3, 5, 51, 8, 12, 9, 20),
            afterOthers(new Noise(14, 10, PixelFormat.Chroma.HALF_BOTH), 66, 58, 4, 1, 51, 4, 3, 12, 10));

    private static ShrinkageRecording shrinkageAlone(
            Content content, int width, int height, int column, int row, int shifts, int luma, int chroma, int bound) {
        ShrinkageParameters shrinkage = new ShrinkageParameters(shifts, luma, chroma, bound);
        return new ShrinkageRecording(
                content, width, height, column, row, Optional.empty(), Optional.empty(), shrinkage);
    }

    private static ShrinkageRecording afterOthers(
            Content content,
            int width,
            int height,
            int column,
            int row,
            int qp,
            int shifts,
            int luma,
            int chroma,
            int bound) {
        return new ShrinkageRecording(
                content,
                width,
                height,
                column,
                row,
                Optional.of(qp),
                Optional.of(new CdefStrength(qp / 4, 2, qp / 5, 4)),
                new ShrinkageParameters(shifts, luma, chroma, bound));
    }

    /** Where samples come from. */
    sealed interface Content {
        /** What stands for it in the names of files. */
        String tag();

        /** The samples. */
        SamplePicture samples(int width, int height) throws IOException, GoldenFormatException;
    }

    /**
     * A part of what went into another golden picture: an intra picture of a real video as H.264 decodes it without deblocking.
     *
     * @param file its name without {@code .gvp.gz}
     * @param x column of luma with which the part begins
     * @param y row of luma with which the part begins
     */
    record Real(String file, int x, int y) implements Content {
        @Override
        public String tag() {
            return "real";
        }

        @Override
        public SamplePicture samples(int width, int height) throws IOException, GoldenFormatException {
            GoldenPicture whole = TestVectors.picture(file);
            int fullWidth = whole.width("in_y");
            boolean halfWidth = whole.width("in_u") < fullWidth;
            boolean halfHeight = whole.height("in_u") < whole.height("in_y");
            PixelFormat.Chroma chroma = halfHeight
                    ? PixelFormat.Chroma.HALF_BOTH
                    : halfWidth ? PixelFormat.Chroma.HALF_WIDTH : PixelFormat.Chroma.FULL;
            SamplePicture part = new SamplePicture(whole.header().integer("bit_depth"), chroma, width, height);
            for (int component = 0; component < 3; component++) {
                int left = component > 0 && halfWidth ? x / 2 : x;
                int top = component > 0 && halfHeight ? y / 2 : y;
                for (int j = 0; j < part.height(component); j++) {
                    for (int i = 0; i < part.width(component); i++) {
                        part.set(component, i, j, whole.value("in_" + PLANES[component], left + i, top + j));
                    }
                }
            }
            return part;
        }
    }

    /**
     * What the tests make up; Java's {@link Random} gives the same for a seed everywhere.
     *
     * @param seed of the samples
     * @param bitDepth 8 or 10
     * @param chroma the sampling structure
     */
    record Noise(long seed, int bitDepth, PixelFormat.Chroma chroma) implements Content {
        @Override
        public String tag() {
            return "noise" + seed + "_";
        }

        @Override
        public SamplePicture samples(int width, int height) {
            return SamplePicture.random(new Random(seed), bitDepth, chroma, width, height);
        }
    }

    private FilterParameters parameters() {
        return new FilterParameters(
                qp.map(value -> H264DeblockParameters.intra(value, 0, 0, 0, 0, false)),
                cdef.map(strength -> CdefParameters.uniform(DAMPING, strength)),
                Optional.of(shrinkage));
    }

    /** Name of the file: the content, and what tells it from others. */
    String file(SamplePicture samples) {
        String sampling = switch (samples.chroma) {
            case HALF_BOTH -> "420";
            case HALF_WIDTH -> "422";
            default -> "444";
        };
        return "shrinkage_picture_" + content.tag() + sampling + "_" + width + "x" + height + "_b" + samples.bitDepth
                + "_s" + shrinkage.shifts() + "_y" + shrinkage.lumaThreshold() + "_c" + shrinkage.chromaThreshold()
                + "_bound" + shrinkage.bound() + qp.map(value -> "_qp" + value).orElse("") + ".gvp.gz";
    }

    /** The samples that go in. */
    SamplePicture samples() throws IOException, GoldenFormatException {
        return content.samples(width, height);
    }

    /** The file's content before compression. */
    byte[] record(SamplePicture in) throws IOException {
        SamplePicture out = ReferenceFilters.apply(in, parameters(), gridColumn, gridRow);
        JsonObject header = new JsonObject();
        header.addProperty("format", "gvp1");
        header.addProperty("kernel", "shrinkage_picture");
        header.addProperty("bit_depth", in.bitDepth);
        header.addProperty("width", width);
        header.addProperty("height", height);
        header.addProperty("grid_column", gridColumn);
        header.addProperty("grid_row", gridRow);
        qp.ifPresent(value -> {
            header.addProperty("qp", value);
            header.addProperty("chroma_qp_index_offset", 0);
            header.addProperty("filter_offset_a", 0);
            header.addProperty("filter_offset_b", 0);
        });
        cdef.ifPresent(strength -> {
            JsonObject one = new JsonObject();
            one.addProperty("y_pri", strength.yPrimary());
            one.addProperty("y_sec", strength.ySecondary());
            one.addProperty("uv_pri", strength.uvPrimary());
            one.addProperty("uv_sec", strength.uvSecondary());
            JsonArray strengths = new JsonArray();
            strengths.add(one);
            header.addProperty("damping", DAMPING);
            header.add("strengths", strengths);
        });
        header.addProperty("shifts", shrinkage.shifts());
        header.addProperty("luma_threshold", shrinkage.lumaThreshold());
        header.addProperty("chroma_threshold", shrinkage.chromaThreshold());
        header.addProperty("bound", shrinkage.bound());
        List<byte[]> planes = new ArrayList<>();
        JsonArray sections = new JsonArray();
        addPlanes("in_", in, planes, sections);
        addPlanes("out_", out, planes, sections);
        header.add("sections", sections);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write((header + "\n").getBytes(StandardCharsets.UTF_8));
        for (byte[] plane : planes) {
            file.write(plane);
        }
        return file.toByteArray();
    }

    private static void addPlanes(String prefix, SamplePicture picture, List<byte[]> planes, JsonArray sections) {
        int sampleBytes = picture.bitDepth > 8 ? 2 : 1;
        for (int component = 0; component < 3; component++) {
            int columns = picture.width(component);
            int rows = picture.height(component);
            byte[] plane = new byte[columns * rows * sampleBytes];
            for (int i = 0; i < plane.length; i++) {
                int sample = i / sampleBytes;
                int value = picture.get(component, sample % columns, sample / columns);
                plane[i] = (byte) (value >> (8 * (i % sampleBytes)));
            }
            JsonObject section = new JsonObject();
            section.addProperty("name", prefix + PLANES[component]);
            section.addProperty("type", sampleBytes == 1 ? "u8" : "u16");
            section.addProperty("width", columns);
            section.addProperty("height", rows);
            section.addProperty("bytes", plane.length);
            section.addProperty("md5", md5(plane));
            sections.add(section);
            planes.add(plane);
        }
    }

    private static String md5(byte[] data) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(data));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has MD5", e);
        }
    }
}
