/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutomaticTemporalTest {
    /** Times in microseconds; an empty list of those with fusion where each takes too long. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1000 | 2000 2100 3900 | false | 0 | TWO | auto: a picture takes 3.9 ms, without 1.0 ms",
                "1000 | 2000 2100 | false | 40000 | ONE | auto: a picture takes 2.1 ms, without 1.0 ms",
                "1000 | 3900 | false | 40000 | PAST | auto: a picture takes 3.9 ms, without 1.0 ms",
                "1000 | '' | false | 40000 | OFF | auto: a picture takes 1.0 ms, and with temporal=past more than 4 times as long",
                "1000 | '' | true | 40000 | OFF | auto: a picture takes 1.0 ms, and with temporal=past more than 4 times as long",
                "5000 | 20000 20000 20000 | true | 40000 | PAST | auto: pictures are awaited, each takes 20.0 ms of 40.0 ms",
                "5000 | 20001 | true | 40000 | OFF | auto: pictures are awaited, each takes 20.0 ms of 40.0 ms with temporal=past",
                "1000 | 2000 2000 2000 | true | 0 | OFF | auto: pictures are awaited, and the caps have no frame rate",
            })
    void choosesTheMostThatIsInTime(
            long without, String fused, boolean awaited, long frame, Temporal expected, String reason) {
        List<Long> nanos = Stream.of(fused.split(" "))
                .filter(time -> !time.isEmpty())
                .map(time -> 1000 * Long.parseLong(time))
                .toList();
        assertEquals(
                new Temporal.Choice(expected, reason),
                AutomaticTemporal.choice(new FusionTimes(1000 * without, nanos), awaited, 1000 * frame));
    }

    @Test
    void saysWhatIsKnownBeforeTheFirstPicture() {
        try (Values values = new Values()) {
            assertReasons(values);
        }
    }

    private static void assertReasons(Values values) {
        FilterSettings first = FilterSettings.read(values.view(), false, Temporal.Choice.PENDING);
        ElementSettings settings = new ElementSettings(new NativeElementHost(0), values.view(), first);
        AutomaticTemporal automatic = new AutomaticTemporal(settings);
        automatic.setPictures(Optional.of(new FusionTimes(1000, List.of())), 40_000_000);
        assertEquals("auto: no picture has come", settings.current().temporalReason());
        automatic.setPictures(Optional.empty(), 40_000_000);
        assertEquals("auto: no GPU filters", settings.current().temporalReason());
        automatic.setPictures(Optional.of(new FusionTimes(1000, List.of())), 40_000_000);
        automatic.setAwaited(true);
        assertEquals(
                "auto: a picture takes 0.0 ms, and with temporal=past more than 4 times as long",
                settings.current().temporalReason());
    }
}
