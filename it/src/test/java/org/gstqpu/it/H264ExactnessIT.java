package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real H.264 streams, decoded without their loop filter and deblocked by the element, equal the decoder's own output. */
final class H264ExactnessIT {
    /** A stream's pictures before and after the decoder's loop filter. */
    private record Decoded(RawVideo unfiltered, RawVideo filtered) {}

    private static final Map<H264Stream, Decoded> DECODED = new LinkedHashMap<>();

    @BeforeAll
    static void decode(@TempDir Path folder) throws IOException {
        for (H264Stream stream : H264Stream.all()) {
            DECODED.put(
                    stream,
                    new Decoded(
                            ReferenceDecoder.h264(stream, false, folder.resolve("unfiltered.yuv")),
                            ReferenceDecoder.h264(stream, true, folder.resolve("filtered.yuv"))));
        }
    }

    @Test
    void decoderWritesTheKnownPictures() {
        assertEquals(11, DECODED.size(), "streams");
        assertAll(DECODED.entrySet().stream().map(entry -> () -> {
            H264Stream stream = entry.getKey();
            Decoded decoded = entry.getValue();
            assertEquals(stream.unfilteredMd5(), frameSums(decoded.unfiltered()), stream + " without loop filter");
            assertEquals(stream.filteredMd5(), frameSums(decoded.filtered()), stream + " with loop filter");
        }));
    }

    @ParameterizedTest
    @CsvSource({"cpu,I420", "cpu,NV12", "cpu,YV12", "cpu,NV21", "qpu,I420", "qpu,NV12", "qpu,YV12", "qpu,NV21"})
    void deblockingEqualsTheDecodersLoopFilter(String substrate, VideoFormat format, @TempDir Path folder)
            throws IOException {
        FilterRun run = new FilterRun(folder);
        for (Map.Entry<H264Stream, Decoded> entry : DECODED.entrySet()) {
            run.add(
                    entry.getValue().unfiltered().in(format),
                    "substrate=" + substrate + " " + entry.getKey().properties());
        }
        List<RawVideo> results = run.run(GstEnvironment.standard());

        List<Executable> checks = new ArrayList<>();
        DECODED.forEach((stream, decoded) -> {
            RawVideo result = results.get(checks.size());
            checks.add(() -> decoded.filtered().in(format).requireSame(result, stream + " on " + substrate));
        });
        assertAll(checks);
    }

    private static List<String> frameSums(RawVideo video) {
        return video.frames().stream().map(Md5::of).toList();
    }
}
