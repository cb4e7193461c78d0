import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.State;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.Version;
import org.gstqpu.nativeloader.QpuPlugin;

/**
 * Plays a file in a window, filtered. Nothing has to be installed but GStreamer: the element comes from the class path.
 *
 * <p>Usage: {@code java -cp 'JARS/*' Player.java FILE [SINK]}. On standard input, d switches deblocking, c CDEF, i says what the element
 * has done so far, and q ends it.
 */
public final class Player {
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Gst.init(Version.of(1, 20), "player");
        QpuPlugin.register();
        String sink = arguments.length > 1 ? arguments[1] : "autovideosink";
        Pipeline pipeline = (Pipeline) Gst.parseLaunch("uridecodebin uri=" + Path.of(arguments[0]).toUri()
                + " ! videoconvert ! qpuloopfilter name=qpu ! videoconvert ! " + sink);
        Element filter = pipeline.getElementByName("qpu");

        CountDownLatch ended = new CountDownLatch(1);
        // Variables, so that they live as long as the pipeline calls them.
        Bus.EOS atEnd = source -> ended.countDown();
        Bus.ERROR atError = (source, code, message) -> {
            System.err.println(message);
            ended.countDown();
        };
        pipeline.getBus().connect(atEnd);
        pipeline.getBus().connect(atError);
        pipeline.play();
        // Until the first picture is there.
        while (ended.getCount() > 0 && pipeline.getState(100_000_000L) != State.PLAYING) {}

        Thread keys = new Thread(() -> {
            try {
                for (int key = System.in.read(); key >= 0; key = System.in.read()) {
                    switch (key) {
                        case 'd' -> toggle(filter, "deblock");
                        case 'c' -> toggle(filter, "cdef");
                        case 'i' -> sayStats(filter);
                        case 'q' -> ended.countDown();
                        default -> {}
                    }
                }
            } catch (IOException e) {
                System.err.println("no more keys: " + e.getMessage());
            }
        });
        keys.setDaemon(true);
        keys.start();
        ended.await();
        sayStats(filter);
        pipeline.stop();
    }

    private static void toggle(Element filter, String property) {
        boolean on = !(Boolean) filter.get(property);
        filter.set(property, on);
        System.out.println(property + "=" + on);
    }

    private static void sayStats(Element filter) {
        Structure stats = (Structure) filter.get("stats");
        System.out.println(stats.getValue("frames") + " pictures on " + stats.getString("substrate"));
    }
}
