package org.gstqpu.pipelines;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the element says it did, in its property {@code stats} and, when it stops, in the log category {@code
 * qpuloopfilter} at level INFO.
 *
 * @param substrate what it ran on
 * @param device the device's name
 * @param frames pictures filtered
 * @param submits Vulkan queue submissions
 * @param bytesCopied bytes copied only to bring pictures to the device and back
 */
record ElementStats(String substrate, String device, long frames, long submits, long bytesCopied) {
    private static final String NAME = "qpuloopfilter-stats";
    private static final Pattern FIELD =
            Pattern.compile("([a-z-]+)=\\([a-z0-9]+\\)(\"(?:[^\"\\\\]|\\\\.)*\"|[^,;\\s]+)");

    /**
     * Finds the last line of statistics in a log.
     *
     * @return empty when there is none, or when a field is missing
     */
    static Optional<ElementStats> find(String log) {
        int start = log.lastIndexOf(NAME);
        if (start < 0) {
            return Optional.empty();
        }
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(log.substring(start).lines().findFirst().orElse(""));
        while (matcher.find()) {
            fields.put(matcher.group(1), unquoted(matcher.group(2)));
        }
        try {
            return Optional.of(new ElementStats(
                    field(fields, "substrate"),
                    field(fields, "device"),
                    Long.parseLong(field(fields, "frames")),
                    Long.parseLong(field(fields, "submits")),
                    Long.parseLong(field(fields, "bytes-copied"))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no field " + name);
        }
        return value;
    }

    /** Undoes how a GstStructure writes strings: in double quotes, with a backslash before every special character. */
    private static String unquoted(String value) {
        if (!value.startsWith("\"")) {
            return value;
        }
        return value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1");
    }
}
