package org.buftrail.profile.push;

import java.net.HttpURLConnection;
import java.util.concurrent.TimeUnit;

/** How long a receiver asks to wait: seconds or an HTTP date, as RFC 9110, 10.2.3 has it. */
final class RetryAfter {
  private static final String NAME = "Retry-After";

  private RetryAfter() {}

  /** Seconds from now, 0 for a date that has passed; -1 if it does not ask. */
  static long seconds(HttpURLConnection answer) {
    String after = answer.getHeaderField(NAME);
    if (after == null) {
      return -1;
    }
    String text = after.trim();
    if (text.matches("[0-9]+")) {
      return text.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(text);
    }
    long date = answer.getHeaderFieldDate(NAME, -1);
    if (date < 0) {
      return -1;
    }
    // Rounded up: a moment too late is not too early.
    long millis = Math.max(0, date - System.currentTimeMillis());
    return TimeUnit.MILLISECONDS.toSeconds(millis + 999);
  }
}
