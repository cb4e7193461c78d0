/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

/**
 * What a context may use of its device. {@link DeviceCapabilities} says what the device can do. Immutable.
 *
 * @param hostPointerImport true if the context may import memory of the process
 * @param dmabufImport true if the context may import dmabufs
 * @param syncFds true if the context may exchange fences with other drivers as sync files
 * @param subgroupExchange true if kernels may exchange values by subgroup operations
 * @param timing true if the device writes timestamps before and after each submission, if it can. On a V3D each is a job of its own.
 * @param profile the device whose limits the context keeps
 */
public record DeviceAllowances(
        boolean hostPointerImport,
        boolean dmabufImport,
        boolean syncFds,
        boolean subgroupExchange,
        boolean timing,
        DeviceProfile profile) {
    /** All that the device can do. */
    public static final DeviceAllowances ALL = of(DeviceProfile.NONE);

    /**
     * The default for users: {@link #ALL}. With {@code -Dorg.gstqpu.copies=true} the context imports no memory, so that it
     * copies every picture, as with a device that cannot import.
     */
    public static DeviceAllowances usual() {
        return Boolean.getBoolean("org.gstqpu.copies") ? new DeviceAllowances(false, true).withoutDmabufs() : ALL;
    }

    /** {@link #ALL}, with or without import of memory of the process and subgroup operations. */
    public DeviceAllowances(boolean hostPointerImport, boolean subgroupExchange) {
        this(hostPointerImport, true, true, subgroupExchange, false, DeviceProfile.NONE);
    }

    /** All that both the device and a profile can do. */
    public static DeviceAllowances of(DeviceProfile profile) {
        return new DeviceAllowances(true, true, true, true, false, profile);
    }

    /** Returns true if the device can import memory of the process and the context may do so. */
    boolean importsHostPointers(DeviceCapabilities device) {
        return hostPointerImport && device.hostPointerImport();
    }

    /** Returns true if the device can import dmabufs and the context may do so. */
    boolean importsDmabufs(DeviceCapabilities device) {
        return dmabufImport && device.dmabufImport();
    }

    /** Returns a copy without import of dmabufs. */
    public DeviceAllowances withoutDmabufs() {
        return new DeviceAllowances(hostPointerImport, false, syncFds, subgroupExchange, timing, profile);
    }

    /** Returns a copy without exchange of fences with other drivers. */
    public DeviceAllowances withoutSyncFds() {
        return new DeviceAllowances(hostPointerImport, dmabufImport, false, subgroupExchange, timing, profile);
    }

    /** Returns a copy with which the device times each submission. */
    public DeviceAllowances timed() {
        return new DeviceAllowances(hostPointerImport, dmabufImport, syncFds, subgroupExchange, true, profile);
    }
}
