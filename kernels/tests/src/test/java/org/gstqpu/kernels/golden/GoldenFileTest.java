/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenFileTest {
    private static final String RECORDS = "{\"format\":\"gv1\",\"kernel\":\"k\",\"records\":2,\"record_bytes\":7,"
            + "\"fields\":[{\"name\":\"a\",\"type\":\"u8\"},{\"name\":\"b\",\"type\":\"i16\",\"count\":1},"
            + "{\"name\":\"c\",\"type\":\"u32\"}]}\n";

    @TempDir
    private Path folder;

    @Test
    void recordsAreReadLittleEndianAndSigned() throws Exception {
        byte[] data = {1, -2, -1, 4, 3, 2, -128, -1, 0, -128, -1, -1, -1, -1};
        GoldenRecords records = assertInstanceOf(GoldenRecords.class, GoldenFile.read(gzip(RECORDS, data)));
        assertEquals("k", records.kernel());
        assertEquals("test.gz", records.name());
        assertEquals(2, records.records());
        assertEquals(1, records.value(0, "a"));
        assertEquals(-2, records.value(0, "b"));
        assertEquals(0x80020304L, records.value(0, "c"));
        assertEquals(255, records.value(1, "a"));
        assertEquals(-32768, records.value(1, "b"));
        assertEquals(0xffffffffL, records.value(1, "c"));
        assertThrows(IllegalArgumentException.class, () -> records.value(0, "d"));
        assertThrows(IndexOutOfBoundsException.class, () -> records.value(2, "a"));
        assertThrows(IndexOutOfBoundsException.class, () -> records.value(0, "a", 1));
    }

    /** The last fields of the kernel's records; the value of the first is 2^31. */
    @Test
    void aNumberThatNoKernelTakesIsAFaultOfTheFile() throws Exception {
        byte[] data = {0, 0, 0, -128, 1, 0, 0, 0, 1, 0, 0, 0};
        GoldenFile file = GoldenFile.read(gzip(
                "{\"format\":\"gv1\",\"kernel\":\"av1_cdef_adjust_luma_pri\",\"records\":1,\"record_bytes\":12,"
                        + "\"fields\":[{\"name\":\"var\",\"type\":\"u32\"},{\"name\":\"pri\",\"type\":\"u32\"},"
                        + "{\"name\":\"out\",\"type\":\"u32\"}]}\n",
                data));
        try (FilterContext context = Substrates.open(SubstrateRequest.of(Substrate.CPU));
                BlockContext blocks = new CpuBlockContext(1, "test")) {
            GoldenFormatException thrown =
                    assertThrows(GoldenFormatException.class, () -> new GoldenVerifier(context, blocks).verify(file));
            assertTrue(thrown.getMessage().contains("var 2147483648"), thrown::getMessage);
        }
    }

    @Test
    void aMissingFileIsAnIoError() {
        assertThrows(NoSuchFileException.class, () -> GoldenFile.read(folder.resolve("none.gz")));
    }

    @Test
    void whatIsNotGzipIsRefused() throws Exception {
        refused(write(new byte[0]), "not a gzip file");
        refused(write("{\"format\":\"gv1\"}\n".getBytes(StandardCharsets.UTF_8)), "not a gzip file");
    }

    @Test
    void aFileCutShortIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(gzip(RECORDS, new byte[14]));
        for (int length = 2; length < whole.length; length++) {
            refused(write(Arrays.copyOf(whole, length)), "");
        }
        refused(write(Arrays.copyOf(whole, whole.length - 1)), "cut short");
        refused(gzip(RECORDS, new byte[13]), "cut short");
        refused(gzip("{\"format\":", new byte[0]), "ends before its header line");
    }

    @Test
    void damagedGzipIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(gzip(RECORDS, new byte[14]));
        whole[whole.length - 6] ^= 1;
        refused(write(whole), "damaged");
    }

    @Test
    void bytesAfterTheLastRecordAreRefused() throws Exception {
        refused(gzip(RECORDS, new byte[15]), "goes on after");
    }

    @Test
    void aHeaderThatIsNotOneIsRefused() throws Exception {
        refused(gzip("\n", new byte[0]), "header line is empty");
        refused(gzip("{\"format\":\"gv1\"\n", new byte[0]), "not a JSON object");
        refused(gzip("[1]\n", new byte[0]), "not a JSON object");
        refused(gzip("{}\n", new byte[0]), "'format' in its header should be a string, is nothing");
        refused(gzip("{\"format\":\"gv2\",\"kernel\":\"k\"}\n", new byte[0]), "unknown format 'gv2'");
        refused(gzip(RECORDS.replace("\"records\":2", "\"records\":0"), new byte[14]), "should be 1..16777216, is 0");
        refused(gzip(RECORDS.replace("\"records\":2", "\"records\":2.5"), new byte[14]), "not a 32-bit integer");
        refused(gzip(RECORDS.replace("\"record_bytes\":7", "\"record_bytes\":8"), new byte[16]), "do not fill");
        refused(gzip(RECORDS.replace("u32", "f32"), new byte[14]), "unknown type 'f32'");
        refused(gzip(RECORDS.replace("\"k\"", "7"), new byte[14]), "'kernel' in its header should be a string, is 7");
        refused(gzip("x".repeat(2 << 20) + "\n", new byte[0]), "no header line");
    }

    /** Messages name kernels, fields, sections and types, and are one line. */
    @Test
    void aNameThatIsNoneForAMessageIsRefused() throws Exception {
        for (String text : new String[] {"a\\nb", "\\u2028", "\\u0085", "\\u001b[2J", "x".repeat(101)}) {
            for (String name : new String[] {"gv1", "k", "a", "i16"}) {
                refused(
                        gzip(RECORDS.replace('"' + name + '"', '"' + text + '"'), new byte[14]),
                        "100 ASCII characters");
            }
        }
    }

    @Test
    void aSectionWithAnotherMd5IsRefused() throws Exception {
        String header = "{\"format\":\"gvp1\",\"kernel\":\"k\",\"sections\":[{\"name\":\"in_y\",\"type\":\"u8\","
                + "\"width\":2,\"height\":1,\"bytes\":2,\"md5\":\"" + md5(new byte[] {1, 2}) + "\"}]}\n";
        GoldenPicture picture = assertInstanceOf(GoldenPicture.class, GoldenFile.read(gzip(header, new byte[] {1, 2})));
        assertEquals(2, picture.value("in_y", 1, 0));
        assertTrue(picture.has("in_y"));
        assertFalse(picture.has("out_y"));
        refused(gzip(header, new byte[] {1, 3}), "section 'in_y' has MD5");
        refused(gzip(header.replace("\"bytes\":2", "\"bytes\":3"), new byte[3]), "section 'in_y' is 2x1");
    }

    @Test
    void aKernelThatCannotBeRunIsReportedAsSuch() throws Exception {
        try (FilterContext context = new CpuFilterContext(1, "test");
                BlockContext blocks = new CpuBlockContext(1, "test")) {
            GoldenVerifier verifier = new GoldenVerifier(context, blocks);
            GoldenFile records = GoldenFile.read(gzip(RECORDS, new byte[14]));
            GoldenUnsupportedException thrown =
                    assertThrows(GoldenUnsupportedException.class, () -> verifier.verify(records));
            assertEquals("test.gz: the kernel 'k' cannot be verified by this version", thrown.getMessage());
            GoldenFile picture =
                    GoldenFile.read(gzip("{\"format\":\"gvp1\",\"kernel\":\"p\",\"sections\":[]}\n", new byte[0]));
            assertThrows(GoldenUnsupportedException.class, () -> verifier.verify(picture));
        }
    }

    @Test
    void whatOnlyInformsSaysSo() throws Exception {
        assertTrue(GoldenFile.read(gzip(RECORDS, new byte[14])).isNormative());
        String informative = RECORDS.replace("\"kernel\"", "\"normative\":false,\"kernel\"");
        assertFalse(GoldenFile.read(gzip(informative, new byte[14])).isNormative());
        refused(
                gzip(informative.replace("false", "0"), new byte[14]),
                "'normative' in its header should be true or false");
    }

    @Test
    void everySampleThatDiffersIsCountedAndTheFirstIsNamed() throws Exception {
        byte[] luma = new byte[16 * 16];
        byte[] chroma = new byte[8 * 8];
        byte[] wrongLuma = luma.clone();
        wrongLuma[3 * 16 + 5] = 9;
        byte[] wrongChroma = chroma.clone();
        wrongChroma[63] = 1;
        try (FilterContext context = new CpuFilterContext(1, "test");
                BlockContext blocks = new CpuBlockContext(1, "test")) {
            GoldenVerifier verifier = new GoldenVerifier(context, blocks);
            GoldenResult right = verifier.verify(GoldenFile.read(picture("33", luma, chroma)));
            assertEquals(0, right.mismatches());
            assertTrue(right.firstMismatch().isEmpty());
            GoldenResult wrong = verifier.verify(GoldenFile.read(picture("33", wrongLuma, wrongChroma)));
            // Two samples in each of four runs: planar and interleaved, from packed to padded rows and back.
            assertEquals(8, wrong.mismatches());
            assertEquals(4 * 384, wrong.samples());
            assertEquals(
                    "I420 Y column 5 row 3: expected 9, got 0",
                    wrong.firstMismatch().get());
        }
    }

    @Test
    void aPictureThatLacksWhatItsKernelNeedsIsRefused() throws Exception {
        try (FilterContext context = new CpuFilterContext(1, "test");
                BlockContext blocks = new CpuBlockContext(1, "test")) {
            GoldenVerifier verifier = new GoldenVerifier(context, blocks);
            GoldenFile wrongSize = GoldenFile.read(picture("33", new byte[16 * 16], new byte[4 * 8]));
            GoldenFormatException thrown = assertThrows(GoldenFormatException.class, () -> verifier.verify(wrongSize));
            assertEquals("test.gz: section 'out_v' is 4x8, not 8x8", thrown.getMessage());
            GoldenFile wrongQp = GoldenFile.read(picture("\"33\"", new byte[16 * 16], new byte[8 * 8]));
            assertThrows(GoldenFormatException.class, () -> verifier.verify(wrongQp));
        }
    }

    @Test
    void everyVectorOfTheTestResourcesIsReadable() throws Exception {
        for (Path file : TestVectors.endingIn(".gz")) {
            GoldenFile golden = GoldenFile.read(file);
            assertEquals(file.getFileName().toString(), golden.name());
            assertFalse(golden.kernel().isEmpty());
        }
    }

    /** A black 16x16 picture that deblocking leaves as it is, with these planes as its expected result. */
    private Path picture(String qp, byte[] outY, byte[] outV) throws Exception {
        byte[] luma = new byte[16 * 16];
        byte[] chroma = new byte[8 * 8];
        String header =
                "{\"format\":\"gvp1\",\"kernel\":\"h264_deblock_picture\",\"bit_depth\":8,\"width\":16,\"height\":16,\"qp\":"
                        + qp
                        + ",\"chroma_qp_index_offset\":0,\"filter_offset_a\":0,\"filter_offset_b\":0,\"sections\":["
                        + section("in_y", 16, luma) + "," + section("in_u", 8, chroma) + ","
                        + section("in_v", 8, chroma) + ","
                        + section("out_y", 16, outY) + "," + section("out_u", 8, chroma) + ","
                        + section("out_v", outV.length / 8, outV) + "]}\n";
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (byte[] plane : new byte[][] {luma, chroma, chroma, outY, chroma, outV}) {
            data.write(plane);
        }
        return gzip(header, data.toByteArray());
    }

    private static String section(String name, int width, byte[] data) throws Exception {
        return "{\"name\":\"" + name + "\",\"type\":\"u8\",\"width\":" + width + ",\"height\":" + data.length / width
                + ",\"bytes\":" + data.length + ",\"md5\":\"" + md5(data) + "\"}";
    }

    private static String md5(byte[] data) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(data));
    }

    private Path gzip(String header, byte[] data) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(file)) {
            out.write(header.getBytes(StandardCharsets.UTF_8));
            out.write(data);
        }
        return write(file.toByteArray());
    }

    private Path write(byte[] data) throws IOException {
        return Files.write(folder.resolve("test.gz"), data);
    }

    private static void refused(Path file, String cause) {
        GoldenFormatException thrown = assertThrows(GoldenFormatException.class, () -> GoldenFile.read(file));
        assertTrue(thrown.getMessage().startsWith("test.gz: "), thrown::getMessage);
        assertTrue(thrown.getMessage().contains(cause), thrown::getMessage);
        assertFalse(thrown.getMessage().contains("\n"), thrown::getMessage);
    }
}
