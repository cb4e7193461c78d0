/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.doctor;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.blocks.Blocks;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.TextTable;
import org.gstqpu.pipelines.play.Readiness;
import org.gstqpu.pipelines.report.PiDecoder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu doctor}: shows what this machine has, what is missing, and the cure. Lives on the main thread. */
@Command(
        name = "doctor",
        description = {
            "Says in its first line whether the element works here and on what, then what it found: GStreamer, Java, the Vulkan"
                    + " devices, the buffer sharing of the Linux kernel, decoders, encoders, a window, and each ready pipeline."
                    + " If there is a display, a small window opens for a moment.",
            "Each finding starts with 'ok', 'none' (not available; the element works without it) or 'MISSING' (the element does"
                    + " not work). 'none' and 'MISSING' name a cure. The exit status is 1 if anything is 'MISSING'."
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final long LIMIT_SECONDS = 60;
    private static final String DRIVERS = "apt install libvulkan1 mesa-vulkan-drivers";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--kernels",
            description =
                    "also show what each Vulkan device can do, and the measured times of the block library's kernels,"
                            + " by which AUTO chooses; measuring takes some seconds the first time")
    private boolean kernels;

    private final List<String> lines = new ArrayList<>();
    private int missing;

    /** On what the element would run; empty if on nothing. */
    private Optional<String> substrate = Optional.empty();

    @Override
    public Integer call() {
        Installation installation = Installation.current();
        boolean loads = lookAtGStreamer(installation);
        lookAtJava();
        lookAtVulkan();
        lookAtDeviceFiles();
        lookAtSubstrate();
        Optional<Readiness> readiness = loads ? readiness(installation) : Optional.empty();
        readiness.ifPresent(this::say);
        if (kernels) {
            lookAtBlocks();
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(verdict(readiness));
        lines.forEach(out::println);
        out.flush();
        return missing > 0 ? ExitStatus.PROBLEM : ExitStatus.OK;
    }

    /** Empty if this process cannot start GStreamer, though gst-inspect-1.0 can: then only qpu's own commands do not work. */
    private Optional<Readiness> readiness(Installation installation) {
        try {
            return Optional.of(Readiness.look(installation));
        } catch (CommandFailedException e) {
            none(
                    "pipelines",
                    "qpu cannot start GStreamer: " + e.getMessage(),
                    "gst-launch-1.0 runs pipelines meanwhile");
            return Optional.empty();
        }
    }

    private String verdict(Optional<Readiness> readiness) {
        if (missing > 0 || substrate.isEmpty()) {
            return "qpuloopfilter does not work here yet; what is MISSING below says why, with the cure.";
        }
        if (readiness.isEmpty()) {
            return "qpuloopfilter works here, on " + substrate.get()
                    + "; qpu itself does not play or transcode, see below.";
        }
        List<Readiness.Finding> pipelines = readiness.get().pipelines();
        long whole = pipelines.stream().filter(Readiness.Finding::isWhole).count();
        String runs = whole == pipelines.size()
                ? "all " + whole + " ready pipelines run"
                : whole + " of " + pipelines.size() + " ready pipelines run; 'none' below says what the others need";
        return "qpuloopfilter works here, on " + substrate.get() + "; " + runs + ".";
    }

    private void say(Readiness readiness) {
        Stream.concat(
                        Stream.of(readiness.decoders(), readiness.encoders(), readiness.window()),
                        readiness.pipelines().stream())
                .forEach(finding -> {
                    if (finding.isWhole()) {
                        ok(finding.subject(), finding.finding());
                    } else {
                        none(
                                finding.subject(),
                                finding.finding(),
                                finding.cure().orElseThrow());
                    }
                });
    }

    /** Whether GStreamer loads the plugin. */
    private boolean lookAtGStreamer(Installation installation) {
        Optional<ChildProcess.Result> version =
                new ChildProcess(List.of("gst-inspect-1.0", "--version"), Map.of()).run(LIMIT_SECONDS);
        if (version.isEmpty()) {
            missing("GStreamer", "no gst-inspect-1.0", "apt install gstreamer1.0-tools");
            return false;
        }
        ok("GStreamer", lineWith(version.get().output(), "GStreamer"));
        if (!installation.hasPlugin()) {
            missing("plugin", "no " + installation.pluginFolder() + "/libgstqpu.so", installation.repair());
            return false;
        }
        ChildProcess inspect =
                new ChildProcess(List.of("gst-inspect-1.0", "--plugin", "qpu"), installation.environment());
        ChildProcess.Result result = inspect.run(LIMIT_SECONDS).orElseThrow();
        if (result.status() != 0 || !result.output().contains("qpuloopfilter")) {
            missing(
                    "plugin",
                    "GStreamer does not load " + installation.pluginFolder() + "/libgstqpu.so",
                    "see why with GST_DEBUG=GST_PLUGIN_LOADING:5 " + inspect.commandLine());
            return false;
        }
        ok(
                "plugin",
                installation.searched()
                        ? "qpuloopfilter, in " + installation.pluginFolder()
                        : "qpuloopfilter, with GST_PLUGIN_PATH=" + installation.pluginFolder());
        return true;
    }

    private static String lineWith(String text, String word) {
        return text.lines().filter(line -> line.startsWith(word)).findFirst().orElse(text.strip());
    }

    private void lookAtJava() {
        ok(
                "Java",
                System.getProperty("java.vm.name") + " " + Runtime.version() + " in "
                        + System.getProperty("java.home"));
    }

    private void lookAtVulkan() {
        List<DeviceCapabilities> devices;
        try {
            devices = VulkanDevices.list();
        } catch (SubstrateUnavailableException e) {
            none("Vulkan", "no usable device: " + e.getMessage(), DRIVERS);
            return;
        }
        if (devices.isEmpty()) {
            none("Vulkan", "no device", DRIVERS);
            return;
        }
        for (DeviceCapabilities device : devices) {
            String what = device.summary() + ", Vulkan " + device.apiVersion() + ", " + device.driver();
            if (device.unusable().isPresent()) {
                none("Vulkan", what + ": " + device.unusable().get(), "a newer driver or another device");
            } else {
                ok("Vulkan", what);
            }
            if (kernels) {
                describe(device);
            }
        }
        if (devices.stream().noneMatch(device -> device.type().isGpu())) {
            none("GPU", "all of these run on the CPU", gpuCure());
        }
    }

    private void describe(DeviceCapabilities device) {
        detail("can", abilities(device, true));
        detail("cannot", abilities(device, false));
        detail(
                "limits",
                "%d storage buffers of %d MiB, %d invocations, %d B push constants, %d KiB shared, subgroups of %d"
                        .formatted(
                                device.maxStorageBuffersPerStage(),
                                device.maxStorageBufferRangeBytes() >> 20,
                                device.maxWorkgroupInvocations(),
                                device.maxPushConstantsBytes(),
                                device.maxSharedMemoryBytes() >> 10,
                                device.subgroupSize()));
    }

    private static String abilities(DeviceCapabilities device, boolean wanted) {
        Map<String, Boolean> all = new LinkedHashMap<>();
        all.put("import dmabufs", device.dmabufImport());
        all.put("import host memory", device.hostPointerImport());
        all.put("import SYNC_FD", device.syncFdImport());
        all.put("export SYNC_FD", device.syncFdExport());
        all.put("16-bit storage", device.storage16Bit());
        all.put("timestamps", device.timestamps());
        return all.entrySet().stream()
                .filter(ability -> ability.getValue() == wanted)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }

    /** The usual reason why Vulkan finds only the CPU is a GPU that this user may not open. Returns the cure for this machine. */
    private static String gpuCure() {
        Path nodes = Path.of("/dev/dri");
        if (!Files.isDirectory(nodes)) {
            return "none, unless this machine has a GPU whose kernel driver is not loaded (there is no " + nodes + ")";
        }
        try (Stream<Path> entries = Files.list(nodes)) {
            List<Path> closed = entries.filter(
                            node -> String.valueOf(node.getFileName()).startsWith("renderD"))
                    .filter(node -> !Files.isReadable(node) || !Files.isWritable(node))
                    .toList();
            return closed.isEmpty()
                    ? "the Vulkan driver for this GPU"
                    : "add the user to the group that owns " + closed.get(0) + " (often render)";
        } catch (IOException e) {
            return "allow this user to read " + nodes + " (" + e.getMessage() + ")";
        }
    }

    private void lookAtDeviceFiles() {
        Path udmabuf = Path.of("/dev/udmabuf");
        if (!Files.exists(udmabuf)) {
            none("udmabuf", "no " + udmabuf, "modprobe udmabuf, if the kernel has that module");
        } else if (!Files.isReadable(udmabuf) || !Files.isWritable(udmabuf)) {
            none(
                    "udmabuf",
                    "this user may not open " + udmabuf,
                    "add the user to the group that owns it (ls -l " + udmabuf + ")");
        } else {
            ok("udmabuf", udmabuf.toString());
        }
        Path heaps = Path.of("/dev/dma_heap");
        if (Files.isDirectory(heaps)) {
            ok("dma-heap", heaps.toString());
        } else {
            none("dma-heap", "no " + heaps, "a kernel with CONFIG_DMABUF_HEAPS, such as the Raspberry Pi's");
        }
        PiDecoder.look().forEach(fault -> none("HEVC decoder", fault.finding(), fault.cure()));
    }

    private void lookAtSubstrate() {
        SubstrateRequest request = SubstrateRequest.auto();
        try (FilterContext context = Substrates.open(request)) {
            substrate = Optional.of(
                    context.substrate() == Substrate.CPU
                            ? "the " + context.deviceName()
                            : "the device " + context.deviceName());
            ok("auto", "picks " + context.substrate() + " (" + context.deviceName() + "): " + context.reason());
        } catch (SubstrateUnavailableException e) {
            missing("auto", "nothing to run on", e.getMessage());
        }
    }

    private void lookAtBlocks() {
        SubstrateRequest request = SubstrateRequest.auto();
        List<SubstrateTimes> all;
        try {
            all = Blocks.times(request);
        } catch (SubstrateUnavailableException e) {
            missing("blocks", "nothing to run on", e.getMessage());
            return;
        }
        if (all.isEmpty()) {
            ok("blocks", "auto runs every call of the block library on the CPU: there is no Vulkan device");
            return;
        }
        ok(
                "blocks",
                "auto runs calls of the block library as the column choice shows; nanoseconds per block or edge"
                        + CacheFile.folder(System.getenv())
                                .map(folder -> ", from " + folder + "/calibration-* (remove it to measure again)")
                                .orElse(""));
        TextTable table = new TextTable("kernel", "blocks per call", "cpu", "qpu", "choice");
        for (SubstrateTimes times : all) {
            table.row(
                    times.work(),
                    Integer.toString(times.blocks()),
                    nanosPerBlock(times, times.cpuNanos()),
                    nanosPerBlock(times, times.qpuNanos()),
                    times.fault().orElseGet(() -> times.faster().name().toLowerCase(Locale.ROOT)));
        }
        StringWriter rows = new StringWriter();
        table.print(new PrintWriter(rows, true));
        rows.toString().lines().forEach(line -> detail("", line));
    }

    private static String nanosPerBlock(SubstrateTimes times, long nanos) {
        return times.fault().isPresent() ? "" : String.format(Locale.ROOT, "%.1f", (double) nanos / times.blocks());
    }

    private void ok(String subject, String finding) {
        line("ok", subject, finding);
    }

    private void none(String subject, String finding, String cure) {
        line("none", subject, finding + "; cure: " + cure);
    }

    private void missing(String subject, String finding, String cure) {
        missing++;
        line("MISSING", subject, finding + "; cure: " + cure);
    }

    private void detail(String subject, String finding) {
        line("", subject, finding.isEmpty() ? "nothing" : finding);
    }

    private void line(String state, String subject, String finding) {
        lines.add(String.format(Locale.ROOT, "%-8s %-15s %s", state, subject, finding));
    }
}
