/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompletionTest {
    @TempDir
    private Path share;

    @Test
    void bashCompletesAnOptionOfACommand() throws IOException {
        Completion.main(new String[] {share.toString()});
        String script = "source " + share.resolve("bash-completion/completions/qpu")
                + "; COMP_WORDS=(qpu batch plan --seg); COMP_CWORD=3; _complete_qpu; echo \"${COMPREPLY[@]}\"";
        ChildProcess.Result result = new ChildProcess(List.of("bash", "-c", script), Map.of())
                .run(600)
                .orElseThrow();
        assertEquals("--segment", result.lastLines(1).strip(), result::output);
        // zsh takes the same script, by its place.
        assertTrue(
                Files.readString(share.resolve("zsh/vendor-completions/_qpu")).startsWith("#compdef qpu\n"));
    }

    @Test
    void fishHasEveryCommandWhereItMayStandAndEveryOptionBehindIt() {
        CommandLine qpu = QpuCommand.commandLine();
        List<String> lines = Completion.fish(qpu).lines().toList();
        String top = "'not __fish_seen_subcommand_from "
                + String.join(" ", qpu.getSubcommands().keySet()) + "'";
        qpu.getSubcommands().forEach((name, command) -> {
            assertEquals(1, count(lines, "complete -c qpu -n " + top + " -a " + name + " -d '"), name);
            if (command.getSubcommands().isEmpty()) {
                long options = command.getCommandSpec().options().stream()
                        .filter(option -> !option.hidden())
                        .count();
                assertEquals(
                        options, count(lines, "complete -c qpu -n '__fish_seen_subcommand_from " + name + "' -"), name);
            }
        });
        assertEquals(
                1,
                lines.stream()
                        .filter(line -> line.matches(".*from plan' -l segment -r -d '.*'"))
                        .count());
        // Quotes within are escaped.
        assertTrue(
                lines.stream().allMatch(line -> line.matches("complete -c qpu -n '[^']*' ([^'])*'([^'\\\\]|\\\\.)*'")),
                lines::toString);
    }

    private static long count(List<String> lines, String begin) {
        return lines.stream().filter(line -> line.startsWith(begin)).count();
    }
}
