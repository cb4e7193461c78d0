/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.ChildProcess;

/**
 * What decides how fast a processor may run at the moment. A component is "unknown" if the machine does not tell.
 *
 * @param governor the kernel's policy, such as {@code ondemand}
 * @param megahertz the first processor's clock
 * @param celsius temperature of the first thermal zone
 * @param throttled a Raspberry Pi firmware's flags ({@code 0x0}: never throttled, never short of voltage)
 * @param load the load average of the last minute
 */
record PowerState(String governor, String megahertz, String celsius, String throttled, String load) {
    private static final String UNKNOWN = "unknown";
    private static final String CLOCK = "/sys/devices/system/cpu/cpu0/cpufreq/";
    private static final int THOUSAND = 1000;
    private static final long LIMIT_SECONDS = 5;

    /** Asks this machine. */
    static PowerState look() {
        return new PowerState(
                MachineFacts.text(CLOCK + "scaling_governor").orElse(UNKNOWN),
                MachineFacts.text(CLOCK + "scaling_cur_freq")
                        .map(PowerState::thousandth)
                        .orElse(UNKNOWN),
                MachineFacts.text("/sys/class/thermal/thermal_zone0/temp")
                        .map(PowerState::thousandth)
                        .orElse(UNKNOWN),
                new ChildProcess(List.of("vcgencmd", "get_throttled"), Map.of())
                        .run(LIMIT_SECONDS)
                        .filter(result -> result.status() == 0)
                        .map(result -> result.output().strip().replace("throttled=", ""))
                        .orElse(UNKNOWN),
                MachineFacts.text("/proc/loadavg")
                        .map(load -> load.split(" ", -1)[0])
                        .orElse(UNKNOWN));
    }

    private static String thousandth(String value) {
        return Long.toString(Math.round(Double.parseDouble(value) / THOUSAND));
    }
}
