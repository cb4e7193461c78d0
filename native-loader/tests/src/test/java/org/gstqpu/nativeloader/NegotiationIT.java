/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which memory the pads take. */
class NegotiationIT {
    private static final String SIZE = "width=64,height=48,framerate=25/1";
    private static final String SYSTEM = "video/x-raw,format=NV12," + SIZE;
    private static final String DMABUF = "video/x-raw(memory:DMABuf),format=NV12," + SIZE;

    private static boolean importsDmabufs;

    @BeforeAll
    static void askTheDevice() throws SubstrateUnavailableException {
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice())) {
            importsDmabufs = context.importsDmabufs();
        }
    }

    private static String drm(String drmFormat) {
        return "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=" + drmFormat + "," + SIZE;
    }

    /** What becomes of each of those caps: the caps of the output, or empty where they are refused. */
    private static List<Optional<String>> offer(String properties, String downstream, String... caps) {
        List<String> command =
                new ArrayList<>(List.of(TestProgram.build("negotiation"), "qpuloopfilter " + properties, downstream));
        command.addAll(List.of(caps));
        GstProcess.Result result = new GstProcess(command.toArray(new String[0])).run();
        assertEquals(0, result.exitCode(), result::output);
        List<Optional<String>> answers = result.output()
                .lines()
                .filter(line -> line.startsWith("taken ") || line.equals("refused"))
                .map(line -> line.equals("refused")
                        ? Optional.<String>empty()
                        : Optional.of(line.substring("taken ".length())))
                .toList();
        assertEquals(caps.length, answers.size(), result::output);
        return answers;
    }

    private static void assertPlain(String format, Optional<String> answer) {
        assertTrue(answer.isPresent(), "refused");
        assertTrue(answer.get().startsWith("video/x-raw, "), answer.get());
        assertTrue(answer.get().contains("format=(string)" + format), answer.get());
    }

    @Test
    void theCpuTakesMappedMemoryAlone() {
        List<Optional<String>> answers = offer("substrate=cpu", "ANY", SYSTEM, DMABUF, drm("NV12"));
        assertPlain("NV12", answers.get(0));
        assertEquals(List.of(Optional.empty(), Optional.empty()), answers.subList(1, 3));
    }

    @Test
    void aDeviceTakesDmabufsWhereItImportsThem() {
        List<Optional<String>> answers = offer("substrate=qpu", "ANY", SYSTEM, DMABUF);
        assertPlain("NV12", answers.get(0));
        assertEquals(importsDmabufs, answers.get(1).isPresent());
        if (importsDmabufs) {
            assertPlain("NV12", answers.get(1));
        }
    }

    @Test
    void aDmabufOfADrmFormatComesOutPlain() {
        List<Optional<String>> answers = offer("substrate=qpu", "video/x-raw", drm("NV12"), drm("YU12"), drm("P010"));
        // Without such caps in GStreamer there are none in the element.
        boolean taken = importsDmabufs && GstVersion.hasDmaDrm();
        assertEquals(
                List.of(taken, taken, taken),
                answers.stream().map(Optional::isPresent).toList());
        if (taken) {
            assertPlain("NV12", answers.get(0));
            assertPlain("I420", answers.get(1));
            assertPlain("P010_10LE", answers.get(2));
        }
    }

    @Test
    void whatCannotBeTakenIsRefusedBeforeTheFirstFrame() {
        assertEquals(
                List.of(Optional.empty(), Optional.empty(), Optional.empty()),
                offer(
                        "substrate=qpu",
                        "ANY",
                        drm("NV12:0x0100000000000002"),
                        drm("XR24"),
                        "video/x-raw(memory:GLMemory),format=NV12," + SIZE));
    }

    @Test
    void whatPassesThroughKeepsItsMemoryUnlessTheOtherSideTakesAnother() {
        String off = "substrate=qpu deblock=false cdef=false shrinkage=false";
        Optional<String> any = offer(off, "ANY", DMABUF).get(0);
        assertTrue(any.orElseThrow().startsWith("video/x-raw(memory:DMABuf), "), any.get());
        Optional<String> plain = offer(off, "video/x-raw", DMABUF).get(0);
        assertEquals(importsDmabufs, plain.isPresent());
        if (importsDmabufs) {
            assertPlain("NV12", plain);
        }
    }
}
