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
 * picture; {@code docs/notebook/V3D.md} has the tiers.
 *
 * @param name the property that was set, and the stream
 * @param pictures pictures of the stream, by the name of the {@link V3dPicture}
 */
record V3dStream(String name, Map<String, Integer> pictures) {
    /**
     * The mean cost of a picture of this stream.
     *
     * @param sums those of {@link V3dCases#pictures}
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
