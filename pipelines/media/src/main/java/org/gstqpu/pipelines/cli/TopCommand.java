/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.vulkan.device.DriverExit;
import org.gstqpu.kernels.substrate.DeviceException;
import picocli.CommandLine;

/** Runs the parent of all commands of a program, and turns what they throw into lines and exit statuses. Stateless; main thread. */
public final class TopCommand {
    /**
     * The modules of the Java runtime without which a command fails somewhere: a runtime that jlink made may lack them. What these
     * require, such as java.management, comes with them.
     */
    public static final List<String> MODULES =
            List.of("java.desktop", "java.logging", "jdk.management", "jdk.unsupported");

    /** Commands that let the pictures under way come to their end when they are told to end. All others are interrupted where they are. */
    private static final Set<String> FINISHING = Set.of("batch", "play", "transcode");

    /** What other programs name their files by. */
    private static final Set<String> FILE_OPTIONS = Set.of("-i", "-o", "--input", "--output");

    private TopCommand() {}

    /** Runs a command line and ends the process with its exit status. */
    public static void run(String name, Object command, String[] arguments) {
        for (String module : MODULES) {
            if (ModuleLayer.boot().findModule(module).isEmpty()) {
                System.err.println(name + ": this Java runtime lacks the module " + module
                        + ": use a whole one, such as default-jre-headless, or add " + String.join(", ", MODULES)
                        + " to yours");
                System.exit(ExitStatus.UNAVAILABLE);
            }
        }
        int status;
        try {
            StandardError.restore(System.getenv());
            if (arguments.length > 0 && !FINISHING.contains(arguments[0])) {
                DriverExit.skipDestructors();
            }
            status = commandLine(command).execute(arguments);
        } catch (UnsatisfiedLinkError e) {
            System.err.println(
                    name + ": a library of Java cannot be unpacked or loaded ("
                            + Wording.oneLine(e.getMessage())
                            + "): look at the folder of temporary files, whether it is full or noexec, and at limits such as ulimit -f");
            status = ExitStatus.UNAVAILABLE;
        } catch (LinkageError | IllegalStateException e) {
            if (isOfTheEnd(e)) {
                return;
            }
            throw e;
        }
        System.exit(status);
    }

    /** Whether something only failed because Ctrl-C ended the process while it started. */
    private static boolean isOfTheEnd(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause.toString().contains("Shutdown in progress"));
    }

    /**
     * Makes a command line that can be executed any number of times, one after the other.
     *
     * @param command an object of a class with picocli's annotations
     */
    public static CommandLine commandLine(Object command) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(TopCommand::reportUsage)
                .setExecutionStrategy(TopCommand::execute)
                .setExecutionExceptionHandler(TopCommand::report);
    }

    /** No command takes an argument that is no text: nearly all are names of files. */
    private static int execute(CommandLine.ParseResult parsed) {
        try {
            parsed.originalArgs().forEach(FileName::requireText);
        } catch (CommandFailedException e) {
            List<CommandLine> commands = parsed.asCommandLineList();
            say(commands.get(commands.size() - 1), e.getMessage());
            return e.exitStatus();
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int reportUsage(CommandLine.ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String message = failure instanceof CommandLine.UnmatchedArgumentException unmatched
                ? unmatched(unmatched)
                : Wording.unstopped(failure.getMessage());
        say(command, message + "; see " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitStatus.UNUSABLE_INPUT;
    }

    /** What is wrong with the first argument that no command takes: what follows it may be its value. */
    private static String unmatched(CommandLine.UnmatchedArgumentException failure) {
        String first = failure.getUnmatched().get(0);
        if (FILE_OPTIONS.contains(first)) {
            return "no option " + first + ": files stand by themselves, IN before OUT";
        }
        String kind = failure.isUnknownOption()
                ? "no option "
                : failure.getCommandLine().getSubcommands().isEmpty() ? "too many arguments: " : "no command ";
        List<String> similar = failure.getSuggestions();
        return kind + first + (similar.isEmpty() ? "" : " (did you mean " + String.join(" or ", similar) + "?)");
    }

    /**
     * Prints a {@link CommandFailedException}, the failure of a device or an input/output error as one line. Any other exception is
     * a bug in this program, so picocli prints its stack trace.
     */
    private static int report(Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed)
            throws Exception {
        if (isOfTheEnd(failure)) {
            return ExitStatus.PROBLEM;
        }
        if (failure instanceof CommandFailedException known) {
            say(commandLine, known.getMessage());
            return known.exitStatus();
        }
        if (failure instanceof DeviceException) {
            say(commandLine, failure.getMessage());
            return ExitStatus.PROBLEM;
        }
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
            say(
                    commandLine,
                    "a file cannot be read or written (" + cause
                            + "): check its folder, the permissions and the free space");
            return ExitStatus.PROBLEM;
        }
        throw failure;
    }

    /** Prints a message on one line. The output of a child process, which a message may quote, can have several. */
    private static void say(CommandLine commandLine, String message) {
        String name = commandLine.getCommandSpec().qualifiedName();
        commandLine.getErr().println(name + ": " + Wording.oneLine(message));
    }
}
