/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.plugin.ElementProperty;

/** Properties of the element as a command line sets them. GStreamer would warn of a value that it cannot use, and go on without it. */
public final class ElementSettings {
    private static final Set<String> BOOLEANS = Set.of("true", "false", "yes", "no", "1", "0");

    private ElementSettings() {}

    /**
     * Checks values by what the element's own properties can hold. Leaves properties of other classes, and names that do not exist, to
     * GStreamer.
     *
     * @param settings values by the names of the properties
     * @throws CommandFailedException when a value cannot be used, with the values that can
     */
    public static void check(Map<String, String> settings) {
        settings.forEach((name, value) -> {
            if (!name.matches("[A-Za-z][A-Za-z0-9-]*") || value == null || value.isBlank()) {
                throw unusable(name, value, "PROPERTY=VALUE needs a name and a value, such as quality=fast");
            }
            Arrays.stream(ElementProperty.values())
                    .filter(property -> property.gstName().equals(name))
                    .findFirst()
                    .flatMap(property -> mistake(property.type(), value))
                    .ifPresent(usable -> {
                        throw unusable(name, value, name + " is " + usable);
                    });
        });
    }

    private static CommandFailedException unusable(String name, String value, String cure) {
        return CommandFailedException.unusable(name + "=" + value + ": " + cure);
    }

    /** What a property can hold, if this value is none of it. */
    private static Optional<String> mistake(ElementProperty.Type type, String value) {
        if (type instanceof ElementProperty.Bool) {
            return unless(BOOLEANS.contains(value.toLowerCase(Locale.ROOT)), "true or false");
        }
        if (type instanceof ElementProperty.IntRange range) {
            return unless(
                    isNumber(
                            value,
                            found -> found == Math.rint(found) && found >= range.minimum() && found <= range.maximum()),
                    "a whole number from " + range.minimum() + " to " + range.maximum());
        }
        if (type instanceof ElementProperty.RealRange range) {
            return unless(
                    isNumber(value, found -> found >= range.minimum() && found <= range.maximum()),
                    "a number from " + range.minimum() + " to " + range.maximum());
        }
        if (type instanceof ElementProperty.Choice choice) {
            boolean known = IntStream.range(0, choice.values().size())
                    .anyMatch(i -> choice.values().get(i).nick().equals(value) || value.equals(Integer.toString(i)));
            return unless(
                    known,
                    choice.values().stream()
                            .map(ElementProperty.Value::nick)
                            .collect(Collectors.joining(", ", "one of ", "")));
        }
        return Optional.empty();
    }

    private static Optional<String> unless(boolean usable, String what) {
        return usable ? Optional.empty() : Optional.of(what);
    }

    private static boolean isNumber(String value, DoublePredicate usable) {
        try {
            return usable.test(Double.parseDouble(value));
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
