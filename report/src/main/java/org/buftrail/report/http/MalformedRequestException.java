package org.buftrail.report.http;

/** Says that a request breaks the rules, with the status to answer it with. */
final class MalformedRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  MalformedRequestException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
