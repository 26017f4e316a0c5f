package org.buftrail.jfr.parquet;

import java.io.ByteArrayOutputStream;
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

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Deque<Integer> outer = new ArrayDeque<>();
  private int last;

  void bool(int field, boolean value) {
    field(field, value ? TRUE : FALSE);
  }

  void i32(int field, int value) {
    field(field, I32);
    number(value);
  }

  void i64(int field, long value) {
    field(field, I64);
    number(value);
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
    out.write(0);
    last = outer.pop();
  }

  void list(int field, int type, int size) {
    field(field, LIST);
    if (size <= SHORT_LIST) {
      out.write((size << 4) | type);
    } else {
      out.write(0xf0 | type);
      unsigned(size);
    }
  }

  /** An element of a list of integers. */
  void element(int value) {
    number(value);
  }

  /** An element of a list of texts. */
  void element(byte[] value) {
    unsigned(value.length);
    out.writeBytes(value);
  }

  /** Ends the outermost structure; answers all of it. */
  byte[] finish() {
    out.write(0);
    return out.toByteArray();
  }

  private void field(int id, int type) {
    out.write(((id - last) << 4) | type);
    last = id;
  }

  private void number(long value) {
    unsigned((value << 1) ^ (value >> (Long.SIZE - 1)));
  }

  private void unsigned(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write(((int) rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
