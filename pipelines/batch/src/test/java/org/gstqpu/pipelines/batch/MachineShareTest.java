/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineShareTest {
    private static final long MEBIBYTES = 4096;
    private static final String FIRST = "1a2b3c4d-0000-0000-0000-000000000001";
    private static final String SECOND = "1a2b3c4d-0000-0000-0000-000000000002";
    private static final String THIRD = "ffff3c4d-0000-0000-0000-000000000003";

    @TempDir
    private Path folder;

    private static Gpu nvidia(int index, String uuid) {
        return new Gpu(index, "NVIDIA H100", uuid, DeviceType.DISCRETE_GPU, "NVIDIA 550");
    }

    private static final Gpu BESIDE =
            new Gpu(3, "Intel Graphics", "8680a0a7-0000-0000-0000-000000000000", DeviceType.INTEGRATED_GPU, "Mesa 25");

    private static final List<Gpu> MACHINE = List.of(nvidia(0, FIRST), nvidia(1, SECOND), nvidia(2, THIRD), BESIDE);

    private static TranscodeSettings settings(Map<String, String> set) {
        return new TranscodeSettings("transcode", null, null, null, set);
    }

    private static List<Integer> allotted(String variable, List<String> order) {
        return Gpu.allotted(MACHINE, Map.of(Gpu.ALLOTTED, variable), order).stream()
                .map(Gpu::index)
                .toList();
    }

    @Test
    void aJobHasTheGpusThatItsEngineGaveIt() {
        assertEquals(MACHINE, Gpu.allotted(MACHINE, Map.of(), List.of()));
        assertEquals(List.of(1, 2, 3), allotted("1,2", List.of()));
        assertEquals(List.of(0, 3), allotted("2", List.of(THIRD, SECOND, FIRST)));
        assertEquals(List.of(1, 3), allotted("GPU-" + SECOND, List.of()));
        assertEquals(List.of(2, 3), allotted("GPU-ffff", List.of()));
        assertEquals(List.of(0, 3), allotted("0,7,1", List.of()));
        for (String none : List.of("", "NoDevFiles", "-1", "9", "GPU-77")) {
            assertEquals(List.of(3), allotted(none, List.of()), none);
        }
    }

    @Test
    void theDriverTellsInWhichOrderGpusAreNumbered() throws IOException {
        assertEquals(List.of(), Gpu.cudaOrder(folder));
        Path gpus = folder.resolve("driver/nvidia/gpus");
        for (List<String> gpu : List.of(List.of("0000:9a:00.0", FIRST), List.of("0000:19:00.0", SECOND))) {
            Path place = Files.createDirectories(gpus.resolve(gpu.get(0)));
            Files.writeString(
                    place.resolve("information"),
                    "Model: \t\t NVIDIA H100\nGPU UUID: \t GPU-" + gpu.get(1) + "\nDevice Minor: \t 0\n");
        }
        assertEquals(List.of(SECOND, FIRST), Gpu.cudaOrder(folder));
    }

    @Test
    void workersAreSpreadOverTheBestGpus() {
        MachineShare share = MachineShare.of(settings(Map.of()), MACHINE, MACHINE, 8, MEBIBYTES);
        assertEquals(3, share.fewest());
        assertEquals(8, share.most());
        assertEquals(
                List.of(FIRST, SECOND, THIRD, FIRST, SECOND),
                IntStream.range(0, 5)
                        .mapToObj(worker -> share.settings(worker, 5).set().get("device"))
                        .toList());
        assertEquals("2", share.settings(0, 5).set().get("threads"));
        assertEquals("1: NVIDIA H100", share.gpu(4));
    }

    @Test
    void devicesOfOneUuidAreToldApartByTheirPlaces() {
        List<Gpu> twins = List.of(nvidia(0, FIRST), nvidia(1, FIRST));
        MachineShare share = MachineShare.of(settings(Map.of()), twins, twins, 4, MEBIBYTES);
        assertEquals("1", share.settings(1, 2).set().get("device"));
    }

    @Test
    void theOnlyGpuIsLeftToTheElementAndOneOfSeveralIsNot() {
        List<Gpu> one = MACHINE.subList(0, 1);
        MachineShare alone = MachineShare.of(settings(Map.of()), one, one, 4, MEBIBYTES);
        assertFalse(alone.settings(0, 1).set().containsKey("device"));
        MachineShare given = MachineShare.of(settings(Map.of()), MACHINE, MACHINE.subList(1, 2), 4, MEBIBYTES);
        assertEquals(SECOND, given.settings(1, 2).set().get("device"));
        assertEquals(null, given.gpu(0));
    }

    @Test
    void whoGotNoGpuUsesNoneOfThoseOfOthers() {
        MachineShare share = MachineShare.of(settings(Map.of()), MACHINE, List.of(), 4, MEBIBYTES);
        assertEquals("cpu", share.settings(0, 1).set().get("substrate"));
        assertFalse(share.settings(0, 1).set().containsKey("device"));
        CommandFailedException refused = assertThrows(
                CommandFailedException.class,
                () -> MachineShare.of(settings(Map.of("substrate", "qpu")), MACHINE, List.of(), 4, MEBIBYTES));
        assertEquals(ExitStatus.UNAVAILABLE, refused.exitStatus());
        assertTrue(refused.getMessage().startsWith("CUDA_VISIBLE_DEVICES gives"), refused::getMessage);
    }

    @Test
    void whatThePlanSaysStays() throws IOException {
        for (Map<String, String> set : List.of(Map.of("device", "1"), Map.of("substrate", "cpu"))) {
            assertEquals(List.of(), MachineShare.of(settings(set), Map.of()).gpus());
        }
        MachineShare share = MachineShare.of(settings(Map.of("threads", "3")), List.of(), List.of(), 8, MEBIBYTES);
        assertEquals("3", share.settings(0, 4).set().get("threads"));
    }

    @Test
    void theNumberOfWorkersIsDoubledAsLongAsThatPays() {
        WorkerCount count = WorkerCount.between(1, 6);
        count.measured(10e6);
        assertEquals(2, count.number());
        count.measured(19e6);
        assertEquals(4, count.number());
        count.measured(25e6);
        assertEquals(6, count.number());
        assertFalse(count.isKnown());
        // Three percent more.
        count.measured(25.75e6);
        assertTrue(count.isKnown());
        assertEquals(4, count.number());
        assertEquals(
                "1 filtered 10.0, 2 filtered 19.0, 4 filtered 25.0, 6 filtered 25.8 million pixels a second",
                count.why());

        WorkerCount all = WorkerCount.between(1, 2);
        all.measured(1);
        all.measured(2);
        assertTrue(all.isKnown());
        assertEquals(2, all.number());
        assertTrue(WorkerCount.between(3, 3).isKnown());
        assertEquals(2, WorkerCount.known(4, "").atMost(2).number());

        WorkerCount full = WorkerCount.between(2, 16);
        full.measured(1e6);
        full.end("there is no memory for more");
        assertEquals(2, full.number());
        assertEquals("2 filtered 1.0 million pixels a second; there is no memory for more", full.why());
    }

    @Test
    void whatWasFoundIsKeptForTheSameConditionsOnly() {
        CacheFile file = new CacheFile(folder, "workers.txt");
        KeptCount kept = new KeptCount("gpus []\n", Optional.of(file));
        assertTrue(kept.find().isEmpty());
        WorkerCount count = WorkerCount.between(1, 2);
        count.measured(1e6);
        count.measured(2e6);
        kept.keep(count);
        WorkerCount found = kept.find().orElseThrow();
        assertTrue(found.isKnown());
        assertEquals(2, found.number());
        assertEquals(count.why(), found.why());
        assertTrue(new KeptCount("gpus [a]\n", Optional.of(file)).find().isEmpty());
        file.write("gpus []\nmany\nwhy\n".getBytes(StandardCharsets.UTF_8));
        assertTrue(kept.find().isEmpty());
        MachineShare share = MachineShare.of(settings(Map.of()), List.of(), List.of(), 8, MEBIBYTES);
        MachineShare other = MachineShare.of(settings(Map.of("quality", "fast")), List.of(), List.of(), 8, MEBIBYTES);
        MachineShare larger = MachineShare.of(settings(Map.of()), List.of(), List.of(), 8, MEBIBYTES + 1);
        assertEquals(KeptCount.of(share).conditions(), KeptCount.of(share).conditions());
        assertFalse(KeptCount.of(share).conditions().equals(KeptCount.of(other).conditions()));
        assertFalse(KeptCount.of(share).conditions().equals(KeptCount.of(larger).conditions()));
    }

    @Test
    void memoryIsThatOfTheMachineOrOfItsContainer() throws IOException {
        Path group = Files.createDirectories(folder.resolve("group"));
        Files.writeString(folder.resolve("meminfo"), "MemTotal:  8000 kB\nMemFree: 10 kB\nMemAvailable:  6000 kB\n");
        Files.writeString(
                Files.createDirectories(folder.resolve("42")).resolve("status"), "Name:\tjava\nVmHWM:\t  700 kB\n");
        MachineMemory memory = new MachineMemory(folder, group);
        assertEquals(8000 * 1024, memory.total());
        assertEquals(6000 * 1024, memory.available());
        assertEquals(700 * 1024, memory.most(42));
        assertEquals(0, memory.most(43));
        Files.writeString(group.resolve("memory.max"), "4096000\n");
        Files.writeString(group.resolve("memory.current"), "3000000\n");
        Files.writeString(group.resolve("memory.stat"), "anon 1\ninactive_file 500000\nactive_file 7\n");
        assertEquals(4096000, memory.total());
        assertEquals(4096000 - 3000000 + 500000, memory.available());
        Files.writeString(group.resolve("memory.max"), "max\n");
        assertEquals(6000 * 1024, memory.available());
        assertTrue(MachineMemory.ofThisMachine().available() > 0);
    }
}
