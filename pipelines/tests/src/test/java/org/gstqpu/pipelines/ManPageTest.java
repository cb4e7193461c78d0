/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManPageTest {
    private static final String DAY = "2026-11-01";

    @Test
    void everyCommandIsThereWithEveryOptionUnderItsHeading() {
        String page = ManPage.of(QpuCommand.commandLine(), DAY);
        check(page, QpuCommand.commandLine());
    }

    private static void check(String page, CommandLine command) {
        for (CommandLine child : command.getSubcommands().values()) {
            String heading = ".SS \"" + child.getCommandSpec().qualifiedName() + "\"\n";
            assertTrue(page.contains(heading), heading);
            String section = page.substring(page.indexOf(heading) + heading.length());
            section = section.split("\n\\.S[SH] ", 2)[0];
            // A command that only has subcommands does nothing by itself.
            boolean runs = child.getSubcommands().isEmpty()
                    || !child.getCommandSpec().positionalParameters().isEmpty();
            for (OptionSpec option : child.getCommandSpec().options()) {
                boolean standard = option.usageHelp() || option.versionHelp() || option.hidden();
                for (String name : option.names()) {
                    String tag = "\\fB" + name.replace("-", "\\-") + "\\fR";
                    assertEquals(!standard && runs, section.contains(tag), heading + tag);
                }
            }
            check(page, child);
        }
    }

    @Test
    void variablesOfDescriptionsAreFilledIn() {
        String page = ManPage.of(QpuCommand.commandLine(), DAY);
        assertFalse(page.contains("${"), page);
        assertTrue(
                page.startsWith(".TH QPU 1 " + DAY + " \"gst-qpu "),
                page.lines().findFirst().orElse(""));
    }

    @Test
    void linesOfATableAndOfExamplesStayLines() {
        String page = ManPage.of(QpuCommand.commandLine(), DAY);
        String keys = page.substring(page.indexOf("  o  filter on or off"));
        assertTrue(keys.indexOf("\n.fi\n") > keys.indexOf("  q      quit\n  i  "), keys);
        assertTrue(page.substring(0, page.length() - keys.length()).endsWith("window:\n"), page);
        assertTrue(
                page.lastIndexOf("\n.nf\n", page.length() - keys.length())
                        > page.lastIndexOf("\n.fi\n", page.length() - keys.length()),
                page);
        assertTrue(page.contains(".SH \"EXAMPLES\"\n.nf\nqpu play video.mp4\n"), page);
    }

    @Test
    void whatRoffWouldTakeForItsOwnIsEscaped() {
        CommandSpec odd = CommandSpec.create().name("odd");
        odd.usageMessage().description("'begins' with a quote, has a \\ and 50%% of --that");
        odd.addOption(OptionSpec.builder("--option-name")
                .paramLabel("A-B")
                .type(int.class)
                .description(".begins with a dot")
                .build());
        List<String> lines = ManPage.of(new CommandLine(odd), DAY).lines().toList();
        assertTrue(lines.contains("\\(aqbegins\\(aq with a quote, has a \\e and 50% of \\-\\-that"), lines::toString);
        assertTrue(lines.contains("\\fB\\-\\-option\\-name\\fR=\\fIA\\-B\\fR"), lines::toString);
        assertTrue(lines.contains("\\&.begins with a dot"), lines::toString);
    }
}
