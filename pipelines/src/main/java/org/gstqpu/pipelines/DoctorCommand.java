package org.gstqpu.pipelines;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.FilterContext;
import org.gstqpu.kernels.Substrate;
import org.gstqpu.kernels.SubstrateRequest;
import org.gstqpu.kernels.SubstrateUnavailableException;
import org.gstqpu.kernels.Substrates;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code qpu doctor}: what this machine has, what is missing, and what to do about it. Main thread. */
@Command(
        name = "doctor",
        description = {
            "Looks over GStreamer, Java, the Vulkan devices and the kernel's buffer sharing, and says what the element"
                    + " would run on here and why.",
            "Each line starts with 'ok', 'none' (not here; the element works without) or 'MISSING' (the element does not"
                    + " work), and the last two name a cure. Exit status 1 with any 'MISSING'."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final long LIMIT_SECONDS = 60;

    @Spec
    private CommandSpec spec;

    private PrintWriter out;
    private boolean missing;

    @Override
    public Integer call() {
        out = spec.commandLine().getOut();
        Installation installation = Installation.current();
        lookAtGStreamer(installation);
        lookAtJava();
        lookAtDeviceFiles();
        lookAtSubstrate();
        return missing ? ExitStatus.PROBLEM : ExitStatus.OK;
    }

    private void lookAtGStreamer(Installation installation) {
        Optional<ChildProcess.Result> version =
                new ChildProcess(List.of("gst-inspect-1.0", "--version"), Map.of()).run(LIMIT_SECONDS);
        if (version.isEmpty()) {
            missing("GStreamer", "no gst-inspect-1.0", "apt install gstreamer1.0-tools");
            return;
        }
        ok("GStreamer", lineWith(version.get().output(), "GStreamer"));
        if (!installation.hasPlugin()) {
            missing("plugin", "not built", "run " + installation.root() + "/pipelines/setup");
            return;
        }
        ChildProcess inspect = new ChildProcess(
                List.of("gst-inspect-1.0", "--plugin", "qpu"),
                Map.of("GST_PLUGIN_PATH", installation.pluginFolder().toString()));
        ChildProcess.Result result = inspect.run(LIMIT_SECONDS).orElseThrow();
        if (result.status() != 0 || !result.output().contains("qpuloopfilter")) {
            missing(
                    "plugin",
                    "GStreamer does not load " + installation.pluginFolder() + "/libgstqpu.so",
                    "see what it says: GST_DEBUG=GST_PLUGIN_LOADING:5 " + inspect.commandLine());
            return;
        }
        ok("plugin", "qpuloopfilter, with GST_PLUGIN_PATH=" + installation.pluginFolder());
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

    private void lookAtDeviceFiles() {
        Path udmabuf = Path.of("/dev/udmabuf");
        if (!Files.exists(udmabuf)) {
            none("udmabuf", "no " + udmabuf, "modprobe udmabuf, where the kernel has it");
        } else if (!Files.isReadable(udmabuf) || !Files.isWritable(udmabuf)) {
            none(
                    "udmabuf",
                    udmabuf + " is not for this user",
                    "add the user to the group that owns it (ls -l " + udmabuf + ")");
        } else {
            ok("udmabuf", udmabuf.toString());
        }
        Path heaps = Path.of("/dev/dma_heap");
        if (Files.isDirectory(heaps)) {
            ok("dma-heap", heaps.toString());
        } else {
            none("dma-heap", "no " + heaps, "a kernel with CONFIG_DMABUF_HEAPS, as the Raspberry Pi's");
        }
    }

    private void lookAtSubstrate() {
        SubstrateRequest request = new SubstrateRequest(Substrate.AUTO, Optional.empty(), 0);
        try (FilterContext context = Substrates.open(request)) {
            ok("auto", "picks " + context.substrate() + " (" + context.deviceName() + "): " + context.reason());
        } catch (SubstrateUnavailableException e) {
            missing("auto", "nothing to run on", e.getMessage());
        }
    }

    private void ok(String subject, String finding) {
        line("ok", subject, finding);
    }

    private void none(String subject, String finding, String cure) {
        line("none", subject, finding + "; cure: " + cure);
    }

    private void missing(String subject, String finding, String cure) {
        missing = true;
        line("MISSING", subject, finding + "; cure: " + cure);
    }

    private void line(String state, String subject, String finding) {
        out.printf("%-8s %-10s %s%n", state, subject, finding);
        out.flush();
    }
}
