/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.demo;

import static org.gstqpu.pipelines.cli.ChildProcess.words;
import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualitySums;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementSettings;
import org.gstqpu.pipelines.media.ElementStats;
import org.gstqpu.pipelines.media.Ffmpeg;
import org.gstqpu.pipelines.media.I420Picture;
import org.gstqpu.pipelines.media.PictureMeter;
import org.gstqpu.pipelines.media.Y4mReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code qpu demo}: {@code gst-launch-1.0} decodes and filters a sample stream on every substrate that this
 * machine has, and the command shows the gain. Lives on the main thread.
 */
@Command(
        name = "demo",
        description = {
            "Makes a compressed sample stream, decodes and filters it with gst-launch-1.0 on every substrate of this machine,"
                    + " compares the results with each other and with the source, and draws a before/after picture.",
            "The exit status is 1 if the results differ, if a pipeline ran on another substrate than asked for, or if the picture"
                    + " did not improve."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int MOST_FRAMES = 250;
    private static final long LIMIT_SECONDS = 600;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "the folder for the files (default: pipelines/target/demo in a source tree, else qpu-demo)")
    private Optional<Path> output;

    @Option(
            names = "--frames",
            defaultValue = "75",
            description = "length of the sample in pictures, 1 to " + MOST_FRAMES + " (default: ${DEFAULT-VALUE})")
    private int frames;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description = "set a property of the element, such as qp=36; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    private PrintWriter out;
    private Installation installation;

    /** A video that gst-launch-1.0 wrote, and the file of its unpacked pictures. */
    private record Video(String name, Path file, Path pictures) {
        static Video in(Path folder, String name) {
            return new Video(name, folder.resolve(name + ".mkv"), folder.resolve(name + ".y4m"));
        }
    }

    @Override
    public Integer call() throws IOException {
        if (frames < 1 || frames > MOST_FRAMES) {
            throw unusable("--frames is 1 to " + MOST_FRAMES + ", given " + frames);
        }
        ElementSettings.check(properties);
        out = spec.commandLine().getOut();
        installation = Installation.current();
        installation.requirePlugin();
        Path folder = Files.createDirectories(output.orElse(installation.demoFolder()))
                .toAbsolutePath();
        SampleStream sample = makeSample(folder);
        Video before = Video.in(folder, "before");
        List<Video> results = new ArrayList<>();
        try {
            launch(pipeline(sample.stream(), List.of(), before.file), Map.of());
            Ffmpeg.unpack(before.file, before.pictures);
            heading("decoding and filtering, on each substrate of this machine");
            boolean right = true;
            for (Substrate substrate : List.of(Substrate.CPU, Substrate.QPU)) {
                if (isHere(substrate)) {
                    Video result = Video.in(folder, "after-" + name(substrate));
                    results.add(result);
                    right &= filter(sample, substrate, result);
                }
            }
            right &= compareSubstrates(results);
            right &= compareWithSource(sample, before, results.get(0), folder.resolve("before-after.png"));
            return right ? ExitStatus.OK : ExitStatus.PROBLEM;
        } finally {
            // Raw pictures are big, and can be unpacked again from the video.
            Files.deleteIfExists(before.pictures);
            for (Video result : results) {
                Files.deleteIfExists(result.pictures);
            }
        }
    }

    private SampleStream makeSample(Path folder) throws IOException {
        heading("a sample stream");
        SampleStream sample = SampleStream.make(folder, frames);
        print(
                "%s   the source, lossless, %dx%d, %d pictures",
                sample.source(), SampleStream.WIDTH, SampleStream.HEIGHT, frames);
        print(
                "%s   the source coded as H.264 at QP %d without a loop filter, %d kB",
                sample.stream(), SampleStream.QP, Files.size(sample.stream()) / 1000);
        return sample;
    }

    private boolean isHere(Substrate substrate) {
        try (FilterContext context = Substrates.open(SubstrateRequest.of(substrate))) {
            if (substrate == Substrate.QPU
                    && VulkanDevices.list().stream().noneMatch(d -> d.type().isGpu())) {
                say("(the only Vulkan device here is the CPU: results are those of a GPU, the speed is not)");
            }
            return context.substrate() == substrate;
        } catch (SubstrateUnavailableException e) {
            say("not on " + name(substrate) + ": " + e.getMessage());
            return false;
        }
    }

    private boolean filter(SampleStream sample, Substrate substrate, Video result) throws IOException {
        List<String> element = new ArrayList<>(List.of("qpuloopfilter", "substrate=" + name(substrate)));
        properties.forEach((property, value) -> element.add(property + "=" + value));
        List<String> command = pipeline(sample.stream(), element, result.file);
        say("$ " + new ChildProcess(command, installation.environment()).commandLine());
        Path log = result.file.resolveSibling(result.name + ".log");
        Map<String, String> environment = new HashMap<>(installation.environment());
        environment.put("GST_DEBUG", "qpuloopfilter:4");
        environment.put("GST_DEBUG_NO_COLOR", "1");
        environment.put("GST_DEBUG_FILE", log.toString());
        launch(command, environment);
        Ffmpeg.unpack(result.file, result.pictures);
        return checkStats(name(substrate), Files.readString(log));
    }

    /** Prints the element's statistics and checks that the element ran on the substrate asked for, on every picture. */
    private boolean checkStats(String substrate, String log) {
        Optional<ElementStats> found = ElementStats.find(log);
        if (found.isEmpty()) {
            say("WRONG: the element printed no statistics");
            return false;
        }
        ElementStats stats = found.get();
        print(
                "ran on %s (%s): %d pictures, %d submissions to the device, %d bytes copied to and from it",
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
                new ArrayList<>(words("gst-launch-1.0 filesrc location=%s ! decodebin ! videoconvert !", stream));
        if (!element.isEmpty()) {
            command.addAll(element);
            command.addAll(List.of("!", "videoconvert", "!"));
        }
        // FFV1 is lossless, so the filter's own pictures are compared and measured. Any player shows it.
        command.addAll(words("avenc_ffv1 ! matroskamux ! filesink location=%s", video));
        return command;
    }

    private static void launch(List<String> command, Map<String, String> environment) {
        ChildProcess child = new ChildProcess(command, environment);
        ChildProcess.Result result =
                child.require(LIMIT_SECONDS, "there is no gst-launch-1.0: apt install gstreamer1.0-tools");
        if (result.status() != 0) {
            throw problem("this failed with status " + result.status() + ": " + child.commandLine() + ": "
                    + result.lastLines(8));
        }
    }

    private boolean compareSubstrates(List<Video> results) throws IOException {
        if (results.size() < 2) {
            say("this machine has only one substrate, so there is nothing to compare");
            return true;
        }
        Video first = results.get(0);
        Video second = results.get(1);
        long difference = Files.mismatch(first.pictures, second.pictures);
        if (difference >= 0) {
            print(
                    "WRONG: the pictures of %s and %s differ, first at byte %d of the unpacked video",
                    first.name, second.name, difference);
            return false;
        }
        print("%s and %s hold the same pictures, byte for byte", first.name, second.name);
        return true;
    }

    private boolean compareWithSource(SampleStream sample, Video before, Video after, Path image) throws IOException {
        heading("luma compared with the source");
        QualitySums qualityBefore = quality(sample.source(), before.pictures);
        QualitySums qualityAfter = quality(sample.source(), after.pictures);
        double psnrBefore = qualityBefore.psnr(PictureComponent.Y);
        double psnrAfter = qualityAfter.psnr(PictureComponent.Y);
        double gainDb = psnrAfter - psnrBefore;
        double gainSsim = qualityAfter.ssim(PictureComponent.Y) - qualityBefore.ssim(PictureComponent.Y);
        print("           PSNR        SSIM     PSNR-HVS");
        print(
                "before   %6.2f dB    %.4f   %6.2f dB",
                psnrBefore, qualityBefore.ssim(PictureComponent.Y), qualityBefore.psnrHvs());
        print(
                "after    %6.2f dB    %.4f   %6.2f dB",
                psnrAfter, qualityAfter.ssim(PictureComponent.Y), qualityAfter.psnrHvs());
        print(
                "gain     %+6.2f dB   %+.4f   %+6.2f dB",
                gainDb, gainSsim, qualityAfter.psnrHvs() - qualityBefore.psnrHvs());
        boolean better = gainDb > 0 && gainSsim > 0;
        if (!better) {
            say("WRONG: filtering did not bring the pictures closer to their source");
        }
        sample.draw(before.pictures, after.pictures, frames / 2, image);
        heading("to look at");
        print("%s   left half before, right half after; below, a detail before, after, and in the source", image);
        print("%s   the filtered video; any player shows it", after.file);
        return better;
    }

    private QualitySums quality(Path reference, Path video) throws IOException {
        QualitySums quality = new QualitySums();
        try (Y4mReader references = Y4mReader.open(reference);
                Y4mReader pictures = Y4mReader.open(video);
                MeterContext cpu = Metrics.open(SubstrateRequest.of(Substrate.CPU));
                PictureMeter meter = new PictureMeter(cpu, references.width(), references.height())) {
            I420Picture wanted = references.newPicture();
            I420Picture picture = pictures.newPicture();
            while (references.read(wanted) && pictures.read(picture)) {
                meter.measure(wanted, picture, quality);
            }
        } catch (SubstrateUnavailableException e) {
            throw unavailable(e.getMessage(), e);
        }
        if (quality.pictures() != frames) {
            throw problem(video + " has " + quality.pictures() + " pictures, not " + frames);
        }
        return quality;
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
