package com.example.woven;

/** Has nothing to do with buffers. */
public final class Plain {
  private Plain() {}

  /** Answers. */
  public static Object run() {
    return twice("a");
  }

  private static String twice(String text) {
    return text + text;
  }
}
