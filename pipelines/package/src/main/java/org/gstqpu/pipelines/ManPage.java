/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes the manual page qpu(1) in the language of man(7). The page is generated from the picocli commands, so that it
 * always lists every command and option. Run by the build, on the main thread.
 */
final class ManPage {
    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    /**
     * Writes the page.
     *
     * @param arguments the file to write, and the date to print in it, such as {@code 2026-11-01}
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("usage: FILE DATE");
        }
        Path file = Path.of(arguments[0]);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, of(QpuCommand.commandLine(), arguments[1]), StandardCharsets.UTF_8);
    }

    /** Returns the page for a command and all its subcommands. */
    static String of(CommandLine command, String date) {
        ManPage made = new ManPage();
        made.write(command, date);
        return made.page.toString();
    }

    private void write(CommandLine qpu, String date) {
        CommandSpec spec = qpu.getCommandSpec();
        // The date is not escaped: man would not recognise an escaped date.
        page.append(".TH ")
                .append(spec.name().toUpperCase(Locale.ROOT))
                .append(" 1 ")
                .append(date)
                .append(" \"gst-qpu ")
                .append(QpuCommand.Version.number())
                .append("\"\n");
        macro("SH", "NAME");
        line(spec.name() + " \\- " + escape("command line of the GStreamer element qpuloopfilter and its kernels"));
        macro("SH", "SYNOPSIS");
        synopsis(qpu);
        macro("SH", "DESCRIPTION");
        paragraphs(spec);
        options(spec);
        macro("SH", "COMMANDS");
        qpu.getSubcommands().values().forEach(this::command);
        macro("SH", "EXAMPLES");
        verbatim(String.join("\n", spec.usageMessage().footer()));
        macro("SH", "EXIT STATUS");
        for (Map.Entry<String, String> status :
                spec.usageMessage().exitCodeList().entrySet()) {
            tagged("\\fB" + escape(status.getKey().strip()) + "\\fR", status.getValue());
        }
        macro("SH", "ENVIRONMENT");
        tagged("\\fBJAVA_HOME\\fR", "the Java runtime to run on, 17 or newer (default: the java on PATH)");
        tagged(
                "\\fBXDG_CACHE_HOME\\fR",
                "the folder gst-qpu in it keeps measurements and compiled pipelines (default: ~/.cache)");
        tagged(
                "\\fBGST_QPU_JVM_OPTIONS\\fR",
                "additional JVM options for the GStreamer processes that qpu starts, quoted as for a shell");
        macro("SH", "SEE ALSO");
        line("\\fBgst-launch-1.0\\fR(1), \\fBgst-inspect-1.0\\fR(1), \\fBgst-qpu-archive\\fR(1)");
    }

    private void command(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        macro("SS", spec.qualifiedName());
        if (!command.getSubcommands().isEmpty() && spec.positionalParameters().isEmpty()) {
            paragraphs(spec);
            command.getSubcommands().values().forEach(this::command);
            return;
        }
        synopsis(command);
        macro("PP");
        paragraphs(spec);
        options(spec);
        command.getSubcommands().values().forEach(this::command);
    }

    private void synopsis(CommandLine command) {
        Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Help.Ansi.OFF));
        // All on one line: man breaks lines at the width of the terminal.
        line(escape(String.join(" ", help.synopsis(0).strip().split("\\s+"))));
    }

    private void paragraphs(CommandSpec spec) {
        String separator = "";
        for (String paragraph : spec.usageMessage().description()) {
            if (!separator.isEmpty()) {
                macro(separator);
            }
            String text = paragraph.formatted();
            if (text.contains("\n")) {
                verbatim(text);
            } else {
                line(escape(text));
            }
            separator = "PP";
        }
    }

    /** Lines as they are, such as those of a table. */
    private void verbatim(String lines) {
        macro("nf");
        lines.lines().forEach(each -> line(escape(each)));
        macro("fi");
    }

    private void options(CommandSpec spec) {
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            if (!parameter.hidden()) {
                tagged("\\fI" + escape(parameter.paramLabel()) + "\\fR", description(parameter));
            }
        }
        for (OptionSpec option : spec.options()) {
            // --help and --version are the same for all commands. They are listed once, for qpu itself.
            if (!option.hidden() && !((option.usageHelp() || option.versionHelp()) && spec.parent() != null)) {
                tagged(names(option), description(option));
            }
        }
    }

    private static String names(OptionSpec option) {
        List<String> names = new ArrayList<>();
        for (String name : option.names()) {
            String value = option.arity().max() == 0 ? "" : "=\\fI" + escape(option.paramLabel()) + "\\fR";
            names.add("\\fB" + escape(name) + "\\fR" + value);
        }
        return String.join(", ", names);
    }

    private static String description(ArgSpec argument) {
        return String.join(" ", argument.description());
    }

    private void tagged(String tag, String text) {
        macro("TP");
        line(tag);
        line(escape(text));
    }

    private void macro(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escape(argument)).append('"');
        }
        page.append('\n');
    }

    private void line(String text) {
        // roff reads a dot or a quote at the beginning of a line as a request.
        page.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "")
                .append(text)
                .append('\n');
    }

    /** Escapes what roff would interpret: the backslash, and signs that it would print as typographic dashes and quotes. */
    private static String escape(String text) {
        return text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("\"", "\\(dq")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti")
                .replace("`", "\\(ga");
    }
}
