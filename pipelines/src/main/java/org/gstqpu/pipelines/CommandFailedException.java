package org.gstqpu.pipelines;

/** A command cannot go on for a reason that its user can do something about. The message is one line: cause and cure. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    CommandFailedException(int exitStatus, String message) {
        super(message);
        this.exitStatus = exitStatus;
    }

    CommandFailedException(int exitStatus, String message, Throwable cause) {
        super(message, cause);
        this.exitStatus = exitStatus;
    }

    /** One of {@link ExitStatus}. */
    int exitStatus() {
        return exitStatus;
    }
}
