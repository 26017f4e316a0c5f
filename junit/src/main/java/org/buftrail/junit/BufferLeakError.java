package org.buftrail.junit;

/** A test, a class or the run left buffers or other resources open, or misused one. */
public final class BufferLeakError extends AssertionError {
  private static final long serialVersionUID = 1;

  BufferLeakError(String message, StackTraceElement[] path) {
    super(message);
    if (path.length > 0) {
      setStackTrace(path);
    }
  }
}
