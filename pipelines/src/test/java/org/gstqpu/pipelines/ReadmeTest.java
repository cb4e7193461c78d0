package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.text.DecimalFormat;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.gstqpu.plugin.ElementProperty;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    @Test
    void thePropertyTableIsWhatTheElementDeclares() throws IOException {
        List<String> declared =
                Arrays.stream(ElementProperty.values()).map(ReadmeTest::row).toList();
        List<String> written = Files.readAllLines(Installation.current().root().resolve("README.md")).stream()
                .dropWhile(line -> !line.equals("## Properties"))
                .takeWhile(line -> !line.equals("## How it works"))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1))
                .toList();
        assertEquals(String.join("\n", declared), String.join("\n", written));
    }

    private static String row(ElementProperty property) {
        String access = switch (property.access()) {
            case READ_ONLY -> "never";
            case READY -> "while stopped";
            case CONTROLLABLE -> "at any time";
        };
        return "| `" + property.gstName() + "` | " + values(property.type()) + " | " + access + " |";
    }

    /** The columns of values and default. */
    private static String values(ElementProperty.Type type) {
        if (type instanceof ElementProperty.Bool bool) {
            return "true, false | " + bool.defaultValue();
        }
        if (type instanceof ElementProperty.IntRange range) {
            return range.minimum() + " to " + range.maximum() + " | " + range.defaultValue();
        }
        if (type instanceof ElementProperty.Fraction fraction) {
            return "0 to 1 | " + new DecimalFormat("0.##").format(fraction.defaultValue());
        }
        if (type instanceof ElementProperty.Choice choice) {
            return choice.values().stream().map(ElementProperty.Value::nick).collect(Collectors.joining(", "))
                    + " | "
                    + choice.values().get(choice.defaultIndex()).nick();
        }
        return (type instanceof ElementProperty.Text ? "text" : "structure") + " |";
    }
}
