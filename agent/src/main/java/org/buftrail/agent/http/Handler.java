package org.buftrail.agent.http;

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

  /** The answer to a request that needs work, on a thread that may wait. */
  Response answer(Request request);

  /** Called when something failed that is no request's fault; must not throw. */
  void failed(Throwable e);
}
