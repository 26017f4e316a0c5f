package org.buftrail.agent.base;

/** Text of whole lines up to a size; what comes after is counted and not kept. One thread. */
public final class BoundedText implements Appendable {
  private final int maxChars;
  private final StringBuilder kept = new StringBuilder();
  private int wholeLines;
  private boolean full;
  private long leftOut;

  /**
   * @param maxChars the most that is kept
   */
  public BoundedText(int maxChars) {
    this.maxChars = maxChars;
  }

  @Override
  public BoundedText append(CharSequence text) {
    return append(text, 0, text.length());
  }

  @Override
  public BoundedText append(CharSequence text, int start, int end) {
    for (int i = start; i < end; i++) {
      append(text.charAt(i));
    }
    return this;
  }

  @Override
  public BoundedText append(char c) {
    if (!full && kept.length() == maxChars) {
      full = true;
    }
    if (!full) {
      kept.append(c);
    }
    if (c == '\n') {
      if (full) {
        leftOut++;
      } else {
        wholeLines = kept.length();
      }
    }
    return this;
  }

  /** Lines that are not kept. */
  public long leftOut() {
    return leftOut;
  }

  /** The lines that were kept whole; the last one, without an end, when there was room for all. */
  @Override
  public String toString() {
    return full ? kept.substring(0, wholeLines) : kept.toString();
  }
}
