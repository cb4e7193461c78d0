/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.DecimalFormat;
import java.util.regex.Pattern;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.plugin.ElementCounter;
import org.gstqpu.plugin.ElementProperty;
import org.gstqpu.plugin.ElementProperty.Access;
import org.gstqpu.plugin.ElementProperty.Bool;
import org.gstqpu.plugin.ElementProperty.Choice;
import org.gstqpu.plugin.ElementProperty.IntRange;
import org.gstqpu.plugin.ElementProperty.RealRange;
import org.gstqpu.plugin.ElementProperty.Text;
import org.gstqpu.plugin.ElementText;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What gst-inspect-1.0 tells of the element agrees with its Java declaration. */
class InspectionIT {
    private static String inspection;

    @BeforeAll
    static void inspect() {
        GstProcess.Result result = new GstProcess("gst-inspect-1.0", "qpuloopfilter").run();
        assertEquals(0, result.exitCode(), result::output);
        inspection = result.output();
    }

    private static void assertTells(String pattern) {
        assertTrue(
                Pattern.compile(pattern, Pattern.MULTILINE).matcher(inspection).find(),
                () -> "no match of " + pattern + " in\n" + inspection);
    }

    @Test
    void tellsWhatTheElementIs() {
        assertTells("^  Long-name +Codec loop filter$");
        assertTells("^  Klass +Filter/Effect/Video$");
        assertTells("^  Description +.*H\\.264.*AV1.*$");
        assertTells("^  Author +\\S+");
        assertTells("^  Name +qpu$");
        assertTells("^  Version +" + Pattern.quote(System.getProperty("project.version")) + "$");
        assertTells("^  License +LGPL$");
        assertTells("^ +\\+----GstBaseTransform$");
    }

    @ParameterizedTest
    @EnumSource
    void bothPadsTakeEachFormatInBothKindsOfMemory(PixelFormat format) {
        assertEquals(
                4,
                Pattern.compile("(?m)^ +format: \\{[^}]*\\(string\\)" + format + "[,} ]")
                        .matcher(inspection)
                        .results()
                        .count());
    }

    @Test
    void padsTakeEverySize() {
        long structures = count("^ +video/x-raw");
        assertTrue(structures >= 4, inspection);
        assertEquals(structures, count("width: \\[ 1, 2147483647 \\]"));
        assertEquals(structures, count("height: \\[ 1, 2147483647 \\]"));
    }

    @Test
    void dmabufsOfDrmFormatsAreTakenWhereGStreamerHasThem() {
        // Named ones, then those whose names have a column height.
        assertEquals(6, count("^ +video/x-raw\\(memory:DMABuf\\)") + (GstVersion.hasDmaDrm() ? 0 : 4));
        assertEquals(GstVersion.hasDmaDrm() ? 4 : 0, count("format: DMA_DRM"));
    }

    private static long count(String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(inspection)
                .results()
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void eachPropertyIsListed(ElementProperty property) {
        String start = "^  " + property.gstName() + " +: " + Pattern.quote(property.blurb()) + "\\n";
        String flags = "^ +flags: readable"
                + (property.access() == Access.READ_ONLY
                        ? "\\n"
                        : property.access() == Access.READY
                                ? ", writable, changeable only in NULL or READY state\\n"
                                : ", writable, controllable, changeable in NULL, READY, PAUSED or PLAYING state\\n");
        assertTells(start + flags + "^ +" + type(property));
    }

    private static String type(ElementProperty property) {
        if (property.type() instanceof Bool bool) {
            return "Boolean\\. Default: " + bool.defaultValue() + "\\s";
        }
        if (property.type() instanceof IntRange range) {
            return "Integer\\. Range: " + range.minimum() + " - " + range.maximum() + " Default: "
                    + range.defaultValue() + "\\s";
        }
        if (property.type() instanceof RealRange range) {
            DecimalFormat number = new DecimalFormat("0.##");
            return "Double\\. Range: +" + number.format(range.minimum()) + " - +" + number.format(range.maximum())
                    + " Default: +" + number.format(range.defaultValue()) + "\\s";
        }
        if (property.type() instanceof Choice choice) {
            StringBuilder text = new StringBuilder("Enum \"" + choice.typeName() + "\" Default: "
                    + choice.defaultIndex() + ", \""
                    + choice.values().get(choice.defaultIndex()).nick() + "\"\\s");
            for (int index = 0; index < choice.values().size(); index++) {
                ElementProperty.Value value = choice.values().get(index);
                text.append("\\s*\\(" + index + "\\): " + value.nick() + " +- " + Pattern.quote(value.description()));
            }
            return text.toString();
        }
        if (property.type() instanceof Text) {
            return "String\\. Default: null\\s";
        }
        return "Boxed pointer of type \"GstStructure\"\\s";
    }

    @Test
    void statisticsOfAClosedElementAreZero() {
        for (ElementText text : ElementText.values()) {
            assertTells("^ +" + text.gstName() + ": none$");
        }
        for (ElementCounter counter : ElementCounter.values()) {
            if (!counter.timed()) {
                assertTells("^ +" + counter.gstName() + ": 0$");
            }
        }
    }
}
