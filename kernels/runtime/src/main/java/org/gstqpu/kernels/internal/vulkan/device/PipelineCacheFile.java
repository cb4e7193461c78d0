/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.gstqpu.kernels.internal.cache.CacheFile;

/**
 * The {@link CacheFile} that keeps the compiled pipelines of one device and driver from run to run. Holds no file open. Used by
 * one thread at a time.
 */
final class PipelineCacheFile {
    /**
     * The device and the driver that made the content.
     *
     * @param vendorId VkPhysicalDeviceProperties.vendorID
     * @param deviceId VkPhysicalDeviceProperties.deviceID
     * @param driverVersion VkPhysicalDeviceProperties.driverVersion
     * @param uuid VkPhysicalDeviceProperties.pipelineCacheUUID, 32 hexadecimal digits
     */
    record Maker(int vendorId, int deviceId, int driverVersion, String uuid) {
        String fileName() {
            return String.format(
                    Locale.ROOT, "pipelines-%08x-%08x-%08x-%s.bin", vendorId, deviceId, driverVersion, uuid);
        }
    }

    private static final Logger LOG = System.getLogger(PipelineCacheFile.class.getName());

    /** The size of VkPipelineCacheHeaderVersionOne: length, version, vendor, device, 16 bytes of UUID. */
    private static final int HEADER_BYTES = 32;

    private static final int HEADER_VERSION_ONE = 1;

    private final CacheFile file;
    private final Maker maker;

    PipelineCacheFile(Path folder, Maker maker) {
        this.file = new CacheFile(folder, maker.fileName());
        this.maker = maker;
    }

    Path path() {
        return file.path();
    }

    /**
     * Returns the content of the file; empty if there is no file, or if another device or driver made it. The latter is
     * logged.
     */
    Optional<byte[]> read() {
        Optional<byte[]> data = file.read();
        Optional<String> fault = data.flatMap(this::fault);
        if (fault.isPresent()) {
            LOG.log(Logger.Level.INFO, () -> "the pipeline cache " + path() + " is ignored: " + fault.get());
            return Optional.empty();
        }
        return data;
    }

    /** Returns why this driver cannot use the content; empty if it can. */
    private Optional<String> fault(byte[] data) {
        if (data.length < HEADER_BYTES) {
            return Optional.of("it has " + data.length + " bytes, its header alone " + HEADER_BYTES);
        }
        ByteBuffer bytes = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt() != HEADER_BYTES || bytes.getInt() != HEADER_VERSION_ONE) {
            return Optional.of("its header is of an unknown version");
        }
        if (bytes.getInt() != maker.vendorId() || bytes.getInt() != maker.deviceId()) {
            return Optional.of("another device made it");
        }
        String uuid = HexFormat.of().formatHex(data, 16, HEADER_BYTES);
        return uuid.equals(maker.uuid()) ? Optional.empty() : Optional.of("another version of the driver made it");
    }

    /** Replaces the content in one step. Returns false if that failed. */
    boolean write(byte[] data) {
        return file.write(data);
    }
}
