/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanOptions;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.QpuCommand;
import org.gstqpu.pipelines.bench.dispatch.DispatchLadder;
import org.gstqpu.pipelines.bench.dispatch.DispatchLoopInC;
import org.gstqpu.pipelines.bench.dispatch.DispatchStage;
import org.gstqpu.pipelines.bench.dispatch.DispatchWork;
import org.gstqpu.pipelines.bench.dispatch.IdctInputs;
import org.gstqpu.pipelines.bench.dispatch.OverheadBenchmark;
import org.gstqpu.pipelines.bench.dispatch.StagedDispatch;
import org.gstqpu.pipelines.bench.kernels.MetricsBenchmark;
import org.gstqpu.pipelines.bench.kernels.PicturesBenchmark;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryUtil;
import picocli.CommandLine;

class BenchCommandIT {
    /** round(2^14 cos(16 pi / 64)), a constant of the VP9 transform. */
    private static final int C16 = 11585;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void overheadAsJsonHasTheFieldsThatItsReadersRelyOn() {
        JsonObject report = json("overhead", "--dispatches", "9", "--warm-up", "3");
        assertFalse(report.get("device").getAsString().isBlank());
        assertFalse(report.get("driver").getAsString().isBlank());
        assertEquals(9, report.get("dispatches").getAsInt());
        assertTrue(report.get("javaOverC").getAsDouble() > 0);
        assertTrue(report.getAsJsonObject("c").get("p50Nanos").getAsLong() > 0);
        List<String> names = new ArrayList<>();
        for (JsonElement element : report.getAsJsonArray("stages")) {
            JsonObject stage = element.getAsJsonObject();
            names.add(stage.get("name").getAsString());
            long p50 = stage.get("p50Nanos").getAsLong();
            assertTrue(p50 > 0, names::toString);
            assertTrue(stage.get("p90Nanos").getAsLong() >= p50, names::toString);
            assertTrue(stage.get("meanNanos").getAsLong() > 0, names::toString);
            assertTrue(stage.get("coldNanos").getAsLong() > 0, names::toString);
        }
        assertEquals(
                Arrays.stream(DispatchStage.values()).map(DispatchStage::title).toList(), names);
    }

    @Test
    void eachStageMakesLessUntilTheLastMakesNothing() {
        JsonArray stages = json("overhead", "--dispatches", "50", "--warm-up", "0", "--no-c")
                .getAsJsonArray("stages");
        // vkCreate*: four buffers, the two pools, the fence. vkAllocate*: the buffers' memory, command buffer,
        // descriptor set.
        assertCounts(stages.get(0), 4 + 3, 4 + 2, 1);
        assertCounts(stages.get(1), 3, 2, 1);
        assertCounts(stages.get(2), 1, 0, 0);
        assertCounts(stages.get(3), 0, 0, 0);
        assertCounts(stages.get(4), 0, 0, 0);
    }

    /** One of a few runs must show no allocation: a dispatch that allocates does so in each, the JVM's compiler only in some. */
    @Test
    void fromTheThirdStageOnADispatchAllocatesNothingInJava() {
        double least = Double.MAX_VALUE;
        for (int run = 0; run < 5 && least > 0; run++) {
            double bytes = 0;
            for (JsonElement stage : json("overhead", "--dispatches", "50", "--warm-up", "50", "--no-c")
                    .getAsJsonArray("stages")
                    .asList()
                    .subList(3, DispatchStage.values().length)) {
                bytes += stage.getAsJsonObject().get("javaBytes").getAsDouble();
            }
            least = Math.min(least, bytes);
        }
        assertEquals(0, least);
    }

    private static void assertCounts(JsonElement stage, int creates, int allocations, int descriptorWrites) {
        JsonObject counts = stage.getAsJsonObject();
        assertEquals(creates, counts.get("vkCreate").getAsDouble(), counts::toString);
        assertEquals(allocations, counts.get("vkAllocate").getAsDouble(), counts::toString);
        assertEquals(descriptorWrites, counts.get("descriptorWrites").getAsDouble(), counts::toString);
        assertEquals(1, counts.get("submits").getAsDouble(), counts::toString);
        assertEquals(1, counts.get("waits").getAsDouble(), counts::toString);
    }

    @Test
    void withoutCThereIsNothingToCompareWith() {
        JsonObject report = json("overhead", "--dispatches", "1", "--warm-up", "0", "--no-c");
        assertFalse(report.has("javaOverC"));
        assertFalse(report.has("c"));
    }

    @Test
    void withoutACompilerThereIsNoRatioAndALineSaysWhatToInstall() {
        JsonObject report = json("overhead", "--dispatches", "1", "--warm-up", "0", "--cc", "no-such-compiler");
        assertFalse(report.has("javaOverC"));
        assertEquals(5, report.getAsJsonArray("stages").size());
        assertEquals(
                "qpu bench overhead: no comparison with C: there is no C compiler 'no-such-compiler':"
                        + " apt install gcc libc6-dev",
                err.toString().strip());
    }

    @Test
    void aCompilerThatFailsIsAnError() throws Exception {
        Path broken = folder.resolve("broken-cc");
        Files.writeString(broken, "#!/bin/bash\n[[ $1 == -E ]] && exit\necho it broke\necho twice\nexit 1\n");
        assertTrue(broken.toFile().setExecutable(true));
        assertRefused(
                3,
                "the loop in C cannot be built (--no-c leaves it out): it broke; twice",
                "overhead",
                "--cc",
                broken.toString());
    }

    @Test
    void theTableSetsEachStageAgainstTheOneBeforeAndTheFirst() {
        assertEquals(0, execute("bench", "overhead", "--dispatches", "2", "--warm-up", "0"), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertTrue(lines.get(3).contains("to previous  to first"), out::toString);
        assertTrue(lines.get(4).startsWith(DispatchStage.FRESH_ALLOCATION.title()), out::toString);
        assertTrue(lines.get(4).contains("1.000     1.000"), out::toString);
        assertTrue(lines.get(lines.size() - 1).startsWith("Java over C, p50 of the last stage: "), out::toString);
    }

    @Test
    void aKernelWithAWrongConstantIsFoundBeforeAnyTimeIsReported() throws SubstrateUnavailableException {
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice());
                CpuFilterContext cpu = new CpuFilterContext(1, "test")) {
            IdctInputs inputs = new IdctInputs(cpu, 255, 1);
            DispatchWork right = new DispatchLadder(context).vp9Idct8x8();
            assertEquals(
                    5,
                    new OverheadBenchmark(context, right, inputs, 1)
                            .run(0, Optional.empty())
                            .stages()
                            .size());
            OverheadBenchmark wrong = new OverheadBenchmark(context, withWrongConstant(right), inputs, 1);
            assertThrows(WrongResultException.class, () -> wrong.run(0, Optional.empty()));
        }
    }

    @Test
    void theLoopInCFindsAWrongConstantByItself() throws SubstrateUnavailableException {
        Path library = folder.resolve("libdispatchloop.so");
        Path sources = Installation.current().root().resolve("pipelines/src/main/c");
        assertEquals(Optional.empty(), DispatchLoopInC.build(sources, library, Optional.empty()));
        ByteBuffer destination = ByteBuffer.allocateDirect(DispatchLadder.PICTURE_BYTES);
        long[] nanos = new long[40];
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice());
                DispatchLoopInC loop = DispatchLoopInC.load(library)) {
            DispatchWork right = new DispatchLadder(context).vp9Idct8x8();
            dispatchInC(context, loop, right, destination, nanos);
            assertTrue(Arrays.stream(nanos).allMatch(time -> time > 0), Arrays.toString(nanos));
            DispatchWork wrong = withWrongConstant(right);
            assertThrows(WrongResultException.class, () -> dispatchInC(context, loop, wrong, destination, nanos));
        }
    }

    private static void dispatchInC(
            VulkanFilterContext context,
            DispatchLoopInC loop,
            DispatchWork work,
            ByteBuffer destination,
            long[] nanos) {
        long address = MemoryUtil.memAddress(destination);
        try (StagedDispatch staged =
                new DispatchLadder(context).open(DispatchStage.PREMADE_FENCE_AND_SET, work, address)) {
            loop.dispatch(staged.handles().orElseThrow(), address, 0, nanos, 0, nanos.length);
        }
    }

    private static DispatchWork withWrongConstant(DispatchWork work) {
        ByteBuffer spirv = ByteBuffer.allocateDirect(work.spirv().remaining()).order(ByteOrder.LITTLE_ENDIAN);
        spirv.put(work.spirv().duplicate()).flip();
        int changed = 0;
        for (int i = 0; i < spirv.limit(); i += 4) {
            if (spirv.getInt(i) == C16) {
                spirv.putInt(i, C16 - 300);
                changed++;
            }
        }
        assertTrue(changed > 0, "the kernel has no constant " + C16);
        return work.withSpirv(spirv);
    }

    @Test
    void commandsAsJsonHasEveryModeWithEveryNumberOfExecutes() {
        JsonObject report =
                json("commands", "--executes", "1,3", "--primaries", "2", "--replays", "5", "--warm-up", "0");
        List<String> cases = new ArrayList<>();
        for (JsonElement element : report.getAsJsonArray("cases")) {
            JsonObject result = element.getAsJsonObject();
            String mode = result.get("mode").getAsString();
            cases.add(result.get("executes").getAsInt() + " " + mode);
            assertTrue(result.get("cpuNanos").getAsLong() > 0, cases::toString);
            assertTrue(result.get("p50Nanos").getAsLong() > 0, cases::toString);
            assertTrue(result.has("residentBytes"), cases::toString);
            assertEquals(0, result.get("vkCreate").getAsDouble(), cases::toString);
            assertEquals(0, result.get("vkAllocate").getAsDouble(), cases::toString);
            assertEquals(0, result.get("descriptorWrites").getAsDouble(), cases::toString);
            assertEquals(1, result.get("submits").getAsDouble(), cases::toString);
            assertEquals(
                    mode.equals("persistent primary") ? 0 : 1,
                    result.get("reRecords").getAsDouble(),
                    cases::toString);
        }
        assertEquals(
                List.of(
                        "1 re-record",
                        "1 persistent primary",
                        "1 secondary into primary",
                        "3 re-record",
                        "3 persistent primary",
                        "3 secondary into primary"),
                cases);
    }

    @Test
    void kernelsAsJsonHasEveryBatchOnEverySubstrate() {
        JsonObject report = json("kernels", "--kernel", "h264_chroma_bs4", "--batches", "1,130", "--millis", "1");
        assertTrue(report.get("goldenRecords").getAsLong() > 0);
        List<String> cases = new ArrayList<>();
        for (JsonElement element : report.getAsJsonArray("results")) {
            JsonObject result = element.getAsJsonObject();
            cases.add(result.get("kernel").getAsString() + " "
                    + result.get("batch").getAsInt() + " "
                    + result.get("substrate").getAsString());
            assertTrue(result.get("runs").getAsInt() >= 5, cases::toString);
            assertEquals(
                    result.get("p50Nanos").getAsDouble() / result.get("batch").getAsInt(),
                    result.get("nanosPerBlock").getAsDouble(),
                    cases::toString);
        }
        assertEquals(
                List.of(
                        "h264_chroma_bs4_vertical_8bit 1 cpu",
                        "h264_chroma_bs4_vertical_8bit 1 qpu",
                        "h264_chroma_bs4_vertical_8bit 130 cpu",
                        "h264_chroma_bs4_vertical_8bit 130 qpu",
                        "h264_chroma_bs4_horizontal_8bit 1 cpu",
                        "h264_chroma_bs4_horizontal_8bit 1 qpu",
                        "h264_chroma_bs4_horizontal_8bit 130 cpu",
                        "h264_chroma_bs4_horizontal_8bit 130 qpu"),
                cases);
    }

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
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice());
                CpuFilterContext cpu = new CpuFilterContext(1, "a test")) {
            FilterContext wrong = (FilterContext) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {FilterContext.class}, (proxy, method, arguments) -> {
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
        assertRefused(2, "--metrics takes some of vmaf, vmaf+vmaf_neg, psnr", "metrics", "--metrics", "beauty");
        assertRefused(2, "--dispatches is 1 or more, given 0", "overhead", "--dispatches", "0");
        assertRefused(2, "--warm-up is 0 or more, given -1", "overhead", "--warm-up", "-1");
        assertRefused(2, "--executes is 1 or more, given 0", "commands", "--executes", "1,0");
        assertRefused(2, "--batches is 1 or more, given 0", "kernels", "--batches", "0,1");
        assertRefused(2, "--pictures is 1 or more, given 0", "pictures", "--pictures", "0");
        assertRefused(2, "no kernel has 'h265' in its name", "kernels", "--kernel", "h265");
    }

    @Test
    void whatIsNotThereEndsWithThreeAndOneLine() throws Exception {
        Path none = folder.resolve("none.so");
        assertRefused(3, none + ": no such file", "overhead", "--c-peer", none.toString());
        Path text = Files.writeString(folder.resolve("text.so"), "no library");
        assertRefused(3, text + " cannot be loaded", "overhead", "--c-peer", text.toString());
        assertRefused(3, "no Vulkan device \"no such device\"", "overhead", "--device", "no such device");
    }

    private void assertRefused(int status, String message, String... arguments) {
        err.getBuffer().setLength(0);
        assertEquals(status, execute(arguments(arguments)), err::toString);
        assertTrue(err.toString().contains(message), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    private JsonObject json(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments(arguments)));
        all.add("--json");
        assertEquals(0, execute(all.toArray(String[]::new)), err::toString);
        return JsonParser.parseString(out.toString()).getAsJsonObject();
    }

    private static String[] arguments(String... arguments) {
        List<String> all = new ArrayList<>(List.of("bench"));
        all.addAll(Arrays.asList(arguments));
        return all.toArray(String[]::new);
    }

    private int execute(String... arguments) {
        CommandLine commandLine =
                QpuCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
