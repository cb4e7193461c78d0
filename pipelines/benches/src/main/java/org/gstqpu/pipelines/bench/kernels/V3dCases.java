/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.vulkan.block.CallKernel;
import org.gstqpu.kernels.internal.vulkan.quality.QualityKernel;
import org.gstqpu.kernels.internal.vulkan.work.CommonKernel;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;

/**
 * What is counted on V3D: the content of {@code v3d-cases.json}, whose field names are the components. Immutable.
 *
 * @param kernels every kernel with its usual constants
 * @param pictures pictures that these kernels filter
 * @param streams streams of such pictures
 */
record V3dCases(List<V3dCost> kernels, List<V3dPicture> pictures, List<V3dStream> streams) {
    static final V3dCases ALL = read();

    private static V3dCases read() {
        try (Reader text =
                new InputStreamReader(V3dCases.class.getResourceAsStream("v3d-cases.json"), StandardCharsets.UTF_8)) {
            return new GsonBuilder()
                    .registerTypeAdapter(Kernel.class, (JsonDeserializer<Kernel>)
                            (path, type, context) -> kernel(path.getAsString()))
                    .create()
                    .fromJson(text, V3dCases.class);
        } catch (IOException e) {
            throw new UncheckedIOException("v3d-cases.json cannot be read", e);
        }
    }

    private static Kernel kernel(String path) {
        return Stream.<Kernel[]>of(
                        CommonKernel.values(), PictureKernel.values(), CallKernel.values(), QualityKernel.values())
                .flatMap(Stream::of)
                .filter(kernel -> kernel.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kernel has the path " + path));
    }
}
