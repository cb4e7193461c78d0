/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * The device that a context runs on, and the reason. Immutable.
 *
 * @param device the chosen device
 * @param reason why it was chosen, in one line for the user
 */
public record DeviceChoice(DeviceCapabilities device, String reason) {
    /**
     * Chooses a device. Any thread.
     *
     * @param devices all devices of the machine
     * @param wanted index, UUID or part of the name of a device, as the user gave it. If it is empty, the best device is
     *     chosen: the first one of the best {@link DeviceType}, so that a GPU comes before a driver that runs on the CPU.
     * @throws SubstrateUnavailableException if no device can be used, or if {@code wanted} does not name exactly one device
     *     that can be used; the message lists the devices
     */
    public static DeviceChoice choose(List<DeviceCapabilities> devices, Optional<String> wanted)
            throws SubstrateUnavailableException {
        if (devices.isEmpty()) {
            throw new SubstrateUnavailableException(
                    "no Vulkan device: apt install mesa-vulkan-drivers, or use substrate=cpu");
        }
        if (wanted.isPresent()) {
            DeviceCapabilities device = named(devices, wanted.get());
            if (device.unusable().isPresent()) {
                throw new SubstrateUnavailableException("the device " + device.summary() + " cannot be used: "
                        + device.unusable().get() + "; name another of " + list(devices) + ", or use substrate=cpu");
            }
            return new DeviceChoice(device, "the device \"" + wanted.get() + "\" was asked for");
        }
        List<DeviceCapabilities> usable =
                devices.stream().filter(device -> device.unusable().isEmpty()).toList();
        if (usable.isEmpty()) {
            throw new SubstrateUnavailableException(
                    "no Vulkan device can run the kernels; there is " + list(devices) + "; use substrate=cpu");
        }
        DeviceCapabilities best = usable.stream()
                .min(Comparator.comparing(DeviceCapabilities::type).thenComparing(DeviceCapabilities::index))
                .orElseThrow();
        return new DeviceChoice(best, usable.size() == 1 ? "the only Vulkan device" : "the best of " + list(usable));
    }

    private static DeviceCapabilities named(List<DeviceCapabilities> devices, String wanted)
            throws SubstrateUnavailableException {
        String name = wanted.strip();
        // A number of more than 3 digits is part of a name, as in "RTX 3080".
        if (name.matches("[0-9]{1,3}")) {
            int index = Integer.parseInt(name);
            if (index < devices.size()) {
                return devices.get(index);
            }
            throw none(devices, wanted);
        }
        String lower = name.toLowerCase(Locale.ROOT);
        String digits = lower.replace("-", "");
        List<DeviceCapabilities> matches = devices.stream()
                .filter(device -> device.uuid().replace("-", "").equals(digits))
                .toList();
        if (matches.isEmpty() && !name.isEmpty()) {
            matches = devices.stream()
                    .filter(device -> device.name().toLowerCase(Locale.ROOT).contains(lower))
                    .toList();
        }
        if (matches.isEmpty()) {
            throw none(devices, wanted);
        }
        if (matches.size() > 1) {
            throw new SubstrateUnavailableException("the device \"" + wanted + "\" may be each of " + list(matches)
                    + "; name one by its index or UUID");
        }
        return matches.get(0);
    }

    private static SubstrateUnavailableException none(List<DeviceCapabilities> devices, String wanted) {
        return new SubstrateUnavailableException("no Vulkan device \"" + wanted + "\"; there is " + list(devices)
                + "; name one by its index, UUID or a part of its name");
    }

    private static String list(List<DeviceCapabilities> devices) {
        return devices.stream()
                .map(device -> device.summary()
                        + device.unusable().map(why -> ", unusable: " + why).orElse(""))
                .collect(Collectors.joining("; "));
    }
}
