/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PicturePlansTest {
    @Test
    void aPlanIsMadeAnewOnlyAfterAChange() {
        try (Values values = new Values()) {
            PicturePlans plans = plans(values);
            PicturePlan first = plans.plan(0);
            plans.setPrompt(false);
            plans.update();
            assertSame(first, plans.plan(0));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noStepWaitsForTheCompilerWherePicturesAreAwaited(boolean prompt) {
        try (Values values = new Values()) {
            PicturePlans plans = plans(values);
            plans.setPrompt(!prompt);
            plans.update();
            plans.setPrompt(prompt);
            plans.update();
            for (int step = 0; step < plans.steps().size(); step++) {
                assertEquals(prompt, plans.plan(step).prompt());
            }
        }
    }

    private static PicturePlans plans(Values values) {
        FilterSettings settings = FilterSettings.read(values.view(), false, Temporal.Choice.NONE);
        PicturePlans plans =
                new PicturePlans(new ElementSettings(new NativeElementHost(0), values.view(), settings), false);
        plans.update();
        return plans;
    }
}
