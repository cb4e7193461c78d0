/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memAlloc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A compute shader. Each product has an enum of its own. The build compiles each shader from the GLSL source of its path into a
 * resource of the enum's module.
 */
public interface Kernel {
    /** The constant's name. */
    String name();

    /** Path of the GLSL source, without its ending. */
    String path();

    /** Loads the SPIR-V module. The caller frees it with {@code memFree}. */
    default ByteBuffer load() {
        // The hyphen keeps its folders from being packages: this module may read it in others, and several modules have
        // it.
        String resource = "/org/gstqpu/kernels/spir-v/" + path() + ".spv";
        try (InputStream in = getClass().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks the shader " + path() + "; build again");
            }
            byte[] spirv = in.readAllBytes();
            return memAlloc(spirv.length).put(spirv).flip();
        } catch (IOException e) {
            throw new UncheckedIOException("the shader " + path() + " cannot be read", e);
        }
    }
}
