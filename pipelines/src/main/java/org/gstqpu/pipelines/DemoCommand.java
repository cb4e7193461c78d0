package org.gstqpu.pipelines;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.imageio.ImageIO;
import org.gstqpu.kernels.FilterContext;
import org.gstqpu.kernels.Substrate;
import org.gstqpu.kernels.SubstrateRequest;
import org.gstqpu.kernels.SubstrateUnavailableException;
import org.gstqpu.kernels.Substrates;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code qpu demo}: a sample stream decoded and filtered by {@code gst-launch-1.0}, on every substrate that
 * this machine has, and what that gave. Lives on the main thread.
 */
@Command(
        name = "demo",
        description = {
            "Makes a compressed sample stream, has gst-launch-1.0 decode and filter it on every substrate that is here,"
                    + " compares the results with each other and with the source, and draws a before/after picture.",
            "Exit status 1: the substrates disagree, something ran elsewhere than asked, or the picture got no better."
        })
final class DemoCommand implements Callable<Integer> {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int MOST_FRAMES = 250;
    private static final long LIMIT_SECONDS = 600;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "where to leave the files (default: pipelines/target/demo)")
    private Optional<Path> output;

    @Option(
            names = "--frames",
            defaultValue = "75",
            description = "length of the sample, 1 to " + MOST_FRAMES + " pictures (default: ${DEFAULT-VALUE})")
    private int frames;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description = "sets a property of the element, such as qp=36; may be repeated (default: none set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    private PrintWriter out;
    private Installation installation;

    /** A filtered video and what the element said of making it. */
    private record Filtered(String substrate, Path video) {}

    @Override
    public Integer call() throws IOException {
        if (frames < 1 || frames > MOST_FRAMES) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, "--frames is 1 to " + MOST_FRAMES + ", given " + frames);
        }
        out = spec.commandLine().getOut();
        installation = Installation.current();
        if (!installation.hasPlugin()) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE, "the plugin is not built: run " + installation.root() + "/pipelines/setup");
        }
        Path folder = Files.createDirectories(output.orElse(installation.demoFolder()))
                .toAbsolutePath();

        SampleStream sample = makeSample(folder);
        Path before = decode(folder, sample);
        List<Filtered> results = new ArrayList<>();
        boolean right = true;
        heading("decoding and filtering, on each substrate that is here");
        for (Substrate substrate : List.of(Substrate.CPU, Substrate.QPU)) {
            if (isHere(substrate)) {
                right &= filter(folder, sample, substrate, results);
            }
        }
        right &= compareSubstrates(results);
        Path after = results.get(0).video;
        right &= compareQuality(sample.source(), before, after);
        Path picture = folder.resolve("before-after.png");
        drawPicture(sample.source(), before, after, picture);
        heading("to look at");
        say(picture + "   left before, right after; below, a detail before, after, and in the source");
        say(after + "   the filtered video; ffplay, mpv and vlc play it");
        return right ? ExitStatus.OK : ExitStatus.PROBLEM;
    }

    private SampleStream makeSample(Path folder) throws IOException {
        heading("a sample stream");
        SampleStream sample = SampleStream.make(folder, WIDTH, HEIGHT, frames);
        print("%s   the source, %dx%d, %d pictures, without loss", sample.source(), WIDTH, HEIGHT, frames);
        print(
                "%s   the same as H.264 at QP %d, coded without a loop filter, %d kB",
                sample.stream(), SampleStream.QP, Files.size(sample.stream()) / 1000);
        return sample;
    }

    private Path decode(Path folder, SampleStream sample) {
        Path video = folder.resolve("before.y4m");
        launch(pipeline(sample.stream(), List.of(), video), Map.of());
        return video;
    }

    private boolean isHere(Substrate substrate) {
        try (FilterContext context = Substrates.open(new SubstrateRequest(substrate, Optional.empty(), 0))) {
            return context.substrate() == substrate;
        } catch (SubstrateUnavailableException e) {
            say("not on " + name(substrate) + ": " + e.getMessage());
            return false;
        }
    }

    private boolean filter(Path folder, SampleStream sample, Substrate substrate, List<Filtered> results)
            throws IOException {
        String name = name(substrate);
        Path video = folder.resolve("after-" + name + ".y4m");
        Path log = folder.resolve("after-" + name + ".log");
        List<String> element = new ArrayList<>(List.of("qpuloopfilter", "substrate=" + name));
        properties.forEach((property, value) -> element.add(property + "=" + value));
        ChildProcess child = new ChildProcess(
                pipeline(sample.stream(), element, video),
                Map.of("GST_PLUGIN_PATH", installation.pluginFolder().toString()));
        say("$ " + child.commandLine());
        launch(
                child.command(),
                Map.of(
                        "GST_PLUGIN_PATH",
                        installation.pluginFolder().toString(),
                        "GST_DEBUG",
                        "qpuloopfilter:4",
                        "GST_DEBUG_NO_COLOR",
                        "1",
                        "GST_DEBUG_FILE",
                        log.toString()));
        results.add(new Filtered(name, video));
        return checkStats(name, Files.readString(log));
    }

    /** Prints what the element says of itself, and holds it against what was asked for: a filter that did not run shows. */
    private boolean checkStats(String substrate, String log) {
        Optional<ElementStats> found = ElementStats.find(log);
        if (found.isEmpty()) {
            say("WRONG: the element did not say what it did");
            return false;
        }
        ElementStats stats = found.get();
        print(
                "ran on %s (%s): %d pictures, %d submits to the device, %d bytes copied to it and back",
                stats.substrate(), stats.device(), stats.frames(), stats.submits(), stats.bytesCopied());
        boolean right = stats.substrate().equals(substrate)
                && stats.frames() == frames
                && (stats.submits() > 0) == substrate.equals("qpu");
        if (!right) {
            print("WRONG: that is not %d pictures on %s", frames, substrate);
        }
        say("");
        return right;
    }

    private static List<String> pipeline(Path stream, List<String> element, Path video) {
        List<String> command =
                new ArrayList<>(List.of("gst-launch-1.0", "filesrc", "location=" + stream, "!", "decodebin", "!"));
        if (!element.isEmpty()) {
            command.addAll(List.of("videoconvert", "!"));
            command.addAll(element);
            command.add("!");
        }
        command.addAll(List.of(
                "videoconvert", "!", "video/x-raw,format=I420", "!", "y4menc", "!", "filesink", "location=" + video));
        return command;
    }

    private static void launch(List<String> command, Map<String, String> environment) {
        ChildProcess child = new ChildProcess(command, environment);
        ChildProcess.Result result = child.run(LIMIT_SECONDS)
                .orElseThrow(() -> new CommandFailedException(
                        ExitStatus.UNAVAILABLE, "there is no gst-launch-1.0: apt install gstreamer1.0-tools"));
        if (result.status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM,
                    "this failed with status " + result.status() + ": " + child.commandLine() + "\n"
                            + result.lastLines(8));
        }
    }

    private boolean compareSubstrates(List<Filtered> results) throws IOException {
        if (results.size() < 2) {
            say("only one substrate is here, so there is nothing to compare it with");
            return true;
        }
        long difference = Files.mismatch(results.get(0).video, results.get(1).video);
        if (difference >= 0) {
            print(
                    "WRONG: the results of %s and %s differ from byte %d on",
                    results.get(0).substrate, results.get(1).substrate, difference);
            return false;
        }
        print("%s and %s gave the same video, byte for byte", results.get(0).substrate, results.get(1).substrate);
        return true;
    }

    private boolean compareQuality(Path source, Path before, Path after) throws IOException {
        heading("luma against the source");
        PictureQuality qualityBefore = quality(source, before);
        PictureQuality qualityAfter = quality(source, after);
        print("           PSNR        SSIM");
        print("before   %6.2f dB    %.4f", qualityBefore.psnr(), qualityBefore.ssim());
        print("after    %6.2f dB    %.4f", qualityAfter.psnr(), qualityAfter.ssim());
        double gainDb = qualityAfter.psnr() - qualityBefore.psnr();
        double gainSsim = qualityAfter.ssim() - qualityBefore.ssim();
        print("gain     %+6.2f dB   %+.4f", gainDb, gainSsim);
        if (gainDb <= 0 || gainSsim <= 0) {
            say("WRONG: filtering did not bring the picture closer to its source");
            return false;
        }
        return true;
    }

    private PictureQuality quality(Path reference, Path video) throws IOException {
        PictureQuality quality = new PictureQuality();
        try (Y4mReader references = Y4mReader.open(reference);
                Y4mReader pictures = Y4mReader.open(video)) {
            I420Picture wanted = references.newPicture();
            I420Picture picture = pictures.newPicture();
            while (references.read(wanted) && pictures.read(picture)) {
                quality.add(wanted, picture);
            }
        }
        if (quality.pictures() != frames) {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM, video + " has " + quality.pictures() + " pictures, not " + frames);
        }
        return quality;
    }

    private void drawPicture(Path source, Path before, Path after, Path file) throws IOException {
        int frame = frames / 2;
        BufferedImage image = BeforeAfterPicture.compose(
                picture(before, frame), picture(after, frame), picture(source, frame), "before", "after");
        // No image writer at all would mean a Java runtime without the module java.desktop.
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE, "this Java runtime cannot write PNG: install default-jre-headless");
        }
    }

    private static I420Picture picture(Path video, int frame) throws IOException {
        try (Y4mReader pictures = Y4mReader.open(video)) {
            I420Picture picture = pictures.newPicture();
            for (int read = 0; read <= frame; read++) {
                if (!pictures.read(picture)) {
                    throw new IOException(video + " has only " + read + " pictures");
                }
            }
            return picture;
        }
    }

    private static String name(Substrate substrate) {
        return substrate.name().toLowerCase(Locale.ROOT);
    }

    private void heading(String text) {
        say("");
        say("== " + text);
    }

    private void print(String format, Object... values) {
        say(String.format(Locale.ROOT, format, values));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
