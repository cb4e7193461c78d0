/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.gstqpu.pipelines.play.TerminalMode;

/**
 * A bar on a terminal that says how much of a plan is done, over all machines, how fast that goes, and how long the rest takes. Looks
 * every second, on a thread of its own, until it is closed.
 */
final class BatchBar implements AutoCloseable {
    private static final long LOOK_MILLIS = 1000;

    private final PrintStream terminal;
    private final Source source;
    private final ProgressBar bar;
    private final Thread look = new Thread(this::look, "progress");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Optional<Duration> left = Optional.empty();

    /** Says how far the plan has come. */
    interface Source {
        BatchStatus read() throws IOException;
    }

    /** @param width columns of the terminal */
    BatchBar(PrintStream terminal, int width, Source source) {
        this.terminal = terminal;
        this.source = source;
        bar = new ProgressBarBuilder()
                .setTaskName("batch")
                .setStyle(ProgressBarStyle.ASCII)
                .setInitialMax(-1)
                .setEtaFunction(state -> left)
                .setConsumer(new ConsoleProgressBarConsumer(terminal, width))
                .build();
        look.setDaemon(true);
        look.start();
    }

    /** A bar on standard error; null if that is no terminal. */
    static BatchBar onErrorTerminal(int width, Source source) {
        return TerminalMode.isErrorTerminal() ? new BatchBar(System.err, width, source) : null;
    }

    /** Makes room for a line; the bar is drawn again below it. */
    void clear() {
        terminal.print("\r\033[K");
        terminal.flush();
    }

    private void look() {
        try {
            do {
                show();
            } while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show() {
        try {
            BatchStatus status = source.read();
            left = Optional.ofNullable(status.secondsLeft()).map(Duration::ofSeconds);
            bar.maxHint(status.units());
            bar.stepTo(status.done() + status.failed());
            bar.setExtraMessage(String.format(Locale.ROOT, "%.1f fps", status.fps()));
        } catch (IOException e) {
            bar.setExtraMessage(String.valueOf(e));
        }
    }

    @Override
    public void close() {
        // An interrupt would leave what it reads half done.
        closed.countDown();
        try {
            look.join();
            show();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        bar.close();
    }
}
