/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;
import java.util.Map;

/**
 * What automatic strength chose in a real stream: how many of its pictures are as which {@link V3dPicture}. So the costs of these
 * are weighted by what a stream needs, as if its pictures had 1920x1080 samples. Immutable.
 *
 * <p>The streams are three of the openh264 project's test resources: Zhling_1280x720.264, CVPCMNL1_SVA_C.264 and
 * CiscoVT2people_320x192_12fps.yuv. Their pictures were counted by {@code estimated-tier} of the element's {@code stats}, after each
 * picture; {@code kernels/PERFORMANCE.md} has the tiers.
 *
 * @param name the property that was set, and the stream
 * @param pictures pictures of the stream, by the name of the {@link V3dPicture}
 */
record V3dStream(String name, Map<String, Integer> pictures) {
    private static final String NOTHING = "quality=best, nothing to filter";

    static List<V3dStream> all() {
        return List.of(
                new V3dStream("quality=fast, Zhling", Map.of("quality=fast, nothing to filter", 19)),
                new V3dStream("quality=fast, CVPCMNL1", Map.of("quality=fast, nothing to filter", 30)),
                new V3dStream("quality=fast, CiscoVT2people", Map.of("quality=fast, nothing to filter", 9)),
                new V3dStream("quality=balanced, Zhling", Map.of(NOTHING, 19)),
                new V3dStream("quality=balanced, CVPCMNL1", Map.of("quality=balanced, footage", 30)),
                new V3dStream("quality=balanced, CiscoVT2people", Map.of(NOTHING, 1, "quality=balanced, footage", 8)),
                new V3dStream("quality=best, Zhling", Map.of(NOTHING, 19)),
                new V3dStream("quality=best, CVPCMNL1", Map.of("quality=best, footage", 30)),
                new V3dStream("quality=best, CiscoVT2people", Map.of(NOTHING, 1, "quality=best, footage", 8)));
    }

    /**
     * The mean cost of a picture of this stream.
     *
     * @param sums those of {@link V3dPicture#all}
     */
    V3dPicture.Sum sum(List<V3dPicture.Sum> sums) {
        double measured = 0;
        double deblocked = 0;
        double enhanced = 0;
        double shrunk = 0;
        int counted = 0;
        for (V3dPicture.Sum sum : sums) {
            int many = pictures.getOrDefault(sum.name(), 0);
            measured += many * sum.measured();
            deblocked += many * sum.deblocked();
            enhanced += many * sum.enhanced();
            shrunk += many * sum.shrunk();
            counted += many;
        }
        return new V3dPicture.Sum(name, measured / counted, deblocked / counted, enhanced / counted, shrunk / counted);
    }
}
