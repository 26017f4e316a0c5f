package org.buftrail.jfr.parquet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Thrift's compact protocol, as far as Parquet's metadata needs it. */
final class CompactThrift {
  static final int I32 = 5;
  static final int BINARY = 8;
  static final int STRUCT = 12;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int I64 = 6;
  private static final int LIST = 9;

  /** The largest size that a list's first byte holds. */
  private static final int SHORT_LIST = 14;

  private final PageBytes out = new PageBytes(128);
  private final Deque<Integer> outer = new ArrayDeque<>();
  private int last;

  void bool(int field, boolean value) {
    field(field, value ? TRUE : FALSE);
  }

  void i32(int field, int value) {
    field(field, I32);
    out.putSigned(value);
  }

  void i64(int field, long value) {
    field(field, I64);
    out.putSigned(value);
  }

  void bytes(int field, byte[] value) {
    field(field, BINARY);
    element(value);
  }

  void text(int field, String value) {
    bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Begins a structure in a field; {@link #end} ends it. */
  void begin(int field) {
    field(field, STRUCT);
    begin();
  }

  /** Begins a structure that is an element of a list. */
  void begin() {
    outer.push(last);
    last = 0;
  }

  void end() {
    out.put(0);
    last = outer.pop();
  }

  void list(int field, int type, int size) {
    field(field, LIST);
    if (size <= SHORT_LIST) {
      out.put((size << 4) | type);
    } else {
      out.put(0xf0 | type);
      out.putUnsigned(size);
    }
  }

  /** An element of a list of integers. */
  void element(int value) {
    out.putSigned(value);
  }

  /** An element of a list of texts. */
  void element(byte[] value) {
    out.putUnsigned(value.length);
    out.put(value);
  }

  /** Ends the outermost structure; answers all of it. */
  byte[] finish() {
    out.put(0);
    return out.toByteArray();
  }

  private void field(int id, int type) {
    out.put(((id - last) << 4) | type);
    last = id;
  }
}
