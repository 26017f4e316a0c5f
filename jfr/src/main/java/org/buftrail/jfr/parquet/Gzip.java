package org.buftrail.jfr.parquet;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Packs pages as gzip does, with one compressor for all. */
final class Gzip implements AutoCloseable {
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final byte[] buffer = new byte[1 << 14];

  byte[] pack(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 2 + HEADER.length);
    out.writeBytes(HEADER);
    deflater.reset();
    deflater.setInput(plain);
    deflater.finish();
    while (!deflater.finished()) {
      out.write(buffer, 0, deflater.deflate(buffer));
    }
    CRC32 sum = new CRC32();
    sum.update(plain);
    Bytes.littleEndian((int) sum.getValue(), out);
    Bytes.littleEndian(plain.length, out);
    return out.toByteArray();
  }

  @Override
  public void close() {
    deflater.end();
  }
}
