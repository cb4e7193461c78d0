/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.cpu.quality.CpuMeterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.pipelines.bench.kernels.MetricsBenchmark;
import org.gstqpu.pipelines.bench.kernels.PicturesBenchmark;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryUtil;
import picocli.CommandLine;

class BenchCommandIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @EnumSource(DeblockForm.class)
    void picturesAsJsonHasBothFiltersInEveryForm(DeblockForm form) {
        JsonObject report =
                json("pictures", "--width", "200", "--height", "72", "--pictures", "3", "--form", form.name());
        assertEquals(form.name(), report.get("deblockForm").getAsString());
        assertTrue(report.get("emptyP50Nanos").getAsLong() > 0);
        List<String> cases = new ArrayList<>();
        for (JsonElement element : report.getAsJsonArray("cases")) {
            JsonObject result = element.getAsJsonObject();
            cases.add(result.get("filters").getAsString());
            long p50 = result.get("p50Nanos").getAsLong();
            assertTrue(p50 > 0 && result.get("p90Nanos").getAsLong() >= p50, result::toString);
            assertTrue(!result.has("gpuP50Nanos") || result.get("gpuP50Nanos").getAsLong() > 0, result::toString);
            assertEquals(1, result.get("submits").getAsDouble(), result::toString);
            double dispatches = result.get("dispatches").getAsDouble();
            int fewest = cases.get(cases.size() - 1).contains("deblock") ? 3 : 2;
            assertTrue(form == DeblockForm.CHASE ? dispatches <= 6 : dispatches >= fewest, result::toString);
            assertEquals(200 * 72 * 3, result.get("leastBytes").getAsLong());
        }
        assertEquals(
                List.of(
                        "cdef",
                        "deblock",
                        "deblock, cdef",
                        "shrinkage, 4 shifts",
                        "shrinkage, 8 shifts",
                        "shrinkage, 16 shifts",
                        "deblock, cdef, shrinkage"),
                cases);
    }

    @Test
    void aPictureThatIsNotTheCpusIsNotTimed() throws Exception {
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice());
                CpuFilterContext cpu = new CpuFilterContext(1, "a test")) {
            FilterContext wrong = (FilterContext) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {FilterContext.class}, (proxy, method, arguments) -> {
                        PictureFilter right = cpu.newPictureFilter(
                                (PixelFormat) arguments[0], (int) arguments[1], (int) arguments[2]);
                        return wrong(right);
                    });
            PicturesBenchmark benchmark = new PicturesBenchmark(context, wrong, PixelFormat.NV12, 1, false);
            String message = assertThrows(WrongResultException.class, () -> benchmark.run(64, 48))
                    .getMessage();
            assertTrue(message.startsWith("cdef: byte 70 is "), message);
        }
    }

    /** A filter that gets one byte wrong. */
    private PictureFilter wrong(PictureFilter right) {
        return (PictureFilter) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PictureFilter.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(right, arguments);
                    if (method.getName().equals("filter")) {
                        Picture destination = (Picture) arguments[1];
                        long at = ((HostMemory) destination.memory()).address() + 70;
                        MemoryUtil.memPutByte(at, (byte) (MemoryUtil.memGetByte(at) ^ 1));
                    }
                    return result;
                });
    }

    @Test
    void metricsAsJsonHasEachThatIsAskedForInItsOrder() {
        JsonObject report = json("metrics", "--sizes", "480p", "--pairs", "2", "--metrics", "motion,adm,psnr");
        assertEquals(1, report.get("threads").getAsInt());
        List<String> cases = new ArrayList<>();
        for (JsonElement element : report.getAsJsonArray("cases")) {
            JsonObject result = element.getAsJsonObject();
            cases.add(result.get("metrics").getAsString());
            assertEquals(720, result.get("width").getAsInt());
            assertEquals(480, result.get("height").getAsInt());
            for (String time : List.of("cpuP50Nanos", "deviceP50Nanos", "stagedP50Nanos")) {
                assertTrue(result.get(time).getAsLong() > 0, result::toString);
            }
            assertEquals(1, result.get("submits").getAsDouble(), result::toString);
            assertTrue(result.get("dispatches").getAsDouble() >= 1, result::toString);
            // libvmaf's tool is beside them where it is installed, for the metrics that it has, too.
            assertEquals(
                    report.has("libvmaf") && !cases.get(cases.size() - 1).equals("psnr"),
                    result.has("libvmafNanos"),
                    result::toString);
        }
        assertEquals(List.of("psnr", "adm", "motion"), cases);
    }

    @Test
    void aFigureThatIsNotTheCpusIsNotTimed() throws Exception {
        try (VulkanMeterContext context = VulkanMeterContext.open(VulkanOptions.bestDevice());
                CpuMeterContext cpu = new CpuMeterContext(1)) {
            MeterContext wrong = (MeterContext) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {MeterContext.class}, (proxy, method, arguments) -> {
                        QualityMeter right = (QualityMeter) method.invoke(cpu, arguments);
                        return wrong(right);
                    });
            MetricsBenchmark benchmark = new MetricsBenchmark(context, wrong, 1, 1);
            String message = assertThrows(
                            WrongResultException.class,
                            () -> benchmark.run(
                                    List.of(VideoSize.named("480p")), Map.of("psnr", Set.of(QualityMetric.PSNR))))
                    .getMessage();
            assertTrue(message.startsWith("psnr: psnr_y of picture 0 is "), message);
        }
    }

    /** A meter that compares the reference with itself. */
    private QualityMeter wrong(QualityMeter right) {
        return (QualityMeter) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {QualityMeter.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("measure")) {
                        arguments[1] = arguments[0];
                    }
                    return method.invoke(right, arguments);
                });
    }

    @Test
    void numbersOutOfRangeEndWithTwoAndOneLine() {
        assertRefused(2, "--pairs is 1 or more, given 0", "metrics", "--pairs", "0");
        assertRefused(2, "--threads is 1 or more, given 0", "metrics", "--threads", "0");
        assertRefused(2, "no size '8K'", "metrics", "--sizes", "8K");
        assertRefused(
                2, "--metrics takes some of vmaf, vmaf+vmaf_neg, vmaf_v1, psnr", "metrics", "--metrics", "beauty");
        assertRefused(2, "--pictures is 1 or more, given 0", "pictures", "--pictures", "0");
    }

    @Test
    void whatIsNotThereEndsWithThreeAndOneLine() {
        assertRefused(3, "no Vulkan device \"no such device\"", "pictures", "--device", "no such device");
    }

    @Test
    void aFolderThatCannotBeMadeIsToldInOneLine() {
        assertEquals(1, execute("element", "--work", "/proc/none"), err::toString);
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(
                err.toString().startsWith("bench element: a file cannot be read or written (")
                        && err.toString().contains("/proc/none"),
                err.toString());
    }

    private void assertRefused(int status, String message, String... arguments) {
        err.getBuffer().setLength(0);
        assertEquals(status, execute(arguments), err::toString);
        assertTrue(err.toString().contains(message), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    private JsonObject json(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--json");
        assertEquals(0, execute(all.toArray(String[]::new)), err::toString);
        return JsonParser.parseString(out.toString()).getAsJsonObject();
    }

    private int execute(String... arguments) {
        CommandLine commandLine =
                BenchCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
