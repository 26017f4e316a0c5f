package org.buftrail.report.http;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Answers requests. Thread-safe. */
public interface Handler {
  /** The answer to what is no request, with a body that is known. */
  Response refusal(int status);

  /**
   * The answer to a request if it needs no work, with a body that is known; null if it does. Called
   * by the one thread that serves all connections, so it must neither wait nor take long.
   */
  @Nullable Response atOnce(Request request);

  /**
   * The answer to a request that needs work, on a thread that may wait.
   *
   * @param body what the client sends behind the head; what is not read is discarded
   * @throws IOException if the body does not come; then the connection is broken
   */
  Response answer(Request request, InputStream body) throws IOException;

  /** Called when something failed that is no request's fault; must not throw. */
  void failed(Throwable e);
}
