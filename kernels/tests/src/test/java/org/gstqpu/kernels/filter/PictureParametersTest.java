/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.gstqpu.kernels.DecoderKnowledge;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomParameters;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceCdef;
import org.gstqpu.kernels.ReferenceDeblock;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lwjgl.system.MemoryUtil;

/** Pictures with parameters of their own: random ones against the specifications' own words, and such as make no sense. */
@Tag("thorough")
class PictureParametersTest {
    private static final List<PixelFormat> FORMATS = List.of(PixelFormat.values());

    /** Each has a series of pictures here. */
    private static final int PART_OF_RANDOM_PICTURES = 8;

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void whatADecoderKnowsGivesTheStandardsPictures(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        try (FilterContext context = choice.open()) {
            for (int i = 0; i < choice.randomPictures() / PART_OF_RANDOM_PICTURES; i++) {
                Random random = new Random(seed + i);
                PixelFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
                int width = 1 + random.nextInt(choice.longestSide());
                int height = 1 + random.nextInt(choice.longestSide());
                String where = choice + ": " + format + " " + width + "x" + height + ", -Dgstqpu.seed=" + (seed + i);
                try (PictureFilter filter = context.newPictureFilter(format, width, height)) {
                    new Series(filter, random, format, width, height, where).check();
                }
            }
        }
    }

    /** Pictures in flight at once, each with parameters of its own or with strengths that several share. */
    private static final class Series {
        private static final int PICTURES = 3;

        private final List<PictureRun> runs;
        private final Random random;
        private final PixelFormat format;
        private final int width;
        private final int height;
        private final String where;
        private final PictureParameters parameters;

        Series(PictureFilter filter, Random random, PixelFormat format, int width, int height, String where) {
            runs = Stream.generate(filter::newRun).limit(PICTURES).toList();
            this.random = random;
            this.format = format;
            this.width = width;
            this.height = height;
            this.where = where;
            parameters = new PictureParameters(format, width, height);
        }

        void check() {
            FilterParameters shared = ReferenceFilters.random(random, width, height);
            List<MappedPicture> sources = new ArrayList<>();
            List<MappedPicture> destinations = new ArrayList<>();
            List<byte[]> wanted = new ArrayList<>();
            List<SamplePicture> expected = new ArrayList<>();
            for (int i = 0; i < PICTURES; i++) {
                MappedPicture source = picture();
                MappedPicture destination = picture();
                SamplePicture samples = SamplePicture.random(random, format.bitDepth(), format.chroma(), width, height);
                source.write(samples);
                sources.add(source);
                destinations.add(destination);
                byte[] before = destination.bytes();
                if (random.nextInt(4) == 0) {
                    expected.add(ReferenceFilters.apply(samples, shared, 0, 0));
                    runs.get(i).begin(source, destination, PicturePlan.fixed(shared));
                } else {
                    expected.add(fill(samples));
                    runs.get(i).begin(source, destination, PicturePlan.decoded(parameters));
                }
                destination.put(expected.get(i), before);
                wanted.add(before);
            }
            for (int i = 0; i < PICTURES; i++) {
                runs.get(i).finish();
                byte[] found = destinations.get(i).bytes();
                int difference = Arrays.mismatch(wanted.get(i), found);
                if (difference >= 0) {
                    fail(where + ", picture " + i + ": expected " + (wanted.get(i)[difference] & 255) + ", got "
                            + (found[difference] & 255) + " in "
                            + destinations.get(i).describe(difference, expected.get(i)));
                }
            }
            sources.forEach(MappedPicture::close);
            destinations.forEach(MappedPicture::close);
        }

        private MappedPicture picture() {
            return new MappedPicture(MappedPicture.randomLayout(random, format, width, height), random);
        }

        /** Fills the parameters and returns what they make of the samples. */
        private SamplePicture fill(SamplePicture samples) {
            parameters.clear();
            SamplePicture result = samples;
            if (random.nextInt(4) > 0) {
                if (!H264EdgeMap.fits(format) || random.nextInt(4) == 0) {
                    H264DeblockParameters uniform = RandomParameters.deblock(random);
                    parameters.deblock(uniform);
                    result = ReferenceDeblock.apply(result, uniform);
                } else {
                    try (DecoderKnowledge known = new DecoderKnowledge(random, width, height)) {
                        parameters.deblockByEdge().derive(known.maps());
                        result = ReferenceDeblock.apply(result, known);
                    }
                }
            }
            if (random.nextInt(3) == 0) {
                CdefParameters cdef = RandomParameters.cdef(random, width, height);
                parameters.runCdef().set(cdef);
                result = ReferenceCdef.apply(result, cdef);
            }
            return result;
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void automaticStrengthIsAsIfThePictureHadNotBeen(TestSubstrates.Choice choice) throws Exception {
        Random random = new Random(3);
        PixelFormat format = PixelFormat.NV12;
        StrengthLadder ladder = new StrengthLadder(StrengthTier.ALL.stream()
                .map(tier -> new FilterParameters(
                        Optional.empty(),
                        Optional.of(CdefParameters.uniform(
                                tier.damping(),
                                new CdefStrength(tier.primary(), tier.secondary(), tier.primary(), 0)))))
                .toList());
        try (FilterContext context = choice.open();
                PictureFilter filter = context.newPictureFilter(format, 64, 48);
                PictureFilter other = context.newPictureFilter(format, 64, 48);
                MappedPicture source = new MappedPicture(PictureLayout.packed(format, 64, 48, 4), random);
                MappedPicture found = new MappedPicture(PictureLayout.packed(format, 64, 48, 4), random)) {
            PicturePlan plan = PicturePlan.automatic(ladder);
            PictureParameters own = new PictureParameters(format, 64, 48);
            for (int i = 0; i < 4; i++) {
                source.write(SamplePicture.random(random, 8, PixelFormat.Chroma.HALF_BOTH, 64, 48));
                filter.filter(source, found, plan);
                byte[] expected = found.picture();
                other.filter(source, found, plan);
                assertArrayEquals(expected, found.picture(), "picture " + i);
                assertEquals(filter.estimate(), other.estimate());
                own.deblock(H264DeblockParameters.intra(40, 0, 0, 0, 0, false));
                source.write(SamplePicture.random(random, 8, PixelFormat.Chroma.HALF_BOTH, 64, 48));
                other.filter(source, found, PicturePlan.decoded(own));
            }
        }
    }

    @Test
    void edgesToldOneByOneAreThoseThatAreDerived() {
        Random random = new Random(9);
        int width = 70;
        int height = 50;
        for (int i = 0; i < 20; i++) {
            try (DecoderKnowledge known = new DecoderKnowledge(random, width, height)) {
                H264EdgeMap derived = new H264EdgeMap(PixelFormat.NV12, width, height);
                derived.derive(known.maps());
                H264EdgeMap told = new H264EdgeMap(PixelFormat.NV12, width, height);
                told.clear();
                tell(known, told, width, height);
                SamplePicture samples = SamplePicture.random(random, 8, PixelFormat.Chroma.HALF_BOTH, width, height);
                assertArrayEquals(filtered(samples, derived), filtered(samples, told), "round " + i);
            }
        }
    }

    private static void tell(DecoderKnowledge known, H264EdgeMap map, int width, int height) {
        for (int component = 0; component < 3; component++) {
            int size = component == 0 ? 16 : 8;
            int componentWidth = component == 0 ? width : (width + 1) / 2;
            int componentHeight = component == 0 ? height : (height + 1) / 2;
            for (boolean vertical : new boolean[] {true, false}) {
                int across = vertical ? componentWidth : componentHeight;
                int along = vertical ? componentHeight : componentWidth;
                for (int position = 4; position < across; position += 4) {
                    for (int line = 0; line < along; line += size) {
                        int bS = known.bS(component, vertical, position, line);
                        int indexA = known.indexA(component, vertical, position, line);
                        int[] tc0 = new int[4];
                        for (int part = 0; part < 4; part++) {
                            int one = known.bS(component, vertical, position, line + part * size / 4);
                            tc0[part] = one == 0 ? -1 : one == 4 ? 0 : H264Tables.tc0(one, indexA);
                        }
                        map.add(
                                component,
                                vertical ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL,
                                vertical ? position : line,
                                vertical ? line : position,
                                bS == 4,
                                H264Tables.alpha(indexA),
                                H264Tables.beta(known.indexB(component, vertical, position, line)),
                                tc0[0],
                                tc0[1],
                                tc0[2],
                                tc0[3]);
                    }
                }
            }
        }
    }

    private static byte[] filtered(SamplePicture samples, H264EdgeMap edges) {
        Random random = new Random(1);
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, samples.width, samples.height, 4);
        PictureParameters parameters = new PictureParameters(PixelFormat.NV12, samples.width, samples.height);
        System.arraycopy(edges.words(), 0, parameters.deblockByEdge().words(), 0, edges.words().length);
        try (FilterContext context = org.gstqpu.kernels.internal.cpu.CpuTestContexts.plain(1);
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, samples.width, samples.height);
                MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random)) {
            source.write(samples);
            filter.filter(source, destination, PicturePlan.decoded(parameters));
            return destination.picture();
        }
    }

    @Test
    void whatMakesNoSenseIsRefusedByName() {
        H264EdgeMap edges = new H264EdgeMap(PixelFormat.I420, 40, 40);
        CdefDecisions cdef = new CdefDecisions(70, 40);
        ByteBuffer bytes = MemoryUtil.memCalloc(1000);
        long at = MemoryUtil.memAddress(bytes);
        try {
            refused(edges, "the QP map has 8 bytes, a picture of 40x40 needs 9", maps -> maps.qpMap(at, 8));
            refused(edges, "the bS map has 9 bytes, a picture of 40x40 needs 288", maps -> maps.bsMap(at, 9));
            refused(edges, "the slice map has 9 bytes, a picture of 40x40 needs 18", maps -> maps.sliceMap(at, 9));
            refused(edges, "the table of slices has 4 bytes, it needs 3 a slice", maps -> maps.sliceTable(at, 4));
            refused(
                    edges,
                    "the map of 8x8 transforms has 10 bytes, a picture of 40x40 needs 9",
                    maps -> maps.transform8x8Map(at, 10));
            bytes.put(4, (byte) 52);
            refused(edges, "the QP map has 52 for macroblock 1 of row 1, it may be 0..51", maps -> maps.qpMap(at, 9));
            refused(
                    edges,
                    "the map of 8x8 transforms has 52 for macroblock 1 of row 1, it may be 0 or 1",
                    maps -> maps.transform8x8Map(at, 9));
            bytes.put(4, (byte) 1);
            refused(
                    edges,
                    "the slice map has 1 for macroblock 2 of row 0, it may be below 1, the slices known",
                    maps -> {
                        maps.sliceMap(at, 18);
                        maps.sliceTable(at, 3);
                    });
            bytes.put(4, (byte) 4);
            refused(
                    edges,
                    "the bS map has 4 for macroblock 0 of row 0, it may be 0..3, or 4 in all parts of an edge between"
                            + " macroblocks",
                    maps -> maps.bsMap(at, 288));
            bytes.put(0, (byte) -7);
            refused(
                    edges,
                    "the table of slices has -7, 0, 0 for slice 0, these are -6..6, -6..6 and 0..2",
                    maps -> maps.sliceTable(at, 3));
            refused(edges, "QP is 0..51, given 52", maps -> maps.qp(52));
            refused(
                    edges,
                    "second_chroma_qp_index_offset is -12..12, given 13",
                    maps -> maps.chromaQpIndexOffsets(12, 13));
            refused(edges, "disable_deblocking_filter_idc is 0..2, given 3", maps -> maps.slice(6, -6, 3));

            cdef.begin(3);
            refused("the strengths have 6 bytes, 1 to 8 of them have 4 each", () -> cdef.addAll(at, 6));
            bytes.put(0, (byte) 1).put(1, (byte) 3);
            refused(
                    "strength 0 is 1, 3, 0, 0; primary ones, the first and third, are 0..15, the others 0, 1, 2 or 4",
                    () -> cdef.addAll(at, 4));
            cdef.add(1, 1, 1, 1);
            bytes.put(0, (byte) -1);
            refused(
                    "the 64x64 index map has 3 for block 1 of row 0, the frame has 1 strengths",
                    () -> cdef.map(at, 2, 0, 0));
            refused("the 64x64 index map has 1 bytes, a picture of 70x40 needs 2", () -> cdef.map(at, 1, 0, 0));
            refused("the 8x8 skip map has 44 bytes, a picture of 70x40 needs 45", () -> cdef.map(0, 0, at, 44));
            refused("damping is 3..6, given 7", () -> cdef.begin(7));
        } finally {
            MemoryUtil.memFree(bytes);
        }
    }

    private static void refused(
            H264EdgeMap edges, String message, java.util.function.Consumer<H264MacroblockMaps> set) {
        H264MacroblockMaps maps = new H264MacroblockMaps();
        maps.reset();
        refused(message, () -> {
            set.accept(maps);
            edges.derive(maps);
        });
    }

    private static void refused(String message, Runnable action) {
        PictureParametersException refusal = assertThrows(PictureParametersException.class, action::run);
        assertEquals(message, refusal.getMessage());
        assertFalse(refusal.part().isBlank(), message);
    }

    @Test
    void edgesThatThePictureHasNotAreRefused() {
        H264EdgeMap map = new H264EdgeMap(PixelFormat.I420, 40, 40);
        EdgeDirection vertical = EdgeDirection.VERTICAL;
        refused(
                "the edge at column 0, row 16 has a place where component 0 has no edge",
                () -> map.add(0, vertical, 0, 16, false, 1, 1, 0, 0, 0, 0));
        refused(
                "the edge at column 4, row 4 has a place where component 0 has no edge",
                () -> map.add(0, vertical, 4, 4, false, 1, 1, 0, 0, 0, 0));
        refused(
                "the edge at column 40, row 0 has a place outside the picture of 40x40",
                () -> map.add(0, vertical, 40, 0, false, 1, 1, 0, 0, 0, 0));
        refused(
                "the edge at column 4, row 0 has bS 4 inside a macroblock",
                () -> map.add(0, vertical, 4, 0, true, 1, 1, 0, 0, 0, 0));
        refused(
                "the edge at column 4, row 0 has a component 3",
                () -> map.add(3, vertical, 4, 0, false, 1, 1, 0, 0, 0, 0));
        refused(
                "the edge at column 4, row 0 has alpha 255, beta 18 and tC0 25 -1 26 0 (0..255, 0..18 and -1..25 they may"
                        + " be)",
                () -> map.add(0, vertical, 4, 0, false, 255, 18, 25, -1, 26, 0));
        map.add(1, vertical, 8, 0, true, 10, 10, 0, 0, 0, 0);
        refused(
                "the edge at column 8, row 0 has bS 4 in one chroma component alone",
                () -> map.add(2, vertical, 8, 0, false, 1, 1, 0, 0, 0, 0));
    }
}
