package org.buftrail.junit;

import org.jspecify.annotations.Nullable;

/**
 * A test, a class or the run left buffers or other resources open, misused one, or went past its
 * {@link BufferBudget}.
 */
public final class BufferLeakError extends AssertionError {
  private static final long serialVersionUID = 1;

  BufferLeakError(String message, StackTraceElement[] path) {
    this(message, path, null);
  }

  BufferLeakError(String message, StackTraceElement[] path, @Nullable Throwable cause) {
    super(message, cause);
    if (path.length > 0) {
      setStackTrace(path);
    }
  }
}
