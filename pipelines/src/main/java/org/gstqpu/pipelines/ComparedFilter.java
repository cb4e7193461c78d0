package org.gstqpu.pipelines;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One that pictures are given to, and the name that it goes by. Immutable.
 *
 * @param name as people write it
 * @param pipe the program
 */
record ComparedFilter(String name, FilterPipe pipe) {
    /** Quantisers that {@link #isWithoutQuantiser} filters are tried with. */
    static final List<Integer> QUANTISERS = List.of(2, 4, 6, 8, 12, 16, 20, 26, 32);

    /**
     * The element, in a pipeline of GStreamer's.
     *
     * @param log where it says what it did
     */
    static ComparedFilter element(
            Installation installation, Optional<String> substrate, Map<String, String> properties, String log) {
        List<String> element = new ArrayList<>(List.of("qpuloopfilter"));
        substrate.ifPresent(name -> element.add("substrate=" + name));
        properties.forEach((property, value) -> element.add(property + "=" + value));
        List<String> command = new ArrayList<>(List.of("gst-launch-1.0", "-q", "fdsrc", "fd=0", "!", "y4mdec", "!"));
        command.addAll(element);
        command.addAll(List.of("!", "fdsink", "fd=1", "sync=false"));
        Map<String, String> environment = new HashMap<>(installation.environment());
        environment.put("GST_DEBUG", "qpuloopfilter:4");
        environment.put("GST_DEBUG_NO_COLOR", "1");
        environment.put("GST_DEBUG_FILE", log);
        return new ComparedFilter(
                String.join(" ", element), new FilterPipe(command, environment, FilterPipe.Output.GSTREAMER));
    }

    /**
     * A filter of ffmpeg's.
     *
     * @param filter as {@code -vf} takes it
     */
    static ComparedFilter ffmpeg(String filter) {
        String threads = String.valueOf(Runtime.getRuntime().availableProcessors());
        return new ComparedFilter(
                filter,
                new FilterPipe(
                        List.of(
                                "ffmpeg",
                                "-hide_banner",
                                "-loglevel",
                                "error",
                                "-f",
                                "yuv4mpegpipe",
                                "-i",
                                "pipe:0",
                                "-filter_threads",
                                threads,
                                "-threads",
                                threads,
                                "-fps_mode",
                                "passthrough",
                                "-vf",
                                filter,
                                "-pix_fmt",
                                "yuv420p",
                                "-f",
                                "yuv4mpegpipe",
                                "pipe:1"),
                        Map.of(),
                        FilterPipe.Output.YUV4MPEG2));
    }

    /** Whether this is one of ffmpeg's that does nothing to pictures which bring no quantiser along, and was given none. */
    static boolean isWithoutQuantiser(String filter) {
        return filter.equals("spp") || filter.equals("fspp");
    }

    /** Such a one with a quantiser. */
    static ComparedFilter withQuantiser(String filter, int quantiser) {
        return ffmpeg(filter + "=4:" + quantiser);
    }
}
