/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes what shells complete the command line by, generated from the picocli commands: picocli's script for bash, which zsh reads as
 * well, and one for fish. Run by the build, on the main thread.
 */
final class Completion {
    /** A function that zsh loads when it is first asked: from then on, the script for bash answers, as it does now. */
    private static final String ZSH = """
            #compdef qpu
            autoload -U +X bashcompinit && bashcompinit
            for folder in $fpath; do
              [[ -r $folder/../../bash-completion/completions/qpu ]] || continue
              source $folder/../../bash-completion/completions/qpu
              break
            done
            _bash_complete -o default -F _complete_qpu
            """;

    private Completion() {}

    /**
     * Writes the files into their places below {@code share}.
     *
     * @param arguments the folder that stands for {@code share}
     */
    public static void main(String[] arguments) throws IOException {
        Path share = Path.of(arguments[0]);
        CommandLine qpu = QpuCommand.commandLine();
        write(share.resolve("bash-completion/completions/qpu"), AutoComplete.bash("qpu", qpu));
        write(share.resolve("zsh/vendor-completions/_qpu"), ZSH);
        write(share.resolve("fish/vendor_completions.d/qpu.fish"), fish(qpu));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Names of commands where none of their level was given yet, and options behind the command that has them. */
    static String fish(CommandLine qpu) {
        List<String> lines = new ArrayList<>();
        addFish(lines, qpu, "");
        return String.join("\n", lines) + "\n";
    }

    private static void addFish(List<String> lines, CommandLine command, String path) {
        CommandSpec spec = command.getCommandSpec();
        String names = String.join(" ", command.getSubcommands().keySet());
        String seen = path.isEmpty() ? "" : "__fish_seen_subcommand_from " + path;
        String none = names.isEmpty()
                ? seen
                : seen + (seen.isEmpty() ? "" : "; and ") + "not __fish_seen_subcommand_from " + names;
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                StringBuilder line = new StringBuilder("complete -c qpu -n " + quoted(none));
                for (String name : option.names()) {
                    line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
                }
                lines.add(line + (option.arity().max() == 0 ? "" : " -r") + " -d " + quoted(option.description()[0]));
            }
        }
        command.getSubcommands().forEach((name, child) -> {
            String[] description = child.getCommandSpec().usageMessage().description();
            lines.add("complete -c qpu -n " + quoted(none) + " -a " + name + " -d "
                    + quoted(description[0].split("(?<=\\.) ", 2)[0]));
            addFish(lines, child, name);
        });
    }

    private static String quoted(String text) {
        return "'" + text.strip().replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
