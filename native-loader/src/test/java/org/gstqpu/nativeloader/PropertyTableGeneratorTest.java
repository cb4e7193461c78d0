/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.gstqpu.plugin.ElementProperty;
import org.junit.jupiter.api.Test;

class PropertyTableGeneratorTest {
    @Test
    void ordinalsFollowTheDeclaration() {
        String expected = Arrays.stream(ElementProperty.values())
                .map(property -> "  GST_QPU_PROPERTY_" + property.name() + ",\n")
                .reduce("enum\n{\n", String::concat);
        assertTrue(PropertyTableGenerator.header().contains(expected + "  GST_QPU_PROPERTY_COUNT\n};\n"));
    }

    @Test
    void specsFollowTheDeclaration() {
        String header = PropertyTableGenerator.header();
        int position = 0;
        for (ElementProperty property : ElementProperty.values()) {
            int found = header.indexOf("    .name = \"" + property.gstName() + "\",\n", position);
            assertTrue(found > position, property + " is not in its place in\n" + header);
            position = found;
        }
    }

    @Test
    void literalsAreEscaped() {
        assertEquals("\"a \\\"b\\\" \\\\ c\"", PropertyTableGenerator.quoted("a \"b\" \\ c"));
    }

    @Test
    void textThatIsNoAsciiLineIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> PropertyTableGenerator.quoted("a\nb"));
        assertThrows(IllegalArgumentException.class, () -> PropertyTableGenerator.quoted("\u00e4"));
    }
}
