/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * A machine and its software. A component is "unknown" if the machine does not tell.
 *
 * @param model what the firmware calls the machine, such as {@code Raspberry Pi 5 Model B Rev 1.0}
 * @param processor the processor's name
 * @param cores number of processors that Java may use
 * @param memoryMiB memory of the machine
 * @param system the distribution
 * @param kernel the Linux kernel's version
 * @param architecture the architecture, as Java names it
 * @param java the Java runtime
 * @param gstreamer GStreamer's version
 * @param devices the Vulkan devices with their drivers
 */
record MachineFacts(
        String model,
        String processor,
        int cores,
        long memoryMiB,
        String system,
        String kernel,
        String architecture,
        String java,
        String gstreamer,
        List<String> devices) {
    private static final String UNKNOWN = "unknown";

    /**
     * Asks this machine.
     *
     * @param limitSeconds how long GStreamer may take to tell its version, which it does after a search for its plugins
     */
    static MachineFacts look(long limitSeconds) {
        return new MachineFacts(
                firstOf(text("/proc/device-tree/model"), text("/sys/class/dmi/id/product_name")),
                firstOf(
                        value("/proc/cpuinfo", "model name", ":"),
                        value("/proc/cpuinfo", "CPU part", ":").map(part -> "Arm, part " + part)),
                Runtime.getRuntime().availableProcessors(),
                value("/proc/meminfo", "MemTotal", ":")
                        .map(size -> Long.parseLong(size.split(" ", -1)[0]) / 1024)
                        .orElse(0L),
                value("/etc/os-release", "PRETTY_NAME", "=")
                        .map(name -> name.replace("\"", ""))
                        .orElse(UNKNOWN),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                gstreamer(limitSeconds),
                vulkan());
    }

    /** GStreamer's version, as {@code GStreamer 1.26.2}; {@value #UNKNOWN} and perhaps why, if it is not told. */
    static String gstreamer(long limitSeconds) {
        try {
            return new ChildProcess(List.of("gst-inspect-1.0", "--version"), Map.of())
                    .run(limitSeconds)
                    .flatMap(result -> result.output()
                            .lines()
                            .filter(line -> line.startsWith("GStreamer "))
                            .findFirst())
                    .orElse(UNKNOWN);
        } catch (CommandFailedException e) {
            return UNKNOWN + ", not told within " + limitSeconds + " s";
        }
    }

    private static List<String> vulkan() {
        try {
            return VulkanDevices.list().stream()
                    .map(device -> device.name() + ", Vulkan " + device.apiVersion() + ", " + device.driver()
                            + device.unusable()
                                    .map(why -> ", not usable: " + why)
                                    .orElse(""))
                    .toList();
        } catch (SubstrateUnavailableException e) {
            return List.of();
        }
    }

    private static String firstOf(Optional<String> one, Optional<String> other) {
        return one.or(() -> other).orElse(UNKNOWN);
    }

    /** The text of a small file of the kernel's; empty if there is none, or if this user may not read it. */
    static Optional<String> text(String file) {
        try {
            String text = Files.readString(Path.of(file), StandardCharsets.ISO_8859_1)
                    .replace("\0", "")
                    .strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        } catch (IOException e) {
            // Which of these files a machine has depends on its kind; the report says what it does not know.
            return Optional.empty();
        }
    }

    private static Optional<String> value(String file, String name, String separator) {
        return text(file)
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith(name))
                        .map(line -> line.substring(line.indexOf(separator) + 1).strip())
                        .findFirst());
    }
}
