/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The user chooses the Vulkan device. If the chosen device cannot be used, the pipeline ends with one clear error: it does not use
 * another substrate, and it does not hang.
 */
final class DeviceChoiceIT {
    private static final String PIPELINE =
            "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 ! qpuloopfilter %s ! fakesink";

    /** A machine without any Vulkan driver. */
    private static GstEnvironment withoutVulkanDevices(Path folder) throws IOException {
        Path noDriver = folder.resolve("no-driver.json");
        Files.writeString(noDriver, "{}");
        return GstEnvironment.standard()
                .with("VK_DRIVER_FILES", noDriver.toString())
                .with("VK_ICD_FILENAMES", noDriver.toString())
                .with("VK_LOADER_DEBUG", "none");
    }

    @Test
    void aDeviceIsChosenByItsIndexOrByAPartOfItsName(@TempDir Path folder) throws IOException {
        String best = deviceName("auto-choice", "", folder);
        String word = best.split(" ", -1)[0];
        String byName = deviceName("by-name", word.toLowerCase(Locale.ROOT), folder);
        assertTrue(byName.contains(word), byName);
        // Index 0 always exists. The device behind it depends on the machine.
        assertFalse(deviceName("by-index", "0", folder).isBlank());
    }

    private static String deviceName(String run, String device, Path folder) throws IOException {
        ElementHost host = new ElementHost(Files.createDirectory(folder.resolve(run))).then("set substrate qpu");
        if (!device.isEmpty()) {
            host.then("set device " + device);
        }
        Stats stats =
                Stats.of(host.then("start", "stats").run().linesOf("stats")).get(0);
        assertEquals("qpu", stats.substrate());
        return stats.device();
    }

    @Test
    void qpuWithoutAnyVulkanDeviceIsAnError(@TempDir Path folder) throws IOException {
        String error = errorOf(withoutVulkanDevices(folder), "substrate=qpu");
        assertTrue(error.contains("Vulkan"), error);
        assertTrue(error.contains("VK_DRIVER_FILES names none"), () -> "no cure in: " + error);
    }

    @Test
    void aDriversFileThatIsBrokenIsNamed(@TempDir Path folder) throws IOException {
        Path broken = folder.resolve("broken.json");
        Files.writeString(broken, "{ \"file_format_version\": \"1.0.0\", \"ICD\": {");
        GstEnvironment environment = GstEnvironment.standard()
                .with("VK_DRIVER_FILES", broken.toString())
                .with("VK_ICD_FILENAMES", broken.toString())
                .with("VK_LOADER_DEBUG", "none");
        String error = errorOf(environment, "substrate=qpu");
        assertTrue(error.contains("or repair the driver's file in /usr/share/vulkan/icd.d"), error);
        GstLaunch.succeed(environment, List.of(PIPELINE.formatted("")));
    }

    @Test
    void aDeviceThatIsNotThereIsAnErrorThatNamesIt() throws IOException {
        String error = errorOf(GstEnvironment.standard(), "substrate=qpu device=nonsense");
        assertTrue(error.contains("nonsense"), error);
    }

    @Test
    void autoAndCpuRunWithoutAnyVulkanDevice(@TempDir Path folder) throws IOException {
        GstEnvironment environment = withoutVulkanDevices(folder);
        GstLaunch.succeed(environment, List.of(PIPELINE.formatted(""), PIPELINE.formatted("substrate=cpu")));
    }

    /** The text of the single element error with which the pipeline must fail. */
    private static String errorOf(GstEnvironment environment, String properties) throws IOException {
        ProcessOutcome outcome = GstLaunch.run(environment, List.of(PIPELINE.formatted(properties)))
                .requireFailure();
        List<String> errors = (outcome.output() + outcome.standardError())
                .lines()
                .filter(line -> line.startsWith("ERROR: from element"))
                .toList();
        assertEquals(1, errors.size(), () -> outcome.describe("one element error was expected"));
        assertFalse(outcome.standardError().contains("CRITICAL"), () -> outcome.describe("GLib complained"));
        return errors.get(0);
    }
}
