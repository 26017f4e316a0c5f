package org.buftrail.jfr.parquet;

import java.io.ByteArrayOutputStream;

/** Numbers as Parquet stores them. */
final class Bytes {
  private Bytes() {}

  static void littleEndian(int value, ByteArrayOutputStream out) {
    for (int bit = 0; bit < Integer.SIZE; bit += Byte.SIZE) {
      out.write(value >>> bit);
    }
  }

  static void littleEndian(long value, ByteArrayOutputStream out) {
    littleEndian((int) value, out);
    littleEndian((int) (value >>> Integer.SIZE), out);
  }
}
