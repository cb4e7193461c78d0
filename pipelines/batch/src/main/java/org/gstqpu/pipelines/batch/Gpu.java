/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * A GPU that workers may use. Immutable.
 *
 * @param index its place in the list of Vulkan's loader
 * @param name of the device
 * @param uuid of the device
 * @param type the kind of device
 * @param driver name and version
 */
record Gpu(int index, String name, String uuid, DeviceType type, String driver) {
    /** Where an engine such as Slurm says which of NVIDIA's GPUs a job has got. Vulkan does not heed it. */
    static final String ALLOTTED = "CUDA_VISIBLE_DEVICES";

    /** How CUDA, and so {@link #ALLOTTED}, writes a UUID. It may be cut off where it is unique. */
    private static final String UUID = "GPU-";

    /**
     * All GPUs that Vulkan finds. It does not find those that a container or a control group hides. Empty without Vulkan, as the element
     * will say where that matters.
     */
    static List<Gpu> all() {
        try {
            return VulkanDevices.list().stream()
                    .filter(device ->
                            device.unusable().isEmpty() && device.type().isGpu())
                    .map(device ->
                            new Gpu(device.index(), device.name(), device.uuid(), device.type(), device.driver()))
                    .toList();
        } catch (SubstrateUnavailableException e) {
            return List.of();
        }
    }

    /**
     * The UUIDs of NVIDIA's GPUs in the order in which {@link #ALLOTTED} numbers them: that of their places on the PCI bus. Empty if the
     * driver does not say it.
     *
     * @param proc the folder {@code /proc}
     */
    static List<String> cudaOrder(Path proc) throws IOException {
        Path folder = proc.resolve("driver/nvidia/gpus");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> places;
        try (Stream<Path> found = Files.list(folder)) {
            places = found.sorted().toList();
        }
        List<String> uuids = new ArrayList<>();
        for (Path place : places) {
            for (String line : Files.readAllLines(place.resolve("information"))) {
                if (line.startsWith("GPU UUID:")) {
                    uuids.add(line.substring(line.indexOf(UUID) + UUID.length()).strip());
                }
            }
        }
        return uuids;
    }

    /**
     * Those that a job has got: all but those of NVIDIA's that {@link #ALLOTTED} leaves out.
     *
     * @param environment of the job
     * @param order of {@link #cudaOrder}
     */
    static List<Gpu> allotted(List<Gpu> gpus, Map<String, String> environment, List<String> order) {
        String list = environment.get(ALLOTTED);
        if (list == null) {
            return gpus;
        }
        List<Gpu> ofCuda = gpus.stream()
                .filter(Gpu::isCuda)
                .sorted(Comparator.comparing(gpu -> order.indexOf(gpu.uuid())))
                .toList();
        Set<Gpu> got = new HashSet<>();
        // CUDA takes no notice of what comes after a word that it does not understand, such as NoDevFiles.
        for (String word : list.strip().split("\\s*,\\s*", -1)) {
            Optional<Gpu> named = named(ofCuda, word);
            if (named.isEmpty()) {
                break;
            }
            got.add(named.get());
        }
        return gpus.stream().filter(gpu -> !gpu.isCuda() || got.contains(gpu)).toList();
    }

    private static Optional<Gpu> named(List<Gpu> gpus, String word) {
        if (word.startsWith(UUID)) {
            return gpus.stream()
                    .filter(gpu -> gpu.uuid().startsWith(word.substring(UUID.length())))
                    .findFirst();
        }
        return word.matches("\\d{1,4}") && Integer.parseInt(word) < gpus.size()
                ? Optional.of(gpus.get(Integer.parseInt(word)))
                : Optional.empty();
    }

    /** Those of the best kind: a GPU of its own memory is not to share its work with one beside the processor. */
    static List<Gpu> best(List<Gpu> gpus) {
        Optional<DeviceType> kind = gpus.stream().map(Gpu::type).min(Comparator.naturalOrder());
        return gpus.stream().filter(gpu -> gpu.type() == kind.orElseThrow()).toList();
    }

    private boolean isCuda() {
        return driver.contains("NVIDIA") || name.contains("NVIDIA");
    }

    /** What the element's property {@code device} takes. */
    String device(List<Gpu> all) {
        boolean unique = all.stream().filter(gpu -> gpu.uuid().equals(uuid)).count() == 1;
        return unique ? uuid : Integer.toString(index);
    }

    /** The device for people. */
    String words() {
        return index + ": " + name;
    }
}
