/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;
import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.SparseMeter;
import org.gstqpu.kernels.quality.Xpsnr;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.meter.Measurement;
import org.gstqpu.meter.VmafModels;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.TerminalMode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu measure}: how close videos come to their original. Lives on the main thread. */
@Command(
        name = "measure",
        description = {
            "Measures how close videos come to their original, picture by picture: VMAF v1 and v0.6.1, MS-SSIM,"
                    + " SSIMULACRA 2, XPSNR, SSIM, PSNR and the features that VMAF is made of. Reads whatever GStreamer"
                    + " decodes.",
            "Prints a table of means. --json prints each picture in the form of libvmaf's log, one such object a video"
                    + " under \"videos\"; --csv prints a line for each picture."
        })
public final class MeasureCommand implements Callable<Integer> {
    private static final int DEFAULT_SHIFT = 8;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "DISTORTED", description = "the videos to measure: files or addresses")
    private List<String> distorted = List.of();

    @Option(
            names = "--reference",
            required = true,
            paramLabel = "ORIGINAL",
            description = "the video that they were made from")
    private String reference;

    @Option(
            names = "--metrics",
            paramLabel = "all|NAME,...",
            description = "what to measure: all, or names such as vmaf_v1,vmaf_neg,psnr,ms_ssim (default: "
                    + MetricNames.DEFAULT
                    + ", as far as they are defined for the size). VMAF v1 is vmaf_v1, vmaf_v1_phone,"
                    + " vmaf_v1_4k or vmaf_v1_4k_3h, with _hfr for 50 and 60 pictures a second; by default the one that"
                    + " suits the video. xpsnr is FFmpeg's, from 32 pictures a second xpsnr_hfr")
    private Optional<String> metrics;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "a further model of VMAF, in JSON as libvmaf has them; may be repeated")
    private List<Path> models = List.of();

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            split = ",",
            description = "an option of CAMBI or SpEED, by libvmaf's name: enc_width, enc_height, enc_bitdepth,"
                    + " cambi_high_res_speedup, speed_kernelscale, speed_prescale or speed_prescale_method; for models,"
                    + " too, in the place of theirs. May be repeated")
    private Map<String, String> options = Map.of();

    @Option(
            names = "--align",
            arity = "0..1",
            paramLabel = "PICTURES",
            fallbackValue = "" + DEFAULT_SHIFT,
            description =
                    "find by how many pictures one video begins later than the other, up to so many (default without"
                            + " a number: ${FALLBACK-VALUE}), and leave these out")
    private Optional<Integer> align;

    @Option(
            names = "--scale",
            description =
                    "scale a video of another size to the size of the original (bicubic), as on a viewer's display")
    private boolean scales;

    @Option(names = "--frames", paramLabel = "N", description = "measure the first N pictures only")
    private Optional<Integer> frames;

    @Option(
            names = "--subsample",
            paramLabel = "N",
            defaultValue = "1",
            description = "measure one of N pictures, as libvmaf's n_subsample; motion is that between all of them")
    private int subsample;

    @ArgGroup
    private Form form = new Form();

    /** How the figures are printed. */
    static final class Form {
        @Option(names = "--json", description = "print each picture as JSON, as libvmaf's log")
        private boolean json;

        @Option(names = "--csv", description = "print a line for each picture")
        private boolean csv;
    }

    @Option(
            names = "--substrate",
            paramLabel = "auto|cpu|qpu",
            defaultValue = "auto",
            description = "the substrate to measure on (default: ${DEFAULT-VALUE})")
    private Substrate substrate;

    @Mixin
    private DeviceOptions device;

    @Override
    public Integer call() throws InterruptedException {
        if (substrate != Substrate.QPU && device.given()) {
            throw unusable("--device and --profile need --substrate qpu");
        }
        if (align.filter(most -> most < 1).isPresent()
                || frames.filter(most -> most < 1).isPresent()
                || subsample < 1) {
            throw unusable("--align, --frames and --subsample are at least 1");
        }
        // Refuses wrong names before a video is opened.
        MetricNames.of(metrics, models, options, VmafModels.V1, QualityMetric.XPSNR);
        List<MeasuredVideo> videos = new ArrayList<>();
        try (MeterContext context = open()) {
            for (String video : distorted) {
                videos.add(measure(context, video));
            }
        } catch (SubstrateUnavailableException e) {
            throw unavailable(e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (form.json) {
            MeasureText.printJson(out, videos);
        } else if (form.csv) {
            MeasureText.printCsv(out, videos);
        } else {
            MeasureText.printTable(out, videos);
        }
        return ExitStatus.OK;
    }

    private MeterContext open() throws SubstrateUnavailableException {
        return substrate == Substrate.QPU
                ? VulkanMeterContext.open(device.options())
                : Metrics.open(SubstrateRequest.of(substrate == Substrate.AUTO ? fasterForPictures() : substrate));
    }

    /** The substrate that filters pictures faster measures them faster, too. */
    private static Substrate fasterForPictures() throws SubstrateUnavailableException {
        try (FilterContext context = Substrates.open(SubstrateRequest.of(Substrate.AUTO))) {
            return context.substrate();
        }
    }

    /** If a video's samples have another range or chroma sampling than the original's, they are converted; its size on request. */
    private MeasuredVideo measure(MeterContext context, String video) {
        try (Video original = Videos.open(reference, Optional.empty());
                Video made = Videos.open(video, Optional.empty())) {
            tellOfFinerFormat(made);
            tellOfFinerFormat(original);
            Optional<Conversion> conversion = Conversion.of(made, original, scales);
            if (conversion.isEmpty()) {
                return measure(context, made, original, conversion);
            }
            if (conversion.get().size().isPresent()) {
                say(video + " is " + made.shape() + ": it is scaled to "
                        + original.layout().width() + "x" + original.layout().height() + ", as " + reference
                        + " is (bicubic)");
            }
            if (conversion.get().format() != made.layout().format() || made.isFullRange() != original.isFullRange()) {
                say(video + " is " + made.layout().format().name() + range(made) + ": it is converted to "
                        + conversion.get().format().name() + range(original) + ", as " + reference + " is");
            }
            try (Video converted = Videos.open(video, conversion)) {
                return measure(context, converted, original, conversion);
            }
        }
    }

    private void tellOfFinerFormat(Video video) {
        video.finerFormat()
                .ifPresent(format -> say(video.name() + " is decoded as " + format + ", and measured as "
                        + video.layout().format().name() + ", which tells less"));
    }

    private MeasuredVideo measure(MeterContext context, Video other, Video opened, Optional<Conversion> conversion) {
        String video = other.name();
        Video original = MappedVideo.toDepthOf(other, opened);
        Video made = MappedVideo.toDepthOf(opened, other);
        requireAlike(made, original);
        boolean raised = made.layout().format() != other.layout().format();
        if (raised || original.layout().format() != opened.layout().format()) {
            say((raised ? video : reference)
                    + " has 8 bits a sample, the other 10: its samples are raised to those of 10 bits");
        }
        String v1 = suiting(made);
        MetricNames wanted = MetricNames.of(metrics, models, options, v1, Xpsnr.suiting(rate(made)));
        MetricNames names = wanted.definedOf(made.layout(), made.shape());
        wanted.leftOutOf(names, made.layout().format())
                .ifPresent(left -> say(video + " is " + made.shape() + ", for which " + left));
        if (metrics.isEmpty() && !v1.equals(VmafModels.V1) && names.models().containsKey(v1)) {
            say(video + " is " + made.shape() + " at " + text(made) + " pictures a second: VMAF v1 is " + v1
                    + "; --metrics takes the other models");
        }
        int shift = align.isPresent() ? PictureShift.find(video, reference, conversion, align.get()) : 0;
        skip(original, Math.max(0, shift));
        skip(made, Math.max(0, -shift));
        if (shift != 0) {
            say(
                    shift > 0
                            ? video + " begins " + counted(shift, "picture") + " into " + reference
                            : reference + " begins " + counted(-shift, "picture") + " into " + video);
        }
        QualityLog log = new QualityLog(names.metrics(), subsample);
        PicturePairs pairs = new PicturePairs(made, original, rate(made));
        long start = System.nanoTime();
        try (SparseMeter meter = new SparseMeter(
                context,
                made.layout().format(),
                made.layout().width(),
                made.layout().height(),
                names.metrics(),
                names.options(),
                subsample)) {
            run(meter, made, pairs, log);
        }
        pairs.leftOut().ifPresent(this::say);
        pairs.longer().ifPresent(this::say);
        double seconds = (System.nanoTime() - start) / 1e9;
        int bitDepth = made.layout().format().bitDepth();
        return new MeasuredVideo(
                video,
                reference,
                shift,
                pairs.originalOnly(),
                pairs.madeOnly(),
                log.pictures() / seconds,
                new Measurement(picture -> bitDepth, log, names.models(), names.options()));
    }

    /** The score of VMAF v1 that suits a video. */
    private static String suiting(Video video) {
        return VmafModels.suiting(video.layout().width(), video.layout().height(), rate(video));
    }

    /** Pictures a second; 0 if that is not known. */
    private static double rate(Video video) {
        return video.rate().numerator > 0 ? (double) video.rate().numerator / video.rate().denominator : 0;
    }

    private static String range(Video video) {
        return video.isFullRange() ? " in full range" : " in video range";
    }

    private static void requireAlike(Video made, Video original) {
        if (!made.shape().equals(original.shape())) {
            throw unusable(made.name() + " is " + made.shape() + ", and " + original.name() + " is " + original.shape()
                    + ": bring one to the size and format of the other first, such as by ffmpeg -i IN -vf scale="
                    + original.layout().width() + ":"
                    + original.layout().height() + ",format="
                    + ffmpegFormat(original.layout().format())
                    + " -c:v ffv1 OUT.mkv"
                    + (Conversion.Size.of(made).equals(Conversion.Size.of(original))
                            ? ""
                            : "; --scale measures it scaled to the size of " + original.name()));
        }
        boolean known = made.rate().numerator > 0 && original.rate().numerator > 0;
        if (known
                && (long) made.rate().numerator * original.rate().denominator
                        != (long) original.rate().numerator * made.rate().denominator) {
            throw unusable(made.name() + " has " + text(made) + " pictures a second, and " + original.name() + " "
                    + text(original) + ": bring one to the rate of the other first, such as by ffmpeg -i IN -r "
                    + text(original) + " -c:v ffv1 OUT.mkv");
        }
    }

    /** What ffmpeg calls a planar format. */
    private static String ffmpegFormat(PixelFormat format) {
        if (!format.hasChroma()) {
            return "gray";
        }
        boolean halfAcross = format.chromaWidth(2) == 1;
        boolean halfDown = format.chromaHeight(2) == 1;
        String chroma = halfDown ? "420" : halfAcross ? "422" : "444";
        return "yuv" + chroma + "p" + (format.bitDepth() > Byte.SIZE ? format.bitDepth() + "le" : "");
    }

    private static String text(Video video) {
        return video.rate().numerator + "/" + video.rate().denominator;
    }

    private static void skip(Video video, int pictures) {
        for (int i = 0; i < pictures; i++) {
            video.next();
        }
    }

    private void run(SparseMeter meter, Video made, PicturePairs pairs, QualityLog log) {
        long start = System.nanoTime();
        int most = frames.orElse(Integer.MAX_VALUE);
        QualityFigures figures = new QualityFigures();
        try (ProgressBar bar = progress(made, most)) {
            while (log.pictures() < most && pairs.next()) {
                meter.measure(log.pictures(), pairs.wanted(), pairs.picture(), figures);
                log.add(figures);
                if (bar != null) {
                    bar.stepTo(log.pictures());
                    bar.setExtraMessage(
                            String.format(Locale.ROOT, "%.1f fps", log.pictures() * 1e9 / (System.nanoTime() - start)));
                }
            }
        }
        if (log.pictures() == 0) {
            throw unusable(made.name() + ": no picture was left to be measured");
        }
    }

    /** A bar on a terminal; null elsewhere. */
    private ProgressBar progress(Video made, int most) {
        if (!TerminalMode.isErrorTerminal()) {
            return null;
        }
        long pictures = Math.min(most, made.pictures());
        return new ProgressBarBuilder()
                .setTaskName(made.name())
                .setStyle(ProgressBarStyle.ASCII)
                .setUnit(" pictures", 1)
                .setInitialMax(pictures > 0 ? pictures : -1)
                .setConsumer(new ConsoleProgressBarConsumer(
                        System.err, spec.usageMessage().width()))
                .build();
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("qpu measure: " + line);
        err.flush();
    }
}
